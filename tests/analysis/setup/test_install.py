#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow
"""The package can be installed by pip without a network, and finds its own files then.

Exits with 77, which CTest counts as skipped, where pip or setuptools is not installed.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
SKIPPED = 77
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
       "--no-build-isolation", "--no-cache-dir"]  # fmt: skip
# What a user's program does first; the checkout is nowhere near
PROGRAM = """
import collab, pathlib
from collab.sweeps.engine import find_profile
package = pathlib.Path(collab.__file__).parent
assert package.parent.name == "site", package
assert (package / "sweeps/engine/Snakefile").is_file()
assert (package / "report/web/page.html").is_file()
assert find_profile("slurm").name == "slurm"
print(len(collab.load(RUN).rounds), callable(collab.run), callable(collab.sweep))
try:
    collab.run("prediction-consensus")
except collab.ProgramError as error:
    print(error)
"""


class InstallTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def call(self, *command, **environment):
        result = subprocess.run(
            command, cwd=self.folder, text=True, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, **environment})  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def test_is_installed_and_imported(self):
        ignored = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(PROJECT / "analysis", self.folder / "analysis", ignore=ignored)
        self.call(*PIP, "--target", "site", "./analysis")
        sys.path.insert(0, str(PROJECT / "tests/analysis"))
        from synthetic_run import write_run

        run = write_run(self.folder / "run")
        output = self.call(
            sys.executable, "-c", PROGRAM.replace("RUN", repr(str(run))),
            PYTHONPATH="site", COLLAB_ROOT="", COLLAB_BUILD="")  # fmt: skip
        lines = output.splitlines()
        self.assertEqual(lines[0], "16 True True")
        self.assertIn("set COLLAB_ROOT to its folder", lines[1])

    def test_has_the_projects_version(self):
        package = (PROJECT / "analysis/pyproject.toml").read_text()
        version = (PROJECT / "contrib-module/version.txt").read_text().strip()
        self.assertIn(f'\nversion = "{version}"\n', package)


if __name__ == "__main__":
    if not all(importlib.util.find_spec(name) for name in ("pip", "setuptools", "wheel")):
        print("pip, setuptools or wheel is not installed: the package was not installed")
        sys.exit(SKIPPED)
    unittest.main()
