# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow nightly-all
"""Tests of sweeps, of the figures over them and of the command plot, on runs known by hand."""

import importlib.util

from folder_test_case import (
    NIGHTLY,
    THREE,
    FolderTestCase,
    QuickFigures,
    RunsTestCase,
    SweepFolderTestCase,
    UndrawnFigures,
    change_json,
    change_table,
)

import numpy as np
import pandas as pd
from collab import RunError, collect, load_run, load_sweep, plot
from collab.cli.numbers import crosswise, provenance
from collab.cli.plot import main
from collab.runs.groups import read_condition, select
from collab.statistics.quantities import quantity
from synthetic_run import (
    write_agreement,
    write_beliefs,
    write_bound,
    write_committee,
    write_consensus,
    write_discovery,
    write_embeddings,
    write_run,
    write_shapes,
)


class MissingColumnTest(UndrawnFigures, FolderTestCase):
    def test_run_of_an_algorithm_without_accuracy(self):
        path = write_run(self.folder / "a")
        change_table(path, "rounds", lambda rounds: rounds.drop(columns="accuracy_reference").rename(
            columns={"local_loss": "loss"}))  # fmt: skip
        (path / "columns.csv").unlink()
        run = load_run(path)
        self.assertEqual(quantity(run, "loss"), 1.0)
        with self.assertRaisesRegex(RunError, "rounds has no column accuracy_reference; it has: "):
            plot.accuracy(run, "accuracy_reference")
        self.assertIn("accuracy on own samples", plot.accuracy(run).axes[0].get_ylabel())
        self.assertIn("accuracy.png", self.call(main, path))
        code, output, errors = self.run_command(main, path, "--column", "accuracy_reference")
        self.assertEqual(code, 0)
        self.assertIn("energy.png", output)
        self.assertIn("figure accuracy is left out: ", errors)


class DrawingTest(QuickFigures, FolderTestCase):
    def test_draws_every_figure(self):
        path = write_run(self.folder / "one/dynamic", attack="back-gradient")
        for write in (write_bound, write_committee, write_consensus, write_shapes, write_beliefs,
                      write_agreement, write_discovery):  # fmt: skip
            write(path)
        of_some_runs = {"belief-deviations", "belief-placement", "belief-risks", "discovery-decisions", "discovery-edges"}
        names = set(plot.FIGURES) - of_some_runs
        if importlib.util.find_spec("sklearn"):
            write_embeddings(path)
        else:
            names.remove("discovery-embeddings")
        out = self.folder / "figures"
        formats = ("--pdf", "--svg") if NIGHTLY else ()
        output = self.call(main, path, "--figure", "all", "--out", out, *formats)
        self.assertIn("Time to reach", output)
        for name in names:
            self.assert_drawn(out / name, ["png", "pdf", "svg"] if NIGHTLY else ["png"])

    def test_draws_in_every_format(self):
        path = write_run(self.folder / "one/dynamic")
        words = ("--figure", "accuracy", "--figure", "trust", "--pdf", "--svg")
        self.call(main, path, *words)
        for name in ("accuracy", "trust"):
            self.assert_drawn(path / name, ["png", "pdf", "svg"])

    def assert_drawn(self, file, kinds):
        """A figure is written in some formats, each of which begins as it does."""
        for kind in kinds:
            begin = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[kind]
            self.assertTrue(file.with_suffix(f".{kind}").read_bytes().startswith(begin), file)


