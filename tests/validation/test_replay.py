#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The replay of a recorded run sees a wrong label and a wrong kind of trust, and says what is missing.

    test_replay.py PROGRAM
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RECORDED = Path(__file__).resolve().parents[1] / "data/replay-low-quality"
OPTIONS = (
    "--setting=low --model=mlp:6 --pretrainingRounds=1 --epochs=3 --batchSize=16 "
    "--referenceBatchSize=16 --learningRate=0.01 --threads=1 --maxRunTrust=1e-6 --maxAnyImages=1 "
    "--maxPoints=1.5"
).split()


class ReplayTest(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.folder = Path(self.work.name) / "run"
        shutil.copytree(RECORDED, self.folder)

    def change(self, name, old, new):
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.chmod(0o644)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def replay(self, *options):
        command = [PROGRAM, f"--folder={self.folder}", *OPTIONS, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_plays_what_was_recorded(self):
        self.assertEqual(self.replay()[0], 0)

    def test_sees_wrong_labels(self):
        path = self.folder / "split.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        for i, line in enumerate(lines):
            role, client, order, index, label = line.split(",")
            if (role, client) == ("train", "3"):
                lines[i] = f"{role},{client},{order},{index},{(int(label) + 1) % 10}"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        code, said = self.replay("--trust=naive")
        self.assertEqual(code, 1)
        self.assertIn("EXCEEDED", said)

    def test_sees_another_kind_of_trust(self):
        for recorded, played in (("static", "dynamic"), ("dynamic", "static"), ("naive", "static")):
            with self.subTest(recorded=recorded, played=played):
                self.folder = Path(self.work.name) / f"{recorded}-{played}"
                shutil.copytree(RECORDED, self.folder)
                for path in self.folder.glob(f"trust_low_{recorded}_*"):
                    shutil.copy(path, self.folder / path.name.replace(recorded, played))
                code, said = self.replay(f"--trust={played}")
                self.assertEqual(code, 1)
                self.assertIn(f"{played} trust matrix of round 3 in the replay", said)

    def test_needs_neither_matrices_nor_predictions(self):
        for path in (*self.folder.glob("trust_*"), *self.folder.glob("soft_labels_*")):
            path.unlink()
        self.assertEqual(self.replay()[0], 0)

    def test_settings_may_have_labels_of_their_own(self):
        (self.folder / "split.csv").rename(self.folder / "split_low.csv")
        self.assertEqual(self.replay("--trust=naive")[0], 0)

    def test_says_what_is_wrong_with_a_folder(self):
        self.change("accuracy_low.csv", "low,static,3,4,", "low,fedavg,3,4,")
        code, said = self.replay()
        self.assertEqual(code, 2)
        self.assertIn("trust 'fedavg', allowed: naive, static, dynamic, local", said)
        self.change("accuracy_low.csv", "low,fedavg,3,4,", "low,static,2,4,")
        code, said = self.replay()
        self.assertEqual(code, 2)
        self.assertIn("19 rows of static trust, expected 5 clients in each of 4 rounds", said)
        self.change("split.csv", "train,0,0,", "training,0,0,")
        code, said = self.replay()
        self.assertEqual(code, 2)
        self.assertIn("role 'training', allowed: train, test, ref", said)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
