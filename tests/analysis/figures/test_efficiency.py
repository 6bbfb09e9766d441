# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of communication and computation time apart, and of accuracy against time."""

import re

from folder_test_case import FINAL, ROOT, FolderTestCase

import numpy as np
from collab import load_run, plot
from collab.figures.committee.efficiency import BANDWIDTH, efficiency_table
from collab.figures.committee.efficiency_accuracy import efficiency_accuracy_table
from collab.statistics.quantities import quantity
from collab.statistics.timing import AGREEING, round_seconds, times_of
from synthetic_run import ROUND_S, ROUNDS, write_run, write_table

MODEL = ROOT / "contrib-module/model"
_KIND = re.compile(r'^    static constexpr const char\* NAME = "([a-z-]+)";$', re.MULTILINE)
# Kinds of messages with what is learned or learned from
CARRYING = {"belief", "change", "committee-model", "datapoints", "global-model", "gradient", "mass", "model",
            "part", "pooled-labels", "predictions", "push", "segment", "set-model", "soft-labels", "teleport", "trained",
            "update"}  # fmt: skip


def write_framework(path, algorithm, rate, phases, messages=(), **parameters):
    """Writes a run whose rounds of 10 s have phases (device, name, start, end) and messages (kind,
    start, end)."""
    write_run(path, model="stub:16000", algorithm=algorithm, **{BANDWIDTH: rate}, **parameters)
    rows = [
        (number, device, phase, ROUND_S * number + start, ROUND_S * number + end)
        for number in range(ROUNDS)
        for device, phase, start, end in phases
    ]
    write_table(path, "latency", "round,device,phase,start_s,end_s", rows)
    write_messages(path, [
        (ROUND_S * number + start, ROUND_S * number + end, kind)
        for number in range(ROUNDS)
        for kind, start, end in messages
    ])  # fmt: skip
    return load_run(path)


def write_messages(path, messages):
    """Writes messages (start, end, kind) of a run, and one of another kind that takes no time."""
    header = (path / "messages.csv").read_text(encoding="utf-8").splitlines()[0]
    rows = [(start, start, end, 0, 1, kind, 0, number, 1000, 1, 0, 1, end - start, 1, "")
            for number, (start, end, kind) in enumerate([(0, 0, "done"), *messages])]  # fmt: skip
    write_table(path, "messages", header, rows)


