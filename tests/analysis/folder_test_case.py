# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of analysis/collab have in common; import it before the package."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))

from collab import find_runs, group_runs, load_run, load_sweep
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
        self.folder = Path(folder.name)

    def run_command(self, command, *arguments):
        """Exit code, output and errors of the main function of a command."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                code = command([str(argument) for argument in arguments])
            except SystemExit as exit_:
                code = exit_.code
        return code, output.getvalue(), errors.getvalue()


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


class SweepTestCase(FolderTestCase):
    """Has a sweep over trust and maxOutage, three seeds each.

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
        self.sweep = load_sweep(self.folder)
