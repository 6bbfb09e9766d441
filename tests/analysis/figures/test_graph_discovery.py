# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures of graph discovery."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from folder_test_case import FolderTestCase

from collab import group_runs, load_run, plot
from collab.figures.graph_discovery.agreement import agreement_table, format_agreement
from synthetic_run import write_run, write_table


class AgreementTest(FolderTestCase):
    def load(self, run, offset):
        """A run of two draws, whose ratio of means is alpha_after - alpha_before + offset + draw."""
        path = write_run(self.folder / str(run), run=run)
        rows = [(draw, before, after, after - before + offset + draw, 10 * after, after)
                for draw in (0, 1) for before in (1, 10) for after in (1, 10)]  # fmt: skip
        header = "round,alpha_before,alpha_after,ratio_of_means,sum,mean_ratio"
        write_table(path, "agreement", header, rows)
        return load_run(path)

    def test_means_are_over_all_draws_of_all_runs(self):
        groups = group_runs([self.load(1, 0), self.load(2, 2)])
        table = agreement_table(groups)
        self.assertEqual(table["alpha_before"].tolist(), [1, 1, 10, 10])
        self.assertEqual(table["alpha_after"].tolist(), [1, 10, 1, 10])
        self.assertEqual(table["draws"].tolist(), [4] * 4)
        self.assertEqual(table["ratio_of_means"].tolist(), [1.5, 10.5, -7.5, 1.5])
        self.assertEqual(table["median"].tolist(), [1.5, 10.5, -7.5, 1.5])
        self.assertEqual(table["sum"].tolist(), [10, 100, 10, 100])
        self.assertAlmostEqual(table["ratio_of_means_half_width"][0], 3.182 * (5 / 3) ** 0.5 / 2)
        self.assertIn("10.5 +- 2.1", format_agreement(groups))

    def test_rows_are_alpha_before(self):
        axes = plot.agreement([self.load(1, 0)]).axes[0]
        texts = {text.get_position(): text.get_text() for text in axes.texts}
        self.assertTrue(texts[1, 0].startswith("+9.5"), texts)
        self.assertTrue(texts[0, 1].startswith("-8.5"), texts)
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["1", "10"])

    def test_other_runs_have_none(self):
        run = load_run(write_run(self.folder / "other"))
        self.assertIsNone(plot.agreement(run))
        self.assertEqual(format_agreement(group_runs([run])), "")


if __name__ == "__main__":
    unittest.main()
