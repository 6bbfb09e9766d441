# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what is said about malicious devices, clients and Theorem 1's bound."""


import pandas as pd

from folder_test_case import FINAL, FolderTestCase, as_scenario, change_devices, change_table

from collab import group_runs, load_run, plot
from collab.figures.committee.bound import bound_table, format_bound
from collab.figures.committee.participation import format_clients
from collab.figures.committee.robustness import (
    format_robustness,
    robustness_table,
)
from collab.statistics.curves import curve
from collab.statistics.quantities import by_one_measure, quantity, quantity_label
from synthetic_run import ROUND_S, ROUNDS, write_bound, write_committee, write_run


class RobustnessTestCase(FolderTestCase):
    def run_of(self, name, scenario, seed=1, **parameters):
        """A run of a scenario, whose method the parameters name."""
        path = write_run(self.folder / name, run=seed, **parameters)
        write_committee(path)
        return load_run(as_scenario(path, scenario))

    def with_rounds(self, run, **columns):
        """The run with other columns of its rounds, functions of these."""
        return load_run(change_table(run.path, "rounds", lambda rounds: rounds.assign(**columns)))


class MethodTest(RobustnessTestCase):
    def test_methods_have_the_names_of_the_paper(self):
        runs = [
            self.run_of("a", "committee", selection="II"),
            self.run_of("b", "committee", selection="I"),
            self.run_of("c", "federated", algorithm="fedavg", aggregation="krum:f=3"),
            self.run_of("d", "federated", algorithm="fedavg", aggregation="mean"),
            self.run_of("e", "federated", algorithm="fedprox", aggregation="median"),
        ]
        labels = ["CMFL-I", "CMFL-II", "fedavg", "fedprox, median", "krum:f=3"]
        self.assertEqual(list(group_runs(runs)), labels)

    def test_a_label_has_no_setting_that_the_scenario_lacks(self):
        runs = [
            self.run_of("a", "committee", selection="I", quorum="paper"),
            self.run_of("b", "committee", selection="I", quorum="byzantine"),
            self.run_of("c", "federated", algorithm="fedavg"),
        ]
        labels = ["CMFL-I, quorum=byzantine", "CMFL-I, quorum=paper", "fedavg"]
        self.assertEqual(list(group_runs(runs)), labels)


