# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures that all algorithms share, on runs whose numbers follow from a formula."""


from folder_test_case import (
    FINAL,
    THREE,
    FolderTestCase,
    RunsTestCase,
    SweepTestCase,
    change_run,
    change_table,
)

import numpy as np
import pandas as pd
from collab import RunError, load_run, plot
from collab.figures.common.accuracy import accuracy_figure, paired_accuracy_figure
from collab.figures.common.costs import energy_figure, latency_figure
from collab.figures.common.overview import overview_figure
from collab.figures.common.trust import trust_figure
from collab.statistics.costs import energy_by_device, latency_by_round
from collab.statistics.messages import (
    attempt_distribution,
    delay_distribution,
    delivered_matrix,
    losses_by_distance,
    wilson_interval,
)
from synthetic_run import write_run

# What a device of a synthetic run has spent on each kind in all
JOULES = {"tx": 4, "rx": 2, "idle": 1, "sleep": 0.5, "compute": 12, "d2s_tx": 3, "d2s_rx": 0}


class FiguresTest(RunsTestCase):
    def setUp(self):
        super().setUp()
        for trust in ("dynamic", "naive", "local"):
            write_run(self.folder / trust, trust)
        self.groups = self.load_groups()

    def test_accuracy_curve_is_the_mean_over_regular_devices(self):
        rounds, time, energy, sent = accuracy_figure(self.groups).axes
        np.testing.assert_allclose(rounds.get_lines()[0].get_xdata(), [1, 2, 3, 4])
        np.testing.assert_allclose(sent.get_lines()[0].get_xdata(), [0, 0, 1.6, 3.2])
        line = time.get_lines()[0]
        np.testing.assert_allclose(line.get_xdata(), [10, 20, 30, 40])
        np.testing.assert_allclose(line.get_ydata(), 0.4 + 0.04 / 3 + 0.1 * np.arange(4))
        np.testing.assert_allclose(energy.get_lines()[0].get_xdata(), 5.625 * np.arange(1, 5))
        band = time.collections[0].get_paths()[0].vertices[:, 1]
        deviation = np.std([0.0, 0.01, 0.03])
        self.assertAlmostEqual(band.min(), 0.4 + 0.04 / 3 - deviation)
        self.assertAlmostEqual(band.max(), 0.7 + 0.04 / 3 + deviation)

    def test_energy_by_device_and_kind(self):
        energy = energy_by_device(self.groups["dynamic"][0])
        self.assertEqual(energy.loc[3].to_dict(), JOULES)
        figure = energy_figure(self.groups)
        bars = figure.axes[0].patches
        self.assertAlmostEqual(sum(bar.get_height() for bar in bars), 4 * 22.5)
        labels = [text.get_text() for text in figure.axes[-1].get_legend().get_texts()]
        self.assertEqual(labels[0], "sending to server")
        self.assertNotIn("receiving from server", labels)  # nothing is spent on that

    def test_latency_adds_up_to_the_round(self):
        latency = latency_by_round(self.groups["dynamic"][0])
        self.assertEqual(list(latency.sum(axis=1)), [10.0] * 4)
        # The exchange takes 2 s, of which the device itself is on air for 0.1 s
        np.testing.assert_allclose(latency["exchange"], [0, 0, 0.1, 0.1])
        np.testing.assert_allclose(latency["waiting"], [5, 5, 3.4, 3.4])
        legend = latency_figure(self.groups).axes[-1].get_legend()
        labels = [text.get_text() for text in legend.get_texts()]
        self.assertEqual(labels[0], "waiting, receiving")
        self.assertEqual(len(labels), 5)

    def test_only_what_is_sent_within_an_exchange_is_of_it(self):
        file = self.folder / "dynamic/messages.csv"
        messages = pd.read_csv(file)
        later = messages.assign(kind="later", start_s=messages["start_s"] + 4, end_s=messages["end_s"] + 4)
        over = messages.assign(kind="over", start_s=messages["start_s"] + 1.75, airtime_s=0.4,
                               end_s=messages["start_s"] + 2.75)  # fmt: skip
        pd.concat([messages, later, over]).to_csv(file, index=False)
        latency = latency_by_round(load_run(self.folder / "dynamic"))
        # Of the last one, a quarter is within the exchange of 2 s
        np.testing.assert_allclose(latency["exchange"], [0, 0, 0.1 + 0.1, 0.1 + 0.1])

    def test_latency_legend_has_no_phase_that_takes_no_time(self):
        with (self.folder / "local/latency.csv").open("a") as file:
            file.write("0,0,predict,1.0,1.0\n")
        run = load_run(self.folder / "local")
        legend = latency_figure({"local": [run]}).axes[-1].get_legend()
        labels = [text.get_text() for text in legend.get_texts()]
        self.assertEqual(labels, ["waiting, receiving", "training"])

    def test_latency_of_a_round_that_a_device_did_not_end_is_left_out(self):
        path = self.folder / "dynamic"
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        (path / "rounds.csv").write_text("".join(lines[:-1]))
        latency = latency_by_round(load_run(path))
        self.assertEqual(latency.loc[3, "train"], 5.0)
        self.assertAlmostEqual(latency.loc[3].sum(), 10.0)

    def test_trust_figure_shows_first_and_last_round_with_column_sums(self):
        figure = trust_figure(self.groups)
        titles = [axes.get_title(loc="left") for axes in figure.axes[:4]]
        self.assertEqual(titles[:2], ["dynamic: W in round 2", "dynamic: W in round 3"])
        texts = [text.get_text() for text in figure.axes[0].texts]
        self.assertEqual(texts[:4], ["1.12", "1.12", "0.64", "1.12"])
        self.assertEqual(texts[4:8], ["0.84", "0.84", "0.48", "0.84"])
        ticks = [tick.get_text() for tick in figure.axes[0].get_xticklabels()]
        self.assertEqual(ticks, ["0", "1", "2*", "3"])

    def test_no_trust_figure_without_weights(self):
        self.assertIsNone(trust_figure({"local": self.groups["local"]}))

    def test_overview_has_four_panels(self):
        self.assertEqual(len(overview_figure(self.groups).axes), 4)