class EfficiencyTest(FolderTestCase):
    def test_parts_add_up_and_sending_goes_before_computing(self):
        phases = [
            (0, "train", 1, 3),
            (1, "train", 2, 4),  # 3 s in which somebody trains
            (0, "upload", 3, 7),  # of which 1 s while somebody sends
            (2, "score", 6, 8),  # 1 s after that
            (2, "consensus", 8, 9),
        ]
        run = write_framework(self.folder / "one", "committee", 1e6, phases, [("gradient", 3, 7)])
        times = times_of(run)
        self.assertAlmostEqual(times["computation_s"], 2 + 1)
        self.assertAlmostEqual(times["communication_s"], 10 - 3)
        self.assertAlmostEqual(quantity(run, "computation"), 3)
        self.assertAlmostEqual(quantity(run, "communication"), 7)
        self.assertAlmostEqual(round_seconds(run), 10)

    def test_a_model_on_its_way_to_others_is_communication(self):
        """A server hands its model out to one device after the other, of which the first ones train; a
        device that takes no part waits all the time."""
        phases = [(0, "wait", 0, 1), (0, "train", 1, 4), (1, "wait", 0, 10)]
        for kind, seconds in (("global-model", 1), ("set-model", 1), ("consensus", 3)):
            messages = [(kind, 0, 1), (kind, 0, 3)]
            run = write_framework(self.folder / kind, "fedavg", 1e6, phases, messages)
            self.assertAlmostEqual(times_of(run)["computation_s"], seconds, msg=kind)

    def test_every_kind_of_message_is_known(self):
        names = set()
        for file in MODEL.rglob("*.h"):
            names.update(_KIND.findall(file.read_text(encoding="utf-8")))
        self.assertEqual(CARRYING | set(AGREEING), names)

    def test_every_phase_of_computing(self):
        for phase in ("train", "score", "aggregate", "merge"):
            run = write_framework(self.folder / phase, "fedavg", 1e6, [(0, phase, 0, 3)])
            self.assertAlmostEqual(times_of(run)["computation_s"], 3, msg=phase)

    def test_without_a_record_of_messages_or_phases_only_the_sum_is_known(self):
        for table in ("messages", "latency"):
            with self.subTest(table):
                folder = self.folder / table
                write_framework(folder, "fedavg", 1e6, [(0, "train", 0, 1)])
                path = folder / f"{table}.csv"
                path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
                run = load_run(folder)
                self.assertTrue(np.isnan(list(times_of(run).values())).all())
                self.assertAlmostEqual(round_seconds(run), 10)
                self.assertEqual(efficiency_table([run])["energy_j"].iloc[0], 5.625)
                axes = plot.efficiency([run]).axes[0]
                self.assertEqual([bar.get_height() for bar in axes.patches], [5.625])
                self.assertIn("[J]", axes.get_ylabel())

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

    def test_runs_of_other_settings_are_not_averaged(self):
        runs = [
            write_framework(self.folder / f"{name}-{share}-{run}", name, 1e6, [(0, "train", 0, s)],
                            participation=share, run=run)
            for name, share, s in (("gossipfl", 1.0, 1), ("fedavg", 0.6, 2), ("fedavg", 0.2, 4))
            for run in (1, 2)
        ]  # fmt: skip
        table = efficiency_table(runs)
        labels = ["FL, participation=0.2", "FL, participation=0.6", "GossipFL"]
        self.assertEqual(list(table["framework"]), labels)
        self.assertEqual(list(table["computation_s"]), [4, 2, 1])
        legend = plot.efficiency(runs).axes[0].get_legend()
        self.assertEqual([text.get_text() for text in legend.get_texts()], labels)

    def test_the_rate_is_that_of_the_bandwidth_in_use(self):
        runs = []
        for name, value in (("RateControl", "Adaptive"), ("SpectralEfficiency", "4"), ("TxPower", "20")):
            write_run(self.folder / name, **{BANDWIDTH: "2e6", f"ns3::collab::D2dPhy::{name}": value})
            runs.append(load_run(self.folder / name))
        table = efficiency_table(runs)
        self.assertEqual(list(table["rate_mbps"]), [2, "adaptive", 8])
        self.assertEqual(list(table["condition"]), ["", "RateControl=Adaptive", "SpectralEfficiency=4"])
        ticks = [axes.get_xticklabels()[0].get_text() for axes in plot.efficiency(runs).axes]
        self.assertEqual(ticks, ["2", "adaptive", "8"])

    def test_how_gradients_are_uploaded_makes_another_framework(self):
        runs = []
        for upload in ("broadcast", "unicast"):
            path = self.folder / upload
            write_run(path, algorithm="committee", upload=upload)
            runs.append(load_run(path))
        self.assertTrue(efficiency_table(runs)["agreed"].isna().all())
        outcomes = [(0, 1, "agreed"), (0, 2, "sets-differ"), (1, 1, "agreed"), (1, 2, "agreed")]
        write_table(self.folder / "unicast", "committee", "round,device,outcome", outcomes)
        table = efficiency_table([load_run(self.folder / upload) for upload in ("broadcast", "unicast")])
        self.assertEqual(list(table["framework"]), ["CMFL", "CMFL, broadcast"])
        self.assertEqual(table["agreed"].iloc[0], 0.75)

    def test_a_cell_is_a_mean_over_seeds(self):
        runs = [
            write_framework(self.folder / f"{seconds}", "fedavg", 1e6, [(0, "train", 0, seconds)])
            for seconds in (1, 3)
        ]
        row = plot.FIGURES["efficiency"].numbers(runs).iloc[0]
        self.assertAlmostEqual(row["computation_s"], 2)
        self.assertAlmostEqual(row["computation_s_half_width"], 12.706 * 1)

    def test_nothing_to_draw(self):
        self.assertIsNone(plot.efficiency([]))


