# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures of a comparison of protocols against what is swept."""

import unittest


import pandas as pd
from collab.figures.common.comparison import budgets_figure, front_figure
from collab.figures.style import GRAY, METHOD_LINES


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


class FrontFigureTest(unittest.TestCase):
    def draw(self, protocols):
        """The figure of protocols each of which is better and dearer than the one before."""
        rows = [{"protocol": f"p{i}", "accuracy": 0.1 * i, "accuracy_half_width": 0.01,
                 "joules": 2.0**i, "seconds": 2.0**i, "bytes": 2.0**i} for i in range(1, protocols + 1)]  # fmt: skip
        return front_figure(pd.DataFrame(rows), [f"p{i}" for i in range(1, protocols + 1)])

    def test_as_many_have_a_color_as_there_are_and_the_others_are_gray(self):
        most = len(METHOD_LINES)
        for protocols, gray in ((most, 0), (most + 2, 2)):
            figure = self.draw(protocols)
            for axes in figure.axes:
                lines = [line for line in axes.lines if len(line.get_xdata()) == 1]
                colors = {line.get_color() for line in lines if line.get_color() != GRAY}
                self.assertEqual(len(colors), most)
                self.assertEqual(sum(line.get_color() == GRAY for line in lines), gray)
            labels = [text.get_text() for text in figure.axes[-1].get_legend().get_texts()]
            self.assertEqual(labels[most:], [f"{gray} others"] if gray else [])
