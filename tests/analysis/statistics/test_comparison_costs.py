# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that a comparison by a cost is by that cost: each one puts the protocols in another order."""

import unittest


import pandas as pd
from collab.statistics.comparison.choice import budget_table, choice_table
from collab.statistics.comparison.frames import COSTS
from collab.statistics.comparison.fronts import front_table, mean_curves
from collab.statistics.comparison.views import accuracies_at_budgets, end_table, point_table

# Two rounds of a run of each protocol: accuracy, then costs. Energy favors a, time favors b; of bytes and
# samples a takes less at first and more in the end.
COLUMNS = ["protocol", "round", "accuracy", "joules", "seconds", "bytes", "samples"]
FRAME = pd.DataFrame([
    ("a", 0, 0.3, 1, 100, 40, 4),
    ("a", 1, 0.6, 2, 200, 60, 60),
    ("b", 0, 0.4, 10, 4, 50, 5),
    ("b", 1, 0.7, 20, 8, 55, 10),
], columns=COLUMNS).assign(place="", seed=1, run=1, worst=0.0)  # fmt: skip


def told(table, *columns):
    """Rows of some columns of a table."""
    return list(table[[*columns]].itertuples(index=False, name=None))


class EveryCostTest(unittest.TestCase):
    def test_what_is_reached_for_a_budget(self):
        reached = accuracies_at_budgets(FRAME, [0.5])
        self.assertEqual(told(reached, "view", "budget", "protocol", "accuracy", "ended"), [
            ("joules", 11, "a", 0.6, 1), ("joules", 11, "b", 0.4, 0),
            ("seconds", 104, "a", 0.3, 0), ("seconds", 104, "b", 0.7, 1),
            ("samples", 35, "a", 0.3, 0), ("samples", 35, "b", 0.7, 1),
        ])  # fmt: skip

    def test_what_to_choose(self):
        self.assertEqual(told(choice_table(FRAME), "cost", "budget", "accuracy", "as_good"), [
            ("joules", 1, 0.3, "a"), ("joules", 2, 0.6, "a"), ("joules", 5, 0.6, "a"),
            ("joules", 10, 0.6, "a, b"), ("joules", 20, 0.7, "b, a"),
            ("seconds", 5, 0.4, "b"), ("seconds", 10, 0.7, "b"), ("seconds", 20, 0.7, "b"),
            ("seconds", 50, 0.7, "b"), ("seconds", 100, 0.7, "b, a"), ("seconds", 200, 0.7, "b, a"),
            ("bytes", 50, 0.4, "b, a"), ("bytes", 100, 0.7, "b, a"),
        ])  # fmt: skip
        self.assertEqual(told(budget_table(FRAME, "seconds"), "budget", "protocol", "accuracy"),
                         [(10, "b", 0.7), (100, "a", 0.3), (100, "b", 0.7)])  # fmt: skip

    def test_budgets_begin_where_all_runs_have_paid_for_a_measurement(self):
        frame = pd.DataFrame([
            ("a", 0, 0.1, 0, 0, 0, 0), ("a", 1, 0.2, 0.5, 2, 1, 1),
            ("a", 0, 0.1, 0, 0, 0, 0), ("a", 1, 0.4, 0.5, 7, 1, 1),
        ], columns=COLUMNS).assign(place="", seed=1, run=[1, 1, 2, 2])  # fmt: skip
        table = choice_table(frame, ["seconds"])
        self.assertEqual(told(table.round(9), "budget", "accuracy"), [(10, 0.3)])

    def test_fronts(self):
        curves = mean_curves(FRAME)
        self.assertEqual(told(curves, "protocol", *COSTS), told(FRAME, "protocol", *COSTS))
        fronts = front_table(curves)
        self.assertEqual(told(fronts, "cost", "protocol", "from", "to", "lowest", "highest"), [
            ("joules", "a", 1, 2, 0.3, 0.6), ("joules", "b", 20, 20, 0.7, 0.7),
            ("seconds", "b", 4, 8, 0.4, 0.7),
            ("bytes", "a", 40, 40, 0.3, 0.3), ("bytes", "b", 50, 55, 0.4, 0.7),
            ("samples", "a", 4, 4, 0.3, 0.3), ("samples", "b", 5, 10, 0.4, 0.7),
        ])  # fmt: skip

    def test_points(self):
        self.assertEqual(told(point_table(FRAME), "protocol", *COSTS),
                         [("a", 2, 200, 60, 60), ("b", 20, 8, 55, 10)])  # fmt: skip

    def test_ends(self):
        table = end_table(FRAME)
        self.assertEqual(told(table, "better", "worse", *COSTS), [("b", "a", 18, -192, -5, -50)])
        self.assertEqual(told(table, *(f"{name}_ratio" for name in COSTS)),
                         [(20 / 2, 8 / 200, 55 / 60, 10 / 60)])  # fmt: skip
