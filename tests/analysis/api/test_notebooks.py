#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios snakemake notebooks
"""The notebooks of examples/ run from top to bottom.

Usage: test_notebooks.py FOLDER_OF_PROGRAMS
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
NOTEBOOKS = PROJECT / "examples" / "notebooks"
PROGRAMS = Path("build/scenarios")


class NotebooksTest(unittest.TestCase):
    def run_notebook(self, name):
        """The outputs of a notebook's cells."""
        with tempfile.TemporaryDirectory() as folder:
            # What finds the package looks for this folder
            os.symlink(PROJECT / "analysis", Path(folder) / "analysis")
            shutil.copy(NOTEBOOKS / name, folder)
            environment = {**os.environ, "COLLAB_BUILD": str(PROGRAMS.parent),
                           "COLLAB_ROOT": str(PROJECT)}  # fmt: skip
            result = subprocess.run(
                ["jupyter-nbconvert", "--to", "notebook", "--execute", "--output", "done", name],
                cwd=folder, env=environment, text=True, check=False, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)  # fmt: skip
            self.assertEqual(result.returncode, 0, result.stdout)
            content = json.loads((Path(folder) / "done.ipynb").read_text())
        return [output for cell in content["cells"] for output in cell.get("outputs", [])]

    def test_each_runs_and_draws(self):
        names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
        self.assertEqual(names, ["first-run.ipynb", "own-sweep.ipynb"])
        for name in names:
            with self.subTest(notebook=name):
                outputs = self.run_notebook(name)
                kinds = {kind for output in outputs for kind in output.get("data", {})}
                self.assertIn("image/png", kinds)
                self.assertIn("text/html", kinds)  # of a frame
                self.assertEqual([o for o in outputs if o["output_type"] == "error"], [])

    def test_they_are_kept_without_outputs(self):
        for path in NOTEBOOKS.glob("*.ipynb"):
            for cell in json.loads(path.read_text())["cells"]:
                with self.subTest(notebook=path.name, cell=cell["id"]):
                    self.assertEqual(cell.get("outputs", []), [])


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        PROGRAMS = Path(sys.argv.pop(1)).resolve()
    unittest.main()
