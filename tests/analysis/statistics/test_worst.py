# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of accuracy at the worst value of a setting, against numbers worked out by hand."""

import unittest

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from collab import RunError
from collab.figures.common.worst import worst_figure
from collab.statistics.comparison.worst import axis_of, worst_table

POINTS = {"none": {"share": "0", "attack": "none"}, "a": {"share": "30", "attack": "a"},
          "b": {"share": "30", "attack": "b"}, "c": {"share": "15", "attack": "b"}}  # fmt: skip


def frame_of(*ends):
    """A frame of (place, protocol, seed, accuracy) at the ends of runs."""
    columns = ["place", "protocol", "seed", "accuracy"]
    return pd.DataFrame(ends, columns=columns).assign(run=1, round=0)


class WorstTest(unittest.TestCase):
    def setUp(self):
        self.table = worst_table(frame_of(
            ("none", "p", 1, 0.9), ("none", "p", 2, 0.9), ("c", "p", 1, 0.8), ("a", "p", 1, 0.5), ("a", "p", 2, 0.6),
            ("b", "p", 1, 0.4), ("b", "p", 2, 0.8), ("a", "q", 1, 0.7), ("b", "q", 1, np.nan),
        ), POINTS, "attack")  # fmt: skip

    def test_the_worst_is_that_of_each_seed(self):
        rows = self.table.set_index(["share", "protocol"])
        self.assertEqual(len(rows), 4)
        self.assertAlmostEqual(rows["accuracy"]["30", "p"], 0.5)  # 0.4 and 0.6
        self.assertAlmostEqual(rows["accuracy_half_width"]["30", "p"], 12.706 / 2**0.5 * 0.1 * 2**0.5, places=4)
        self.assertAlmostEqual(rows["accuracy"]["0", "p"], 0.9)
        self.assertEqual(rows["worst_at"]["0", "p"], "none")
        self.assertTrue(np.isnan(rows["accuracy"]["30", "q"]))
        self.assertEqual(rows["runs"].tolist(), [2, 1, 2, 1])

    def test_the_axis_is_the_setting_with_most_numbers(self):
        self.assertEqual(axis_of(self.table), "share")
        self.assertEqual(axis_of(self.table.assign(alpha="0.1")[["alpha", "share", "protocol"]]), "share")

    def test_a_line_a_protocol_and_a_panel_a_value(self):
        table = pd.concat([self.table.assign(alpha=alpha) for alpha in ("0.1", "1")])
        table = table[["alpha", *self.table.columns]]
        figure = worst_figure(table, "attack")
        self.assertEqual([axes.get_title(loc="left") for axes in figure.axes], ["Dirichlet concentration 0.1", "Dirichlet concentration 1"])
        lines, labels = figure.axes[0].get_legend_handles_labels()
        self.assertEqual(labels, ["p", "q"])
        self.assertEqual(lines[0][0].get_ydata().tolist(), [0.9, 0.8, 0.5])
        plt.close(figure)

    def test_refuses_what_is_not_swept(self):
        with self.assertRaisesRegex(RunError, "'x'; allowed: one of several settings that are swept: share, attack"):
            worst_table(frame_of(("a", "p", 1, 0.5)), POINTS, "x")


if __name__ == "__main__":
    unittest.main()
