# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures of prediction consensus."""

from folder_test_case import FolderTestCase, change_table

import numpy as np
from collab import group_runs, load_run, load_sweep, plot, summary
from collab.figures.prediction_consensus.models import (
    format_models,
    model_accuracy,
    models_of,
    trust_between,
)
from collab.figures.prediction_consensus.received import (
    format_received,
    lowest_table,
    received_trust,
)
from collab.statistics.quantities import quantity
from synthetic_run import ROUNDS, write_consensus, write_run, write_shapes, write_table


class ConsensusTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        path = write_run(self.folder / "a")
        write_consensus(path)
        write_shapes(path)
        self.run_of = load_run(path)

    def test_disagreement_against_rounds(self):
        panels = plot.consensus(self.run_of).axes
        self.assertEqual(len(panels), 4)
        self.assertEqual(panels[0].lines[0].get_xydata().tolist()[:2], [[1, 1], [2, 0.5]])
        bound = panels[3].lines[1].get_ydata()
        self.assertEqual([round(value, 6) for value in bound[:2]], [1, 0.6])

    def test_numbers_of_the_first_and_last_round(self):
        table = plot.consensus.numbers(self.run_of).set_index("quantity")
        distance = table.loc["greatest distance of W from uniform"]
        self.assertEqual((distance["runs"], distance["first"], distance["last"]), (1, 1, 0.125))
        self.assertEqual(table.loc["rounds in which the trace grew", "last"], 0)
        self.assertNotIn("least", table)

    def test_a_column_of_another_table_is_a_quantity(self):
        # devices 0, 1 and 3 of the last round are regular
        self.assertAlmostEqual(quantity(self.run_of, "influence.importance"), 1.1 / 4)
        self.assertAlmostEqual(quantity(self.run_of, "consensus.bound"), 0.6 ** (ROUNDS - 1))

    def test_influence_of_each_device(self):
        sums, importance = plot.influence(self.run_of).axes
        self.assertEqual(sums.lines[2].get_ydata()[0], 0.7)
        self.assertNotEqual(sums.lines[2].get_color(), sums.lines[1].get_color())
        self.assertAlmostEqual(importance.lines[2].get_ydata()[0], 0.175)

    def test_curves_of_each_round(self):
        panels = plot.curves(self.run_of).axes
        titles = [panel.get_title("left") for panel in panels]
        self.assertEqual(titles[0], "dynamic: local fit")
        self.assertEqual(titles[1], "dynamic: 1 rounds")
        self.assertEqual(titles[-1], "the last, further out")
        fitted = panels[2].lines[1].get_xydata().tolist()
        self.assertEqual(fitted, [[-2, -4], [0, 0], [2, 4]])

    def test_regions_of_each_device(self):
        panels = plot.boundaries(self.run_of).axes
        self.assertEqual(len(panels), 4)
        self.assertIn("2*", panels[2].get_title("left"))
        classes = panels[0].collections[0].get_array().reshape(3, 3)
        self.assertEqual(classes.tolist(), [[0, 0, 1]] * 3)

    def test_nothing_without_tables(self):
        run = load_run(write_run(self.folder / "b"))
        for draw in (plot.consensus, plot.influence, plot.curves, plot.boundaries):
            self.assertIsNone(draw(run))

    def test_table_of_a_regression_has_errors(self):
        path = write_run(self.folder / "c")
        names = {"accuracy_reference": "squared_error_union"}
        change_table(path, "rounds", lambda rounds: rounds.rename(columns=names))
        (path / "columns.csv").unlink()
        text = summary(group_runs([load_run(path)]))
        self.assertIn("sq. error", text)
        self.assertIn("union", text)


