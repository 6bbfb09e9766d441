#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What README.md names exists, and its quick commands run.

Usage: test_readme.py [BUILD FOLDER]; without the folder no program is run.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tests/compat"))
import try_system

README = (PROJECT / "README.md").read_text()
ARGUMENTS = (PROJECT / "contrib-module/doc/collab-scenario-arguments.rst").read_text()
ATTRIBUTES = (PROJECT / "contrib-module/doc/collab-attributes.rst").read_text()
EVERY_PROGRAM = {"help", "RngRun", "RngSeed", "PrintCompletion", "recorder"}
BUILD = None


def commands():
    """The words of each command in README's blocks of code and in its texts."""
    lines = re.findall(r"^    (.*)$", README, re.MULTILINE) + re.findall(r"`([^`\n]+)`", README)
    found = []
    for line in lines:
        for part in line.split("&&"):
            words = shlex.split(part, comments=True) if part.count('"') % 2 == 0 else []
            if words and re.match(r"(\./collab|build/\S+|cp)$", words[0]):
                found.append(words)
    return found


def collab(name):
    """The arguments of each command ./collab NAME."""
    return [words[2:] for words in commands() if words[:2] == ["./collab", name]]


def rows_of(program):
    """The arguments of a program: name to choices, none if any value will do."""
    section = re.search(rf"^{program}\n-+\n(.*?)(?=^\S+\n-+$|\Z)", ARGUMENTS, re.M | re.S)
    rows = {}
    for row in section[1].split("\n   * - ")[1:]:
        name, _, values, *_ = (cell.strip() for cell in re.split(r"\n     -", row))
        listed = re.fullmatch(r"``[^`]*``(, ``[^`]*``)+", values)
        rows[name.strip("`")] = re.findall(r"``([^`]*)``", values) if listed else None
    return rows


class ReadmeTest(unittest.TestCase):
    def test_table_of_systems_is_what_was_seen(self):
        seen = json.loads((PROJECT / "tests/compat/seen.json").read_text())
        self.assertTrue(all(len(row) == len(try_system.COLUMNS) for row in seen.values()))
        written = try_system.BEGIN + try_system.table(seen) + try_system.END
        self.assertIn(written, README, "tests/compat/try_system.py --table writes it")

    def test_links_lead_somewhere(self):
        links = re.findall(r"\]\(([^)#]+)[^)]*\)", README)
        self.assertGreater(len(links), 20)
        for link in links:
            if "://" not in link:
                with self.subTest(link=link):
                    self.assertTrue((PROJECT / link).exists())

    def test_commands_of_collab_exist(self):
        known = re.findall(r"^  (\w+) ", self.analysis("help"), re.M)
        named = {words[1] for words in commands() if words[0] == "./collab"}
        self.assertGreater(len(named), 8)
        self.assertEqual(named - set(known), set())

    def test_programs_and_their_arguments_exist(self):
        for program, *arguments in collab("run"):
            if program == "mine":  # the copy of an example
                continue
            rows = rows_of(program)
            for argument in arguments:
                with self.subTest(program=program, argument=argument):
                    self.check(argument[2:], rows)

    def check(self, argument, rows):
        name, _, value = argument.partition("=")
        if name.startswith("ns3::"):
            self.check_attribute(*name.rsplit("::", 1))
            nested = re.match(r"(ns3::[\w:]+)\[(\w+)=", value)
            if nested:
                self.check_attribute(*nested.groups())
        elif name not in EVERY_PROGRAM:
            self.assertIn(name, rows)
            if rows[name] is not None:
                self.assertIn(value, rows[name])

    def check_attribute(self, type_id, attribute):
        section = re.search(rf"^{type_id}\n~+\n(.*?)(?=^ns3::|\Z)", ATTRIBUTES, re.M | re.S)
        self.assertIsNotNone(section, type_id)
        self.assertIn(f"   * - ``{attribute}``\n", section[1])

    def test_sweeps_and_reproductions_exist(self):
        for command, folder in (("sweep", "sweeps"), ("reproduce", "reproductions")):
            names = [words[0] for words in collab(command) if words and words[0][0] != "-"]
            self.assertTrue(names)
            for name in names:
                with self.subTest(name=name):
                    self.assertTrue((PROJECT / "scenarios" / folder / f"{name}.yaml").exists())

    def test_examples_exist(self):
        named = re.findall(r"build/examples/([\w-]+)|examples/([\w-]+)\.cc", README)
        for name in filter(None, sum(named, ())):
            with self.subTest(example=name):
                self.assertTrue((PROJECT / "examples" / f"{name}.cc").exists())

    def test_options_of_plot_exist(self):
        known = self.analysis("plot", "--help")
        for words in collab("plot"):
            for word in words:
                if word.startswith("--"):
                    with self.subTest(option=word):
                        self.assertIn(word, known)

    def analysis(self, *arguments, folder=None):
        environment = {**os.environ, "PYTHONPATH": str(PROJECT / "analysis")}
        return self.run_in(folder, environment, sys.executable, "-m", "collab", *arguments)

    def run_in(self, folder, environment, *command):
        result = subprocess.run(
            command, cwd=folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def test_runs_can_be_made_and_plotted(self):
        """Those that write a folder, with one round each, and the plots of these."""
        if BUILD is None:
            self.skipTest("no build folder was given")
        with tempfile.TemporaryDirectory() as folder:
            made = set()
            for program, *arguments in collab("run"):
                folders = [word[9:] for word in arguments if word.startswith("--runDir=")]
                if not folders:
                    continue
                self.run_in(folder, None, *self.quick(program), *arguments)
                made.update(folders)
            self.assertEqual(len(made), 4)
            for words in collab("plot"):
                if set(words) <= made:
                    self.analysis("plot", *words, folder=folder)

    def quick(self, program):
        rounds = "--ns3::collab::CollaborationApplication::Rounds=1"
        if program == "mine":
            return BUILD / "examples" / "hello-algorithm", rounds
        return BUILD / "scenarios" / program, "--rounds=1", "--pretrainingRounds=0"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