class EfficiencyAccuracyTest(FolderTestCase):
    def write(self, number, rate=1e6, run=1, bonus=0.0, **parameters):
        """Writes a run whose devices are as accurate as those of write_run(), and the bonus."""
        path = self.folder / f"{number}-{rate}-{run}"
        write_run(path, run=run, bonus=bonus, **parameters, **{BANDWIDTH: rate})
        return load_run(path)

    def test_a_column_a_rate_and_a_row_for_time_and_joules(self):
        runs = [
            self.write(number, rate, run, 0.01 * run, **parameters)
            for number, parameters in enumerate((
                {"algorithm": "gossipfl"},
                {"algorithm": "committee", "selection": "II", "upload": "broadcast"},
                {"algorithm": "committee", "selection": "II", "upload": "unicast"},
                {"algorithm": "fedavg"},
            ))
            for rate in (1e8, 1e6)
            for run in (1, 2, 3)
        ]  # fmt: skip
        axes = plot.efficiency_accuracy(runs, levels=[0.6]).axes
        titles = [one.get_title(loc="left") for one in axes]
        self.assertEqual(titles, ["1 Mbit/s", "100 Mbit/s", "", ""])
        names = ["FL", "CMFL II", "CMFL II, broadcast", "GossipFL"]
        for panel in axes:
            lines = [line for line in panel.get_lines() if len(line.get_xdata()) == ROUNDS]
            self.assertEqual([line.get_label() for line in lines], names)
            self.assertEqual(panel.get_xscale(), "log")
        line = axes[0].get_lines()[0]
        self.assertEqual(list(line.get_xdata()), [ROUND_S * (n + 1) for n in range(ROUNDS)])
        self.assertAlmostEqual(line.get_ydata()[-1], FINAL + 0.02)
        self.assertAlmostEqual(axes[2].get_lines()[0].get_xdata()[-1], 4 * 5.625)

    def test_panels_by_the_rate_in_use(self):
        radio = "ns3::collab::D2dPhy::"
        runs = [self.write(0, algorithm="fedavg", **{radio + "RateControl": "Adaptive"}),
                self.write(1, algorithm="gossipfl", **{radio + "SpectralEfficiency": "4"})]  # fmt: skip
        titles = [one.get_title(loc="left") for one in plot.efficiency_accuracy(runs).axes]
        self.assertEqual(titles[:2], ["4 Mbit/s", "adaptive rates"])
        self.assertEqual(list(efficiency_accuracy_table(runs)["rate_mbps"]), [4, "adaptive"])

    def test_what_it_takes_over_the_seeds_that_reach_it(self):
        runs = [self.write(0, run=run, bonus=bonus, algorithm="fedavg")
                for run, bonus in ((1, 0.0), (2, 0.1), (3, -1.0))]  # fmt: skip
        table = efficiency_accuracy_table(runs, [FINAL - 0.001])
        row = table.iloc[0]
        self.assertEqual((len(table), row["framework"], row["rate_mbps"]), (1, "FL", 1))
        self.assertEqual((row["seeds"], row["reached"]), (3, 2))
        self.assertAlmostEqual(row["rounds"], (4 + 3) / 2)
        self.assertAlmostEqual(row["time_s"], 35)
        self.assertAlmostEqual(row["time_s_half_width"], 12.706 * 5)
        self.assertAlmostEqual(row["energy_j"], 3.5 * 5.625)
        self.assertAlmostEqual(row["round_s"], 10)

    def test_other_settings_that_differ_are_named(self):
        runs = [self.write(limit, algorithm="fedavg",
                           **{"ns3::collab::D2dMac::MaxReceptions": limit})
                for limit in (0, 1)]  # fmt: skip
        table = efficiency_accuracy_table(runs)
        self.assertEqual(list(table["framework"]), [f"FL, MaxReceptions={n}" for n in (0, 1)])

    def test_what_one_framework_alone_is_given_is_not_named(self):
        runs = [self.write(0, algorithm="gossipfl"),
                self.write(1, algorithm="fedavg", **{"ns3::collab::D2dPhy::TxPower": 20})]  # fmt: skip
        table = efficiency_accuracy_table(runs)
        self.assertEqual(list(table["framework"]), ["FL", "GossipFL"])

    def test_nothing_to_draw(self):
        self.assertIsNone(plot.efficiency_accuracy([]))
        self.assertTrue(efficiency_accuracy_table([]).empty)
