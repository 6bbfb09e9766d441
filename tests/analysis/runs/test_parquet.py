# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of folders of Parquet files; without pyarrow with a stand-in that writes the same frames in another way."""

import importlib.util
import shutil
import unittest
from unittest import mock

from folder_test_case import SweepFolderTestCase

import pandas as pd

from collab import load_sweep
from collab.cli.collect import main
from collab.runs import parquet

HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None


def stand_in():
    """Patches of what reads and writes Parquet files."""
    yield mock.patch.object(parquet, "check_library")
    yield mock.patch.object(pd.DataFrame, "to_parquet", lambda table, file, index: table.to_pickle(file))
    yield mock.patch.object(pd, "read_parquet", pd.read_pickle)


class ParquetTest(SweepFolderTestCase):
    def setUp(self):
        super().setUp()
        for patch in () if HAS_PYARROW else stand_in():
            patch.start()
            self.addCleanup(patch.stop)
        self.out = self.folder.parent / f"{self.folder.name}.parquet"

    def collect(self):
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)
        return self.call(main, self.folder, "--out", self.out)

    def test_runs_are_read_back(self):
        self.assertIn(f"{self.out}: runs 12 added", self.collect())
        self.assertIn("rounds.parquet", {file.name for file in self.out.iterdir()})
        read, written = load_sweep(self.out), load_sweep(self.folder)
        self.assertEqual(len(read.runs), 12)
        for name in ("rounds", "energy", "trust"):
            one, other = (sweep.table(name) for sweep in (read, written))
            self.assertEqual((len(one), one["run"].sum()), (len(other), other["run"].sum()), name)
        self.assertAlmostEqual(read.table("rounds")["accuracy_reference"].sum(),
                               written.table("rounds")["accuracy_reference"].sum())
        self.assertEqual([run.parameters for run in sorted(read.runs, key=str)][0]["trust"], "dynamic")

    def test_mistakes_are_one_line(self):
        self.collect()
        self.assert_refused("is there already; allowed: a new folder", main, self.folder, "--out", self.out)
        (self.out / "rounds.parquet").write_bytes(b"x")
        with self.assertRaisesRegex(Exception, "rounds.parquet is no Parquet file, or damaged"):
            load_sweep(self.out)


class WithoutTest(SweepFolderTestCase):
    def test_what_is_missing_is_named(self):
        with mock.patch.object(importlib.util, "find_spec", return_value=None):
            self.assert_refused("need the Python module pyarrow", main, self.folder, "--out", self.folder / "x.parquet")
        self.assertFalse((self.folder / "x.parquet").exists())


if __name__ == "__main__":
    unittest.main()
