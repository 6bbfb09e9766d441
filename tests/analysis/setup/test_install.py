# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: nightly
"""The package can be installed by pip without a network, and finds its own files then."""

import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

from folder_test_case import ROOT, FolderTestCase
from synthetic_run import write_run

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
NEEDED = ("pip", "setuptools", "wheel")


@unittest.skipUnless(all(map(importlib.util.find_spec, NEEDED)), f"needs {NEEDED}")
class InstallTest(FolderTestCase):
    def call(self, *command, **environment):
        result = subprocess.run(
            command, cwd=self.folder, text=True, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, **environment})  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def test_is_installed_and_imported(self):
        ignored = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT / "analysis", self.folder / "analysis", ignore=ignored)
        self.call(*PIP, "--target", "site", "./analysis")
        run = write_run(self.folder / "run")
        output = self.call(
            sys.executable, "-c", PROGRAM.replace("RUN", repr(str(run))),
            PYTHONPATH="site", COLLAB_ROOT="", COLLAB_BUILD="")  # fmt: skip
        lines = output.splitlines()
        self.assertEqual(lines[0], "16 True True")
        self.assertIn("set COLLAB_ROOT to its folder", lines[1])
