# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios
"""What ./collab run says of a run: what it came to (--json), and what it will cost (--dry-run)."""

import json
import math
import os
import unittest

from test_run_and_sweep import SMALL, PythonTestCase

from collab import load_run
from collab.api.estimate import Cost, _continue, _lengths
from collab.api.words import value_of, without
from collab.cli.project.run import main
from collab.runs.run import ENERGY_KINDS

SCENARIO = "prediction-consensus"
FACTOR = 1.3  # between what an estimate says of the network and what the run has
FACTOR_OF_HOST = 5  # the same of the host, on a machine that is busy with other things


class LengthsTest(unittest.TestCase):
    def test_probes_are_short(self):
        self.assertEqual(_lengths(100, 0), [1, 2, 4, 8, 16])
        self.assertEqual(_lengths(100, 5), [6, 7, 9, 13, 21])
        self.assertEqual(_lengths(1, 0), [1])
        self.assertEqual(_lengths(3, 5), [3])
        self.assertEqual(_lengths(2, 0), [1, 2])

    def test_costs_are_continued_linearly(self):
        probes = (Cost(1, 2.0, 3.0, 200.0, 10.0, 5.0, 100.0, 4), Cost(3, 3.0, 6.0, 210.0, 14.0, 9.0, 300.0, 4))
        self.assertEqual(_continue(probes, 13), Cost(13, 8.0, 16.0, 210.0, 34.0, 29.0, 1300.0, 4))
        self.assertEqual(_continue(probes[:1], 1), probes[0])

    def test_words(self):
        words = ["--rounds=3", "--quiet", "--roundsOf=1", "--rounds=4"]
        self.assertEqual((value_of("rounds", words), value_of("run", words)), ("4", None))
        self.assertEqual(without(words, "rounds"), ["--quiet", "--roundsOf=1"])


class DescribedRunTest(PythonTestCase):
    def words(self, **more):
        return [f"--{name}={value}" for name, value in {**SMALL, **more}.items()]

    def object(self, *words):
        code, output, errors = self.run_command(main, *words)
        self.assertEqual((code, output.count("\n")), (0, 1), errors)
        return json.loads(output)

    def test_an_estimate_is_near_the_run_which_is_described(self):
        words = self.words(rounds=24)
        told = self.object(SCENARIO, "--dry-run", *words, "--json")
        self.assertEqual(sorted(os.listdir(self.folder)), ["bin", "other-program"])
        self.assertEqual([probe["rounds"] for probe in told["probes"]][0], 2)
        self.assertLessEqual(told["probes"][-1]["rounds"], 6)
        done = self.object("--json", SCENARIO, *words)
        self.assertEqual(done["folder"], f"runs/{SCENARIO}-1")
        cost = told["estimate"]
        pairs = [(cost[name], done[name]) for name in ("simulated_s", "joules")]
        pairs.append((cost["bytes_sent"] / cost["devices"], done["bytes_per_device"]))
        for one, other in pairs:
            self.assertLess(abs(math.log(one / other)), math.log(FACTOR), (told, done))
        self.assertLess(abs(math.log(cost["host_s"] / done["host_s"])), math.log(FACTOR_OF_HOST), (told, done))
        self.assertGreater(cost["memory_mb"], 20)
        self.check_numbers(done)

    def check_numbers(self, done):
        run = load_run(done["folder"])
        joules = run.accounts[[f"{kind}_j" for kind in ENERGY_KINDS]].sum().sum()
        self.assertAlmostEqual(done["joules"], joules, delta=1e-3 * joules)
        self.assertAlmostEqual(done["final"]["accuracy_global"], run.final("accuracy_global", run.regular), 4)
        self.assertEqual((done["seed"], done["run"], done["versions"]), (1, 1, run.versions))

    def test_a_text_says_how_it_was_made(self):
        code, output, _ = self.run_command(main, "--dry-run", SCENARIO, *self.words())
        self.assertEqual(code, 0)
        self.assertIn(f"{SCENARIO} --rounds=2, 4 devices: an estimate\n", output)
        self.assertIn("Made of the same run with --rounds 2, which took", output)

    def test_mistakes_are_one_line(self):
        for words in (["--dry-run", SCENARIO, "--rounds=many"], ["--dry-run", SCENARIO, "--trust=no"]):
            self.assert_refused("is not allowed", self.ended, *words)
        self.assert_refused("--runs=1..2 is not allowed here", self.ended, "--json", SCENARIO,
                            "--runs=1..2")
        self.assert_refused("of which a short probe", self.ended, "--dry-run", self.program)

    def ended(self, words):
        from collab.cli.main import main as collab

        return collab(["run", *words])


if __name__ == "__main__":
    unittest.main()
