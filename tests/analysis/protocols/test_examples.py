# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow bridge torch sklearn nightly-all
"""The examples of protocols in Python run as programs, learn, and repeat themselves."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
import unittest

from folder_test_case import PROGRAMS, engine_path, nightly
from protocol_test_case import EXAMPLES, ROOT, ProtocolTestCase

import collab
import yaml
from collab.sweeps.protocols import FILE

TUTORIAL = ROOT / "contrib-module" / "doc" / "collab-tutorial.rst"
ENTRY = re.compile(r"^\.\. sourcecode:: yaml\n\n((?:   .*\n)+)", re.MULTILINE)
SAMPLES = ("--samples=200", "--testSamples=500", "--loss=reliable", "--maxOutage=0.1")


class ExamplesTest(ProtocolTestCase):
    def run_example(self, name, *words):
        """The run of an example, which is the same with one thread and with two."""
        for threads in (1, 2):
            into = f"{name}-{threads}"
            self.call_example(name, f"--threads={threads}", f"--runDir={into}", *words)
        one, other = (self.digests(f"{name}-{threads}") for threads in (1, 2))
        self.assertEqual([file for file in one if one[file] != other[file]], [])
        return collab.load_run(self.folder / f"{name}-1")

    def test_pytorch_that_setup_imports_is_warned_of(self):
        file = self.folder / "late.py"
        file.write_text(
            "import collab\n"
            "class Late(collab.Protocol):\n"
            "    metrics = []\n"
            "    def setup(self, device, data):\n"
            "        import torch\n"
            "        torch.nn.Linear(2, 2)\n"
            "    async def round(self):\n"
            "        await self.sleep(1)\n"
            "raise SystemExit(collab.main(Late))\n"
        )
        command = [sys.executable, str(file), "--devices=2", "--rounds=1", "--quiet"]
        command.append(f"--runDir={self.folder / 'late'}")
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "analysis")}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        self.assertEqual(done.stderr.count("import torch at the top of the file"), 1, done.stderr)
        self.assertNotIn("rounds have drawn", done.stderr)

    def call_example(self, name, *words):
        command = [sys.executable, str(EXAMPLES / f"{name}.py"), "--quiet", *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "analysis")}
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env=environment, cwd=self.folder)  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def mean(self, run, metric, number):
        """Of all devices in a round."""
        rounds = run.rounds[run.rounds["round"] == number]
        self.assertEqual(len(rounds), len(run.devices))
        return rounds[metric].mean()

    def test_averaging_agrees_on_the_mean(self):
        run = self.run_example("averaging", "--devices=6", "--rounds=4", "--maxOutage=1e-6")
        numbers = run.rounds[run.rounds["round"] == 3]["number"]
        self.assertEqual(len(numbers), 6)
        self.assertTrue(all(abs(number - 2.5) < 1e-3 for number in numbers))

    def test_decentralized_sgd_learns(self):
        run = self.run_example("decentralized_sgd", "--devices=4", "--rounds=3", *SAMPLES)
        self.assertGreater(self.mean(run, "accuracy", 2), 0.3)
        self.assertGreater(self.mean(run, "accuracy", 2), self.mean(run, "accuracy", 0) + 0.05)

    def test_forests_and_networks_teach_each_other(self):
        words = ("--devices=4", "--rounds=3", "--trees=20", "--referenceSamples=200", *SAMPLES)
        run = self.run_example("fedmd", *words)
        self.assertGreater(self.mean(run, "accuracy", 2), 0.5)
        self.assertGreater(self.mean(run, "accuracy", 2), self.mean(run, "accuracy", 0) + 0.05)
        self.call_example("fedmd", "--patience=1e-3", "--runDir=alone", *words)
        alone = collab.load_run(self.folder / "alone")
        self.assertEqual(self.mean(alone, "messages_heard", 2), 0)
        self.assertLess(self.mean(alone, "accuracy", 2), self.mean(run, "accuracy", 2) - 0.03)
        for kind in (0, 1):  # networks and forests
            some = [one for one in run.devices.index if one % 2 == kind]
            ends = [frame[frame["round"] == 2].set_index("device")["accuracy"][some].mean()
                    for frame in (run.rounds, alone.rounds)]  # fmt: skip
            self.assertGreater(*ends)

    @nightly
    def test_the_tutorials_entry_brings_a_file_into_the_comparison(self):
        scenarios = self.folder / "scenarios"
        shutil.copytree(ROOT / "scenarios/sweeps/comparison", scenarios / "sweeps/comparison")
        shutil.copytree(EXAMPLES, self.folder / "examples")
        protocols = scenarios / "sweeps" / FILE
        head = protocols.read_text(encoding="utf-8").partition("\nparts:\n")[0]
        entries = map(textwrap.dedent, ENTRY.findall(TUTORIAL.read_text(encoding="utf-8")))
        (entry,) = [one for one in entries if ".py" in one]
        protocols.write_text(f"{head}\nparts:\n{entry}")
        self.run_collab("sweep", "comparison/protocols", "--scale", "smoke", "--out", "runs", "--scenarios",
                        scenarios, "--programs", PROGRAMS, PATH=engine_path(self.folder))  # fmt: skip
        runs = self.folder / "runs/comparison/protocols-fedmd-smoke"
        told = self.run_collab("compare", runs, "--protocols", protocols, "--out", "compared")
        self.assertRegex(told, rf"joules .* {yaml.safe_load(entry)[0]['name']} ")

    def test_they_are_short(self):
        for name, lines in (("averaging", 35), ("decentralized_sgd", 65), ("fedmd", 90)):
            text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
            self.assertLessEqual(len(text.splitlines()), lines, name)


if __name__ == "__main__":
    unittest.main()
