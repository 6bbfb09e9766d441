# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios
"""Every scenario, small, through every command of the analysis, with both recorders.

The scenarios are whatever programs of the folder say that they write a run folder: a new one is
tested without a change here. An exception of a command would reach the user as a traceback, and
fails the test.
"""

import json
import os
import re
import shutil
import subprocess
import unittest
import warnings
from functools import lru_cache
from pathlib import Path
from unittest import mock

from folder_test_case import PROGRAMS, FolderTestCase

import numpy as np
from collab import load_run, plot
from collab.cli import collect, report
from collab.cli import plot as plot_command
from collab.cli import main as cli
from collab.statistics.curves import name_of
from matplotlib.layout_engine import ConstrainedLayoutEngine

DOC = Path(__file__).resolve().parents[2] / "contrib-module" / "doc"

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


def scenarios():
    """Arguments of every scenario: {name: {argument: what the program says of it}}."""
    found = {}
    for file in sorted(PROGRAMS.iterdir()):
        if file.is_file() and os.access(file, os.X_OK):
            arguments = arguments_of(file)
            if "runDir" in arguments:
                found[file.name] = arguments
    return found


@lru_cache(maxsize=None)
def arguments_of(program):
    result = subprocess.run(
        [program, "--PrintArguments=json"], capture_output=True, text=True, check=True
    )
    return {entry["name"]: entry for entry in json.loads(result.stdout)["arguments"]}


def small(name, arguments):
    """The values that make a scenario small, {argument: value}."""
    values = {**SMALL, **OTHERWISE.get(name, {})}
    return {argument: values[argument] for argument in values if argument in arguments}


def not_arranged():
    """Leaves the panels of figures where they are, which halves the time."""
    return mock.patch.object(ConstrainedLayoutEngine, "execute", lambda *_: None)


class EveryScenarioTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        library = self.folder / "chart.js"
        library.write_text("/*!\n * Chart.js v3.9.1\n */\n")
        for patch in (
            mock.patch.dict(os.environ, {"COLLAB_CHART_JS": str(library)}),
            mock.patch.object(plot_command, "DPI", 50),  # faster
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def require_all_commands(self, path):
        """The commands that take a run folder, and those that take a database, with a run."""
        with not_arranged():  # as all figures are below, with these among them
            self.call(plot_command, path)
        self.assertTrue((path / "accuracy.png").exists())
        self.require_measure(path)
        self.call(plot_command, path, "--figure", "all", "--out", self.folder / "figures")
        self.call(plot_command, path, "--list")
        self.call(report, path)
        database = path.with_suffix(".sqlite")
        self.assertIn("1 added", self.call(collect, path, "--out", database))
        self.call(plot_command, database, "--figure", "accuracy")
        self.call(report, database)

    def simulate(self, name, recorder):
        """Runs a scenario; returns its run folder."""
        path = self.folder / f"{name}-{recorder}"
        values = {**small(name, scenarios()[name]), "runDir": path, "recorder": recorder}
        options = [f"--{argument}={value}" for argument, value in values.items()]
        result = subprocess.run(
            [PROGRAMS / name, *options], capture_output=True, text=True, check=False
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return path

    def call(self, command, *arguments):
        """What a command prints; it must end well."""
        with warnings.catch_warnings():  # these would be printed in the midst of the results
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("error", UserWarning)
            code, output, errors = self.run_command(command.main, *arguments)
        self.assertEqual(code, 0, f"{arguments}: {errors}")
        self.assertNotIn(plot_command.CANNOT_DRAW, errors)
        return output + errors

    def require_listed(self, path):
        """The pages list the columns of each table of the run, or say that only its scenario has it."""
        listed = set(re.findall(r"^(\w+)\n~+$", (DOC / "collab-columns.rst").read_text(), re.M))
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
        axes = {part.get_xlabel(): part for part in plot.accuracy(run).axes}
        for panel in PANELS:
            one = next(part for label, part in axes.items() if panel in label)
            self.assertGreater(np.isfinite(one.get_lines()[0].get_ydata()).sum(), 1, panel)
        self.assertIn(name_of(run.measure), plot.accuracy(run).axes[0].get_ylabel())

    def test_a_run_of_each_goes_through_every_command(self):
        names = scenarios()
        self.assertTrue(names, f"no scenario in {PROGRAMS}")
        for name in names:
            with self.subTest(scenario=name, recorder="csv"):
                self.require_all_commands(self.simulate(name, "csv"))
            with self.subTest(scenario=name, recorder="sqlite"), not_arranged():
                self.require_all_commands(self.simulate(name, "sqlite"))

    def test_runs_of_all_together(self):
        names = scenarios()
        for name in names:
            with self.subTest(scenario=name):
                self.require_listed(self.simulate(name, "csv"))
        self.assertIn(f"{len(names)} added", self.call(collect, self.folder))
        self.call(report, self.folder)
        code, _, errors = self.run_command(plot_command.main, self.folder, "--figure", "accuracy")
        self.assertEqual((code, len(errors.splitlines())), (2, 1), errors)
        self.assertIn("no measure in common", errors)
        out = self.folder / "figures"
        self.call(plot_command, self.folder, "--out", out)
        with not_arranged():
            database = self.folder / "results.sqlite"
            self.call(plot_command, database, "--figure", "all", "--out", out)

    @unittest.skipUnless(shutil.which("snakemake"), "Snakemake runs sweeps")
    def test_a_sweep_of_each_is_run_and_drawn(self):
        for name, arguments in scenarios().items():
            with self.subTest(scenario=name):
                chosen = small(name, arguments)
                axis = next(argument for argument in LENGTHS if argument in chosen)
                values = [2, chosen.pop(axis)]
                content = {
                    "schema": 1,
                    "scenario": name,
                    "arguments": chosen,
                    "axes": {"grid": {axis: values}},
                }
                file = self.folder / f"{name}.yaml"
                file.write_text(json.dumps(content))
                options = ("--programs", PROGRAMS, "--out", self.folder / "sweeps")
                self.call(cli, "sweep", file, *options)
                with not_arranged():
                    self.require_figures_over(axis, self.folder / "sweeps" / name)

    def require_figures_over(self, axis, path):
        """What is drawn of a sweep over an axis, and its report."""
        run = load_run(next(path.glob("*/run.json")).parent)
        for quantity in (run.measure, "energy", "time"):
            self.call(plot_command, path, "--x", axis, "--y", quantity)
            self.assertTrue((path / f"{quantity}-against-{axis}.png").exists())
        self.call(plot_command, path)
        self.call(report, path)
