# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow nightly-all
"""Tests of calls that run the points of several sweeps: the parts of a file."""

import json
import signal


from test_sweep_run import HEAD, SweepTestCase

from collab.sweeps import expand, load_sweeps


class PartsTest(SweepTestCase):
    """A sweep of parts, below a folder whose name has a blank and braces."""

    def setUp(self):
        super().setUp()
        self.out = self.out / "my {runs}"

    def write_parts(self, text):
        """Writes the sweep; returns the digests of each part by its name."""
        file = self.folder / "small.yaml"
        file.write_text(HEAD + text, encoding="utf-8")
        return {sweep.name: list(expand(sweep)) for sweep in load_sweeps("small", file)}

    def finished(self, name):
        """The digests of finished points of a part."""
        return sorted(mark.stem for mark in (self.out / name / "points").glob("*.json"))

    def test_a_part_begins_while_points_of_another_one_still_run(self):
        parts = self.write_parts("""
parts:
  - {name: a, arguments: {wait: true}}
  - {name: b, arguments: {rate: 2}}
""")
        process = self.start()
        self.wait_for(lambda: self.finished("small-b"))
        self.assertEqual(self.finished("small-a"), [])
        (self.programs / "go").touch()
        output = process.communicate()
        self.assertEqual(process.returncode, 0, output)
        for name, digests in parts.items():
            self.assertEqual(self.finished(name), digests)
            self.assertIn(f"{name}: 1 points: 1 to run", output)
            self.assertIn(f"{name}: 1 of 1 points done", output)
        self.assertIn("2 of 2 points done", output)

    def test_a_point_of_two_parts_is_run_once(self):
        parts = self.write_parts("""
parts:
  - {name: a, axes: {grid: {rate: [1, 2]}}}
  - {name: b, axes: {grid: {rate: [2, 3]}}}
  - {name: c, arguments: {rate: 3}}
""")
        output = self.sweep()
        self.assertEqual([call.split()[0] for call in self.calls()], [f"--rate={n}" for n in "123"])
        for name, digests in parts.items():
            self.assertEqual(self.finished(name), sorted(digests))
            self.assertIn(f"{name}: {len(digests)} of {len(digests)} points done", output)
        mark = json.loads((self.out / "small-c" / "points" / f"{parts['small-c'][0]}.json").read_text())
        self.assertEqual(mark["taken_from"], str(self.out / "small-b"))

    def test_what_is_left_of_a_killed_run_of_a_point_of_two_parts(self):
        parts = self.write_parts("""
parts:
  - {name: a, arguments: {rate: 2}}
  - {name: b, axes: {grid: {rate: [2, 3]}}}
""")
        (common,) = parts["small-a"]
        (self.out / "small-b" / f"{common}.partial").mkdir(parents=True)
        output = self.sweep()
        for name, digests in parts.items():
            self.assertEqual(self.finished(name), sorted(digests), output)
        self.assertIn("small-b: 2 points: 1 to run, 1 begun and not finished", output)
        self.assertIn("2 of 2 points done", output)

    def test_what_fails_in_a_part_does_not_keep_others_from_running(self):
        (self.programs / "break").touch()
        parts = self.write_parts("""
parts:
  - {name: a, arguments: {weak: true}}
  - {name: b, arguments: {rate: 2}}
  - {name: c, arguments: {weak: true}}
""")
        output = self.sweep(code=1)
        self.assertEqual(self.finished("small-b"), parts["small-b"])
        self.assertIn("small-a: 0 of 1 points done", output)
        self.assertIn(f"1 failed, see {self.out / 'small-a' / 'failed'}", output)
        self.assertIn("small-c: 0 of 1 points done", output)
        (self.programs / "break").unlink()
        self.calls()
        self.sweep()
        self.assertEqual(len(self.calls()), 1)  # one run, taken by the other part

    def test_an_interrupted_call_goes_on(self):
        self.write_parts("""
parts:
  - {name: a, arguments: {wait: true}, seeds: 1..2}
  - {name: b, arguments: {rate: 2}}
""")
        process = self.start("--jobs", "1")
        self.wait_for_calls(1)
        process.send_signal(signal.SIGINT)
        (self.programs / "go").touch()
        output = process.communicate()
        done = len(self.finished("small-a")) + len(self.finished("small-b"))
        self.assertEqual(process.returncode, 130 if done < 3 else 0, output)
        self.sweep()
        self.assertEqual(len(self.calls()), 3)
