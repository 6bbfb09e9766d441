# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of whether a finished run is that of a point."""

import json

from folder_test_case import FolderTestCase

from collab.sweeps import Point
from collab.sweeps.folder import SweepFolder

DIGEST = "0123456789abcdef"


class FaultTest(FolderTestCase):
    """Has a run of a program that was given deadline=0 and computed 5 s."""

    def setUp(self):
        super().setUp()
        self.folder = SweepFolder(self.folder)
        self.point = Point("scenario", {"deadline": "0", "rate": "2"}, 1, 1)
        self.write()

    def write(self, rate=2.0, **more):
        parameters = {"deadline": 5.0, "rate": rate}
        content = {"schema": 1, "scenario": "scenario", "seed": 1, "run": 1, "parameters": parameters}
        self.folder.run(DIGEST).mkdir(exist_ok=True)
        (self.folder.run(DIGEST) / "run.json").write_text(json.dumps({**content, **more}))

    def fault(self):
        return self.folder.fault(DIGEST, self.point)

    def tell(self, file, **arguments):
        file.parent.mkdir()
        file.write_text(json.dumps({"arguments": {**self.point.arguments, **arguments}}) + "\n--rate=2\n")

    def test_what_is_not_told_has_to_be_the_same(self):
        self.assertEqual(self.fault(), "run.json is of another run: deadline is 5.0, not 0")

    def test_computed_parameters_were_what_was_asked_for(self):
        self.write(computed={"deadline": 0.0})
        self.assertIsNone(self.fault())
        self.write(rate=3.0, computed={"deadline": 0.0, "rate": 1.0})
        self.assertIn("rate is 1.0, not 2", self.fault())

    def test_log_tells_what_was_given(self):
        self.tell(self.folder.log(DIGEST))
        self.assertIsNone(self.fault())
        self.write(seed=2)
        self.assertIn("seed is 2, not 1", self.fault())

    def test_log_of_another_run_tells_nothing(self):
        self.tell(self.folder.log(DIGEST), rate="3")
        self.assertIn("deadline is 5.0, not 0", self.fault())

    def test_mark_tells_what_was_given(self):
        mark = self.folder.mark(DIGEST)
        mark.parent.mkdir()
        mark.write_text(json.dumps({"arguments": self.point.arguments, "files": {}}))
        self.assertIsNone(self.fault())