class CommandTest(UndrawnFigures, SweepFolderTestCase):
    def test_writes_the_numbers_of_figures(self):
        for number in (1, 2, 3):
            path = write_run(self.folder / f"beliefs/{number}", run=number)
            write_beliefs(path, rate=0.1 * number)
        out = self.folder / "figures"
        words = ("--figure", "belief-rates", "--csv", "--table", "--tag", "x", "--out", out)
        output = self.call(main, self.folder / "beliefs", *words)
        for ending in (".png", ".csv", "-table.csv"):
            self.assertIn(f"  {out / 'belief-rates-x'}{ending}\n", output)
        note, *_ = (out / "belief-rates-x.csv").read_text().splitlines()
        self.assertRegex(note, "^# collab plot, belief-rates-x: 3 runs of 3 seeds; 95 % .* over seeds; "
                         "messages lost: 8.33 to 8.33 % of a run's; runs by ns-3 collab 0.1.0 at "
                         "commit unknown; analysis at commit [0-9a-z]+(-dirty)?$")  # fmt: skip
        table = pd.read_csv(out / "belief-rates-x.csv", comment="#")
        self.assertAlmostEqual(table["measured"].iloc[0], 0.2)
        self.assertAlmostEqual(table["measured_half_width"].iloc[0], 0.1 * THREE, places=4)
        file = out / "belief-rates-x-table.csv"
        self.assertEqual(file.read_text().splitlines()[0], note)
        table = pd.read_csv(file, comment="#")
        self.assertEqual(table["measured"].tolist(), ["0.2 +- 0.25"])
        self.assertNotIn("measured half width", table)

    def test_numbers_tell_what_share_of_the_messages_runs_have_lost(self):
        some = load_run(write_run(self.folder / "some"))  # device 0 has not heard device 1
        all_heard = load_run(change_table(write_run(self.folder / "all"), "messages",
                                          lambda messages: messages.assign(delivered=1)))  # fmt: skip
        silent = load_run(write_run(self.folder / "silent", trust="local"))
        omitted = load_run(change_table(write_run(self.folder / "omitted"), "messages",
                                        lambda messages: messages.head(0)))  # fmt: skip
        for runs, told in (([some, all_heard, silent], "0 to 8.33 % of a run's"),
                           ([all_heard, silent], "none"), ([silent], "none"),
                           ([some, omitted], "8.33 to 8.33 % of a run's, no record of 1 of 2 runs"),
                           ([omitted, silent], "no record of 1 of 2 runs")):  # fmt: skip
            self.assertIn(f"; messages lost: {told}; runs by ", provenance(runs, "collab plot"))

    def test_numbers_tell_the_commits_of_their_runs(self):
        for number, commit in ((1, "0123456789ab"), (2, "0123456789ab"), (3, "ba9876543210-dirty")):
            file = write_run(self.folder / f"beliefs/{number}", run=number) / "run.json"
            write_beliefs(file.parent, rate=0.1 * number)
            change_json(file, versions={"collab": "0.1.0", "commit": commit})
        words = ("--figure", "belief-rates", "--csv", "--out", self.folder / "figures")
        self.call(main, self.folder / "beliefs", *words)
        note, *_ = (self.folder / "figures/belief-rates.csv").read_text().splitlines()
        self.assertIn("; runs by ns-3 collab of 2 commits (runs): 0.1.0 at commit 0123456789ab (2), "
                      "0.1.0 at commit ba9876543210-dirty (1); analysis at ", note)  # fmt: skip

    def test_numbers_are_of_figures_that_have_them(self):
        out = self.folder / "figures"
        words = ("--x", "maxOutage", "--y", "energy", "--csv", "--where", "trust=naive")
        self.call(main, self.folder, *words, "--out", out)
        table = pd.read_csv(out / "energy-against-maxOutage.csv", comment="#")
        self.assertEqual(list(table), ["maxOutage", "runs", "runs_without", "energy",
                                       "energy_half_width"])  # fmt: skip
        self.assertEqual(list(table["runs"]), [3, 3])
        self.call(main, self.folder, "--figure", "energy", "--csv", "--out", out)
        self.assertFalse((out / "energy.csv").exists())

    def test_a_table_of_a_relation_goes_crosswise(self):
        out = self.folder / "figures"
        words = ("--x", "maxOutage", "--y", "accuracy_reference", "--hue", "trust", "--table")
        self.call(main, self.folder, *words, "--out", out)
        table = pd.read_csv(out / "accuracy_reference-against-maxOutage-by-trust-table.csv", comment="#")
        self.assertEqual(list(table), ["maxOutage", "trust dynamic", "trust naive"])
        self.assertEqual(table.iloc[0].tolist()[:2], [0.1, "0.6733 +- 0.075"])

    def test_a_setting_may_be_called_missing(self):
        for seed in (1, 2, 3):
            for policy in ("stale", "exclude"):
                path = self.folder / f"policies/{policy}-{seed}"
                write_run(path, run=seed, missing=policy, outage=0.1 * (seed % 2))
        out = self.folder / "figures"
        words = ("--x", "outage", "--y", "accuracy_reference", "--hue", "missing", "--table", "--csv")
        self.call(main, self.folder / "policies", *words, "--out", out)
        text = (out / "accuracy_reference-against-outage-by-missing-table.csv").read_text()
        self.assertIn("missing exclude", text)

    def test_whole_numbers_are_columns_without_a_point(self):
        table = pd.DataFrame({"share": ["10.0", "20.0"], "rate": [1, 1], "runs_without": [0, 0],
                              "time": [3.0, 4.0]})  # fmt: skip
        self.assertEqual(list(crosswise(table, "rate", "share", "time")),
                         ["rate", "share 10", "share 20"])  # fmt: skip

    def test_a_cell_says_what_is_missing(self):
        table = pd.DataFrame({"trust": ["a", "a", "b"], "rate": [1, 2, 1], "runs_without": [0, 1, 0],
                              "time": [3.0, 4.0, 5.0]})  # fmt: skip
        cross = crosswise(table, "rate", "trust", "time")
        self.assertEqual(list(cross), ["rate", "trust a", "trust b"])
        self.assertEqual(cross.to_numpy().tolist(), [["1", "3", "5"], ["2", "4 (1 missing)", ""]])
        none = crosswise(table.assign(time=np.nan, runs_without=2), "rate", "trust", "time")
        self.assertEqual(none["trust a"].tolist(), ["(2 missing)"] * 2)

    def test_draws_a_relation_of_a_database(self):
        collect([self.folder], self.folder / "all.sqlite")
        relation = ("--x", "maxOutage", "--y", "accuracy_reference", "--hue", "trust")
        output = self.call(main, self.folder / "all.sqlite", *relation)
        rows = [line.split() for line in output.splitlines()]
        headings = "trust maxOutage runs runs_without accuracy_reference half_width"
        self.assertEqual(rows[0], headings.split())
        self.assertEqual(rows[1], ["dynamic", "0.1", "3", "0", "0.6733", "0.07453"])
        name = "accuracy_reference-against-maxOutage-by-trust.png"
        self.assertTrue((self.folder / name).exists())

    def test_values_with_commas_tags_and_columns(self):
        for name, models in (("a", "x,y"), ("b", "x"), ("c", "y")):
            write_run(self.folder / f"m/{name}", models=models)
        runs = load_sweep(self.folder / "m").runs
        for given, count in (("x,y", 1), ("x,z", 1), ("y", 1)):
            name, values = read_condition(f"models={given}", runs)
            self.assertEqual(len(select(runs, {name: values})), count)
        out = self.folder / "out"
        words = ("--where", "models=x,y", "--figure", "bytes", "--column", "accuracy_global")
        self.call(main, self.folder / "m", *words, "--tag", "pair", "--out", out)
        self.assertEqual([file.name for file in out.iterdir()], ["bytes-pair.png"])
        words = (*words[:-1], "joy")
        self.assert_refused("rounds has no column joy", main, self.folder / "m", *words)

    def test_says_which_figure_of_those_asked_for_has_nothing_to_show(self):
        path = write_run(self.folder / "one/dynamic")
        told = "^collab plot: figure committee is left out: no run has what it shows$"
        self.assert_refused(told, main, path, "--figure", "committee", code=0)

    def test_a_table_that_no_figure_expects_is_told_in_one_line(self):
        path = write_run(self.folder / "one/dynamic")
        write_consensus(path)
        with (path / "influence.csv").open("a") as file:
            file.write("0,0,1,1\n")  # a second time
        told = "figure influence is left out: it cannot be drawn of these runs"
        self.assert_refused(told, main, path, "--figure", "influence", code=0)

    def test_no_pairs_for_a_relation(self):
        words = (self.folder / "dynamic-0.1-1", "--x", "trust", "--y", "time", "--paired")
        told = "no two values of maxOutage have runs of the same seed"
        self.assert_refused(told, main, *words, "--hue", "maxOutage")

    def test_lists_figures_settings_and_quantities(self):
        output = self.call(main, "--list")
        for name in plot.FIGURES:
            self.assertIn(f"\n  {name} ", output)
        output = self.call(main, "--list", self.folder)
        self.assertIn("maxOutage: 0.1, 0.2", output)
        self.assertIn("accuracy_reference", output)

    def test_too_many_methods_for_panels(self):
        for number in range(13):
            write_run(self.folder / f"many/{number}", rate=number)
        words = (self.folder / "many", "--figure", "energy")
        self.assert_refused("13 methods are more than the 12 panels", main, *words)

    def test_mistakes_are_one_line_and_exit_code_2(self):
        for arguments, message in (
            ([], "RUN is missing"),
            (["--x", "maxOutage", self.folder], "--x and --y go together"),
            (["--hue", "trust", self.folder], "--hue needs --x and --y"),
            (["--figure", "pie", self.folder], "'pie' (choose from accuracy"),
            (["--where", "trust", self.folder], "'trust'; allowed: SETTING=VALUE"),
            (["--x", "outage", "--y", "time", self.folder], "setting 'outage'; the nearest is max"),
            (["--x", "trust", "--y", "tim", self.folder], "differ in maxOutage too"),
            (["--levels", "a", "--figure", "reach", self.folder], "--levels was given 'a'"),
            (["--labels", "5,a", "--figure", "discovery-embeddings", self.folder],
             "--labels was given '5,a'; allowed: whole numbers"),
            ([self.folder / "nothing"], "is not a folder"),
        ):
            code, _, errors = self.run_command(main, *arguments)
            self.assertEqual((code, len(errors.splitlines())), (2, 1), (arguments, errors))
            errors = errors.replace("from 'accuracy'", "from accuracy")  # before Python 3.12
            self.assertIn(message, errors)
            self.assertTrue(errors.startswith("collab plot: "), errors)


