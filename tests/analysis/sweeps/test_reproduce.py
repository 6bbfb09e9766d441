# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios nightly-all
"""Tests of ./collab reproduce: every registered reproduction at scale smoke."""

import importlib.util
import json
import unittest
from pathlib import Path

from folder_test_case import NIGHTLY, PROGRAMS, ROOT, FolderTestCase, engine_path, nightly, some_of

from collab.sweeps import SweepError, expand
from collab.sweeps.document import SCALES
from collab.sweeps.reproduction import load_reproduction, load_reproductions, scales_of_all, sweeps_of

SCENARIOS = ROOT / "scenarios"
REPRODUCTIONS = SCENARIOS / "reproductions"
NAME = "prediction-consensus/two-degrees"  # of the one that is run by default
NAMES = sorted(str(file.relative_to(REPRODUCTIONS))[:-5] for file in REPRODUCTIONS.rglob("*.yaml"))


def make_pair(scenarios):
    """Registers a reproduction of two scenarios, "pair", in a folder, with the sweeps of ours."""
    (scenarios / "reproductions").mkdir()
    (scenarios / "sweeps").symlink_to(SCENARIOS / "sweeps")
    text = "{schema: 1, title: a, source: b, sweeps: [SWEEPS], plots: [--figure accuracy]}"
    sweeps = "prediction-consensus/demo, federated/baselines"
    (scenarios / "reproductions" / "pair.yaml").write_text(text.replace("SWEEPS", sweeps))


class RegistryTest(FolderTestCase):
    def test_every_scale_has_a_sweep(self):
        complete = 0
        for name in NAMES:
            reproduction = load_reproduction(name, SCENARIOS)
            scales = tuple(scales_of_all(reproduction, SCENARIOS))
            self.assertIn(scales, (SCALES, SCALES[:2]))
            complete += scales == SCALES
            for scale in scales if name in some_of(NAMES, 12) else ():
                for sweep in sweeps_of(reproduction, scale, SCENARIOS):
                    self.assertTrue(expand(sweep))
        self.assertGreaterEqual(complete, 82)

    def test_a_scale_may_have_several_sweeps(self):
        make_pair(self.folder)
        sweeps = sweeps_of(load_reproduction("pair", self.folder), "smoke", self.folder)
        self.assertEqual([sweep.scenario for sweep in sweeps], ["prediction-consensus", "federated"])

    def test_a_reproduction_has_the_scales_that_all_its_sweeps_have(self):
        (self.folder / "sweeps").mkdir()
        (self.folder / "reproductions").mkdir()
        for name, scales in (("a", "{smoke: {}, paper: {}}"), ("b", "{smoke: {}}")):
            text = f"{{schema: 1, scenario: federated, scales: {scales}}}"
            (self.folder / f"sweeps/{name}.yaml").write_text(text)
        text = "{schema: 1, title: a, source: b, sweeps: [a, b], plots: ['']}"
        (self.folder / "reproductions/pair.yaml").write_text(text)
        reproduction = load_reproduction("pair", self.folder)
        self.assertEqual(scales_of_all(reproduction, self.folder), ["smoke", "standard"])
        with self.assertRaisesRegex(SweepError, "--scale 'paper' is unknown"):
            sweeps_of(reproduction, "paper", self.folder)

    def test_all_are_those_of_a_folder(self):
        for folder in ("prediction-consensus", "federated"):
            expected = [name for name in NAMES if name.startswith(f"{folder}/")]
            loaded = load_reproductions(f"{folder}/all", SCENARIOS)
            self.assertEqual([one.name for one in loaded], expected)
        one = load_reproductions("federated/baselines", SCENARIOS)
        self.assertEqual([reproduction.name for reproduction in one], ["federated/baselines"])
        for name in ("nothing/all", "all", "federated"):
            with self.assertRaisesRegex(SweepError, f"reproduction '{name}' is unknown"):
                load_reproductions(name, SCENARIOS)

    def test_mistakes(self):
        file = self.folder / "reproductions" / "mine.yaml"
        file.parent.mkdir()
        good = "schema: 1\ntitle: a\nsource: b\nsweeps: c\nplots: ['']\n"
        for text, pattern in (
            (good.replace(": c", ": {smoke: c}"), "sweeps must be a sweep, or a list of sweeps"),
            (good.replace(": c", ": [c, c]"), "sweeps has one twice"),
            (good.replace("sweeps: c", "scales: c"), "key 'scales' is unknown"),
            (good.replace("schema: 1", "schema: 2"), "schema is 2; allowed: 1"),
            (good.replace("title: a\n", ""), "not given: title"),
            (good + "keeps: [[a]]\n", "keeps must be a list of names of tables, or of NAME: {columns"),
            (good + "keeps: [a: {row: {b: [c]}}]\n", "keeps: key 'row' is unknown; did you mean 'rows'"),
            (good + "keeps: [a: {last: two}]\n", "keeps: last must be a number of rows"),
            (good + "keeps: [a: {rows: {b: c}}]\n", "columns and means must be lists of names, rows as {COLUMN: "),
            (good + "keeps: [a: {means: [b]}]\n", "means are beside columns; name these, too"),
            (good + "keeps: [a: {columns: [b, c], means: [b]}]\n", "and none of them twice"),
            (good + "pages: a\n", "pages must be written as FOLDER/FILE"),
            (good + "pages: {../a: b}\n", "pages must be written as FOLDER/FILE"),
            (good + "pages: {a: b/c}\n", "pages must be written as FOLDER/FILE"),
            (good + "plot: a\n", "key 'plot' is unknown; did you mean 'plots'"),
            (good.replace("['']", "a"), "plots must be a list"),
            (good + "comparisons: a\n", "comparisons must be a list of options of ./collab com"),
            (good.replace("plots: ['']\n", ""), "not given: plots or comparisons"),
        ):
            file.write_text(text)
            with self.assertRaisesRegex(SweepError, pattern):
                load_reproduction("mine", self.folder)