class TableTest(RobustnessTestCase):
    def test_a_row_a_method_and_attack(self):
        runs = [
            self.run_of("a1", "committee", 1, selection="I", attack="scaling"),
            self.run_of("a2", "committee", 2, selection="I", attack="scaling"),
            self.run_of("b", "committee", 1, selection="II", attack="scaling"),
            self.run_of("c", "committee", 1, selection="II", attack="none", bonus=0.0),
        ]
        table = robustness_table(runs).set_index(["attack", "method"])
        self.assertEqual(table.loc[("scaling", "CMFL-I"), "runs"], 2)
        self.assertEqual(table.loc[("none", "CMFL-II"), "rank"], 1)
        # That of the last round on the global test set, mean over the regular devices
        self.assertAlmostEqual(table.loc[("scaling", "CMFL-II"), "accuracy"], FINAL - 0.1)
        # Rounds 1 and 3 have one malicious device of two, rounds 0 and 2 none of one
        self.assertAlmostEqual(table.loc[("scaling", "CMFL-I"), "malicious_aggregated"], 2 / 6)
        numbers = plot.FIGURES["robustness"].numbers(runs)
        self.assertEqual(numbers["accuracy_half_width"].notna().sum(), 1)  # of the one with two runs
        # In the one run of the same seed
        self.assertEqual(table.loc[("scaling", "CMFL-II"), "lead_of_first"], 0)
        text = format_robustness(group_runs(runs))
        self.assertIn("0.613+-0.000 (1, 33.3 %)", text)

    def test_the_lead_is_over_runs_of_one_seed(self):
        runs = [self.run_of("a1", "committee", 1, selection="I", attack="scaling"),
                self.run_of("b1", "committee", 1, selection="II", attack="scaling"),
                self.run_of("b2", "committee", 2, selection="II", attack="scaling")]  # fmt: skip
        runs = [self.with_rounds(run, accuracy_global=lambda rounds, bonus=bonus: rounds["accuracy_global"] + bonus)
                for run, bonus in zip(runs, (0.25, 0, 0.5))]  # fmt: skip
        table = robustness_table(runs).set_index("method")
        self.assertAlmostEqual(table["lead_of_first"]["CMFL-II"], 0.25)
        self.assertEqual(table["lead_of_first_present"]["CMFL-II"], "1 of 2 runs")

    def test_means_say_of_how_many_runs_they_are(self):
        runs = [self.run_of(f"a{run}", "committee", run, selection="I", attack="zeros") for run in (1, 2)]
        (runs[0].path / "clients.csv").unlink()
        runs[0] = self.with_rounds(runs[0], accuracy_global=float("nan"))
        row = plot.FIGURES["learning"].numbers(runs).iloc[0]
        self.assertEqual((row["runs"], row["accuracy_present"]), (2, "1 of 2 runs"))
        self.assertEqual(row["never_aggregated_present"], "1 of 2 runs")
        self.assertNotIn("loss_present", row)

    def test_models_of_equal_age_are_compared(self):
        runs = [self.run_of("a", "committee", selection="I", attack="zeros"),
                self.run_of("b", "federated", algorithm="fedavg", attack="zeros")]  # fmt: skip
        for place, trained in enumerate((0, 1)):  # a committee measures the model before the round
            values = runs[place].rounds["round"].add(trained).mul(0.125).to_list()
            runs[place] = self.with_rounds(runs[place], accuracy_global=values, loss_global=values)
        self.assertEqual(robustness_table(runs)["lead_of_first"].abs().max(), 0)
        table = plot.FIGURES["learning"].numbers(runs)
        self.assertEqual(table["loss"].tolist(), [0.125 * (ROUNDS - 1)] * 2)
        late = by_one_measure(runs, "accuracy_global_late")
        self.assertEqual([quantity(run, late) for run in runs], [0.125 * (ROUNDS - 1)] * 2)
        self.assertEqual(quantity_label(runs[0], late), quantity_label(runs[0], "accuracy_global_late"))
        alone = by_one_measure(runs[1:], "accuracy_global_late")
        self.assertEqual(quantity(runs[1], alone), 0.125 * ROUNDS)

    def test_adversaries_are_means_over_rounds_and_runs(self):
        runs = [self.run_of(f"a{run}", "committee", run, selection="I") for run in (1, 2)]
        row = plot.FIGURES["adversaries"].numbers(runs).iloc[0]
        self.assertEqual((row["runs"], row["malicious_training_half_width"]), (2, 0))
        self.assertEqual(row["malicious_training"], 0.5)
        self.assertEqual(row["malicious_committee"], 0.5)
        self.assertEqual(row["committee"], 2.5)

    def test_clients_never_aggregated_are_counted(self):
        text = format_clients({"all": [self.run_of("a", "committee", selection="I")]})
        self.assertEqual(text.splitlines()[-1].split()[:3], ["all", "25", "1.5"])

    def test_a_row_a_method_that_learns(self):
        runs = [self.run_of(f"a{n}", "committee", n, selection="I") for n in (1, 2)]
        runs.append(self.run_of("b", "federated", algorithm="fedavg"))
        table = plot.FIGURES["learning"].numbers(runs).set_index("method")
        row = table.loc["CMFL-I"]
        self.assertEqual((row["runs"], row["never_aggregated"]), (2, 0.25))
        self.assertEqual(row["loss"], 2.0 - (ROUNDS - 1))
        self.assertEqual((row["loss_half_width"], row["round_s"]), (0, ROUND_S))
        self.assertTrue(pd.isna(row["own"]))  # nobody measured it

    def test_the_bound_is_put_in_relation(self):
        path = write_run(self.folder / "a")
        write_bound(path)
        row = format_bound({"all": [load_run(path)]}).splitlines()[-1].split()
        self.assertEqual(row, ["all", "1", "1", "1", "2", "2", "0.4", "0.6"])

    def test_the_bound_is_told_where_it_is_nearest(self):
        runs = []
        for name in "ab":
            write_bound(write_run(self.folder / name))
            runs.append(load_run(self.folder / name))
        file = self.folder / "b" / "bound.csv"
        lines = file.read_text().splitlines()
        lines[1] = "0,1.5,1.8,1.2,0.5,0.4,0.6"
        file.write_text("\n".join(lines) + "\n")
        (row,) = bound_table({"all": [runs[0], load_run(self.folder / "b")]}).to_dict("records")
        self.assertEqual((row["runs"], row["error"], row["bound"]), (2, 1.25, 1.9))
        self.assertAlmostEqual(row["least_ratio"], 1.2)


class RunTest(RobustnessTestCase):
    def test_a_device_that_says_nan_has_no_older_value(self):
        path = self.run_of("a", "committee", selection="I").path
        file = path / "rounds.csv"
        *others, last = file.read_text().splitlines()
        cells = last.split(",")
        cells[others[0].split(",").index("accuracy_global")] = "nan"
        file.write_text("\n".join([*others, ",".join(cells)]) + "\n")
        run = load_run(path)
        measured = run.by_round("accuracy_global").iloc[-1]
        self.assertEqual(measured.isna().tolist(), [False, False, False, True])
        regular = measured[[0, 1]].mean()
        self.assertAlmostEqual(curve(run, "accuracy_global").iloc[-1], regular)
        self.assertAlmostEqual(quantity(run, "accuracy_global_late"), regular)

    def test_late_means_are_over_the_regular_devices(self):
        path = self.run_of("a", "committee", selection="I").path
        run = load_run(change_devices(path, lambda device: {"malicious": device["device"] == 0}))
        last = run.by_round("accuracy_global").iloc[-1]
        self.assertAlmostEqual(quantity(run, "accuracy_global_late"), last[[1, 3]].mean())
        self.assertAlmostEqual(quantity(run, "accuracy_global"), last[[1, 3]].mean())


class FigureTest(RobustnessTestCase):
    def test_a_panel_an_attack(self):
        runs = [
            self.run_of("a", "committee", selection="I", attack="scaling"),
            self.run_of("b", "committee", selection="I", attack="none"),
        ]
        titles = [axes.get_title(loc="left") for axes in plot.robustness(runs).axes]
        self.assertEqual(titles, ["none", "scaling"])
        self.assertEqual(len(plot.adversaries(runs).axes), 2)
        self.assertEqual(len(plot.clients(runs).axes), 3)
