# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what it takes to reach a level, on runs whose numbers follow from a formula."""

import re

from folder_test_case import ROOT, RunsTestCase, change_table

from collab import load_run
from collab.statistics.curves import is_loss
from collab.statistics.quantities import quantity
from collab.statistics.thresholds import first_round_at, reach_table
from synthetic_run import ROUND_S, write_run

MODEL = ROOT / "contrib-module/model"

# Columns of rounds that applications declare
LESS_IS_BETTER = """
    loss local_loss distillation_loss loss_global loss_reference squared_error_reference error
    excess_mse test_mse nll nll_unseen ece ece_unseen outage missing stale assumed diverged messages_refused
"""
MORE_IS_BETTER = """
    accuracy accuracy_global accuracy_seen accuracy_unseen balanced_accuracy_reference
    accuracy_pseudo_labels belief_true log_ratio confident coverage local_reward mean_local_reward
    mean_reward grant_rate diversity merged granted received given samples collaborative heard
    messages_heard messages_expected asked sent labeled novelty_auroc
"""
# Bodies of GetMetrics() of applications and beliefs, and of GetColumns() of structs of metrics
DECLARATION = re.compile(
    r"^( *)[\w:]*\bGet(?:Metrics|Columns)\([^)]*\)(?: const)?(?: override)?\n\1{(.*?)^\1}",
    re.DOTALL | re.MULTILINE,
)
# Of which neither is
NEITHER = "role excluded deviation_shift log_determinant"


def declared():
    """The names of the metrics that applications and beliefs declare for the table rounds."""
    for file in sorted([*MODEL.rglob("*.cc"), *MODEL.rglob("*.h")]):
        if "server" not in file.name:  # what a server measures is in a table of its own
            text = file.read_text(encoding="utf-8")
            for _, body in DECLARATION.findall(text):
                yield from re.findall(r'{\s*"(\w+)",', body)


class ThresholdsTest(RunsTestCase):
    def test_knows_of_which_measures_less_is_better(self):
        for name in LESS_IS_BETTER.split():
            self.assertTrue(is_loss(name), name)
        for name in MORE_IS_BETTER.split():
            self.assertFalse(is_loss(name), name)

    def test_no_declared_measure_is_left_out(self):
        names = set(declared())
        self.assertIn("excess_mse", names)
        known = f"{LESS_IS_BETTER} {MORE_IS_BETTER} {NEITHER}".split()
        self.assertEqual(sorted(names - set(known)), [])

    def test_levels_of_what_falls_are_reached_from_above(self):
        for name in ("excess_mse", "test_mse", "nll", "ece"):
            with self.subTest(name):
                run = load_run(change_table(write_run(self.folder / name), "rounds", lambda rounds: (
                    rounds.assign(**{name: 0.4 * 0.5 ** rounds["round"]}))))  # fmt: skip
                self.assertEqual(first_round_at(run, 0.15, name), 2)
                self.assertEqual(quantity(run, f"time_to_0.15_of_{name}"), 3 * ROUND_S)
                self.assertIsNone(first_round_at(run, 0.01, name))
                table = reach_table({"all": [run]}, [0.15, 0.01], name)
                self.assertEqual(table["reached"].tolist(), [1, 0])
