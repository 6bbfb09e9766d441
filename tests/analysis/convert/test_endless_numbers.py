#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A number without end in a source: the line names the source and the row, not the new file."""

import unittest

import numpy as np
from convert_test_case import ConvertTestCase


class EndlessNumbersTest(ConvertTestCase):
    def test_of_a_table(self):
        good, bad = self.folder / "good.csv", self.folder / "bad.csv"
        good.write_text("x,y\n1,0\n2,1\n")
        for cells, told in (
            ("1,0\ninf,1\n", "row 2 has inf in column 'x'"),
            ("-inf,0\n1,1\n", "row 1 has -inf in column 'x'"),
            ("1,0\n1,1\n1e39,0\n", "row 3 has 1e+39 in column 'x'"),
            ("1,0\n1,inf\n", "row 2 has inf in column 'y'"),
        ):
            bad.write_text("x,y\n" + cells)
            self.expect_refused(f"{bad}: {told}, expected a finite", bad, "--label", "y")
            told = f"{bad}: {told}, expected a finite"
            self.expect_refused(told, good, "--label", "y", "--test", bad)
            self.expect_refused(told, bad, "--targets", "y")
        bad.write_text("x,y,z\n1,0,inf\n2,1,3\n")
        _, found = self.convert(bad, "--label", "y", "--ignore", "z")
        self.assertEqual(found["features"].tolist(), [[1], [2]])

    def test_of_an_array(self):
        source = self.folder / "bad.npz"
        features, labels = np.zeros((5000, 2), np.float32), np.zeros(5000)
        levels = np.arange(5000)
        features[4321, 1] = np.inf
        np.savez(source, x=features, y=labels, level=levels)
        told = f"{source}: features: found inf in sample 4321, expected finite numbers"
        self.expect_refused(told, source)
        self.expect_refused(told, source, "--least", "level=4321")
        self.convert(source, "--least", "level=4322")
        np.savez(source, x=np.zeros((3, 2)), y=[0, 1, -np.inf])
        told = f"{source}: targets: found -inf in sample 2, expected finite numbers"
        self.expect_refused(told, source, "--targets", "y")


if __name__ == "__main__":
    unittest.main()
