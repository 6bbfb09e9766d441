# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: nightly-all
"""Tests of sweeps that take the finished runs of others."""

import json
import os


from test_sweep_run import HEAD, SweepTestCase


class ElsewhereTest(SweepTestCase):
    """The sweep small has a run of rate 0.5 in common with folder/great, which is finished."""

    def setUp(self):
        super().setUp()
        great = self.folder / "great.yaml"
        great.write_text(HEAD + "axes: {grid: {rate: [0.5, 1]}}", encoding="utf-8")
        self.sweep(file=great)
        self.assertEqual(len(self.calls()), 2)
        self.great = self.out / "folder" / "great"
        self.great.parent.mkdir()
        (self.out / "great").rename(self.great)
        self.points = self.write("axes: {grid: {rate: [0.5, 2]}}")
        self.common = next(digest for digest in self.points if (self.great / digest).exists())

    def test_takes_runs_of_other_sweeps(self):
        plan = self.sweep("--dry-run")
        self.assertIn(f"{self.common}  other    rate=0.5 run 1", plan)
        self.assertIn("2 points: 1 done in other sweeps, 1 to run", plan)
        self.assertIn("small: 2 of 2 points done", self.sweep())
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=2"])
        self.assert_all_done(self.points)
        for name in os.listdir(self.great / self.common):
            theirs, ours = (folder / self.common / name for folder in (self.great, self.runs))
            self.assertEqual(theirs.read_bytes(), ours.read_bytes())
        mark = json.loads((self.runs / "points" / f"{self.common}.json").read_text())
        self.assertEqual(mark["taken_from"], str(self.great))
        self.assertGreater(mark["seconds"], 0)
        self.assertIn("2 points: 2 done\n", self.sweep())
        self.assertEqual(self.calls(), [])

    def test_runs_of_another_version_are_not_taken(self):
        versions = {"collab": "0.1.0", "sources": "cd34", "ns3": "3.37"}
        (self.programs / "versions").write_text(json.dumps(versions))
        self.assertIn("2 points: 2 to run", self.sweep())
        self.assertEqual(len(self.calls()), 2)

    def test_damaged_runs_are_not_taken(self):
        with (self.great / self.common / "rounds.csv").open("a") as table:
            table.write("1")
        self.assertIn("2 points: 2 to run", self.sweep())
        self.assertEqual(len(self.calls()), 2)
        self.assert_all_done(self.points)
