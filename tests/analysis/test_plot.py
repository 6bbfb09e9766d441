# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of sweeps, of the figures over them and of the command plot, on runs known by hand."""

import json
import unittest

from folder_test_case import FolderTestCase

import numpy as np
import pandas as pd
from collab_analysis import (
    RunError,
    collect,
    group_runs,
    load_run,
    load_sweep,
    plot,
    reach_table,
    relation_table,
)
from collab_analysis.cli import _condition, main
from collab_analysis.committee import committee_matrix
from collab_analysis.curves import paired_accuracy_figure
from collab_analysis.links import delivered_matrix
from collab_analysis.groups import full_name, select, setting
from collab_analysis.messages import (
    attempt_distribution,
    delay_distribution,
    losses_by_distance,
    wilson_interval,
)
from collab_analysis.models import format_models, model_accuracy, models_of, trust_between
from collab_analysis.quantities import quantity
from collab_analysis.received import format_received, lowest_table, received_trust
from collab_analysis.tables import summary
from collab_analysis.thresholds import format_reach
from synthetic_run import (
    write_bound,
    write_committee,
    write_consensus,
    write_run,
    write_shapes,
    write_table,
)

# Accuracy on X* of the regular devices 0, 1 and 3 after four rounds, without bonus
FINAL = 0.7 + 0.04 / 3
# Half width of the 95 % interval of three values a step apart, by the step: t(2) s / sqrt(3)
THREE = 4.303 / 3**0.5


class SweepTestCase(FolderTestCase):
    """Has a sweep over trust and maxOutage, three seeds each.

    Naive trust has FINAL + 0.02 n in run n, less maxOutage; dynamic is better by 0.01 n.
    """

    def setUp(self):
        super().setUp()
        for outage in (0.1, 0.2):
            for number in (1, 2, 3):
                bonus = 0.02 * number - outage
                for trust, gain in (("dynamic", 0.01 * number), ("naive", 0.0)):
                    path = self.folder / f"{trust}-{outage}-{number}"
                    write_run(path, trust, number, bonus + gain, maxOutage=outage, radio="Burst")
        self.sweep = load_sweep(self.folder)


