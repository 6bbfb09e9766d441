# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios nightly-all
"""Tests that a program of one's own is compared with the others once it has the tutorial's entry."""

import re
import shutil
import textwrap
from pathlib import Path

TESTS = Path(__file__).resolve().parent

from folder_test_case import PROGRAMS, ROOT, FolderTestCase, engine_path

import pandas as pd
import yaml
from collab.sweeps.protocols import FILE

TUTORIAL = ROOT / "contrib-module" / "doc" / "collab-tutorial.rst"
OTHERS = ("local", "gossipfl")  # that are run beside it


def entry_of_tutorial():
    """The entry that the page says to write."""
    section = TUTORIAL.read_text(encoding="utf-8").split("\nBeside the others\n~~~", 1)[1]
    block = re.search(r"\.\. sourcecode:: yaml\n\n((?:   .*\n)+)", section)[1]
    return textwrap.dedent(block)


class OwnProtocolTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.scenarios = self.folder / "scenarios"
        shutil.copytree(ROOT / "scenarios/sweeps/comparison", self.scenarios / "sweeps/comparison")
        self.build = self.folder / "build"
        (self.build / "scratch").mkdir(parents=True)
        (self.build / "scenarios").symlink_to(PROGRAMS)
        shutil.copy(TESTS / "own_program.py", self.build / "scratch" / "mine")

    def write_list(self):
        """The list of protocols with only a few of ours, and the tutorial's entry at its end."""
        file = self.scenarios / "sweeps" / FILE
        head, entries = file.read_text(encoding="utf-8").split("\nparts:\n")
        chosen = [one for one in yaml.safe_load(entries) if one["name"] in OTHERS]
        self.assertEqual(len(chosen), len(OTHERS))
        file.write_text(f"{head}\nparts:\n{yaml.safe_dump(chosen)}{entry_of_tutorial()}")
        return file

    def test_one_entry_brings_it_into_the_comparison(self):
        protocols = self.write_list()
        words = ("comparison/protocols", "--scale", "smoke", "--out", "runs", "--scenarios",
                 self.scenarios, "--programs", self.build / "scenarios")  # fmt: skip
        output = self.run_collab("sweep", *words, PATH=engine_path(self.folder))
        self.assertIn("protocols-mean-of-models-smoke: 2 of 2 points done", output)
        runs = sorted((self.folder / "runs/comparison").glob("protocols-*-smoke"))
        self.assertEqual(len(runs), 1 + len(OTHERS))
        self.run_collab("compare", *runs, "--out", "compared", "--protocols", protocols, "--csv")
        ranks = pd.read_csv(self.folder / "compared/comparison-ranks.csv", comment="#")
        for view in ("joules", "seconds", "samples"):
            with self.subTest(view=view):
                rows = ranks[ranks["view"] == view]
                self.assertEqual(set(rows["protocol"]), {"mean-of-models", *OTHERS})
        points = pd.read_csv(self.folder / "compared/comparison-points.csv", comment="#")
        own = points.set_index("protocol").loc["mean-of-models"]
        self.assertAlmostEqual(own["accuracy"], 1 - 0.5**4)  # after the 4 rounds of smoke
