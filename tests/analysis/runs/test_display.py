# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Methods, their order and a run's own measure come from run.json; older runs have usual ones."""


from folder_test_case import FolderTestCase, as_scenario

import pandas as pd
from collab import (
    RunError,
    collect,
    group_runs,
    load_run,
    load_sweep,
    plot,
    relation_table,
    summary,
)
from collab.statistics.curves import measure_of
from collab.statistics.quantities import quantity_label
from synthetic_run import DEVICES, ROUNDS, write_run, write_table

# Of an algorithm that nothing in the package knows
DISPLAY = {"method": "flavor", "measure": "spread", "order": ["sour", "bitter"]}


class DisplayTestCase(FolderTestCase):
    def write(self, name, scenario, display=None, number=1, defaults=None, **parameters):
        """Writes a run of a scenario; returns its path."""
        path = write_run(self.folder / name, run=number, **parameters)
        return as_scenario(path, scenario, display=display, defaults=defaults)

    def write_new(self, name, flavor, **options):
        """Writes a run of an algorithm that nothing in the package knows."""
        path = self.write(name, "taste", DISPLAY, flavor=flavor, **options)
        rows = [(n, device, n, n + 1, device, 0.5**n, 2 * n, 3 * n) for n in range(ROUNDS)
                for device in range(DEVICES)]  # fmt: skip
        write_table(path, "rounds", "round,device,start_s,end_s,noise,spread,energy_j,bytes_sent",
                    rows)  # fmt: skip
        (path / "columns.csv").write_text(
            "table,column,type,unit,meaning\n"
            + "".join(f"rounds,{column},real,,\n" for column in "round device start_s end_s noise"
                      " spread energy_j bytes_sent".split())  # fmt: skip
        )
        for table in ("energy", "latency", "messages", "trust"):
            (path / f"{table}.csv").unlink()
        return path


class NewAlgorithmTest(DisplayTestCase):
    def setUp(self):
        super().setUp()
        for flavor in ("bitter", "sweet", "sour", "mild"):
            for number in (1, 2):
                self.write_new(f"{flavor}-{number}", flavor, number=number)
        self.sweep = load_sweep(self.folder)

    def test_methods_are_the_values_of_the_parameter_in_the_given_order(self):
        names = ["sour", "bitter", "mild", "sweet"]
        self.assertEqual(list(self.sweep.group()), names)
        collect([self.folder], self.folder / "all.sqlite")
        self.assertEqual(list(load_sweep(self.folder / "all.sqlite").group()), names)
        self.assertEqual(list(self.sweep.group("method")), names)
        table = relation_table(self.sweep.runs, "flavor", "spread")
        self.assertEqual(list(table["x"]), names)

    def test_own_measure_is_drawn_over_rounds_time_and_energy(self):
        rounds, time, energy, _ = plot.accuracy(self.sweep).axes
        for axes, x in ((rounds, [1, 2, 3, 4]), (time, [1, 2, 3, 4]), (energy, [0, 2, 4, 6])):
            line = axes.get_lines()[0]
            self.assertEqual(list(line.get_xdata()), x)
            self.assertEqual(list(line.get_ydata()), [1, 0.5, 0.25, 0.125])
        self.assertEqual(rounds.get_ylabel(), "spread, regular devices")
        self.assertEqual(plot.demo(self.sweep).axes[0].get_title("left"),
                         "Spread over simulated time")  # fmt: skip

    def test_own_measure_is_in_the_table_and_in_names_of_quantities(self):
        rows = [line.split() for line in summary(self.sweep.group()).splitlines()]
        self.assertIn(["method", "spread", "spread"], rows)
        self.assertIn(["sour", "0.125+-0.000", "0.125+-0.000"], rows)
        label = quantity_label(self.sweep.runs[0], "energy_to_0.2")
        self.assertEqual(label, "energy per device [J] to reach spread 0.2")

    def test_levels_of_what_is_no_accuracy_must_be_given(self):
        with self.assertRaisesRegex(RunError, "spread is no accuracy: give its levels"):
            plot.reach(self.sweep)
        self.assertIsNotNone(plot.reach(self.sweep, levels=[0.5]))


class OlderRunTest(DisplayTestCase):
    def test_measure_is_known_by_the_scenario_or_the_first_accuracy(self):
        for scenario, measure in (
            ("prediction-consensus", "accuracy_reference"),
            ("federated", "accuracy_reference"),
            ("committee", "accuracy_global"),
            ("of-somebody", "accuracy_reference"),
        ):
            self.assertEqual(load_run(self.write(scenario, scenario)).measure, measure)

    def test_measure_is_what_the_run_has(self):
        path = self.write("a", "federated")
        rounds = pd.read_csv(path / "rounds.csv")
        for gone, left in (
            (["accuracy_reference"], "accuracy_global"),
            (["accuracy_global", "accuracy_local"], "balanced_accuracy_reference"),
            (["balanced_accuracy_reference", "local_loss"], "distillation_loss"),
            (["distillation_loss", "heard", "stale", "excluded"], None),
        ):
            rounds[gone] = float("nan")
            rounds.to_csv(path / "rounds.csv", index=False)
            run = load_run(path)
            if left:
                self.assertEqual(run.measure, left)
            else:
                with self.assertRaisesRegex(RunError, "no column with what the algorithm measured"):
                    plot.accuracy(run)

    def test_scenarios_that_name_methods_alike_are_told_apart(self):
        runs = [load_run(self.write(name, name, selection="I"))
                for name in ("committee", "committee-bound")]  # fmt: skip
        labels = ["committee-bound: CMFL-I", "committee: CMFL-I"]
        self.assertEqual(sorted(group_runs(runs)), labels)

    def test_a_new_scenario_comes_before_what_it_is_compared_with(self):
        older = self.write("b", "federated", algorithm="fedavg")
        newer = self.write("a", "taste", {"method": "flavor", "order": ["sour"]}, flavor="sour")
        runs = [load_run(older), load_run(newer)]
        self.assertEqual(list(group_runs(runs)), ["sour", "fedavg"])


class SaidTest(DisplayTestCase):
    def test_run_json_comes_before_what_is_known_of_the_scenario(self):
        said = {"method": "selection", "measure": "accuracy_local", "order": ["II", "I"]}
        runs = [load_run(self.write(name, "committee", said, selection=name))
                for name in ("I", "II")]  # fmt: skip
        self.assertEqual(list(group_runs(runs)), ["CMFL-II", "CMFL-I"])
        self.assertEqual(runs[0].measure, "accuracy_local")

    def test_variants_are_named_unless_they_are_at_their_default(self):
        said = {"method": "kind", "variants": ["filter"], "names": {"x": "X"}}
        defaults = {"kind": "x", "filter": "none"}
        runs = [
            load_run(self.write(f"{kind}-{filter_}", "new", said, 1, defaults, kind=kind,
                                filter=filter_))  # fmt: skip
            for kind in ("x", "y")
            for filter_ in ("none", "fine")
        ]
        self.assertEqual(list(group_runs(runs)), ["X", "fine", "y", "y, fine"])

    def test_a_measure_that_all_runs_have_is_compared(self):
        first = load_run(self.write("a", "federated"))
        second = load_run(self.write("b", "committee"))
        self.assertEqual(measure_of({"a": [first], "b": [second]}), "accuracy_reference")
        third = load_run(self.write_new("c", "sour"))
        with self.assertRaisesRegex(RunError, "theirs are spread, accuracy_reference"):
            plot.accuracy([first, third])
