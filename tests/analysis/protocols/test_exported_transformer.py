# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow torch scenarios
"""The example that exports a transformer writes what a scenario trains: its adapters and its head."""

import json
import subprocess
import sys
import unittest

from folder_test_case import PROGRAMS, ROOT, FolderTestCase

SMALL = ("--width=8", "--heads=2", "--layers=1", "--rank=2")
RUN = ("--devices=2", "--samples=40", "--minimumSamples=4", "--testSamples=40", "--referenceSamples=20", "--rounds=1",
       "--localSteps=1", "--lowQuality=none")  # fmt: skip


class ExportedTransformerTest(FolderTestCase):
    def test_adapters_and_head_are_trained(self):
        script = ROOT / "contrib-module" / "examples" / "lora_transformer.py"
        file = self.folder / "lora.pt"
        command = [sys.executable, script, file, *SMALL, "--pretrain=200", "--epochs=1"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.assertIn("1298 parameters, 64 of them of adapters", printed)
        self.assertRegex(printed, r"pretrained: 0\.\d+ of its own 200 images")
        command = [PROGRAMS / "federated", *RUN, f"--model=script:{file}", "--train=*.lora_*,head.*"]
        subprocess.run([*command, f"--runDir={self.folder / 'run'}"], check=True, capture_output=True)
        run = json.loads((self.folder / "run" / "run.json").read_text())
        self.assertEqual(run["model"]["parameters"], 64 + 90)


if __name__ == "__main__":
    unittest.main()
