# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures of a comparison of protocols against what is swept."""

import unittest


import pandas as pd
from collab.figures.common.comparison import budgets_figure


class BudgetsFigureTest(unittest.TestCase):
    def panel(self, *swept):
        """The panel of 10 J of a figure over values as they are swept, in their order."""
        values = {f"size={value}": value for value in swept}
        rows = pd.DataFrame({"budget": 10.0, "place": list(values), "protocol": "local",
                             "accuracy": 0.6, "accuracy_half_width": 0.1})  # fmt: skip
        (panel,) = budgets_figure(rows, values, "size", ["local"]).axes
        return panel

    def ticks(self, panel):
        panel.figure.canvas.draw()
        return [label.get_text() for label in panel.get_xticklabels()]

    def test_values_over_decades_are_told_on_the_axis(self):
        panel = self.panel("30", "100", "10")
        self.assertEqual(panel.get_xscale(), "log")
        self.assertEqual(self.ticks(panel), ["10", "30", "100"])
        self.assertEqual(list(panel.lines[0].get_xdata()), [10, 30, 100])

    def test_values_of_a_decade_and_0_have_a_linear_axis(self):
        self.assertEqual(self.panel("10", "20", "40").get_xscale(), "linear")
        self.assertEqual(self.panel("0", "1", "100").get_xscale(), "linear")

    def test_texts_are_in_the_order_in_which_they_are_given(self):
        panel = self.panel("linear", "mlp:20", "mlp", "netcnn")
        self.assertEqual(self.ticks(panel), ["linear", "mlp:20", "mlp", "netcnn"])
        self.assertEqual(list(panel.lines[0].get_xdata()), [0, 1, 2, 3])