def make_small(scenarios):
    """Registers the reproduction NAME in a folder, with one figure; returns options that find it."""
    folder, name = NAME.split("/")
    (scenarios / "reproductions" / folder).mkdir(parents=True)
    (scenarios / "sweeps").symlink_to(SCENARIOS / "sweeps")
    text = "{schema: 1, title: a, source: b, sweeps: %s, plots: [--figure influence --tag small]}"
    (scenarios / "reproductions" / folder / f"{name}.yaml").write_text(text % NAME)
    return ("--scenarios", scenarios)


class SmokeTest(FolderTestCase):
    """By default one reproduction, with one of its figures; nightly some of each kind, whole."""

    def setUp(self):
        super().setUp()
        self.out = self.folder / "runs"
        self.found = () if NIGHTLY else make_small(self.folder / "registered")

    def reproduce(self, *words):
        """Runs the command; returns what it printed."""
        options = ("--out", self.out, "--programs", PROGRAMS, *self.found)
        return self.run_collab("reproduce", *words, *options, PATH=engine_path(self.folder))

    def check(self, name):
        """Reproduces, and checks what there is then; returns the table."""
        output = self.reproduce(name, "--scale", "smoke")
        folder = self.out / "reproductions" / name / "smoke"
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual((result["scale"], len(result["points"])), ("smoke", 8))
        self.assertTrue(list(folder.glob("*.png")))
        table = (folder / "table.txt").read_text()
        self.assertGreater(table.count("\n"), 4)
        self.assertIn(table, output)
        return table

    def test_twice_runs_nothing(self):
        name = NAME
        self.assertRegex(self.reproduce("--list"), f"(?m)^{name} +smoke standard paper +no result$")
        table = self.check(name)
        folder = self.out / "reproductions" / name / "smoke"
        self.assertRegex(table, "(?m)^dynamic +[0-9.]+")
        figure = "curves.pdf" if NIGHTLY else "influence-small.png"
        self.assertTrue((folder / figure).exists())
        self.assertIn("8 points: 8 done", self.reproduce(name, "--scale", "smoke"))
        self.assertEqual((folder / "table.txt").read_text(), table)
        listed = f"(?m)^{name} +smoke standard paper +smoke, 20.*, {folder}$"
        self.assertRegex(self.reproduce("--list"), listed)

    def test_other_values_have_folders_of_their_own(self):
        words = (NAME, "--scale", "smoke", "--set", "rounds=3")
        self.reproduce(*words, "--set", "trust=naive")
        folder = self.out / "reproductions/prediction-consensus/two-degrees"
        folder /= "smoke,rounds=3,trust=naive"
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual(result["set"], {"rounds": "3", "trust": "naive"})
        self.assertEqual(result["sweeps"],
                         ["prediction-consensus/two-degrees-smoke,rounds=3,trust=naive"])  # fmt: skip
        self.assertEqual(len(result["points"]), 2)
        self.assertIn("4 devices, 4 rounds", (folder / "table.txt").read_text())
        self.assertIn(str(folder), self.reproduce("--list"))

    @nightly
    def test_belief_consensus(self):
        table = self.check("belief-consensus/linear-regression")
        self.assertRegex(table, "(?m)^ *central.* 50 +2 +0[.]")
        folder = self.out / "reproductions/belief-consensus/linear-regression/smoke"
        for ending in (".pdf", ".csv", "-table.csv"):
            self.assertTrue((folder / f"belief-error{ending}").exists(), ending)
        pages = self.out.parent / "pages"
        words = ("belief-consensus/linear-regression", "--scale", "smoke", "--pages", str(pages))
        self.reproduce(*words)
        copied = pages / "results" / "belief-linear-regression.csv"
        self.assertEqual(copied.read_text(), (folder / "belief-error-table.csv").read_text())

    @nightly
    def test_graph_discovery(self):
        """A reproduction with labels, and one without."""
        for name, figures in (
            ("supervised", ("accuracy", "discovery-targets", "discovery-accuracy")),
            ("distance", ("discovery-distance", "discovery-reliability")),
        ):
            with self.subTest(reproduction=name):
                self.reproduce(f"graph-discovery/{name}", "--scale", "smoke")
                folder = self.out / "reproductions/graph-discovery" / name / "smoke"
                for figure in figures:
                    self.assertTrue((folder / f"{figure}.png").exists(), figure)
                self.assertIn("learned", (folder / "table.txt").read_text())

    @nightly
    @unittest.skipUnless(importlib.util.find_spec("sklearn"), "scikit-learn draws embeddings")
    def test_embeddings(self):
        self.reproduce("graph-discovery/embeddings", "--scale", "smoke")
        folder = self.out / "reproductions/graph-discovery/embeddings/smoke"
        for ending in (".png", ".pdf", ".csv", "-table.csv"):
            for figure in ("discovery-embeddings", "discovery-embeddings-shoes"):
                self.assertTrue((folder / f"{figure}{ending}").exists(), figure)
        table = (folder / "table.txt").read_text()
        for labels in ("labels are", "labels 5, 7, 9 are"):
            self.assertRegex(table, f"How separated {labels}.*\n\n.*\n *learned +2 .*\n *none +2 ")

    @nightly
    def test_comparison(self):
        self.reproduce("comparison/protocols", "--scale", "smoke")
        folder = self.out / "reproductions/comparison/protocols/smoke"
        for name in ("comparison.html", "comparison-fronts.pdf", "comparison-fronts.svg",
                     "comparison-ranks-table.csv", "comparison-differences.csv", "comparison-guide-table.csv"):  # fmt: skip
            self.assertTrue((folder / name).exists(), name)
        table = (folder / "table.txt").read_text()
        for protocol in ("local", "consensus-dynamic", "fedavg", "fedavg-sgd", "cmfl-1", "gossipfl",
                         "d-psgd", "beliefs", "discovery-gossip"):  # fmt: skip
            self.assertRegex(table, f"(?m)^ *R[0-9]+ +joules +0.5 .* {protocol} ")
        self.assertIn("Decision guide", table)

    @nightly
    def test_two_scenarios_side_by_side(self):
        scenarios = self.out.parent / "scenarios"
        scenarios.mkdir()
        make_pair(scenarios)
        self.reproduce("pair", "--scale", "smoke", "--scenarios", str(scenarios))
        folder = self.out / "reproductions/pair/smoke"
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual(len(result["points"]), 16)
        self.assertEqual(result["sweeps"], ["prediction-consensus/demo-smoke",
                                            "federated/baselines-smoke"])  # fmt: skip
        self.assertEqual([Path(path).is_dir() for path in result["runs"]], [True, True])
        table = (folder / "table.txt").read_text()
        for method in ("dynamic", "static", "naive", "local",
                       "fedavg", "fedprox", "scaffold", "feddyn"):  # fmt: skip
            self.assertRegex(table, f"(?m)^{method}.* 0[.]")
        self.assertIn("prediction-consensus: 5 devices, 6 rounds; federated: 5 devices, 4", table)

    @nightly
    def test_boundaries_are_drawn(self):
        self.check("prediction-consensus/boundaries")
        folder = self.out / "reproductions/prediction-consensus/boundaries/smoke"
        self.assertTrue((folder / "boundaries.pdf").exists())
