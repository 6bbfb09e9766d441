# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: nightly
"""The package can be installed by pip without a network, and finds its own files then, the extension
module of protocols in Python among them."""

import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

from folder_test_case import PROGRAMS, ROOT, FolderTestCase
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
# A protocol of a user, and whose libraries it has
PROTOCOL = """
import collab, pathlib, sys
sys.path.insert(0, EXAMPLES)
from averaging import Averaging
print(len(collab.simulate(Averaging, devices=3, rounds=2).frame()))
maps = pathlib.Path("/proc/self/maps").read_text().split()
loaded = {pathlib.Path(one) for one in maps if "/" in one and "collab" in one and ".so" in one}
print(*sorted({one.parent.name for one in loaded} - {"site"}), len(loaded))
print(len(collab.run(EXAMPLES + "/averaging.py", devices=3, rounds=1).rounds))
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

    def install(self, **environment):
        """Installs a copy of what pip reads of the project."""
        project = self.folder / "project"
        shutil.copytree(ROOT / "analysis", project / "analysis",
                        ignore=shutil.ignore_patterns("__pycache__", "*.so"))  # fmt: skip
        for name in ("pyproject.toml", "setup.py"):
            shutil.copy(ROOT / name, project)
        (project / "contrib-module").mkdir()
        shutil.copy(ROOT / "contrib-module/version.txt", project / "contrib-module")
        self.call(*PIP, "--target", "site", "./project", **environment)

    def test_is_installed_and_imported(self):
        self.install(COLLAB_EXTENSION="OFF")
        run = write_run(self.folder / "run")
        output = self.call(
            sys.executable, "-c", PROGRAM.replace("RUN", repr(str(run))),
            PYTHONPATH="site", COLLAB_ROOT="", COLLAB_BUILD="")  # fmt: skip
        lines = output.splitlines()
        self.assertEqual(lines[0], "16 True True")
        self.assertIn("set COLLAB_ROOT to its folder", lines[1])

    @unittest.skipUnless(list(PROGRAMS.parent.glob("python/_collab.*")), "protocols in Python are not built")
    def test_protocols_in_python_need_no_build_folder_then(self):
        self.install(COLLAB_BUILD=str(PROGRAMS.parent))
        program = PROTOCOL.replace("EXAMPLES", repr(str(ROOT / "contrib-module" / "examples")))
        output = self.call(sys.executable, "-c", program, PYTHONPATH="site", COLLAB_ROOT="", COLLAB_BUILD="")
        self.assertEqual(output.splitlines()[-3:], ["6", "collab 3", "3"])
