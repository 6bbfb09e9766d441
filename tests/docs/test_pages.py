#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The documentation builds without a warning, on its own and in ns-3's model library; its chapters
have their sections, and what pages say of examples and of defaults is so. Doxygen finds nothing public
without a comment.

Usage: test_pages.py [APPENDICES], the folder that tests/configuration/write_appendices.py has written.

Exits with 77, which CTest counts as skipped, where Sphinx is not installed, after the other tests.
"""

import csv
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DOC = Path(__file__).resolve().parents[2] / "contrib-module" / "doc"
EXAMPLES = DOC.parents[1] / "examples"
APPENDICES = None
SKIPPED = 77
DOXYGEN = shutil.which("doxygen")
SPHINX = importlib.util.find_spec("sphinx") is not None
# Chapters with these sections beside those that index.rst lists as models and protocols
OTHER_CHAPTERS = {"collab-comparison", "collab-sweeps"}
# A figure and its options
FIGURE = r"^ *\.\. (?:figure|image):: (\S+)\n((?: +:.*\n(?: {9,}.*\n)*)*)"
SECTIONS = {"Scope and Limitations", "Design", "Usage", "Validation"}  # see CONTRIBUTING.md
# What of ns-3's doc/models/source the pages have to do with, and the lines that collab.rst adds
NS3_CONF = """import os, sys
project = "ns-3 project"
extensions = []
exclude_patterns = ["_build", "Thumbs.db", ".DS_Store"]
sys.path.append(os.path.abspath("doc"))
extensions.append("collab_tables")
"""
NS3_REPLACE = ".. |ns3| replace:: *ns-3*\n\n.. |ns2| replace:: *ns-2*\n"
NS3_INDEX = "Model Library\n=============\n\n.. toctree::\n\n   doc/index\n"


def listed(caption):
    """The pages of the toctree of index.rst with this caption."""
    index = (DOC / "index.rst").read_text(encoding="utf-8")
    tree = re.search(rf":caption: {caption}\n.*?\n\n((?:   \S+\n)+)", index, re.S)
    return tree[1].split()


def headings(page):
    """The headings below the title of a page: those of the second kind of underline that it has."""
    found = re.findall(r"^(\S.*)\n([-=~#^])\2{2,}$", page, re.M)
    kinds = list(dict.fromkeys(kind for _, kind in found))
    return [text for text, kind in found if kind == kinds[1]]


def defaults():
    """{attribute: set of its defaults in all classes} by the appendix that the code prints."""
    text = (APPENDICES / "collab-attributes.rst").read_text(encoding="utf-8")
    found = {}
    for name, value in re.findall(r"   \* - ``(\w+)``\n     - ``(.*)``\n", text):
        found.setdefault(name, set()).add(value)
    return found


class ChaptersTest(unittest.TestCase):
    def test_chapters_of_models_have_their_sections(self):
        explained = listed("Explanation: models") + listed("Explanation: protocols")
        chapters = {page for page in explained if not page.endswith("-results")}
        self.assertGreater(len(chapters), 12)
        for chapter in sorted(chapters | OTHER_CHAPTERS):
            with self.subTest(chapter=chapter):
                sections = headings((DOC / f"{chapter}.rst").read_text(encoding="utf-8"))
                self.assertEqual(sections[0], "Scope and Limitations")
                self.assertEqual(SECTIONS - set(sections), set())

    def test_figures_have_a_text_for_who_does_not_see_them(self):
        for page in sorted(DOC.glob("*.rst")):
            text = page.read_text(encoding="utf-8")
            for name, options in re.findall(FIGURE, text, re.M):
                with self.subTest(page=page.name, figure=name):
                    self.assertRegex(options, r":alt: \S.{20}")

    def test_examples_are_named_on_the_page_of_the_module(self):
        page = (DOC / "collab.rst").read_text(encoding="utf-8")
        listed_there = set(re.findall(r"^- ``([\w-]+)``: ", page, re.M))
        examples = {source.stem for source in EXAMPLES.glob("*.cc")}
        self.assertGreater(len(examples), 5)
        self.assertEqual(examples - listed_there, set())

    def test_defaults_in_the_text_are_those_of_the_code(self):
        """Where an attribute is followed by a number in brackets: ``Name`` (60 s)."""
        if APPENDICES is None:
            self.skipTest("no folder of appendices was given")
        known = defaults()
        self.assertGreater(len(known), 100)
        checked = 0
        for page in sorted(DOC.glob("collab*.rst")):
            text = " ".join(page.read_text(encoding="utf-8").split())
            for name, value in re.findall(r"``([A-Z]\w+)`` \((-?\d[^;:,()]*)", text):
                if name in known:
                    with self.subTest(page=page.name, attribute=name):
                        allowed = {default.replace(" ", "") for default in known[name]}
                        self.assertTrue({value.replace(" ", ""), value.split()[0]} & allowed, allowed)
                    checked += 1
        self.assertGreater(checked, 10)


@unittest.skipUnless(SPHINX, "Sphinx (python3-sphinx) is not installed: the pages were not built")
class PagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, builder, source, *settings):
        command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-j", "2", *settings]
        result = subprocess.run(
            [*command, "-b", builder, source, self.folder / builder],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_html_has_every_page(self):
        settings = ["-D", f"collab_appendices={APPENDICES}"] if APPENDICES else []
        self.build("html", DOC, *settings)
        pages = {page.stem for page in DOC.glob("*.rst")}
        made = {page.stem for page in (self.folder / "html").glob("*.html")}
        self.assertEqual(made - {"genindex", "search"}, pages)
        self.check_table("collab-prediction-consensus-results", "consensus-methods")
        appended = {page.stem for page in APPENDICES.glob("*.rst")} if APPENDICES else set()
        for page in appended:
            with self.subTest(page=page):
                self.assertIn("<table", (self.folder / "html" / f"{page}.html").read_text(encoding="utf-8"))

    def check_table(self, page, name):
        """A table of results has all cells of its file, a link to it, and says where its numbers are from."""
        text = (self.folder / "html" / f"{page}.html").read_text(encoding="utf-8")
        note, *rows = (DOC / "results" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        absent = {cell for row in csv.reader(rows) for cell in row if f"<p>{cell}</p>" not in text}
        self.assertEqual(absent, set())
        link = re.search(rf'<small>.*href="_downloads/\w+/{name}.csv".*</a>; (.*)</small>', text)
        self.assertEqual(link[1], note[2:])

    @unittest.skipUnless("COLLAB_NIGHTLY" in os.environ, "nightly")
    def test_as_a_folder_of_ns3s_model_library(self):
        source = self.folder / "source-temp"
        shutil.copytree(DOC, source / "doc")
        (source / "conf.py").write_text(NS3_CONF)
        (source / "replace.txt").write_text(NS3_REPLACE)
        (source / "index.rst").write_text(NS3_INDEX)
        self.build("dummy", source)


@unittest.skipUnless(DOXYGEN, "Doxygen is not installed: comments were not read")
class InterfaceTest(unittest.TestCase):
    """What Doxygen says of the comments of public headers, and the groups that they name."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        environment = {**os.environ, "COLLAB_MODULE": str(DOC.parent)}
        subprocess.run([DOXYGEN, DOC / "Doxyfile"], cwd=cls.folder, env=environment, check=True)

    def test_everything_public_is_documented(self):
        """But overrides, and what C++ asks of a coroutine and Transport of the struct of a message."""
        warnings = (self.folder / "api-warnings.txt").read_text(encoding="utf-8").splitlines()
        overrides = [line for line in warnings if " override (function) of class " in line]
        self.assertGreater(len(overrides), 100)
        known = re.compile(r"Member (await_\w+|promise_type|Fields|KIND|NAME)\b")
        self.assertEqual([line for line in warnings if line not in overrides and not known.search(line)], [])

    def test_there_is_a_page_of_each_group(self):
        used = set()
        for path in DOC.parent.rglob("*.h"):
            used |= set(re.findall(r"@ingroup (collab[\w-]*)", path.read_text(encoding="utf-8")))
        self.assertGreater(len(used), 7)
        pages = {page.name for page in (self.folder / "api").glob("group__*.html")}
        self.assertEqual({f"group__{name}.html" for name in used} - pages, set())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        APPENDICES = Path(sys.argv.pop(1)).resolve()
    succeeded = unittest.main(exit=False).result.wasSuccessful()
    sys.exit((0 if SPHINX else SKIPPED) if succeeded else 1)