class SweepTest(SweepTestCase):
    def test_has_parameters_as_columns(self):
        self.assertEqual(len(self.sweep), 12)
        self.assertEqual(self.sweep.swept, ["maxOutage", "trust"])
        parameters = self.sweep.parameters
        self.assertEqual(parameters.loc["naive-0.2-3", "maxOutage"], 0.2)
        self.assertEqual(parameters.loc["naive-0.2-3", "run"], 3)
        table = self.sweep.table("rounds")
        self.assertEqual(list(table.columns[:5]), ["name", "seed", "run", "maxOutage", "trust"])
        self.assertEqual(len(table), 12 * 16)
        last = table[(table["round"] == 3) & (table["device"] == 0)]
        means = last.groupby(["trust", "maxOutage"])["accuracy_reference"].mean()
        self.assertAlmostEqual(means["naive", 0.1], 0.7 + 0.04 - 0.1)

    def test_database_is_the_same_sweep(self):
        collect([self.folder], self.folder / "all.sqlite")
        sweep = load_sweep(self.folder / "all.sqlite")
        for name in ("rounds", "messages", "trust"):
            pd.testing.assert_frame_equal(
                sweep.table(name), self.sweep.table(name), check_dtype=False
            )
        self.assertEqual(
            sweep.parameters.to_dict("index"), self.sweep.parameters.to_dict("index")
        )
        self.assertEqual(set(sweep.columns["table"]), set(self.sweep.columns["table"]))

    def test_select_and_group(self):
        self.assertEqual(len(self.sweep.select(trust="naive", maxOutage=["0.1", 0.2])), 6)
        groups = self.sweep.select(maxOutage=0.1).group("trust")
        self.assertEqual(list(groups), ["dynamic", "naive"])
        self.assertEqual(len(self.sweep.group()), 4)
        with self.assertRaisesRegex(RunError, "no run has maxOutage=0.3; allowed: 0.1, 0.2"):
            self.sweep.select(maxOutage=0.3)
        with self.assertRaisesRegex(RunError, "setting 'maxOutge'; the nearest is maxOutage"):
            self.sweep.select(maxOutge=0.1)
        with self.assertRaisesRegex(RunError, "dynamic differ in maxOutage too: choose a value"):
            self.sweep.group("trust")

    def test_method_is_a_setting_of_every_scenario(self):
        path = write_run(self.folder / "server", maxOutage=0.1, algorithm="fedavg")
        metadata = json.loads((path / "run.json").read_text())
        metadata["scenario"] = "federated"
        del metadata["parameters"]["trust"]
        (path / "run.json").write_text(json.dumps(metadata))
        sweep = load_sweep(self.folder)
        self.assertEqual(full_name(sweep.runs, "method"), "method")
        self.assertEqual({setting(run, "method") for run in sweep.runs},
                         {"dynamic", "naive", "fedavg"})  # fmt: skip
        self.assertEqual(len(sweep.select(method="fedavg")), 1)
        self.assertEqual(list(sweep.select(maxOutage=0.1, run=1).group("method")),
                         ["dynamic", "naive", "fedavg"])  # fmt: skip
        runs = sweep.select(maxOutage=0.1, method=["naive", "fedavg"]).runs
        runs = [run for run in runs if run.scenario == "federated" or "radio" in run.parameters]
        table = relation_table(runs, "maxOutage", "time", "method")
        self.assertEqual(list(table["hue"]), ["naive", "fedavg"])

    def test_attributes_are_settings(self):
        name = "ns3::collab::D2dNetDevice::Bandwidth"
        for number in (1, 2):
            file = write_run(self.folder / f"b/{number}", run=1, band=number) / "run.json"
            metadata = json.loads(file.read_text())
            file.write_text(json.dumps({**metadata, "attributes": {name: f"{number}e6"}}))
        runs = load_sweep(self.folder / "b").runs
        table = relation_table(group_runs(runs, ["band", "Bandwidth"])["band=1, Bandwidth=1e6"],
                               "Bandwidth", "time")  # fmt: skip
        self.assertEqual((table.loc[0, "x"], table.loc[0, "mean"]), ("1e6", 40.0))
        write_run(self.folder / "b/3", run=3, band=1)
        table = relation_table(load_sweep(self.folder / "b").select(band=1).runs, "Bandwidth", "time")
        self.assertEqual(list(table["x"]), ["1e6", "default"])


class RelationTest(SweepTestCase):
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
        self.assertEqual(axes.get_xlabel(), "maxOutage")
        self.assertEqual(axes.get_ylabel(), "accuracy on X*, regular devices")
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels, ["dynamic", "naive"])
        figure = plot.relation(self.sweep, "maxOutage", "energy", "trust", paired=True)
        labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        self.assertEqual(labels, ["dynamic - naive"])
        self.assertEqual(figure.axes[0].get_ylabel(), "difference of energy a device [J]")

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
        self.assertEqual(list(table["missing"]), [1, 3, 2, 3])
        self.assertEqual(list(table["mean"][:1]), [40.0])
        figure = plot.relation(self.sweep, "maxOutage", "time_to_0.66", "trust")
        texts = [text.get_text() for text in figure.axes[0].texts]
        self.assertIn("dynamic: 2 of 3 reached", texts)
        self.assertIn("naive: 0 of 3 reached", texts)

    def test_quantities_of_a_run(self):
        run = self.sweep.runs[0]
        for name, value in (("time", 40), ("energy", 22.5), ("bytes", 3.2), ("lost", 1 / 12)):
            self.assertAlmostEqual(quantity(run, name), value)
        with self.assertRaisesRegex(RunError, "unknown quantity 'joy'; allowed: time, energy"):
            quantity(run, "joy")

    def test_other_differences_are_not_mixed(self):
        with self.assertRaisesRegex(RunError, "differ in trust too"):
            relation_table(self.sweep.runs, "maxOutage", "time")
        with self.assertRaisesRegex(RunError, "need a hue"):
            relation_table(self.sweep.runs, "maxOutage", "time", paired=True)


