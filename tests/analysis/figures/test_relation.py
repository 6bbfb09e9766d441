# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of quantities over swept settings, and of what it takes to reach levels."""


from folder_test_case import (
    FINAL,
    THREE,
    FolderTestCase,
    SweepTestCase,
    UndrawnFigures,
    change_run,
    change_table,
)

import numpy as np
import pandas as pd
from collab import RunError, load_run, load_sweep, plot, reach_table, relation_table
from collab.api.results import Results
from collab.cli.plot import main
from collab.figures.common.accuracy import paired_accuracy_figure
from collab.statistics.quantities import quantity, quantity_label
from collab.statistics.thresholds import format_reach, reach
from synthetic_run import DEVICES, LOW_QUALITY, ROUNDS, accuracy, write_run


class RelationTest(UndrawnFigures, SweepTestCase):
    def test_mean_and_interval_over_seeds(self):
        table = relation_table(self.sweep.runs, "maxOutage", "accuracy_reference", "trust")
        self.assertEqual(list(table["hue"]), ["dynamic", "dynamic", "naive", "naive"])
        self.assertEqual(list(table["x"]), [0.1, 0.2] * 2)
        np.testing.assert_allclose(table["mean"], FINAL + np.array([-0.04, -0.14, -0.06, -0.16]))
        steps = np.array([0.03, 0.03, 0.02, 0.02])
        np.testing.assert_allclose(table["half_width"], THREE * steps)
        self.assertEqual(list(table["runs"]), [3] * 4)

    def test_paired_differences_ignore_what_pairs_share(self):
        table = relation_table(self.sweep.runs, "maxOutage", "accuracy_reference", "trust", True)
        self.assertEqual(list(table["hue"]), ["naive", "naive"])
        np.testing.assert_allclose(table["mean"], 0.02)
        np.testing.assert_allclose(table["half_width"], THREE * 0.01)

    def test_figure(self):
        figure = plot.relation(self.sweep, "maxOutage", "accuracy_reference", "trust")
        axes = figure.axes[0]
        self.assertEqual(axes.get_xlabel(), "outage probability of the longest link")
        self.assertEqual(axes.get_ylabel(), "accuracy on X*, regular devices")
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels, ["dynamic", "naive"])
        figure = plot.relation(self.sweep, "maxOutage", "energy", "trust", paired=True)
        labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        self.assertEqual(labels, ["dynamic - naive"])
        self.assertEqual(figure.axes[0].get_ylabel(), "difference of energy per device [J]")

    def test_decades_on_the_axis(self):
        for number, band in enumerate((1, 10, 100)):
            write_run(self.folder / f"b/{number}", run=number, band=band)
        axes = plot.relation(load_sweep(self.folder / "b"), "band", "time").axes[0]
        self.assertEqual(axes.get_xscale(), "log")
        self.assertEqual(plot.relation(self.sweep.select(trust="naive"), "maxOutage", "time")
                         .axes[0].get_xscale(), "linear")  # fmt: skip

    def test_text_on_the_axis(self):
        runs = self.sweep.select(maxOutage=0.1)
        ticks = plot.relation(runs, "trust", "lost").axes[0].get_xticklabels()
        self.assertEqual([tick.get_text() for tick in ticks], ["dynamic", "naive"])

    def test_what_was_not_reached_is_said(self):
        # In the end, at 0.1: FINAL - 0.1 + 0.03 n (dynamic), FINAL - 0.1 + 0.02 n (naive)
        table = relation_table(self.sweep.runs, "maxOutage", "time_to_0.66", "trust")
        self.assertEqual(list(table["runs_without"]), [1, 3, 2, 3])
        self.assertEqual(list(table["mean"][:1]), [40.0])
        figure = plot.relation(self.sweep, "maxOutage", "time_to_0.66", "trust")
        texts = [text.get_text() for text in figure.axes[0].texts]
        self.assertIn("dynamic: 2 of 3 reached", texts)
        self.assertIn("naive: 0 of 3 reached", texts)

    def test_levels_are_of_the_measure_that_is_named(self):
        for path in self.folder.glob("dynamic-*"):  # whose own measure naive trust lacks
            change_run(path, display={"method": "trust", "measure": "accuracy_local"})
        for path in self.folder.glob("naive-*"):
            change_table(path, "rounds", lambda rounds: rounds.assign(accuracy_local=np.nan))
        sweep = Results(load_sweep(self.folder).runs)
        self.assertEqual({run.measure for run in sweep.runs}, {"accuracy_local", "accuracy_reference"})
        figure = plot.relation(sweep, "maxOutage", "rounds_to_0.6", "trust")
        self.assertEqual(figure.axes[0].get_ylabel(), "rounds done to reach accuracy on X* 0.6")
        meanings = sweep.to_frame("rounds_to_0.6").attrs["meanings"]
        self.assertEqual(meanings, {"rounds_to_0.6": "rounds done to reach accuracy on X* 0.6"})
        out = self.folder / "out"
        words = ("--x", "maxOutage", "--y", "rounds_to_0.6", "--hue", "trust", "--csv", "--out", out)
        self.assertEqual(self.run_command(main, self.folder, *words)[0], 0)
        (file,) = out.glob("*.csv")
        self.assertIn("rounds_to_0.6_of_accuracy_reference", pd.read_csv(file, comment="#"))

    def test_quantities_of_a_run(self):
        run = self.sweep.runs[0]
        for name, value in (("time", 40), ("energy", 22.5), ("bytes", 3.2), ("lost", 1 / 12)):
            self.assertAlmostEqual(quantity(run, name), value)
        final = {device: accuracy(ROUNDS - 1, device) for device in range(DEVICES)}
        regular = [device for device in final if device != LOW_QUALITY]
        offset = quantity(run, "accuracy_reference") - np.mean([final[d] for d in regular])
        for name, value in (
            ("accuracy_reference_all", np.mean(list(final.values()))),
            ("accuracy_reference_low_quality", final[LOW_QUALITY]),
            ("accuracy_reference_after_2", np.mean([final[d] for d in regular])),
            ("accuracy_reference_after_1", np.mean([accuracy(ROUNDS - 2, d) for d in regular])),
        ):
            self.assertAlmostEqual(quantity(run, name), value + offset)
        self.assertTrue(np.isnan(quantity(run, "accuracy_reference_after_3")))
        label = "accuracy on X*, regular devices, after 2 rounds of collaboration"
        self.assertEqual(quantity_label(run, "accuracy_reference_after_2"), label)
        label = "accuracy on X*, devices of low quality"
        self.assertEqual(quantity_label(run, "accuracy_reference_low_quality"), label)
        self.assertEqual(quantity_label(run, "energy.idle_j"), "idle j")
        epsilon = [100.0 if device == LOW_QUALITY else device for device in range(DEVICES)]
        run.tables["privacy"] = pd.DataFrame({"device": range(DEVICES), "epsilon": epsilon})  # without rounds
        self.assertEqual(quantity(run, "privacy.epsilon"), np.mean(regular))
        with self.assertRaisesRegex(RunError, "'energy.joy': table energy of .* has no column joy"):
            quantity(run, "energy.joy")
        with self.assertRaisesRegex(RunError, "unknown quantity 'joy'; allowed: time, energy"):
            quantity(run, "joy")

    def test_other_differences_are_not_mixed(self):
        with self.assertRaisesRegex(RunError, "differ in trust too"):
            relation_table(self.sweep.runs, "maxOutage", "time")
        with self.assertRaisesRegex(RunError, "need a hue"):
            relation_table(self.sweep.runs, "maxOutage", "time", paired=True)


class ReachTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        for trust in ("dynamic", "naive"):
            for number in (1, 2):
                bonus = 0.1 * number if trust == "dynamic" else 0.0
                write_run(self.folder / f"{trust}-{number}", trust, number, bonus)
        self.groups = load_sweep(self.folder).group()

    def test_table(self):
        # Naive trust: 0.41, 0.51, 0.61, 0.71 after rounds of 10 s and 5.625 J
        table = reach_table(self.groups, [0.6, 0.9]).set_index(["method", "level"])
        self.assertEqual([name for name in table if not name.endswith("_half_width")],
                         ["runs", "reached", "rounds", "seconds", "joules", "kilobytes"])  # fmt: skip
        row = table.loc[("naive", 0.6)]
        self.assertEqual((row["runs"], row["reached"], row["rounds"]), (2, 2, 3))
        self.assertAlmostEqual(row["seconds"], 30)
        self.assertAlmostEqual(row["joules"], 3 * 5.625)
        self.assertAlmostEqual(row["kilobytes"], 1.6)
        self.assertEqual(row["seconds_half_width"], 0)
        # Dynamic trust: 20 s in run 1, 10 s in run 2: t(1) s / sqrt(2)
        row = table.loc[("dynamic", 0.6)]
        self.assertAlmostEqual(row["seconds"], 15)
        self.assertAlmostEqual(row["seconds_half_width"], 12.706 * 5)
        row = table.loc[("dynamic", 0.9)]
        self.assertEqual((row["runs"], row["reached"], row["seconds"]), (2, 1, 40))
        self.assertTrue(np.isnan(row["seconds_half_width"]))
        self.assertTrue(np.isnan(table.loc[("naive", 0.9), "seconds"]))

    def test_less_of_a_loss_is_better_and_exactly_a_level_is_enough(self):
        losses = ("own_loss", "squared_error_union", "class_distance")
        run = load_run(change_table(self.folder / "naive-1", "rounds", lambda rounds: rounds.assign(
            share=0.25 * rounds["round"], **dict.fromkeys(losses, 0.5 ** rounds["round"]))))  # fmt: skip
        for name in losses:
            with self.subTest(name):
                reached = [reach(run, level, name)["rounds"] for level in (1, 0.5, 0.3)]
                self.assertEqual(reached, [1, 2, 3])
                self.assertTrue(np.isnan(reach(run, 0.1, name)["rounds"]))
        self.assertEqual([reach(run, level, "share")["rounds"] for level in (0.25, 0.3)], [2, 3])

    def test_a_model_measured_at_the_begin_of_a_round_has_cost_the_rounds_before(self):
        column, early = "accuracy_reference", []
        for number in (1, 2):
            path = write_run(self.folder / f"early-{number}", "naive", number)
            early.append(load_run(change_run(path, scenario="committee")))
        reached = reach(early[0], 0.6, column)  # others after 3 rounds: see test_table()
        self.assertEqual((reached["rounds"], reached["time"]), (2, 20))
        self.assertAlmostEqual(reached["energy"], 2 * 5.625)
        self.assertEqual(reach(early[0], 0.4, column)["time"], 0)
        naive = next(runs for label, runs in self.groups.items() if "naive" in label)
        figure = paired_accuracy_figure({"early": early, "late": naive}, column)
        line = figure.axes[0].lines[0]
        self.assertEqual(list(line.get_xdata()), [1, 2, 3])  # rounds done
        np.testing.assert_allclose(line.get_ydata(), 0.1)  # 0.51 - 0.41

    def test_text_says_what_was_not_reached(self):
        lines = format_reach(self.groups, [0.6, 0.9]).splitlines()
        self.assertIn("Time to reach accuracy on X*, regular devices [s]", lines)
        self.assertIn("Bytes sent per device to reach accuracy on X*, regular devices [kB]", lines)
        self.assertIn("dynamic  15+-64  40 (1 of 2 runs)", lines)
        self.assertIn("naive     30+-0       not reached", lines)

    def test_figure_says_what_was_not_reached(self):
        time = plot.reach(self.groups, [0.6, 0.9]).axes[0]
        self.assertEqual([text.get_text() for text in time.texts], ["1 of 2 runs", "not reached"])
