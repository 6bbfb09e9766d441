# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow nightly-all
"""Tests of points that one process plays, with a stand-in for the scenario."""

import json
import os
import shutil
import signal
import unittest

from test_sweep_run import SweepTestCase

from collab.sweeps.jobs.batches import batch_size, make_batches


class BatchesTest(unittest.TestCase):
    def test_all_jobs_have_something_to_do(self):
        self.assertEqual(batch_size(3, 2), 1)
        self.assertEqual(batch_size(8, 2), 2)
        self.assertEqual(batch_size(79, 2), 19)
        self.assertEqual(batch_size(1000, 2), 20)
        self.assertEqual(batch_size(0, 100), 1)

    def test_neighbors_are_of_different_jobs(self):
        self.assertEqual(make_batches(list("abcde"), 2, [0]), [["a", "d"], ["b", "e"], ["c"]])
        self.assertEqual(make_batches(list("abc"), 20, [0]), [["a", "b", "c"]])

    def test_points_that_take_long_are_fewer(self):
        self.assertEqual(make_batches(list("abcd"), 4, [20, 30]), [["a", "c"], ["b", "d"]])
        self.assertEqual(make_batches(list("ab"), 4, [3600]), [["a"], ["b"]])


class ManyTestCase(SweepTestCase):
    """A sweep of eight points: four processes of two each, or two of four with --jobs 1."""

    POINTS = "axes: {grid: {rate: [1, 2, 3, 4]}}\nseeds: 1..2"

    def setUp(self):
        super().setUp()
        (self.programs / "many").touch()

    def sharing(self):
        """The processes that were begun to play several points."""
        file = self.programs / "processes"
        return list(map(int, file.read_text().split())) if file.exists() else []

    def marks(self):
        return sorted(mark.stem for mark in (self.runs / "points").glob("*.json"))


class SharedProcessTest(ManyTestCase):
    def test_writes_what_own_processes_write(self):
        points = self.write(self.POINTS)
        self.assertIn("8 of 8 points done", self.sweep())
        self.assertEqual(len(self.sharing()), 4)
        self.assert_all_done(points)
        shared = self.contents(points)
        for digest in points:
            log = (self.runs / "logs" / f"{digest}.log").read_text().splitlines()
            self.assertEqual(json.loads(log[0])["arguments"], points[digest].arguments)
            self.assertIn(f"--runDir={self.runs / digest}", log[1])
        calls = self.calls()
        shutil.rmtree(self.out)
        (self.programs / "many").unlink()
        self.sweep()
        self.assertEqual(self.calls(), calls)
        self.assertEqual(self.contents(points), shared)

    def test_a_point_that_fails_loses_no_other(self):
        points = self.write("axes: {list: [{rate: 1, weak: false}, {rate: 2, weak: true}, "
                            "{rate: 3, weak: false}, {rate: 4, weak: false}]}")  # fmt: skip
        (self.programs / "break").touch()
        weak = list(points)[1]
        output = self.sweep("--jobs", "1", code=1)
        self.assertIn(f"{weak}-1 (rate=2 weak=true run 1) failed: killed by SIGABRT", output)
        self.assertIn("3 of 4 points done", output)
        self.assertIn("it broke", (self.runs / "failed" / f"{weak}-1" / "log.txt").read_text())
        self.assertEqual(self.marks(), sorted(set(points) - {weak}))
        self.assertEqual(len(self.sharing()), 2)

    def test_points_after_one_whose_process_is_killed(self):
        points = self.write(f"arguments: {{wait: true}}\n{self.POINTS}")
        process = self.start("--jobs", "1")
        self.wait_for_calls(1)
        os.kill(self.sharing()[0], signal.SIGKILL)
        (self.programs / "go").touch()
        output = process.communicate()
        self.assertEqual(process.returncode, 1, output)
        self.assertIn("failed: killed by SIGKILL", output)
        self.assertIn("7 of 8 points done", output)
        self.assertEqual(len(self.marks()), 7)
        self.assertIn("8 of 8 points done", self.sweep())
        self.assert_all_done(points)

    def test_program_that_cannot_begin(self):
        self.write(self.POINTS)
        program = self.programs / "stand-in"
        program.write_text(program.read_text().replace('print(json.dumps(content))',
                           'print(json.dumps(content)); os.chmod(__file__, 0o644)'))  # fmt: skip
        output = self.sweep(code=1)
        self.assertRegex(output, r"failed: exit code 127: .*stand-in: Permission denied")
        self.assertIn("8 failed", output)


class InterruptedBatchTest(ManyTestCase):
    def setUp(self):
        super().setUp()
        self.points = self.write(f"arguments: {{wait: true}}\n{self.POINTS}")
        self.process = self.start("--jobs", "1")
        self.wait_for_calls(1)

    def test_first_interrupt_begins_no_other_point_of_the_job(self):
        os.killpg(self.process.pid, signal.SIGINT)
        self.wait_for(lambda: "waits for the running" in self.process.stdout.readline())
        self.wait_for((self.runs / "engine.stop").exists)
        (self.programs / "go").touch()
        output = self.process.communicate()
        self.assertEqual(self.process.returncode, 130, output)
        self.assertIn("1 of 8 points done", output)
        self.assertEqual(len(self.calls()), 1)
        self.assertIn("8 points: 1 done, 7 to run", self.sweep())
        self.assertEqual(len(self.calls()), 7)
        self.assert_all_done(self.points)

    def test_termination_ends_the_running_point(self):
        self.process.send_signal(signal.SIGTERM)
        output = self.process.communicate()
        self.assertEqual(self.process.returncode, 130, output)
        self.assertEqual(list(self.runs.glob("*.partial")), [])
        self.assertFalse((self.runs / "failed").exists())
        (self.programs / "go").touch()
        self.assertIn("8 points: 8 to run", self.sweep())
        self.assert_all_done(self.points)

    def test_after_kill_9_of_all_but_the_program_no_run_is_lost(self):
        executor = self.parent_of(self.sharing()[0])
        engine = self.engine_of(self.process)
        for process in (self.process.pid, engine, executor):
            os.kill(process, signal.SIGKILL)
        self.wait_for(self.is_unlocked)
        second = self.start()
        self.wait_for(self.is_waited_for)
        (self.programs / "go").touch()
        output = second.communicate()
        self.assertEqual(second.returncode, 0, output)
        self.assert_all_done(self.points)
        self.assertEqual(len(self.calls()), 8)
        self.assertFalse((self.runs / "failed").exists())

    def test_after_kill_9_of_everything(self):
        engine = self.engine_of(self.process)
        os.kill(self.process.pid, signal.SIGKILL)
        os.killpg(engine, signal.SIGKILL)
        self.wait_for(self.is_unlocked)
        (self.programs / "go").touch()
        self.assertIn("8 points: 7 to run, 1 begun and not finished", self.sweep())
        self.assert_all_done(self.points)


if __name__ == "__main__":
    unittest.main()