class PartitionTest(FolderTestCase):
    def test_samples_by_device_and_class(self):
        path = write_run(self.folder / "a")
        run = load_run(path)
        axes = plot.partition(run).axes[0]
        (dots,) = axes.collections
        areas = dots.get_sizes().reshape(4, 2)
        np.testing.assert_allclose(areas[:, 0] / areas[3, 1], [0, 1 / 6, 2 / 6, 3 / 6])
        self.assertEqual([text.get_text() for text in axes.get_xticklabels()], ["0", "1", "2*", "3"])
        table = plot.partition.numbers(run)
        self.assertEqual(table["class 0"].tolist(), [0, 100, 200, 300])
        self.assertEqual(table["device"].tolist(), ["0", "1", "2*", "3"])

    def test_nothing_if_the_run_does_not_tell(self):
        path = write_run(self.folder / "a")
        run = load_run(change_run(path, devices=[{"device": number} for number in range(4)]))
        self.assertIsNone(plot.partition(run))
        self.assertIsNone(plot.partition.numbers(run))


class BandTest(SweepTestCase):
    def test_band_is_the_interval_over_seeds(self):
        axes = plot.accuracy(self.sweep.select(maxOutage=0.1)).axes[0]
        np.testing.assert_allclose(axes.get_lines()[1].get_ydata()[-1], FINAL - 0.06)
        band = axes.collections[1].get_paths()[0].vertices
        last = band[np.isclose(band[:, 0], 4), 1]
        np.testing.assert_allclose(last.max() - last.min(), 2 * THREE * 0.02)
        self.assertIn("95 %", axes.get_legend().get_title().get_text())

    def test_numbers_of_the_end(self):
        groups = self.sweep.select(maxOutage=0.1).group()
        table = plot.accuracy.numbers(groups)
        first = groups[table["method"][0]]
        self.assertEqual(table["runs"][0], len(first))
        final = [run.final("accuracy_reference", run.regular) for run in first]
        self.assertAlmostEqual(table["accuracy_reference"][0], np.mean(final))
        self.assertAlmostEqual(table["seconds"][0], 40)
        self.assertGreater(table["accuracy_reference_half_width"][0], 0)
        self.assertAlmostEqual(table["lost"][0], 1 / 12)
        self.assertIn("accuracy_global", table)
        self.assertNotIn("accuracy_global", plot.accuracy.numbers(groups, column="accuracy_local"))
        paired = plot.accuracy.numbers(groups, paired=True)
        self.assertEqual(paired["method"][0], " - ".join(table["method"][:2]))
        difference = table["accuracy_reference"][0] - table["accuracy_reference"][1]
        self.assertAlmostEqual(paired["accuracy_reference"][0], difference)
        self.assertEqual(paired["seconds"][0], 0)

    def test_bytes_over_decades(self):
        axes = plot.bytes(self.sweep.select(maxOutage=0.1)).axes[0]
        self.assertEqual(axes.get_xscale(), "log")
        np.testing.assert_allclose(axes.get_lines()[0].get_xdata(), [np.nan, np.nan, 1.6, 3.2])

    def test_legend_tells_bands_and_runs_of_methods_with_unequal_numbers(self):
        def legend_of(*runs):
            groups = {trust: self.sweep.select(trust=trust, maxOutage=0.1).runs[:count]
                      for trust, count in zip(("dynamic", "naive"), runs)}  # fmt: skip
            legend = accuracy_figure(groups).axes[0].get_legend()
            return legend.get_title().get_text(), [text.get_text() for text in legend.get_texts()]

        interval, deviation = "95 % confidence interval", "1 s.d. over devices"
        self.assertEqual(legend_of(3, 3), (f"method (band: {interval})", ["dynamic", "naive"]))
        self.assertEqual(legend_of(1, 1), (f"method (band: {deviation})", ["dynamic", "naive"]))
        self.assertEqual(legend_of(3, 2), (f"method (band: {interval})",
                                           ["dynamic (3 runs)", "naive (2 runs)"]))  # fmt: skip
        self.assertEqual(legend_of(3, 1), (f"method (band: {interval}; of 1 run {deviation})",
                                           ["dynamic (3 runs)", "naive (1 run)"]))  # fmt: skip

    def test_paired_band(self):
        figure = plot.accuracy(self.sweep.select(maxOutage=0.1), paired=True)
        axes = figure.axes[0]
        np.testing.assert_allclose(axes.get_lines()[0].get_ydata(), 0.02)
        band = axes.collections[0].get_paths()[0].vertices[:, 1]
        np.testing.assert_allclose(band.max() - band.min(), 2 * THREE * 0.01)
        self.assertIsNone(paired_accuracy_figure({"a": self.sweep.runs[:1]}))


class MessagesTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.run_ = load_run(write_run(self.folder / "a"))

    def with_more(self, change):
        """The run with its messages and, after them, what change makes of them."""
        path = self.folder / "a"
        return load_run(change_table(path, "messages", lambda told: pd.concat([told, change(told)])))

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

    def test_messages_of_another_kind_are_others(self):
        run = self.with_more(lambda told: told.assign(kind="answer", attempts=2 * told["attempts"]))
        self.assertEqual(attempt_distribution([run])[0].tolist(), [1] * (1 + 8) + [2] * 8)
        np.testing.assert_allclose(latency_by_round(run)["exchange"], [0, 0, 0.2, 0.2])

    def test_losses_by_distance(self):
        # Devices are 10 m apart in a row; device 0 never hears device 1
        table = losses_by_distance([self.run_])
        np.testing.assert_allclose(table["distance_m"], [10, 20, 30])
        self.assertEqual(list(table["messages"]), [12, 8, 4])
        self.assertEqual(list(table["messages_lost"]), [2, 0, 0])
        self.assertEqual(list(table["fragments"]), [24, 16, 8])
        self.assertEqual(list(table["fragments_lost"]), [4, 0, 0])

    def test_what_was_never_on_air_is_no_loss_of_a_link(self):
        run = self.with_more(lambda told: told.assign(
            sequence=told["sequence"] + 1000, attempts=0, delivered=0, lost_fragments=0, airtime_s=0,
            reason="run-ended"))  # fmt: skip
        self.assertEqual(list(losses_by_distance([run])["messages"]), [12, 8, 4])
        self.assertEqual(len(attempt_distribution([run])[0]), 1 + 8)

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
        change_run(self.folder / "a", devices=[{"device": number} for number in range(4)])
        for draw in (plot.graph, plot.outage):
            with self.assertRaisesRegex(RunError, "has no positions"):
                draw(load_run(self.folder / "a"))

    def test_nothing_without_messages(self):
        run = load_run(write_run(self.folder / "local", "local"))
        for draw in (plot.delay, plot.outage, plot.links, plot.graph, plot.trust, plot.committee):
            self.assertIsNone(draw(run))
        for draw in (plot.adversaries, plot.bound, plot.clients, plot.learning, plot.robustness):
            self.assertIsNone(draw(run))
