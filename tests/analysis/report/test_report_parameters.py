# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what reports say of parameters that the program computed: the user did not change them."""

import json
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from folder_test_case import FolderTestCase

from collab.report.run_page import run_data
from collab.report.sweep_page import sweep_data
from collab.runs.collection import collect
from synthetic_run import write_run


class ComputedParametersTest(FolderTestCase):
    def write(self, name, deadline, given=0.0, **settings):
        """A run whose program computed the deadline from something else, or from a given one."""
        path = write_run(self.folder / name, deadline=deadline, rounds=4, **settings)
        metadata = json.loads((path / "run.json").read_text())
        metadata["defaults"] = {"deadline": 0.0, "rounds": 20}
        metadata["computed"] = {"deadline": given}
        (path / "run.json").write_text(json.dumps(metadata))
        return path

    def remarks(self, data):
        """The parameters that are marked, with their values."""
        return {row["name"]: (row["value"], row["changed"], row["computed"])
                for row in data["parameters"] if row["changed"] or row["computed"]}  # fmt: skip

    def test_of_a_run_only_what_was_given_is_changed(self):
        remarks = self.remarks(run_data(self.write("run", 5.25)))
        self.assertEqual(remarks["deadline"], ("5.25", False, True))
        self.assertEqual(remarks["rounds"], ("4", True, False))

    def test_a_value_that_was_given_and_then_computed_is_both(self):
        remarks = self.remarks(run_data(self.write("run", 5.25, given=-1.0)))
        self.assertEqual(remarks["deadline"], ("5.25", True, True))

    def test_runs_of_a_sweep_share_the_value_before_it_was_computed(self):
        for number in (1, 2):
            self.write(f"sweep/{number}", 5.0 + number, run=number)
        collect([self.folder / "sweep"], self.folder / "runs.sqlite")
        for source in ("sweep", "runs.sqlite"):
            with self.subTest(source=source):
                data = sweep_data(self.folder / source, self.folder / "report.html")
                self.assertEqual(self.remarks(data)["deadline"], ("0.0", False, True))


if __name__ == "__main__":
    unittest.main()
