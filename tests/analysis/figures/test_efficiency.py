#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of communication and computation time apart."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from folder_test_case import FolderTestCase

from collab import load_run, plot
from collab.figures.committee.efficiency import BANDWIDTH, efficiency_table
from collab.statistics.quantities import quantity
from collab.statistics.timing import times_of
from synthetic_run import ROUND_S, ROUNDS, write_run, write_table


def write_framework(path, algorithm, rate, phases):
    """Writes a run whose rounds of 10 s have phases (device, name, start, end)."""
    write_run(path, model="stub:16000", algorithm=algorithm, **{BANDWIDTH: rate})
    rows = [
        (number, device, phase, ROUND_S * number + start, ROUND_S * number + end)
        for number in range(ROUNDS)
        for device, phase, start, end in phases
    ]
    write_table(path, "latency", "round,device,phase,start_s,end_s", rows)
    return load_run(path)


class EfficiencyTest(FolderTestCase):
    def test_parts_add_up_and_sending_goes_before_computing(self):
        phases = [
            (0, "train", 1, 3),
            (1, "train", 2, 4),  # 3 s in which somebody trains
            (0, "upload", 3, 7),  # of which 1 s while somebody sends
            (2, "score", 6, 8),  # 1 s after that
            (2, "consensus", 8, 9),
        ]
        run = write_framework(self.folder / "one", "fedavg", 1e6, phases)
        times = times_of(run)
        self.assertAlmostEqual(times["computation_s"], 2 + 1)
        self.assertAlmostEqual(times["communication_s"], 10 - 3)
        self.assertAlmostEqual(quantity(run, "computation"), 3)
        self.assertAlmostEqual(quantity(run, "communication"), 7)

    def test_the_first_round_does_not_count(self):
        run = write_framework(self.folder / "one", "fedavg", 1e6, [(0, "train", 1, 3)])
        run.latency.loc[run.latency["round"] == 0, "end_s"] = 9.0
        self.assertAlmostEqual(times_of(run)["computation_s"], 2)

    def test_a_row_a_framework_and_rate(self):
        runs = [
            write_framework(self.folder / f"{name}-{rate}", name, rate, [(0, "train", 0, 1)])
            for name in ("gossipfl", "fedavg")
            for rate in (1e6, 1e8)
        ]
        table = efficiency_table(runs)
        self.assertEqual(list(table["framework"]), ["FL", "GossipFL"] * 2)
        self.assertEqual(list(table["rate_mbps"]), [1, 1, 100, 100])
        self.assertEqual(list(table["condition"].unique()), [""])
        self.assertAlmostEqual(table["energy_j"].iloc[0], 5.625)
        bars = plot.efficiency(runs).axes[0].patches
        self.assertEqual([bar.get_height() for bar in bars], [9] * 2 + [1] * 2 + [9] * 2 + [1] * 2)

    def test_nothing_to_draw(self):
        run = write_framework(self.folder / "one", "fedavg", 1e6, [])
        self.assertIsNone(plot.efficiency([run]))


if __name__ == "__main__":
    unittest.main()
