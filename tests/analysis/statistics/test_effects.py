# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of effects that are switched on alone, against numbers worked out by hand."""

import unittest

import pandas as pd
from collab import RunError
from collab.statistics.comparison.effects import effect_names, effect_table, verdict_table

BASE, HALF, LOSSY = "Duplex=Full, loss=none", "Duplex=Half, loss=none", "Duplex=Full, loss=some"
POINTS = {BASE: {"x::Duplex": "Full", "loss": "none"}, HALF: {"x::Duplex": "Half", "loss": "none"},
          LOSSY: {"x::Duplex": "Full", "loss": "some"}}  # fmt: skip
NAMES = {BASE: "", HALF: "Duplex=Half", LOSSY: "loss=some"}
T1 = 12.706 / 2**0.5  # half width of two values by their standard deviation


def frame_of(*ends):
    """A frame of (place, protocol, run number, accuracy, joules, seconds) at the ends of runs."""
    columns = ["place", "protocol", "run", "accuracy", "joules", "seconds"]
    return pd.DataFrame(ends, columns=columns).assign(seed=1, round=0)


class EffectsTest(unittest.TestCase):
    def test_places_are_named_by_what_differs_from_what_most_have(self):
        self.assertEqual(effect_names(POINTS), NAMES)
        times = {"a": {"T": "+0.0ns", "U": "1"}, "b": {"T": "+1.2e+07ns", "U": "1"},
                 "c": {"T": "+0.0ns", "U": "2", "V": "3"}}  # fmt: skip
        self.assertEqual(effect_names(times), {"a": "", "b": "T=0.012s", "c": "U=2"})
        with self.assertRaisesRegex(RunError, "no run is of the baseline: x::Duplex=Full, loss=none"):
            effect_names({"a": {"x::Duplex": "Full", "loss": "a"}, "b": {"x::Duplex": "Half", "loss": "none"},
                          "c": {"x::Duplex": "Full", "loss": "b"}, "d": {"x::Duplex": "Half", "loss": "none"},
                          "e": {"x::Duplex": "Full", "loss": "c"}})  # fmt: skip

    def test_differences_are_of_the_same_seed(self):
        table = effect_table(frame_of(
            (BASE, "p", 1, 0.5, 10, 1), (BASE, "p", 2, 0.7, 20, 2), (BASE, "p", 3, 0.1, 1, 1),
            (HALF, "p", 1, 0.52, 11, 1), (HALF, "p", 2, 0.74, 26, 1), (LOSSY, "p", 1, 0.5, 10, 1),
            (HALF, "q", 1, 0.9, 9, 9),
        ), NAMES)  # fmt: skip
        self.assertEqual(table[["effect", "protocol", "pairs"]].to_numpy().tolist(),
                         [["Duplex=Half", "p", 2], ["loss=some", "p", 1]])  # fmt: skip
        half = table.iloc[0]
        for name, mean, deviation in (("accuracy", 3, 1), ("joules", 20, 10), ("seconds", -25, 25)):
            self.assertAlmostEqual(half[name], mean)
            self.assertAlmostEqual(half[f"{name}_half_width"], T1 * deviation * 2**0.5)

    def test_verdicts_need_sure_differences_beyond_the_margin(self):
        def row(protocol, accuracy, half_width):
            return {"effect": "e", "protocol": protocol, "accuracy": accuracy, "accuracy_half_width": half_width,
                    "joules": 1.0, "joules_half_width": 3.0, "seconds": 4.0, "seconds_half_width": 2.0}  # fmt: skip

        for rows, expected in (
            ([row("p", -2, 1), row("q", 12.4, 1), row("r", 2, 3)], "keep: p -2.0, q +12"),
            ([row("p", 0.5, 0.4), row("q", -2, 3)], "open: q"),
            ([row("p", 0.5, 0.4), row("q", float("nan"), float("nan"))], "open: q"),
            ([row("p", 0.5, 0.4), row("q", -0.9, 0.1)], "leave out"),
        ):
            (verdict,) = verdict_table(pd.DataFrame(rows)).to_dict("records")
            self.assertEqual(verdict["accuracy"], expected)
            self.assertEqual(verdict["joules"], "leave out")
            self.assertTrue(verdict["seconds"].startswith("open: p"))


if __name__ == "__main__":
    unittest.main()
