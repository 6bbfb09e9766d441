# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the command compare on runs known by hand."""

import json
import re
import shutil
import unittest

from folder_test_case import FolderTestCase, UndrawnFigures, change_json

import pandas as pd
from collab.cli.compare import main
from collab.report.comparison_page import comparison_page
from collab.statistics.comparison.guide import sentences
from synthetic_run import write_run

# Dynamic trust is better by these numbers in runs 1, 2, 3
BONUSES = (0.1, 0.11, 0.12)
# What dynamic trust calls rounds are turns of naive trust
OWN_NAMES = """schema: 1
parts:
  - {name: a, scenario: prediction-consensus, arguments: {trust: dynamic}}
  - {name: b, scenario: prediction-consensus, arguments: {trust: naive}, names: {rounds: turns}}
  - {name: c, scenario: prediction-consensus, arguments: {trust: static}, names: {rounds: []}}
"""


class CompareTest(UndrawnFigures, FolderTestCase):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def write(self, alone=0.0, **parameters):
        """Runs of two protocols of the list and of one that is not in it; returns their folder.

        alone: by how much the one without messages is better than the one that is not in the list.
        """
        folder = self.folder / "runs" / "-".join(["all", *map(str, parameters.values())])
        common = {"localEpochs": 1, "batchSize": 64, **parameters}
        for number, bonus in enumerate(BONUSES, start=1):
            write_run(folder / f"{number}/dynamic", "dynamic", number, bonus, **common)
            write_run(folder / f"{number}/local", "local", number, alone, **common)
            write_run(folder / f"{number}/naive", "naive", number, **common)
        return self.folder / "runs"

    def table(self, name):
        """A table that the command wrote."""
        return pd.read_csv(self.out / f"comparison-{name}.csv", comment="#")

    def compare(self, *words):
        return self.run_command(main, *words, "--out", self.out)

    def test_tables_and_guide(self):
        code, output, errors = self.compare(self.write(), "--csv", "--table", "--quantiles", "1")
        self.assertEqual((code, errors), (0, ""))
        ranks = self.table("ranks")
        ranks = ranks[ranks["view"] == "joules"]
        self.assertEqual(ranks["protocol"].tolist(), ["consensus-dynamic", "local", "naive"])
        self.assertEqual(ranks["rank"].tolist(), [1, 2.5, 2.5])
        # 0.11 more; t(2) 0.01 / sqrt(3)
        self.assertRegex(output, "- By energy: .*consensus-dynamic [(]0.*; C1")
        guide = pd.read_csv(self.out / "comparison-guide-table.csv", comment="#")
        lines = [f"- {line}" for line in sentences(guide.assign(place="")[["place", "by", "choice"]])]
        self.assertEqual(output.split("Decision guide\n\n")[1].split("\n\n")[0].splitlines(), lines)
        self.assertEqual(self.table("guide").shape, guide.shape)
        choices = self.table("choice").set_index("row")
        last = choices[choices["cost"] == "joules"].iloc[-1]
        self.assertIn(f"consensus-dynamic ({last['accuracy']:.3g}; ", output)
        self.assertIn(f"{last.name})", output)

    def test_files(self):
        code, output, _ = self.compare(self.write(0.05), "--csv", "--pdf", "--svg", "--tag", "x")
        self.assertEqual(code, 0)
        for name in ("comparison-fronts-x.png", "comparison-fronts-x.pdf",
                     "comparison-fronts-x.svg", "comparison-x.html"):  # fmt: skip
            self.assertTrue((self.out / name).exists(), name)
            self.assertIn(name, output)
        page = (self.out / "comparison-x.html").read_text()
        self.assertIn('href="#C1"', page)
        self.assertIn('<tr id="C1">', page)
        self.assertIn("<svg", page)
        # Rows of one table may be in another, too; on the page each is once
        self.assertGreater(len(self.table("dominated-x")), 0)
        places = re.findall(r'\bid="([^"]*)"', page)
        self.assertEqual(sorted(set(places)), sorted(places))

    def test_points_of_a_sweep(self):
        for outage in (0.1, 0.2):
            runs = self.write(maxOutage=outage)
        code, output, _ = self.compare(runs, "--csv")
        self.assertEqual(code, 0)
        ranks = self.table("ranks")
        self.assertEqual(ranks["place"].unique().tolist(), ["maxOutage=0.1", "maxOutage=0.2"])
        self.assertIn("With maxOutage=0.2, by energy: ", output)
        self.assertRegex(output, "Where each protocol is the most accurate\\n\\n.*place.*\\n *S1 ")
        for name in ("fronts-maxOutage=0.1", "fronts-maxOutage=0.2", "joules-maxOutage",
                     "views-maxOutage"):
            self.assertTrue((self.out / f"comparison-{name}.png").exists(), name)
        code, output, _ = self.compare(runs, "--where", "maxOutage=0.1")
        self.assertNotIn("With maxOutage", output)

    def test_effects_of_settings_that_few_runs_have(self):
        self.write(maxOutage=0.1, rounds=2)
        self.write(maxOutage=0.2, rounds=2)
        runs = self.write(0.25, maxOutage=0.1, rounds=3)
        code, output, errors = self.compare(runs, "--effects", "--csv", "--table")
        self.assertEqual((code, errors), (0, ""))
        effects = self.table("effects").set_index(["effect", "protocol"])
        self.assertEqual(len(effects), 2 * 3)
        self.assertAlmostEqual(effects["accuracy"]["rounds=3", "local"], 25)
        self.assertEqual(effects["accuracy"]["maxOutage=0.2", "local"], 0)
        self.assertIn("keep: local +25", output)
        self.assertEqual(self.table("baseline")["protocol"].tolist(), ["local", "consensus-dynamic", "naive"])
        self.assertTrue((self.out / "comparison-effects.png").exists())
        self.assertFalse((self.out / "comparison.html").exists())

    def test_the_worst_value_of_a_setting(self):
        for rounds in (2, 3):
            self.write(maxOutage=0.1, rounds=rounds)
        runs = self.write(0.25, maxOutage=0.2, rounds=3)
        code, output, errors = self.compare(runs, "--worst", "maxOutage", "--csv", "--table")
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("Accuracy at the worst maxOutage", output)
        worst = self.table("worst").set_index(["rounds", "protocol"])
        self.assertEqual(len(worst), 2 * 3)
        self.assertEqual(worst["worst_at"][3, "local"], 0.1)
        self.assertAlmostEqual(worst["accuracy"][3, "local"], worst["accuracy"][2, "local"])
        self.assertTrue((self.out / "comparison-worst.png").exists())
        code, _, errors = self.compare(runs, "--worst", "attack")
        self.assertEqual(code, 2)
        self.assertIn("--worst was given 'attack'; allowed: ", errors)

    def test_a_run_that_two_sweeps_have_counts_once(self):
        for outage in (0.1, 0.2):
            runs = self.write(maxOutage=outage)
        shutil.copytree(runs / "all-0.1", runs / "other/taken")
        code, _, errors = self.compare(runs, "--csv", "--where", "maxOutage=0.1")
        self.assertEqual(code, 0)
        self.assertIn("there twice and count once: 9, such as ", errors)
        points = self.table("points")
        self.assertEqual(points["runs"].tolist(), [3, 3, 3])

    def test_points_are_in_order_and_those_of_all_protocols(self):
        for outage in (0.3, 0.10):
            runs = self.write(maxOutage=outage)
        for number in (1, 2, 3):  # of local training there is one point, and no round of its first run
            shutil.rmtree(runs / "all-0.3" / str(number) / "local")
        rounds = runs / "all-0.1" / "1" / "local" / "rounds.csv"
        rounds.write_text(rounds.read_text().splitlines()[0] + "\n")
        code, output, errors = self.compare(runs, "--csv", "--quantiles", "1")
        self.assertEqual(code, 0)
        self.assertIn("no round has ended, so it has no accuracy", errors)
        ranks = self.table("ranks")
        told = ranks[ranks["view"] == "joules"][["place", "protocol", "runs"]].to_numpy().tolist()
        self.assertEqual(told, [
            ["maxOutage=0.1", "consensus-dynamic", 3], ["maxOutage=0.1", "naive", 3],
            ["maxOutage=0.1", "local", 2],
            ["maxOutage=0.3", "consensus-dynamic", 3], ["maxOutage=0.3", "naive", 3],
        ])  # fmt: skip

    def test_conditions_are_by_the_names_that_protocols_share(self):
        protocols = self.folder / "protocols.yaml"
        protocols.write_text(OWN_NAMES, encoding="utf-8")
        for rounds in (4, 8):
            folder = self.folder / f"runs/{rounds}"
            for number in (1, 2):
                write_run(folder / f"{number}/dynamic", "dynamic", number, rounds=rounds)
                write_run(folder / f"{number}/naive", "naive", number, turns=rounds, rounds=99)
                write_run(folder / f"{number}/static", "static", number, rounds=rounds)
        call = (self.folder / "runs", "--protocols", protocols, "--csv")
        code, _, errors = self.compare(*call, "--where", "rounds=4")
        self.assertEqual((code, errors), (0, ""))
        points = self.table("points")
        # Of static trust the list says that its rounds are nothing that is compared
        self.assertEqual(dict(zip(points["protocol"], points["runs"])), {"a": 2, "b": 2})
        code, _, errors = self.compare(*call, "--where", "turns=4")
        self.assertEqual(code, 2)
        self.assertIn("no run has a setting 'turns'; ", errors)

    def test_models_are_in_order_of_their_size(self):
        for model, parameters in (("mlp", 30), ("mlp:20", 20), ("linear", 10)):
            runs = self.write(model=model)
            for file in (runs / f"all-{model}").glob("*/*/run.json"):
                devices = json.loads(file.read_text())["devices"]
                change_json(file, devices=[{**one, "parameters": parameters} for one in devices])
        self.assertEqual(self.compare(runs, "--csv")[0], 0)
        ranks = self.table("ranks")
        self.assertEqual(ranks["place"].unique().tolist(), ["model=linear", "model=mlp:20", "model=mlp"])

    def test_mistakes(self):
        runs = self.write()
        empty = self.folder / "empty"
        empty.mkdir()
        for words, pattern in (
            ((runs, "--quantiles", "2"), "--quantiles was given '2'; allowed: numbers from 0 to 1"),
            ((runs, "--quantiles", "a"), "--quantiles was given 'a'"),
            ((runs, "--where", "trust"), "--where was given 'trust'; allowed: SETTING=VALUE"),
            ((runs, "--protocols", self.folder / "none.yaml"), "none.yaml: No such file"),
            ((empty,), "is not a run"),
        ):
            with self.subTest(words=words):
                self.assert_refused(re.escape(pattern), main, *words, "--out", self.out)


class PageTest(unittest.TestCase):
    def test_text_is_no_markup_and_drawings_have_names_of_their_own(self):
        drawing = '<?xml?><svg><g id="a"/><use xlink:href="#a"/><p clip-path="url(#b)"/></svg>'
        page = comparison_page("<t>", "n", ["x < y (C2)."], "r", {"f": drawing, "g": drawing}, {})
        self.assertIn("<title>&lt;t&gt;</title>", page)
        self.assertIn('x &lt; y (<a href="#C2">C2</a>).', page)
        for number in (0, 1):
            self.assertIn(f'<g id="f{number}-a"/><use xlink:href="#f{number}-a"/>', page)
            self.assertIn(f"url(#f{number}-b)", page)
