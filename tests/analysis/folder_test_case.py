# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of analysis/collab have in common; import it before the package."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(os.environ.get("COLLAB_PROGRAMS", ROOT / "build/scenarios"))  # of the scenarios
# Whether tests try all that there is, which takes minutes, or a sample
NIGHTLY = bool(os.environ.get("COLLAB_NIGHTLY"))
nightly = unittest.skipUnless(NIGHTLY, "nightly")

sys.path.insert(0, str(ROOT / "analysis"))

from synthetic_run import write_run

# Accuracy on X* of the regular devices 0, 1 and 3 after four rounds, without bonus
FINAL = 0.7 + 0.04 / 3
# Half width of the 95 % interval of three values a step apart, by the step: t(2) s / sqrt(3)
THREE = 4.303 / 3**0.5


class FolderTestCase(unittest.TestCase):
    """Gives each test an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def run_command(self, command, *arguments):
        """Exit code, output and errors of the main function of a command."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                code = command([str(argument) for argument in arguments])
            except SystemExit as exit_:
                code = exit_.code
        return code, output.getvalue(), errors.getvalue()

    def call(self, command, *arguments):
        """The output of a command, which ends well and has nothing to complain of."""
        code, output, errors = self.run_command(command, *arguments)
        self.assertEqual((code, errors), (0, ""), arguments)
        return output

    def assert_refused(self, pattern, command, *arguments, code=2):
        """A command ends with a code and one line, which matches."""
        ended, _, errors = self.run_command(command, *arguments)
        self.assertEqual((ended, errors.count("\n")), (code, 1), (arguments, errors))
        self.assertRegex(errors, pattern)

    def run_collab(self, *arguments, folder=None, **environment):
        """What ./collab prints in a process of its own, which ends well."""
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "analysis"), **environment}
        result = subprocess.run(
            [sys.executable, "-m", "collab", *map(str, arguments)], cwd=folder or self.folder,
            env=variables, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout


class QuickFigures:
    """Of a test case: figures are small, and their panels stay where they are: a third of the time.

    Nightly tests draw them as users do.
    """

    def patches(self):
        from collab.cli import compare, plot
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        yield mock.patch.object(ConstrainedLayoutEngine, "execute", lambda *_: None)
        yield from (mock.patch.object(module, "DPI", 50) for module in (compare, plot))

    def setUp(self):
        super().setUp()
        for patch in () if NIGHTLY else self.patches():
            patch.start()
            self.addCleanup(patch.stop)


class UndrawnFigures(QuickFigures):
    """Of a test case: figures are made, and are empty files unless it is said to draw; texts are drawn."""

    draws = False

    def patches(self):
        from matplotlib.figure import Figure

        def save(figure, file, *arguments, real=Figure.savefig, **options):
            if self.draws or hasattr(file, "write"):
                real(figure, file, *arguments, **options)
            else:
                Path(file).touch()

        yield from super().patches()
        yield mock.patch.object(Figure, "savefig", save)


def engine_path(folder):
    """PATH with the stand-in of Snakemake; in nightly tests Snakemake itself, if it is here."""
    if NIGHTLY and shutil.which("snakemake"):
        return os.environ["PATH"]
    place = folder / "bin/snakemake"
    if not place.exists():
        place.parent.mkdir()
        place.symlink_to(ROOT / "tests/analysis/sweeps/engine_stand_in.py")
    return f"{place.parent}:{os.environ['PATH']}"


def change_json(file, **changes):
    """Changes values of a JSON file; None takes a key away."""
    content = {**json.loads(file.read_text()), **changes}
    file.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))


def change_run(path, **changes):
    """Changes what run.json says; None takes a key away. Returns the path of the run."""
    change_json(path / "run.json", **changes)
    return path


def as_scenario(path, scenario, **changes):
    """Makes a run one of another scenario, which has no trust. Returns the path of the run."""
    parameters = json.loads((path / "run.json").read_text())["parameters"]
    del parameters["trust"]
    return change_run(path, scenario=scenario, parameters=parameters, **changes)


def change_devices(path, change):
    """Adds to what run.json says of each device what change() makes of it. Returns the path."""
    devices = json.loads((path / "run.json").read_text())["devices"]
    return change_run(path, devices=[{**device, **change(device)} for device in devices])


def change_table(path, name, change):
    """Replaces a table of a run by what change() makes of it. Returns the path of the run."""
    import pandas as pd

    file = path / f"{name}.csv"
    change(pd.read_csv(file)).to_csv(file, index=False)
    return path


def some_of(items, count):
    """All of a list in nightly tests; otherwise at most count of it, from first to last."""
    items = list(items)
    if NIGHTLY or len(items) <= count:
        return items
    return [items[i * (len(items) - 1) // max(count - 1, 1)] for i in range(count)]


class RunsTestCase(FolderTestCase):
    """Writes and loads runs in its folder."""

    def write_pairs(self, bonuses):
        """Runs 1, 2, ... of dynamic and naive trust, dynamic better by the bonus of its run."""
        for number, bonus in enumerate(bonuses, start=1):
            offset = 0.02 * number
            write_run(self.folder / f"run-{number}/dynamic", "dynamic", number, offset + bonus)
            write_run(self.folder / f"run-{number}/naive", "naive", number, offset)

    def load_groups(self):
        from collab import find_runs, group_runs, load_run

        return group_runs([load_run(path) for path in find_runs([self.folder])])


class SweepFolderTestCase(FolderTestCase):
    """Its folder is a sweep over trust and maxOutage, three seeds each.

    Naive trust has FINAL + 0.02 n in run n, less maxOutage; dynamic is better by 0.01 n.
    """

    def setUp(self):
        super().setUp()
        for outage in (0.1, 0.2):
            for number in (1, 2, 3):
                bonus = 0.02 * number - outage
                for trust, gain in (("dynamic", 0.01 * number), ("naive", 0.0)):
                    path = self.folder / f"{trust}-{outage}-{number}"
                    write_run(path, trust, number, bonus + gain, maxOutage=outage, radio="Burst")


class SweepTestCase(SweepFolderTestCase):
    """Has loaded that sweep."""

    def setUp(self):
        from collab import load_sweep

        super().setUp()
        self.sweep = load_sweep(self.folder)
