# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of analysis/collab_analysis on run folders whose numbers follow from a formula."""

import json
import unittest

from folder_test_case import FolderTestCase

import numpy as np
import synthetic_run
from collab_analysis import RunError, find_runs, group_runs, load_run, paired_differences, summary
from collab_analysis.cli import main
from collab_analysis.costs import energy_by_device, energy_figure, latency_by_round, latency_figure
from collab_analysis.curves import accuracy_figure
from collab_analysis.overview import overview_figure
from collab_analysis.statistics import mean_and_half_width, t_quantile
from collab_analysis.trust import trust_figure
from synthetic_run import write_run


class RunsTestCase(FolderTestCase):
    """Writes and loads runs in its folder."""

    def write_pairs(self, bonuses):
        """Runs 1, 2, ... of dynamic and naive trust, dynamic better by the bonus of its run."""
        for number, bonus in enumerate(bonuses, start=1):
            offset = 0.02 * number
            write_run(self.folder / f"run-{number}/dynamic", "dynamic", number, offset + bonus)
            write_run(self.folder / f"run-{number}/naive", "naive", number, offset)

    def load_groups(self):
        return group_runs([load_run(path) for path in find_runs([self.folder])])


class LoadRunTest(RunsTestCase):
    def test_reads_metadata_and_tables(self):
        run = load_run(write_run(self.folder / "a", run=3))
        self.assertTrue(run.finished)
        self.assertEqual((run.scenario, run.pair), ("prediction-consensus", (1, 3)))
        self.assertEqual(list(run.low_quality), [2])
        self.assertEqual(list(run.regular), [0, 1, 3])
        self.assertEqual(len(run.rounds), synthetic_run.ROUNDS * synthetic_run.DEVICES)
        self.assertEqual(len(run.messages), 2 * 4 * 3)

    def test_rejects_folder_that_is_no_run(self):
        with self.assertRaisesRegex(RunError, "is not a run"):
            load_run(self.folder)
        with self.assertRaisesRegex(RunError, "is not a run"):
            find_runs([self.folder])
        with self.assertRaisesRegex(RunError, "is not a folder"):
            find_runs([self.folder / "absent"])

    def test_rejects_unknown_schema(self):
        path = write_run(self.folder / "a")
        metadata = json.loads((path / "run.json").read_text())
        (path / "run.json").write_text(json.dumps({**metadata, "schema": 2}))
        with self.assertRaisesRegex(RunError, "schema is 2; allowed: 1"):
            load_run(path)

    def test_rejects_metadata_without_devices(self):
        path = write_run(self.folder / "a")
        metadata = json.loads((path / "run.json").read_text())
        del metadata["devices"]
        (path / "run.json").write_text(json.dumps(metadata))
        with self.assertRaisesRegex(RunError, "not in it: devices"):
            load_run(path)

    def test_rejects_damaged_table_of_finished_run(self):
        path = write_run(self.folder / "a")
        text = (path / "energy.csv").read_text()
        (path / "energy.csv").write_text(text[:-3])
        with self.assertRaisesRegex(RunError, "energy.csv: the last line is cut"):
            load_run(path)
        (path / "energy.csv").write_text(text.replace("tx_j", "tx"))
        with self.assertRaisesRegex(RunError, "columns not in it: tx_j"):
            load_run(path)
        (path / "energy.csv").unlink()
        with self.assertRaisesRegex(RunError, "energy.csv is missing"):
            load_run(path)

    def test_run_of_an_older_version_has_spent_nothing_on_newer_kinds(self):
        path = write_run(self.folder / "a")
        energy = load_run(path).energy
        older = energy.drop(columns=["sleep_j", "d2s_tx_j", "d2s_rx_j"])
        older.to_csv(path / "energy.csv", index=False)
        read = load_run(path).energy
        for column in energy.columns:
            known = column in older.columns
            self.assertEqual(list(read[column]), list(energy[column] if known else 0 * energy.tx_j))

    def test_partial_run_loses_cut_line_and_begun_round(self):
        path = write_run(self.folder / "a.partial")
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        # The header, three whole rounds, three devices of the last one, and the fourth cut short
        (path / "rounds.csv").write_text("".join(lines[:16]) + lines[16][:-3])
        (path / "trust.csv").unlink()
        run = load_run(path)
        self.assertFalse(run.finished)
        self.assertEqual(len(run.rounds), 3 * synthetic_run.DEVICES)
        self.assertTrue(run.trust.empty)

    def test_partial_run_loses_all_rounds_that_a_device_has_yet_to_end(self):
        path = write_run(self.folder / "a.partial")
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        slow = [line for line in lines if not line.startswith(("2,3,", "3,2,", "3,3,"))]
        (path / "rounds.csv").write_text("".join(slow))
        self.assertEqual(load_run(path).rounds["round"].max(), 1)

    def test_finds_each_run_once(self):
        first = write_run(self.folder / "x/a")
        second = write_run(self.folder / "x/b")
        self.assertEqual(find_runs([self.folder, first]), [first, second])

    def test_silent_device_keeps_its_last_value(self):
        path = write_run(self.folder / "a")
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("3,1,")]
        (path / "rounds.csv").write_text("".join(kept))
        accuracy = load_run(path).by_round("accuracy_reference")
        self.assertAlmostEqual(accuracy.loc[3, 1], synthetic_run.accuracy(2, 1))

    def test_trust_matrix_has_devices_as_rows_and_peers_as_columns(self):
        run = load_run(write_run(self.folder / "a"))
        self.assertEqual(run.trust_rounds(), [2, 3])
        matrix = run.trust_matrix(2)
        self.assertEqual(matrix.loc[0, 2], 0.16)
        self.assertEqual(matrix.loc[2, 0], 0.28)
        self.assertEqual(run.trust_matrix(3, "age_rounds").loc[0, 1], 1)


