# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: scenarios
"""Data of any kind is converted, and scenarios learn from it."""

import csv
import json
import math
import subprocess

from folder_test_case import PROGRAMS

import numpy as np
from convert_test_case import ConvertTestCase

SMALL = [
    "--devices=3", "--samples=20", "--minimumSamples=4", "--testSamples=10", "--lowQuality=1",
    "--model=mlp:8", "--rounds=1", "--quiet",
]  # fmt: skip


class ConvertedRunsTest(ConvertTestCase):
    def run_scenario(self, name, *arguments):
        """The first row of rounds of a run, and its run.json."""
        folder = self.folder / f"run-{name}-{len(list(self.folder.iterdir()))}"
        command = [PROGRAMS / name, f"--dataSet=file:{self.out}", f"--runDir={folder}"]
        if name == "prediction-consensus":
            command.append("--pretrainingRounds=0")
        done = subprocess.run([*command, *SMALL, *arguments], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(folder / "rounds.csv", encoding="utf-8") as file:
            row = next(csv.DictReader(file))
        return row, json.loads((folder / "run.json").read_text())

    def test_a_table_with_names_as_classes(self):
        rows = ["x,color,who,kind"]
        for i in range(200):
            rows.append(f"{i % 7},{('red', 'blue')[i % 2]},user{i % 5},{('cat', 'dog')[i % 2]}")
        source = self.folder / "pets.csv"
        source.write_text("\n".join(rows) + "\n")
        self.convert(source, "--label", "kind", "--users", "who", "--standardize", "features")
        for name in ("federated", "prediction-consensus"):
            row, run = self.run_scenario(name, "--referenceSamples=10")
            self.assertTrue(0 <= float(row["accuracy_global"]) <= 1)
            self.assertEqual(run["parameters"]["dataSet"], f"file:{self.out}")
            self.assertEqual(run["display"]["measure"], "accuracy_reference")
        row, _ = self.run_scenario("federated", "--referenceSamples=10", "--partition=users")
        self.assertTrue(0 <= float(row["accuracy_global"]) <= 1)

    def test_a_regression_of_two_targets(self):
        x = np.arange(200) / 200
        source = self.folder / "curve.npz"
        np.savez(source, features=np.stack([x, x * x], axis=1), y=np.stack([x, 1 - x], axis=1))
        self.convert(source, "--targets", "y", "--standardize", "features")
        for name, measure in (
            ("federated", "loss_reference"),
            ("gossip", "loss_reference"),
            ("prediction-consensus", "squared_error_reference"),
        ):
            row, run = self.run_scenario(name, "--referenceSamples=10")
            self.assertEqual(run["display"]["measure"], measure)
            self.assertTrue(math.isfinite(float(row[measure])), row)
            self.assertTrue(math.isfinite(float(row["determination_global"])), row)

    def test_images_of_both_parts(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("needs PIL")
        for i in range(90):
            part, kind = ("train", "test")[i % 5 == 0], ("cat", "dog")[i % 2]
            path = self.folder / "pets" / part / kind / f"{i}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (9, 8), (i, 200 * (i % 2), 255 - i)).save(path)
        self.convert(self.folder / "pets", "--resize", 8, "--standardize", "channels")
        row, _ = self.run_scenario(
            "federated", "--referenceSamples=4", "--samples=16", "--partition=iid"
        )
        self.assertTrue(0 <= float(row["accuracy_global"]) <= 1)

    def test_a_damaged_file_ends_a_run(self):
        source = self.folder / "a.csv"
        source.write_text("x,y\n1,0\n2,1\n")
        self.convert(source, "--label", "y")
        self.out.write_bytes(self.out.read_bytes()[:-1])
        done = subprocess.run(
            [PROGRAMS / "federated", f"--dataSet=file:{self.out}", *SMALL],
            capture_output=True, text=True, cwd=self.folder,
        )  # fmt: skip
        self.assertEqual(done.returncode, 2)
        self.assertIn("out.safetensors: byte 8: tensor", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