class DefaultFiguresTest(UndrawnFigures, RunsTestCase):
    def test_writes_figures_beside_the_runs(self):
        self.write_pairs([0.01, 0.02])
        output = self.call(main, self.folder)
        self.assertIn("Paired differences", output)
        names = {"accuracy.png", "energy.png", "latency.png", "trust.png", "demo.png"}
        self.assertEqual({file.name for file in self.folder.glob("*.png")}, names)
        for name in names:
            self.assertIn(str(self.folder / name), output)

    def test_writes_pdf_where_told(self):
        path = write_run(self.folder / "local", "local")
        self.call(main, path, "--pdf", "--out", self.folder / "figures")
        self.assertTrue((self.folder / "figures/latency.pdf").exists())
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

    def test_a_run_that_has_not_finished_does_not_count_among_others(self):
        write_run(self.folder / "dynamic", run=1, maxOutage=0.1)
        begun = write_run(self.folder / "other.partial", run=2, maxOutage=0.1)
        words = ("--x", "maxOutage", "--y", "energy", "--csv", "--out", self.folder / "figures")
        code, _, errors = self.run_command(main, self.folder, *words)
        self.assertEqual((code, errors),
                         (0, f"collab plot: {begun} is left out: it has not finished\n"))  # fmt: skip
        file = self.folder / "figures/energy-against-maxOutage.csv"
        self.assertEqual(list(pd.read_csv(file, comment="#")["runs"]), [1])
        self.run_command(main, self.folder / "dynamic", begun, *words)  # unless it is named
        self.assertEqual(list(pd.read_csv(file, comment="#")["runs"]), [2])

    def test_paired_numbers_tell_what_is_less_what(self):
        for trust in ("dynamic", "naive"):
            write_run(self.folder / trust, trust, maxOutage=0.1)
        words = ("--x", "maxOutage", "--y", "time", "--hue", "trust", "--paired", "--table")
        output = self.call(main, self.folder, *words)
        self.assertIn("time: dynamic minus the others, over runs of the same seed\n", output)
        note, *_ = (self.folder / "time-against-maxOutage-by-trust-paired-table.csv").read_text().splitlines()
        self.assertIn("-paired, dynamic minus the others: 2 runs of 1 seeds", note)

    def test_mistake_is_one_line_and_exit_code_2(self):
        self.assert_refused("is not a run", main, self.folder)
