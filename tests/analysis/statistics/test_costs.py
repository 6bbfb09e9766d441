# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what runs have cost in all, and round by round, on runs that follow from a formula."""

from folder_test_case import FolderTestCase

import numpy as np
from collab import load_run
from collab.figures.belief_consensus.measures import radio_joules
from collab.figures.graph_discovery.measures import joules_by_part
from collab.statistics.comparison.frames import run_frame
from collab.statistics.costs import energy_by_device
from collab.statistics.curves import AXES
from collab.statistics.quantities import quantity
from collab.statistics.tables import outcomes
from synthetic_run import (
    DEVICES,
    ENERGY_J,
    MESSAGE_BYTES,
    ROUNDS,
    write_closing,
    write_death,
    write_discovery,
    write_run,
)

ROUND_J = sum(ENERGY_J.values())
ALL_J = DEVICES * ROUNDS * ROUND_J
LOST_J = (ROUNDS - 2.5) * ROUND_J  # what a device that goes off does not spend any more


class CostsTest(FolderTestCase):
    def write(self, name, *changes):
        path = write_discovery(write_run(self.folder / name))
        for change in changes:
            change(path)
        return load_run(path)

    def check_total(self, run, joules):
        results = outcomes(run)
        self.assertAlmostEqual(results["energy, round, all [J]"] * ROUNDS, joules)
        kinds = [value for name, value in results.items() if name.endswith("total [J]")]
        self.assertAlmostEqual(sum(kinds), joules)
        self.assertAlmostEqual(quantity(run, "energy"), joules / DEVICES)
        self.assertAlmostEqual(energy_by_device(run).to_numpy().sum(), joules)

    def test_a_device_that_goes_off_has_spent_what_its_last_account_says(self):
        run = self.write("a", write_death)
        self.check_total(run, ALL_J - LOST_J)
        for spent in (AXES["energy"][1](run), run_frame(run)["joules"]):
            rounds = [ROUND_J * (DEVICES * n - max(0, n - 2.5)) / DEVICES for n in (1, 2, 3, 4)]
            np.testing.assert_allclose(spent, rounds)

    def test_what_comes_after_the_last_round_counts_in_the_whole_only(self):
        before, run = self.write("a"), self.write("b", write_closing)
        self.check_total(before, ALL_J)
        self.check_total(run, ALL_J + DEVICES * ENERGY_J["tx"])
        self.assertAlmostEqual(quantity(run, "bytes"), 3 * MESSAGE_BYTES / 1000)
        self.assertAlmostEqual(quantity(before, "bytes"), 2 * MESSAGE_BYTES / 1000)
        for number in (0, ROUNDS - 1):
            self.assertEqual(joules_by_part(run, number), joules_by_part(before, number))
        self.assertIsNone(joules_by_part(run, ROUNDS))
        for by_round in (radio_joules, *(value for _, value in AXES.values())):
            self.assertEqual(list(by_round(run)), list(by_round(before)))
        self.assertTrue(run_frame(run).equals(run_frame(before)))

    def test_a_device_that_went_off_has_two_last_accounts(self):
        run = self.write("a", write_death, write_closing)
        self.check_total(run, ALL_J - LOST_J + (DEVICES - 1) * ENERGY_J["tx"])
        radio = ENERGY_J["tx"] + ENERGY_J["rx"]
        rounds = [radio * (DEVICES * n - max(0, n - 2.5)) / DEVICES for n in (1, 2, 3, 4)]
        np.testing.assert_allclose(radio_joules(run), rounds)

    def test_without_a_row_of_energy_it_is_what_rounds_say(self):
        run = self.write("a", lambda path: (path / "energy.csv").write_text(
            (path / "energy.csv").read_text().splitlines()[0] + "\n"))  # fmt: skip
        self.assertAlmostEqual(quantity(run, "energy"), ROUNDS * ROUND_J)
