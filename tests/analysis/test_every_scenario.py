# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios appendices nightly-all
"""Every scenario, small, through every command of the analysis.

The scenarios are whatever programs say that they write a run folder: a new one is tested without a
change here. An exception of a command would reach the user as a traceback, and fails the test.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import warnings
from functools import lru_cache
from pathlib import Path
from unittest import mock

from folder_test_case import NIGHTLY, PROGRAMS, ROOT, FolderTestCase, UndrawnFigures, some_of

import numpy as np
from collab import load_run, plot
from collab.cli import collect, report
from collab.cli import plot as plot_command
from collab.cli import main as cli
from collab.statistics.curves import name_of

DOC = ROOT / "contrib-module" / "doc"
APPENDICES = Path(os.environ.get("COLLAB_APPENDICES", ROOT / "build" / "appendices"))

# Values of arguments, for the scenarios that have them
SMALL = {
    "activePercent": 100,
    "clients": 12,
    "committee": 3,
    "dataSet": "gaussian-classes",
    "devices": 8,
    "instants": 6,
    "localEpochs": 1,
    "lowQuality": 2,
    "minimumSamples": 4,
    "model": "linear",
    "pretrainingRounds": 1,
    "referenceSamples": 20,
    "rounds": 3,
    "samples": 15,
    "testSamples": 40,
    "training": 6,
}
# Arguments of the scenarios with which those values make no sense
OTHERWISE = {
    "graph-discovery-agreement": {"alphas": "1,10", "clusters": 3, "components": 2},
    "prediction-consensus-toy": {"model": "mlp:4"},
}
LENGTHS = ("rounds", "instants")  # the argument of a scenario that tells how long it lasts
PANELS = ("rounds", "[s]", "[J]")  # what axes of the figure accuracy are called


@lru_cache(maxsize=None)
def scenarios():
    """Arguments of every scenario: {name: {argument: what the program says of it}}."""
    found = {}
    for file in sorted(PROGRAMS.iterdir()):
        if file.is_file() and os.access(file, os.X_OK):
            arguments = arguments_of(file)
            if "runDir" in arguments:
                found[file.name] = arguments
    return found


def arguments_of(program):
    result = subprocess.run(
        [program, "--PrintArguments=json"], capture_output=True, text=True, check=True
    )
    return {entry["name"]: entry for entry in json.loads(result.stdout)["arguments"]}


def small(name, arguments):
    """The values that make a scenario small, {argument: value}."""
    values = {**SMALL, **OTHERWISE.get(name, {})}
    return {argument: values[argument] for argument in values if argument in arguments}


class EveryScenarioTest(UndrawnFigures, FolderTestCase):
    @classmethod
    def setUpClass(cls):
        """Runs each scenario; every other one with the other recorder, or nightly with both."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.together = Path(folder.name) / "together"
        cls.runs = {}
        for place, name in enumerate(scenarios()):
            first, second = ("csv", "sqlite") if place % 2 else ("sqlite", "csv")
            cls.runs[name, first] = cls.simulate(name, first, cls.together / name)
            if NIGHTLY:
                cls.runs[name, second] = cls.simulate(name, second, Path(folder.name) / name)

    @staticmethod
    def simulate(name, recorder, path):
        """Runs a scenario; returns its run folder."""
        values = {**small(name, scenarios()[name]), "runDir": path, "recorder": recorder}
        options = [f"--{argument}={value}" for argument, value in values.items()]
        subprocess.run([PROGRAMS / name, *options], stdout=subprocess.DEVNULL, check=True)
        return path

    def setUp(self):
        super().setUp()
        library = self.folder / "chart.js"
        library.write_text("/*!\n * Chart.js v3.9.1\n */\n")
        patch = mock.patch.dict(os.environ, {"COLLAB_CHART_JS": str(library)})
        patch.start()
        self.addCleanup(patch.stop)

    def call(self, command, *arguments):
        """What a command prints; it must end well."""
        with warnings.catch_warnings():  # these would be printed in the midst of the results
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("error", UserWarning)
            code, output, errors = self.run_command(command.main, *arguments)
        self.assertEqual(code, 0, f"{arguments}: {errors}")
        self.assertNotIn(plot_command.CANNOT_DRAW, errors)
        return output + errors

    def require_all_commands(self, path):
        """The commands that take a run folder, and those that take a database, with a run."""
        out, database = self.folder / path.name, self.folder / f"{path.name}.sqlite"
        self.call(plot_command, path, "--out", out)
        self.assertTrue((out / "accuracy.png").exists())
        self.require_measure(path)
        self.require_listed(path)
        self.draws = NIGHTLY or path == next(iter(self.runs.values()))
        self.call(plot_command, path, "--figure", "all", "--out", out)
        self.draws = False
        self.call(plot_command, path, "--list")
        self.call(report, path, "--out", out / "report.html")
        self.assertIn("1 added", self.call(collect, path, "--out", database))
        self.call(plot_command, database, "--figure", "accuracy", "--out", out)
        self.call(report, database)

    def require_listed(self, path):
        """The pages list the columns of each table of the run, or say that only its scenario has it."""
        listed = set(re.findall(r"^(\w+)\n~+$", (APPENDICES / "collab-columns.rst").read_text(), re.M))
        analysis = (DOC / "collab-analysis.rst").read_text()
        told = analysis.partition("\nColumns\n#######\n")[2].partition("\nDatabase\n###")[0]
        own = set(re.findall(r"``(\w+)``", told))
        self.assertEqual(set(load_run(path).columns["table"]) - listed - own, set())

    def require_measure(self, path):
        """The figure of the run's own measure has a line over rounds, seconds and joules."""
        run = load_run(path)
        metadata = json.loads((path / "run.json").read_text())
        said = metadata.get("display", {}).get("measure", run.measure)
        self.assertEqual(run.measure, said)
        figure = plot.accuracy(run)
        axes = {part.get_xlabel(): part for part in figure.axes}
        for panel in PANELS:
            one = next(part for label, part in axes.items() if panel in label)
            self.assertGreater(np.isfinite(one.get_lines()[0].get_ydata()).sum(), 1, panel)
        self.assertIn(name_of(run.measure), figure.axes[0].get_ylabel())

    def test_a_run_of_each_goes_through_every_command(self):
        """By default of three scenarios; the others are among the runs of all together."""
        self.assertTrue(self.runs, f"no scenario in {PROGRAMS}")
        for (name, recorder), path in some_of(self.runs.items(), 3):
            with self.subTest(scenario=name, recorder=recorder):
                self.require_all_commands(path)

    def test_runs_of_all_together(self):
        out, database = self.folder / "figures", self.folder / "results.sqlite"
        output = self.call(collect, self.together, "--out", database)
        self.assertIn(f"{len(scenarios())} added", output)
        self.call(report, self.together, "--out", self.folder / "report.html")
        self.assert_refused("no measure in common", plot_command.main, self.together,
                            "--figure", "accuracy", "--out", out)  # fmt: skip
        self.call(plot_command, self.together, "--out", out)
        self.call(plot_command, database, "--figure", "all", "--out", out)

    @unittest.skipUnless(shutil.which("snakemake"), "Snakemake runs sweeps")
    def test_a_sweep_is_run_and_drawn(self):
        """Nightly, one of each scenario."""
        for name in some_of(scenarios(), 1):
            with self.subTest(scenario=name):
                chosen = small(name, scenarios()[name])
                axis = next(argument for argument in LENGTHS if argument in chosen)
                axes = {"grid": {axis: [2, chosen.pop(axis)]}}
                content = {"schema": 1, "scenario": name, "arguments": chosen, "axes": axes}
                file = self.folder / f"{name}.yaml"
                file.write_text(json.dumps(content))
                options = ("--programs", PROGRAMS, "--out", self.folder / "sweeps")
                self.call(cli, "sweep", file, *options)
                self.require_figures_over(axis, self.folder / "sweeps" / name)

    def require_figures_over(self, axis, path):
        """What is drawn of a sweep over an axis, and its report."""
        run = load_run(next(path.glob("*/run.json")).parent)
        for quantity in (run.measure, "energy", "time"):
            self.call(plot_command, path, "--x", axis, "--y", quantity)
            self.assertTrue((path / f"{quantity}-against-{axis}.png").exists())
        self.call(plot_command, path)
        self.call(report, path)