class BandTest(SweepTestCase):
    def test_band_is_the_interval_over_seeds(self):
        axes = plot.accuracy(self.sweep.select(maxOutage=0.1)).axes[0]
        np.testing.assert_allclose(axes.get_lines()[1].get_ydata()[-1], FINAL - 0.06)
        band = axes.collections[1].get_paths()[0].vertices
        last = band[np.isclose(band[:, 0], 4), 1]
        np.testing.assert_allclose(last.max() - last.min(), 2 * THREE * 0.02)
        self.assertIn("95 %", axes.get_legend().get_title().get_text())

    def test_bytes_over_decades(self):
        axes = plot.bytes_sent(self.sweep.select(maxOutage=0.1)).axes[0]
        self.assertEqual(axes.get_xscale(), "log")
        np.testing.assert_allclose(axes.get_lines()[0].get_xdata(), [np.nan, np.nan, 1.6, 3.2])

    def test_paired_band(self):
        figure = plot.accuracy(self.sweep.select(maxOutage=0.1), paired=True)
        axes = figure.axes[0]
        np.testing.assert_allclose(axes.get_lines()[0].get_ydata(), 0.02)
        band = axes.collections[0].get_paths()[0].vertices[:, 1]
        np.testing.assert_allclose(band.max() - band.min(), 2 * THREE * 0.01)
        self.assertIsNone(paired_accuracy_figure({"a": self.sweep.runs[:1]}))


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
        row = table.loc[("naive", 0.6)]
        self.assertEqual((row["runs"], row["reached"], row["rounds"]), (2, 2, 3))
        self.assertAlmostEqual(row["time"], 30)
        self.assertAlmostEqual(row["energy"], 3 * 5.625)
        self.assertAlmostEqual(row["bytes"], 1.6)
        self.assertEqual(row["time_half_width"], 0)
        # Dynamic trust: 20 s in run 1, 10 s in run 2: t(1) s / sqrt(2)
        row = table.loc[("dynamic", 0.6)]
        self.assertAlmostEqual(row["time"], 15)
        self.assertAlmostEqual(row["time_half_width"], 12.706 * 5)
        row = table.loc[("dynamic", 0.9)]
        self.assertEqual((row["runs"], row["reached"], row["time"]), (2, 1, 40))
        self.assertTrue(np.isnan(row["time_half_width"]))
        self.assertTrue(np.isnan(table.loc[("naive", 0.9), "time"]))

    def test_text_says_what_was_not_reached(self):
        lines = format_reach(self.groups, [0.6, 0.9]).splitlines()
        self.assertIn("Time to reach accuracy on X*, regular devices [s]", lines)
        self.assertIn("Bytes sent by a device to reach accuracy on X*, regular devices [kB]", lines)
        self.assertIn("dynamic  15+-64  40 (1 of 2 runs)", lines)
        self.assertIn("naive     30+-0       not reached", lines)

    def test_figure_says_what_was_not_reached(self):
        time = plot.reach(self.groups, [0.6, 0.9]).axes[0]
        self.assertEqual([text.get_text() for text in time.texts], ["1 of 2 runs", "not reached"])


class MessagesTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.run_ = load_run(write_run(self.folder / "a"))

    def test_delays_end_below_one_by_what_was_lost(self):
        delays, shares = delay_distribution([self.run_])
        np.testing.assert_allclose(delays, 0.1)
        self.assertAlmostEqual(shares[-1], 11 / 12)
        self.assertEqual(shares[0], 0)

    def test_attempts_count_each_message_once(self):
        attempts, shares = attempt_distribution([self.run_])
        self.assertEqual(len(attempts), 1 + 8)  # 4 devices in 2 rounds, and where the steps begin
        np.testing.assert_allclose(attempts, 1)
        self.assertEqual(shares[-1], 1)

    def test_losses_by_distance(self):
        # Devices are 10 m apart in a row; device 0 never hears device 1
        table = losses_by_distance([self.run_])
        np.testing.assert_allclose(table["distance_m"], [10, 20, 30])
        self.assertEqual(list(table["messages"]), [12, 8, 4])
        self.assertEqual(list(table["messages_lost"]), [2, 0, 0])
        self.assertEqual(list(table["fragments"]), [24, 16, 8])
        self.assertEqual(list(table["fragments_lost"]), [4, 0, 0])

    def test_wilson_interval(self):
        share, low, high = wilson_interval([2, 0], [12, 0])
        self.assertAlmostEqual(share[0], 1 / 6)
        self.assertAlmostEqual(low[0], 0.0470, 4)
        self.assertAlmostEqual(high[0], 0.4480, 4)
        self.assertTrue(np.isnan(share[1]))

    def test_link_matrix_has_receivers_as_rows(self):
        matrix = delivered_matrix(self.run_)
        self.assertEqual((matrix.loc[0, 1], matrix.loc[1, 0]), (0, 1))
        self.assertTrue(np.isnan(matrix.loc[2, 2]))

    def test_graph_joins_both_directions(self):
        axes = plot.graph(self.run_).axes[0]
        shares = axes.collections[0].get_array()
        self.assertEqual(sorted(shares), [0.5] + [1] * 5)

    def test_without_positions(self):
        file = self.folder / "a/run.json"
        metadata = json.loads(file.read_text())
        metadata["devices"] = [{"device": number} for number in range(4)]
        file.write_text(json.dumps(metadata))
        for draw in (plot.graph, plot.outage):
            with self.assertRaisesRegex(RunError, "has no positions"):
                draw(load_run(self.folder / "a"))

    def test_nothing_without_messages(self):
        run = load_run(write_run(self.folder / "local", "local"))
        for draw in (plot.delay, plot.outage, plot.links, plot.graph, plot.trust, plot.committee):
            self.assertIsNone(draw(run))
        for draw in (plot.adversaries, plot.bound, plot.clients, plot.learning, plot.robustness):
            self.assertIsNone(draw(run))


class CommitteeTest(FolderTestCase):
    def test_members_by_round(self):
        path = write_run(self.folder / "a")
        write_committee(path)
        run = load_run(path)
        matrix = committee_matrix(run)
        even, odd = [1, 0, 1, 0], [0, 1, 0, 1]
        self.assertEqual(matrix.to_numpy().tolist(), [even, odd, even, [1] * 4])
        members, shares = plot.committee(run).axes
        self.assertEqual([bar.get_width() for bar in shares.patches], [0.5, 0.5, 0.5, 1.0])
        self.assertEqual([t.get_text() for t in members.get_yticklabels()], ["0", "1", "2*", "3"])


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
        rounds = pd.read_csv(path / "rounds.csv")
        rounds = rounds.rename(columns={"accuracy_reference": "squared_error_union"})
        rounds.to_csv(path / "rounds.csv", index=False)
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


class MissingColumnTest(FolderTestCase):
    def test_run_of_an_algorithm_without_accuracy(self):
        path = write_run(self.folder / "a")
        rounds = pd.read_csv(path / "rounds.csv").drop(columns="accuracy_reference")
        rounds.rename(columns={"local_loss": "loss"}).to_csv(path / "rounds.csv", index=False)
        (path / "columns.csv").unlink()
        run = load_run(path)
        self.assertEqual(quantity(run, "loss"), 1.0)
        with self.assertRaisesRegex(RunError, "rounds has no column accuracy_reference; it has: "):
            plot.accuracy(run)
        code, output, errors = self.run_command(main, path)
        self.assertEqual(code, 0)
        self.assertIn("energy.png", output)
        self.assertIn("figure accuracy is left out: ", errors)