class StatisticsTest(unittest.TestCase):
    def test_mean_and_half_width(self):
        mean, half_width = mean_and_half_width([1.0, 2.0, 3.0])
        self.assertAlmostEqual(mean, 2.0)
        self.assertAlmostEqual(half_width, 4.303 / 3**0.5)
        self.assertTrue(np.isnan(mean_and_half_width([1.0])[1]))

    def test_t_quantile_never_too_small(self):
        self.assertEqual(t_quantile(10), 2.228)
        self.assertEqual(t_quantile(39), 2.042)
        self.assertEqual(t_quantile(1000), 1.980)


class TablesTest(RunsTestCase):
    def test_methods_are_ordered_and_named_by_what_differs(self):
        for name, trust, rate in (("a", "local", 1), ("b", "naive", 2), ("c", "naive", 1)):
            write_run(self.folder / name, trust, rate=rate, runDir=name)
        labels = ["naive, rate=1", "naive, rate=2", "local, rate=1"]
        self.assertEqual(list(self.load_groups()), labels)

    def test_rejects_the_same_run_twice(self):
        write_run(self.folder / "a")
        write_run(self.folder / "b")
        with self.assertRaisesRegex(RunError, "share method, seed and run number"):
            self.load_groups()

    def test_summary_of_one_run(self):
        write_run(self.folder / "dynamic")
        write_run(self.folder / "local", "local")
        accuracy, cost, others = self.rows(summary(self.load_groups()), "dynamic")
        # Devices 0, 1, 3 in round 3: 0.7 + (0 + 0.01 + 0.03) / 3; device 2: 0.7 + 0.02 - 0.2
        self.assertEqual(accuracy, ["0.713", "0.663", "0.613", "0.520", "0.470", "0.420"])
        seconds, joules, kinds = ["10.00", "40.00"], ["5.625", "22.50"], "16.00 8.000 4.000 48.00"
        # 2 of 4 rounds send 1600 B a device; 1 of 12 receivers misses its message
        self.assertEqual(cost, [*seconds, *joules, *kinds.split(), "0.8000", "8.333"])
        self.assertEqual(others, ["2.000", "12.00"])  # asleep and to the server; nothing from it
        self.assertEqual(self.rows(summary(self.load_groups()), "local")[1][-2:], ["0", "-"])

    def test_summary_fits_the_screen(self):
        self.write_pairs([0.01, 0.02, 0.03])
        groups = self.load_groups()
        for text in (summary(groups), paired_differences(groups)):
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_summary_says_which_run_is_not_finished(self):
        path = write_run(self.folder / "dynamic.partial")
        self.assertIn(f"not finished: {path}", summary(self.load_groups()))

    def test_paired_differences_ignore_what_pairs_share(self):
        self.write_pairs([0.01, 0.02, 0.03])
        text = paired_differences(self.load_groups())
        row = next(line for line in text.splitlines() if line.startswith("dynamic - naive"))
        # Mean 0.02, standard deviation 0.01, t = 4.303: the runs' own differences do not widen it
        self.assertEqual(row.split()[3:7], ["3", "+0.020", "+-", "0.025"])

    def test_no_paired_differences_of_a_single_run(self):
        self.write_pairs([0.01])
        self.assertEqual(paired_differences(self.load_groups()), "")

    @staticmethod
    def rows(text, label):
        """The numbers in the rows of a method."""
        return [line.split()[1:] for line in text.splitlines() if line.split()[:1] == [label]]


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


class CommandTest(RunsTestCase):
    def test_writes_figures_beside_the_runs(self):
        self.write_pairs([0.01, 0.02])
        code, output, _ = self.run_command(main, self.folder)
        self.assertEqual(code, 0)
        self.assertIn("Paired differences", output)
        names = {"accuracy.png", "energy.png", "latency.png", "trust.png", "demo.png"}
        self.assertEqual({file.name for file in self.folder.glob("*.png")}, names)
        for name in names:
            self.assertIn(str(self.folder / name), output)

    def test_writes_pdf_where_told(self):
        path = write_run(self.folder / "local", "local")
        code, _, _ = self.run_command(main, path, "--pdf", "--out", self.folder / "figures")
        self.assertEqual(code, 0)
        self.assertTrue((self.folder / "figures/latency.pdf").read_bytes().startswith(b"%PDF"))
        self.assertFalse((self.folder / "figures/trust.pdf").exists())

    def test_leaves_out_a_run_that_has_just_begun(self):
        write_run(self.folder / "dynamic")
        begun = write_run(self.folder / "naive.partial", "naive")
        (begun / "rounds.csv").unlink()
        code, output, errors = self.run_command(main, self.folder)
        self.assertEqual(code, 0)
        self.assertIn("naive.partial is left out", errors)
        self.assertNotIn("naive", output.replace(str(self.folder), ""))

    def test_draws_what_there_is_of_a_partial_run(self):
        path = write_run(self.folder / "dynamic.partial")
        for name in ("energy", "latency", "messages", "trust"):
            (path / f"{name}.csv").unlink()
        code, output, _ = self.run_command(main, self.folder)
        self.assertEqual(code, 0)
        self.assertIn("demo.png", output)
        self.assertNotIn("trust.png", output)

    def test_mistake_is_one_line_and_exit_code_2(self):
        code, output, errors = self.run_command(main, self.folder)
        self.assertEqual((code, output), (2, ""))
        self.assertEqual(len(errors.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
