# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what all figures share."""

from folder_test_case import FolderTestCase

from collab.figures.style import new_figure, use_decades


class DecadesTest(FolderTestCase):
    """An axis without positive numbers stays linear: Matplotlib 3.9 does not draw it otherwise."""

    def scales(self, x, y, names="xy"):
        axes = new_figure(3, 3).subplots()
        axes.plot(x, y)
        use_decades(axes, names)
        axes.figure.canvas.draw()
        return axes.get_xscale(), axes.get_yscale()

    def test_of_positive_numbers(self):
        self.assertEqual(self.scales([1, 10], [2, 3]), ("log", "log"))
        self.assertEqual(self.scales([1, 10], [2, 3], "y"), ("linear", "log"))

    def test_of_some_positive_numbers(self):
        self.assertEqual(self.scales([0, 10], [-1, 3]), ("log", "log"))

    def test_of_none(self):
        nothing = float("nan")
        self.assertEqual(self.scales([], []), ("linear", "linear"))
        self.assertEqual(self.scales([0, 0], [-1, 5]), ("linear", "log"))
        self.assertEqual(self.scales([1, 2], [nothing, nothing]), ("linear", "linear"))

    def test_bars_from_zero(self):
        axes = new_figure(3, 3).subplots()
        axes.bar([0, 1], [0, 5])
        use_decades(axes, "y")
        self.assertEqual(axes.get_yscale(), "log")
        axes = new_figure(3, 3).subplots()
        axes.bar([0, 1], [0, 0])
        use_decades(axes, "y")
        self.assertEqual(axes.get_yscale(), "linear")

    def test_axes_that_share_what_is_drawn_in_one(self):
        left, right = new_figure(3, 3).subplots(1, 2, sharey=True)
        left.plot([1, 2], [1, 100])
        use_decades(right, "y")
        self.assertEqual((left.get_yscale(), right.get_yscale()), ("log", "log"))
