# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of many runs together: of a folder, or of a database."""

import shutil
from types import SimpleNamespace

from folder_test_case import SweepTestCase, as_scenario, change_run

import pandas as pd
from collab import RunError, collect, group_runs, load_sweep, relation_table
from collab.api.results import Results
from collab.runs.groups import full_name, read_condition, setting
from collab.runs.sources import load_paths
from collab.statistics.quantities import by_one_measure, quantity, quantity_label
from collab.statistics.thresholds import reach
from synthetic_run import write_run


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

    def test_what_programs_compute_tells_no_runs_apart(self):
        folder = self.folder / "computed"
        for run, deadline in ((1, 130.5), (2, 141.0)):
            change_run(write_run(folder / str(run), run=run, deadline=deadline),
                        computed={"deadline": 0.0})  # fmt: skip
        change_run(write_run(folder / "3", run=3, deadline=99.0))
        groups = load_sweep(folder).group()
        self.assertEqual({label: len(runs) for label, runs in groups.items()},
                         {"dynamic, deadline=0.0": 2, "dynamic, deadline=99.0": 1})  # fmt: skip
        collect([folder], folder / "all.sqlite")
        self.assertEqual(load_sweep(folder / "all.sqlite").group().keys(), groups.keys())
        frame = Results(load_sweep(folder).runs).to_frame("time")
        self.assertEqual(sorted(frame["deadline"]), [0.0, 0.0, 99.0])

    def test_settings_called_as_a_column_have_a_name_of_their_own(self):
        folder = self.folder / "named"
        for run, value in ((1, "1e6"), (2, "500000")):
            change_run(write_run(folder / str(run), run=run, accuracy_reference=value),
                        attributes={"ns3::collab::D2dPhy::Bandwidth": value})  # fmt: skip
        results = Results(load_sweep(folder).runs)
        self.assertIn("accuracy_reference (setting)", results.table("rounds"))
        frame = results.to_frame("accuracy_reference")
        self.assertEqual(sorted(frame["accuracy_reference (setting)"]), [5e5, 1e6])
        self.assertEqual(sorted(frame["Bandwidth"]), [5e5, 1e6])  # numbers
        self.assertLess(frame["accuracy_reference"].max(), 1)
        data = results.to_xarray("accuracy_reference")
        self.assertFalse(data["accuracy_reference"].isnull().all())

    def test_levels_are_of_a_measure_that_all_have(self):
        one = SimpleNamespace(measure="accuracy_global", metrics=["accuracy_global"])
        other = SimpleNamespace(measure="loss", metrics=["loss", "accuracy_global"])
        self.assertEqual(by_one_measure([other, one], "time_to_0.5"), "time_to_0.5_of_accuracy_global")
        self.assertEqual(by_one_measure([other, other], "time_to_0.5"), "time_to_0.5_of_loss")
        for name in ("energy", "time_to_0.5_of_loss"):
            self.assertEqual(by_one_measure([other, one], name), name)
        run = self.sweep.runs[0]
        self.assertEqual(quantity(run, "rounds_to_0.5_of_accuracy_global"),
                         reach(run, 0.5, "accuracy_global")["rounds"])  # fmt: skip
        label = quantity_label(run, "time_to_0.5_of_accuracy_global")
        self.assertEqual(label, "simulated time [s] to reach accuracy on global test set 0.5")
        with self.assertRaisesRegex(RunError, "has no column other"):
            quantity(run, "rounds_to_0.5_of_other")

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

    def test_a_run_that_two_sweeps_have_counts_once(self):
        for sweep, number in (("a", 1), ("a", 2), ("b", 3)):
            write_run(self.folder / f"shared/{sweep}/{number}", run=number)
        shutil.copytree(self.folder / "shared/a/1", self.folder / "shared/b/1")
        shutil.copytree(self.folder / "shared/a/2", self.folder / "shared/b/2.partial")
        for paths in ([self.folder / "shared"], [self.folder / "shared/a", self.folder / "shared/b"]):
            sweep = load_paths(paths)
            self.assertEqual([len(runs) for runs in sweep.group().values()], [3])
            self.assertIn("2.partial is left out: it has not finished", sweep.left_out[0])
            self.assertRegex(sweep.left_out[1], "twice and count once: 1, such as .*a/1 and .*b/1$")
        change_run(self.folder / "shared/b/1", versions={"collab": "another"})  # whose numbers may differ
        with self.assertRaisesRegex(RunError, "share method, seed and run number"):
            load_paths([self.folder / "shared"]).group()

    def test_tables_are_read_of_runs_that_meet_the_conditions(self):
        for outage, rounds in ((0.1, None), (0.2, "no table\n")):
            run = write_run(self.folder / f"given/{outage}", maxOutage=outage)
            if rounds:
                (run / "rounds.csv").write_text(rounds, encoding="utf-8")
        self.assertEqual(len(load_paths([self.folder / "given"]).left_out), 1)
        sweep = load_paths([self.folder / "given"], ["maxOutage=0.1"])
        self.assertEqual(([run.path.name for run in sweep.runs], sweep.left_out), (["0.1"], []))
        (self.folder / "given/damaged").mkdir()
        (self.folder / "given/damaged/run.json").write_text("{", encoding="utf-8")  # may meet them or not
        (line,) = load_paths([self.folder / "given"], ["maxOutage=0.1"]).left_out
        self.assertIn("given/damaged is left out: ", line)
        with self.assertRaisesRegex(RunError, "no run has maxOutage=0.3; allowed: 0.1, 0.2"):
            load_paths([self.folder / "given"], ["maxOutage=0.3"])

    def test_values_of_conditions_may_have_commas(self):
        runs = [SimpleNamespace(asked={"slow": slow}) for slow in ("1,2", "0")]
        self.assertEqual(read_condition("slow=1,2", runs), ("slow", ["1,2"]))
        self.assertEqual(read_condition("slow=0,3", runs), ("slow", ["0", "3"]))

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
        as_scenario(path, "federated")
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

    def test_runs_of_two_scenarios_are_no_seeds_of_one_another(self):
        write_run(self.folder / "two/consensus", run=1, maxOutage=0.1)
        path = write_run(self.folder / "two/federated", run=2, maxOutage=0.1)
        change_run(path, scenario="federated")
        runs = load_sweep(self.folder / "two").runs
        with self.assertRaisesRegex(RunError, "runs of maxOutage=0.1 differ in scenario, method too: choose a value"):
            relation_table(runs, "maxOutage", "time")

    def test_attributes_of_the_same_last_name_are_two(self):
        names = ["ns3::collab::Radio::IdlePower", "ns3::collab::Processor::IdlePower"]
        for number in range(4):
            values = {name: f"{1 + (number >> place & 1)}W" for place, name in enumerate(names)}
            change_run(write_run(self.folder / f"b/{number}", run=1), attributes=values)
        results = Results(load_sweep(self.folder / "b").runs)
        short = {"Radio::IdlePower", "Processor::IdlePower"}
        self.assertEqual(dict(results.to_xarray("time").sizes), dict.fromkeys(short, 2))
        self.assertLessEqual(short, set(results.table("rounds")))
        self.assertEqual(len({*group_runs(results.runs)}), 4)

    def test_attributes_are_settings(self):
        name = "ns3::collab::D2dPhy::Bandwidth"
        for number in (1, 2):
            path = write_run(self.folder / f"b/{number}", run=1, band=number)
            change_run(path, attributes={name: f"{number}e6"})
        runs = load_sweep(self.folder / "b").runs
        table = relation_table(group_runs(runs, ["band", "Bandwidth"])["band=1, Bandwidth=1e6"],
                               "Bandwidth", "time")  # fmt: skip
        self.assertEqual((table.loc[0, "x"], table.loc[0, "mean"]), ("1e6", 40.0))
        write_run(self.folder / "b/3", run=3, band=1)
        runs = load_sweep(self.folder / "b").select(band=1).runs
        table = relation_table(runs, "Bandwidth", "time")
        self.assertEqual(list(table["x"]), ["1e6", "default"])
