# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of means and confidence intervals against tabulated numbers."""

import unittest


import numpy as np
import pandas as pd
from collab.statistics.intervals import cells, mean_and_half_width, t_quantile, with_interval

# [round(scipy.stats.t.ppf(0.975, n), 3) for n in [*range(1, 31), 40, 60, 120]]
UP_TO_30 = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086,
    2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]  # fmt: skip
BEYOND = {40: 2.021, 60: 2.0, 120: 1.98}


class StatisticsTest(unittest.TestCase):
    def test_mean_and_half_width(self):
        mean, half_width = mean_and_half_width([1.0, 2.0, 3.0])
        self.assertAlmostEqual(mean, 2.0)
        self.assertAlmostEqual(half_width, 4.303 / 3**0.5)
        self.assertTrue(np.isnan(mean_and_half_width([1.0])[1]))

    def test_t_quantiles(self):
        self.assertEqual([t_quantile(degrees) for degrees in range(1, 31)], UP_TO_30)
        self.assertEqual({degrees: t_quantile(degrees) for degrees in BEYOND}, BEYOND)

    def test_t_quantile_never_too_small(self):
        for degrees, entry in ((39, 30), (59, 40), (119, 60), (1000, 120)):
            self.assertEqual(t_quantile(degrees), t_quantile(entry))

    def test_cells_have_intervals_beside_means(self):
        table = pd.DataFrame({
            "method": ["a", "b", "c"], "seeds": [2, 1, 2], "error": [0.123456, 12037.2, -1e-17],
            "error_half_width": [0.0456, np.nan, 0.011], "time": [np.nan, 1.5, -1e-17],
            "none": [np.nan, np.nan, np.nan],
        })  # fmt: skip
        texts = cells(table)
        self.assertEqual(list(texts), ["method", "seeds", "error", "time"])
        self.assertEqual(texts.iloc[0].tolist(), ["a", "2", "0.1235 +- 0.046", ""])
        self.assertEqual(texts.iloc[1].tolist(), ["b", "1", "12037", "1.5"])
        self.assertEqual(texts.iloc[2].tolist(), ["c", "2", "0 +- 0.011", "-1e-17"])

    def test_means_of_some_of_the_runs_say_of_how_many(self):
        some = [2.0, np.nan, 4.0]
        rows = [{"method": name, "runs": 3, **with_interval("error", values)}
                for name, values in (("all", [1.0, 1.0, 1.0]), ("some", some), ("none", [np.nan] * 3))]  # fmt: skip
        table = pd.DataFrame(rows)
        self.assertEqual(table["error_present"].fillna("").tolist(), ["", "2 of 3 runs", ""])
        texts = cells(table)
        self.assertEqual(list(texts), ["method", "runs", "error"])
        self.assertEqual(texts["error"].tolist(), ["1 +- 0", "3 +- 13 (2 of 3 runs)", ""])
        self.assertEqual(set(with_interval("error", [1.0, 2.0])), {"error", "error_half_width"})
