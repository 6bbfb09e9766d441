# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: nightly scenarios snakemake notebooks
"""The notebooks of examples/ run from top to bottom."""

import json
import os
import shutil
import subprocess

from folder_test_case import PROGRAMS, ROOT, FolderTestCase

NOTEBOOKS = ROOT / "examples" / "notebooks"


class NotebooksTest(FolderTestCase):
    def run_notebook(self, name):
        """The outputs of a notebook's cells."""
        shutil.copy(NOTEBOOKS / name, self.folder)
        environment = {**os.environ, "COLLAB_BUILD": str(PROGRAMS.parent), "COLLAB_ROOT": str(ROOT)}
        result = subprocess.run(
            ["jupyter-nbconvert", "--to", "notebook", "--execute", "--output", "done", name],
            cwd=self.folder, env=environment, text=True, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)
        content = json.loads((self.folder / "done.ipynb").read_text())
        return [output for cell in content["cells"] for output in cell.get("outputs", [])]

    def test_each_runs_and_draws(self):
        names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
        self.assertEqual(names, ["first-run.ipynb", "own-protocol.ipynb", "own-sweep.ipynb"])
        if not list(PROGRAMS.parent.glob("python/_collab.*")):
            names.remove("own-protocol.ipynb")  # protocols in Python are not built
        # What finds the package looks for this folder
        (self.folder / "analysis").symlink_to(ROOT / "analysis")
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
