#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The documentation builds without a warning, on its own and in ns-3's model library.

Exits with 77, which CTest counts as skipped, where Sphinx is not installed.
"""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DOC = Path(__file__).resolve().parents[2] / "contrib-module" / "doc"
SKIPPED = 77
# What of ns-3's doc/models/source the pages have to do with, and the lines that collab.rst adds
NS3_CONF = """project = "ns-3 project"
exclude_patterns = ["_build", "Thumbs.db", ".DS_Store"]
exclude_patterns += ["doc/results", "doc/collab-model-costs.rst"]
"""
NS3_REPLACE = ".. |ns3| replace:: *ns-3*\n\n.. |ns2| replace:: *ns-2*\n"
NS3_INDEX = "Model Library\n=============\n\n.. toctree::\n\n   doc/index\n"


class PagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, builder, source):
        command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-j", "2"]
        result = subprocess.run(
            [*command, "-b", builder, source, self.folder / builder],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_html_has_every_page(self):
        self.build("html", DOC)
        parts = {"collab-model-costs"}
        pages = {page.stem for page in DOC.glob("*.rst")} - parts
        made = {page.stem for page in (self.folder / "html").glob("*.html")}
        self.assertEqual(made - {"genindex", "search"}, pages)

    def test_as_a_folder_of_ns3s_model_library(self):
        source = self.folder / "source-temp"
        shutil.copytree(DOC, source / "doc")
        (source / "conf.py").write_text(NS3_CONF)
        (source / "replace.txt").write_text(NS3_REPLACE)
        (source / "index.rst").write_text(NS3_INDEX)
        self.build("dummy", source)


if __name__ == "__main__":
    if importlib.util.find_spec("sphinx") is None:
        print("Sphinx (python3-sphinx) is not installed: the pages were not built")
        sys.exit(SKIPPED)
    unittest.main()
