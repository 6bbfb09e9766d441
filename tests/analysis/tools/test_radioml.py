# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of analysis/radioml_to_hdf5.py on small pickles of the true form."""

import contextlib
import io
import pickle
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "analysis"))

import numpy as np
import radioml_to_hdf5

try:
    import h5py
except ImportError:
    h5py = None


class Payload:
    """What a hostile pickle would be made of."""

    def __reduce__(self):
        return (print, ("this must never be printed",))


class RadiomlTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = Path(folder.name) / "source.pkl"
        self.target = Path(folder.name) / "target.h5"

    def run_on(self, content):
        """Converts a pickle of the content, or the content itself if it is bytes."""
        data = content if isinstance(content, bytes) else pickle.dumps(content, protocol=2)
        self.source.write_bytes(data)
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = radioml_to_hdf5.main([str(self.source), str(self.target)])
        return code, output.getvalue()

    @unittest.skipUnless(h5py, "needs h5py")
    def test_orders_by_modulation_and_snr(self):
        content = {
            (name, snr): np.full((count, 2, 128), value, dtype=np.float32)
            for name, snr, count, value in (
                ("QPSK", 4, 2, 1.0),
                ("AM-DSB", 10, 1, 2.0),
                ("AM-DSB", -20, 3, 3.0),
            )
        }
        code, _ = self.run_on(content)
        self.assertEqual(code, 0)
        with h5py.File(self.target) as file:
            self.assertEqual(file["samples"].shape, (6, 1, 2, 128))
            self.assertEqual(file["samples"].dtype, np.float32)
            self.assertEqual(list(file["samples"][:, 0, 1, 7]), [3, 3, 3, 2, 1, 1])
            self.assertEqual(list(file["labels"]), [0, 0, 0, 0, 1, 1])
            self.assertEqual(list(file["snr"]), [-20, -20, -20, 10, 4, 4])
            self.assertEqual(list(file["modulations"]), [b"AM-DSB", b"QPSK"])

    @unittest.skipUnless(h5py, "needs h5py")
    def test_refuses_what_is_no_radioml(self):
        good = np.zeros((1, 2, 128), dtype=np.float32)
        strange = good.copy()
        strange[0, 1, 5] = np.nan
        for content, problem in (
            (b"", "no pickle of arrays"),
            (b"no pickle", "no pickle of arrays"),
            (pickle.dumps({("A", 0): good}, protocol=2)[:-40], "no pickle of arrays"),
            (Payload(), "is not admitted"),
            ([1, 2], "no dictionary"),
            ({}, "no dictionary"),
            ({"A": good}, "key 'A'"),
            ({("A", 300): good}, "key ('A', 300)"),
            ({("A", 0): good[0]}, "shape N x 2 x 128"),
            ({("A", 0): good.astype(int)}, "shape N x 2 x 128"),
            ({("A", 0): strange}, "not finite"),
        ):
            with self.subTest(problem=problem):
                code, output = self.run_on(content)
                self.assertEqual(code, 2)
                self.assertIn(problem, output)
                self.assertEqual(len(output.splitlines()), 1)
                self.assertEqual(list(self.target.parent.iterdir()), [self.source])

    def test_names_a_missing_file(self):
        output = io.StringIO()
        with contextlib.redirect_stderr(output):
            code = radioml_to_hdf5.main([str(self.source), str(self.target)])
        self.assertEqual(code, 2 if h5py else 1)


if __name__ == "__main__":
    unittest.main()
