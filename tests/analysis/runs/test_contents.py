# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of runs that differ in nothing but the contents of a file that an argument names."""

import json
from pathlib import Path

from folder_test_case import FolderTestCase

from collab import collect, group_runs, load_sweep
from collab.cli.collect import main as collect_command
from collab.report.sweep_page import sweep_data
from synthetic_run import write_run

VALUE = "file:pets.safetensors"
OLDER = "runs of older calls of the sweep, which count"


class ContentsTest(FolderTestCase):
    """Has a sweep whose data set was another one when it was called before."""

    def setUp(self):
        super().setUp()
        self.sweep = self.folder / "sweep"
        self.write("b0", 1, "old")
        self.write("a0", 2, "old")
        self.write("a1", 1, "new")
        self.call("a1")

    def write(self, name, number, contents, sweep=None):
        """A finished run of the sweep, with its mark."""
        sweep = sweep or self.sweep
        write_run(sweep / name, run=number, bonus=0.1 if contents == "new" else 0, dataSet=VALUE)
        mark = {"arguments": {"dataSet": VALUE}, "seed": 1, "run": number}
        mark["contents"] = {"dataSet": contents}
        (sweep / "points").mkdir(exist_ok=True)
        (sweep / "points" / f"{name}.json").write_text(json.dumps(mark))

    def call(self, *names, sweep=None):
        """Makes runs the points of the last call of the sweep."""
        sweep = sweep or self.sweep
        points = {}
        for name in names:
            mark = json.loads((sweep / "points" / f"{name}.json").read_text())
            points[name] = {"arguments": mark["arguments"], "files": mark["contents"]}
        (sweep / "sweep.json").write_text(json.dumps({"points": points}))

    def loaded(self, *paths):
        return sorted(run.path.name for path in paths or [self.sweep] for run in load_sweep(path).runs)

    def test_runs_of_older_contents_are_left_out(self):
        sweep = load_sweep(self.sweep)
        self.assertEqual([run.path.name for run in sweep.runs], ["a1"])
        self.assertEqual(len(sweep.left_out), 2)
        self.assertIn("a0 is left out: files that its arguments name have changed", sweep.left_out[0])
        data = sweep_data(self.sweep, Path("r.html"))
        self.assertEqual([note.split()[0] for note in data["notes"]], ["a0", "b0"])
        self.assertEqual(data["tiles"][0]["value"], 1)

    def test_runs_of_older_calls_with_the_same_contents_count(self):
        self.write("c1", 3, "new")
        self.assertEqual(self.loaded(), ["a1", "c1"])

    def test_runs_of_older_calls_are_told_wherever_they_are(self):
        self.write("c1", 3, "new")
        other, database = self.folder / "other", self.folder / "all.sqlite"
        self.write("d1", 4, "new", other)
        self.call("d1", sweep=other)
        _, _, errors = self.run_command(collect_command, self.folder, "--out", database)
        (told,) = [line for line in errors.splitlines() if "older" in line]
        self.assertRegex(told, f"^collab collect: .*/sweep: {OLDER}: 1$")
        for source in (self.sweep, self.folder, database):
            (told,) = [line for line in load_sweep(source).left_out if "older" in line]
            self.assertRegex(told, f"/sweep: {OLDER}: 1$")
            (note,) = [note for note in sweep_data(source, Path("r.html"))["notes"] if "older" in note]
            self.assertTrue(note.endswith(f"{OLDER}: 1."))
        self.assertEqual(load_sweep(self.sweep / "c1").left_out, [])  # was asked for

    def test_runs_of_which_nothing_is_known_are_left_out(self):
        self.write("c1", 3, "new")
        mark = self.sweep / "points" / "c1.json"
        told = json.loads(mark.read_text())
        del told["contents"]
        mark.write_text(json.dumps(told))
        self.assertEqual(self.loaded(), ["a1"])
        mark.unlink()
        self.assertEqual(self.loaded(), ["a1"])

    def test_a_run_that_is_named_counts(self):
        self.assertEqual(self.loaded(self.sweep / "b0"), ["b0"])

    def test_a_database_follows_the_sweep(self):
        database = self.folder / "all.sqlite"
        self.call("b0", "a0")
        (self.sweep / "a1").rename(self.folder / "later")
        collect([self.sweep], database)
        self.assertEqual(self.loaded(database), ["a0", "b0"])
        (self.folder / "later").rename(self.sweep / "a1")
        self.call("a1")
        report = collect([self.sweep], database)
        self.assertEqual((len(report.added), len(report.left_out)), (1, 2))
        self.assertEqual(self.loaded(database), ["a1"])

    def test_sweeps_with_other_contents_differ_in_them(self):
        other = self.folder / "other"
        for name, number in (("b1", 1), ("b2", 2)):
            self.write(name, number, "old", other)
        self.call("b1", "b2", sweep=other)
        collect([self.folder], self.folder / "all.sqlite")
        for source in (self.folder, self.folder / "all.sqlite"):
            groups = group_runs(load_sweep(source).runs)
            self.assertEqual({label.partition(", ")[2]: len(runs) for label, runs in groups.items()},
                             {"dataSet (contents)=new": 1, "dataSet (contents)=old": 2})  # fmt: skip
            data = sweep_data(source, Path("r.html"))
            self.assertEqual([tile["value"] for tile in data["tiles"]], [3, 2, 2, 1])
