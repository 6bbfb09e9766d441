# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what ./collab bench compares with: each program measures what a ratio is formed of."""

import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import print_ratios

# The shortest measurements of each program, by the module that they need
SHORTEST = {
    "consensus": {"torch": "PyTorch/ConsensusRound/2/1/1"},
    "graphs": {"numpy": "Numpy/GraphDiscoveryMathematics/25"},
    "learning": {"torch": "PyTorch/TrainModel/linear", "numpy": "Numpy/mean/25/100000"},
}


class BaselinesTest(unittest.TestCase):
    def test_every_program_is_tested(self):
        programs = {file.name for file in BENCHMARKS.glob("*_baseline.py")}
        self.assertEqual(programs, {f"{name}_baseline.py" for name in SHORTEST})

    def test_each_measures_what_ratios_are_formed_of(self):
        used = {name for ratio in print_ratios.RATIOS for name in (ratio.numerator, ratio.denominator)}
        for program, names in SHORTEST.items():
            with self.subTest(program=program):
                measured = self.measure(program, "|".join(f"^{name}$" for name in names.values()))
                present = [module for module in names if importlib.util.find_spec(module)]
                self.assertEqual(set(measured), {names[module] for module in present})
                self.assertLessEqual(set(measured), used)
                for times in measured.values():
                    self.assertGreater(min(times), 0)

    def measure(self, program, pattern):
        """Names of benchmarks with the wall and processor time that the program measured."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results.json"
            result = subprocess.run(
                [sys.executable, BENCHMARKS / f"{program}_baseline.py", f"--out={file}",
                 f"--filter={pattern}", "--repetitions=1"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
            self.assertEqual(result.returncode, 0, result.stdout)
            results = print_ratios.load([file])
        return {name: (run["real_time"], run["cpu_time"]) for name, (run,) in results.items()}


if __name__ == "__main__":
    unittest.main()