class CommandTest(SweepTestCase):
    def test_draws_every_figure_in_every_format(self):
        path = write_run(self.folder / "one/dynamic", attack="back-gradient")
        write_bound(path)
        write_committee(path)
        write_consensus(path)
        write_shapes(path)
        out = self.folder / "figures"
        code, output, errors = self.run_command(
            main, self.folder / "one", "--figure", "all", "--out", out, "--pdf", "--svg"
        )
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("Time to reach", output)
        for name in plot.FIGURES:
            self.assertTrue((out / f"{name}.png").read_bytes().startswith(b"\x89PNG"), name)
            self.assertTrue((out / f"{name}.pdf").read_bytes().startswith(b"%PDF"), name)
            self.assertIn("<svg", (out / f"{name}.svg").read_text(), name)

    def test_draws_a_relation_of_a_database(self):
        collect([self.folder], self.folder / "all.sqlite")
        relation = ("--x", "maxOutage", "--y", "accuracy_reference", "--hue", "trust")
        code, output, errors = self.run_command(main, self.folder / "all.sqlite", *relation)
        self.assertEqual((code, errors), (0, ""))
        rows = [line.split() for line in output.splitlines()]
        headings = "trust maxOutage runs missing accuracy_reference half_width"
        self.assertEqual(rows[0], headings.split())
        self.assertEqual(rows[1], ["dynamic", "0.1", "3", "0", "0.6733", "0.07453"])
        name = "accuracy_reference-against-maxOutage-by-trust.png"
        self.assertTrue((self.folder / name).exists())

    def test_values_with_commas_tags_and_columns(self):
        for name, models in (("a", "x,y"), ("b", "x"), ("c", "y")):
            write_run(self.folder / f"m/{name}", models=models)
        runs = load_sweep(self.folder / "m").runs
        for given, count in (("x,y", 1), ("x,z", 1), ("y", 1)):
            name, values = _condition(f"models={given}", runs)
            self.assertEqual(len(select(runs, {name: values})), count)
        out = self.folder / "out"
        words = ("--where", "models=x,y", "--figure", "bytes", "--column", "accuracy_global")
        code, output, errors = self.run_command(
            main, self.folder / "m", *words, "--tag", "pair", "--out", out
        )
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual([file.name for file in out.iterdir()], ["bytes-pair.png"])
        words = (*words[:-1], "joy")
        code, _, errors = self.run_command(main, self.folder / "m", *words)
        self.assertEqual(code, 2)
        self.assertIn("rounds has no column joy", errors)

    def test_lists_figures_settings_and_quantities(self):
        code, output, _ = self.run_command(main, "--list")
        self.assertEqual(code, 0)
        for name in plot.FIGURES:
            self.assertIn(f"\n  {name} ", output)
        _, output, _ = self.run_command(main, "--list", self.folder)
        self.assertIn("maxOutage: 0.1, 0.2", output)
        self.assertIn("accuracy_reference", output)

    def test_too_many_methods_for_panels(self):
        for number in range(20):
            write_run(self.folder / f"many/{number}", rate=number)
        code, _, errors = self.run_command(main, self.folder / "many", "--figure", "energy")
        self.assertEqual(code, 2)
        self.assertIn("20 methods are more than the 12 panels", errors)

    def test_mistakes_are_one_line_and_exit_code_2(self):
        for arguments, message in (
            ([], "RUN is missing"),
            (["--x", "maxOutage", self.folder], "--x and --y go together"),
            (["--hue", "trust", self.folder], "--hue needs --x and --y"),
            (["--figure", "pie", self.folder], "'pie' (choose from 'accuracy'"),
            (["--where", "trust", self.folder], "'trust'; allowed: SETTING=VALUE"),
            (["--x", "outage", "--y", "time", self.folder], "setting 'outage'; the nearest is max"),
            (["--x", "trust", "--y", "tim", self.folder], "differ in maxOutage too"),
            (["--levels", "a", "--figure", "reach", self.folder], "--levels was given 'a'"),
            ([self.folder / "nothing"], "is not a folder"),
        ):
            code, _, errors = self.run_command(main, *arguments)
            self.assertEqual((code, len(errors.splitlines())), (2, 1), (arguments, errors))
            self.assertIn(message, errors)
            self.assertTrue(errors.startswith("collab plot: "), errors)


if __name__ == "__main__":
    unittest.main()