class ReceivedTest(FolderTestCase):
    """Everyone trusts device 2 with 0.1 and itself with 0.5; or all of them likewise."""

    def setUp(self):
        super().setUp()
        for number, of_bad in enumerate((0.1, 0.2), 1):
            path = write_run(self.folder / f"{number}", "dynamic", number)
            rows = []
            for device in range(4):
                for peer in range(4):
                    of_peers = of_bad if peer == 2 else 0.2
                    rows.append((2, device, peer, 0.9 if peer == device == 2 else
                                 0.5 if peer == device else of_peers, 0))  # fmt: skip
                    rows.append((3, device, peer, 0.25, 0))
            write_table(path, "trust", "round,device,peer,weight,age_rounds", rows)
            write_consensus(path)
        self.groups = load_sweep(self.folder).group()

    def test_sums_with_and_without_the_diagonal(self):
        run = self.groups["dynamic"][0]
        np.testing.assert_allclose(received_trust(run).loc[2], [0.6, 0.6, 0.3, 0.6])
        np.testing.assert_allclose(received_trust(run, own=True).loc[2], [1.1, 1.1, 1.2, 1.1])
        np.testing.assert_allclose(received_trust(run).loc[3], 0.75)

    def test_who_received_least(self):
        row = lowest_table(self.groups).iloc[0]
        self.assertEqual((row["runs"], row["first"], row["first_own"]), (2, 1, 0))
        self.assertEqual((row["rounds"], row["rounds_own"]), (0.25, 0))
        self.assertRegex(format_received(self.groups), "(?m)dynamic +2 +1 +0.25 +0 +0.00$")

    def test_figure(self):
        figure = plot.received(self.groups)
        sums, trace, uniform = figure.subfigs[0].axes + figure.subfigs[1].axes
        np.testing.assert_allclose(sums.lines[0].get_xydata(), [[3, 0.6], [4, 0.75]])
        np.testing.assert_allclose(sums.lines[1].get_ydata(), [0.45, 0.75])
        self.assertEqual(trace.lines[0].get_ydata()[0], 1.5)
        self.assertEqual(uniform.get_yscale(), "log")
        self.assertIsNone(plot.received(load_run(write_run(self.folder / "l", "local"))))


class ModelsTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        for number in (1, 2):
            write_run(self.folder / f"{number}", "dynamic", number, 0.1 * number)
        self.groups = load_sweep(self.folder).group()
        self.run_ = self.groups["dynamic"][0]

    def test_accuracy_of_regular_devices_by_model(self):
        self.assertEqual({name: list(devices) for name, devices in models_of(self.run_).items()},
                         {"mlp": [0, 1], "linear": [3]})  # fmt: skip
        self.assertAlmostEqual(model_accuracy(self.run_, "mlp"), 0.7 + 0.005 + 0.1)
        self.assertAlmostEqual(model_accuracy(self.run_, "linear"), 0.7 + 0.03 + 0.1)
        axes = plot.models(self.groups).axes[0]
        heights = [bar.get_height() for bar in axes.patches]
        np.testing.assert_allclose(heights, [0.855, 0.88, 0, 0])  # and two for the legend

    def test_numbers_of_models(self):
        table = plot.models.numbers(self.groups)
        self.assertEqual(table["model"].tolist(), ["mlp", "linear"])
        np.testing.assert_allclose(table["accuracy_reference"], [0.855, 0.88])
        np.testing.assert_allclose(table["accuracy_reference_half_width"], 12.706 * 0.05, rtol=1e-3)
        weights = trust_between(self.run_, self.run_.trust_rounds()[-1])
        np.testing.assert_allclose(table["last_linear"][0], weights.loc["mlp", "linear"])

    def test_trust_between_models_leaves_own_weights_out(self):
        path = write_run(self.folder / "a/b", "dynamic")
        weights = {(0, 0): 0.9, (0, 1): 0.1, (1, 0): 0.3, (1, 1): 0.7, (3, 0): 0.2, (3, 1): 0.4}
        rows = [(2, d, p, weights.get((d, p), 0.05), 0) for d in range(4) for p in range(4)]
        write_table(path, "trust", "round,device,peer,weight,age_rounds", rows)
        table = trust_between(load_run(path), 2)
        self.assertAlmostEqual(table.loc["mlp", "mlp"], 0.2)
        self.assertAlmostEqual(table.loc["linear", "mlp"], 0.3)
        self.assertAlmostEqual(table.loc["mlp", "linear"], 0.05)
        self.assertRegex(format_models({"dynamic": [load_run(path)] * 2}),
                         "(?m)dynamic first +linear +mlp 0.3000[+]-0.0000$")  # fmt: skip
