#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What README.md names exists, and its commands run, with a round or two on little data.

Usage: test_readme.py [BUILD FOLDER]; without the folder no program is run.
"""

import contextlib
import importlib.util
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT / folder) for folder in ("tests/analysis", "tests/compat", "analysis")]
import try_system
from folder_test_case import NIGHTLY, engine_path

from collab.cli.main import main
from collab.cli.project import demo
from collab.sweeps.finished import archive

README = (PROJECT / "README.md").read_text()
EVERY_PROGRAM = {"help", "RngRun", "RngSeed", "PrintCompletion", "recorder"}
BUILD = None
LEARNERS = {"devices": 4, "samples": 80, "testSamples": 50, "model": "mlp:8"}
PASSES = {**LEARNERS, "dataSet": "gaussian-classes", "samples": 15, "referenceSamples": 20,
          "testSamples": 20, "localEpochs": 1, "minimumSamples": 4}  # fmt: skip
# What makes a run of each program small, beside what README gives it
SMALL = {
    "prediction-consensus": {**PASSES, "rounds": 1, "pretrainingRounds": 0},
    "federated": {**PASSES, "rounds": 1},
    "committee": {**LEARNERS, "devices": 20, "rounds": 1},
    "gossip": {**PASSES, "turns": 1},
    "distillation": {**PASSES, "rounds": 1, "pretrainingRounds": 0},
    "belief-consensus": {"devices": 4, "instants": 2},
    "graph-discovery": {**LEARNERS, "devices": 6, "iterations": 20, "rounds": 1, "localSteps": 1},
    "mine": {"ns3::collab::CollaborationApplication::Rounds": 1},
    "any-radio": {"rounds": 1},
    "d2d-traces": {},
}
# The same for the table of pets that write_pets() writes, for which README gives the sizes
PETS = {"partition": "iid"}


def commands():
    """The words of each command in README's blocks of code and in its texts."""
    lines = re.findall(r"^    (.*)$", README, re.MULTILINE) + re.findall(r"`([^`\n]+)`", README)
    found = []
    for line in lines:
        for part in line.split("&&"):
            words = shlex.split(part, comments=True) if part.count('"') % 2 == 0 else []
            words = [word for word in words if word not in ("--dry-run", "--json")]  # of the command itself
            if words and re.match(r"(\./collab|build/\S+|cp)$", words[0]):
                found.append(words)
    return found


def collab(name):
    """The arguments of each command ./collab NAME."""
    return [words[2:] for words in commands() if words[:2] == ["./collab", name]]


def appendix(name):
    """What tests/configuration/write_appendices.py has written for a page."""
    return (BUILD / "appendices" / f"{name}.rst").read_text(encoding="utf-8")


def rows_of(program):
    """The arguments of a program: name to choices, none if any value will do."""
    text = appendix("collab-scenario-arguments")
    section = re.search(rf"^{program}\n-+\n(.*?)(?=^\S+\n-+$|\Z)", text, re.M | re.S)
    rows = {}
    for row in section[1].split("\n   * - ")[1:]:
        name, _, values, *_ = (cell.strip() for cell in re.split(r"\n     -", row))
        listed = re.fullmatch(r"``[^`]*``(, ``[^`]*``)+", values)
        rows[name.strip("`")] = re.findall(r"``([^`]*)``", values) if listed else None
    return rows


class Caller(unittest.TestCase):
    def analysis(self, *arguments, folder=None):
        """What a command of ./collab prints in this process, which saves its imports; it ends well."""
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder or before)
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                code = main([*arguments])
            except SystemExit as end:  # of --help
                code = end.code
        os.chdir(before)
        self.assertFalse(code, f"{arguments}: {output.getvalue()}")
        return output.getvalue()

    def run_in(self, folder, environment, *command):
        result = subprocess.run(
            command, cwd=folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        self.assertEqual(result.returncode, 0, f"{command}: {result.stdout}")
        return result.stdout


class ReadmeTest(Caller):
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
        if BUILD is None:
            self.skipTest("no build folder was given")
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
        section = re.search(rf"^{type_id}\n~+\n(.*?)(?=^ns3::|\Z)", appendix("collab-attributes"), re.M | re.S)
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


class CommandsTest(Caller):
    """The commands of README in one folder, in their order, by programs that are built already."""

    def setUp(self):
        if BUILD is None:
            self.skipTest("no build folder was given")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.made = 0  # runs that README gives no folder
        write_matrix(self.folder / "outage.csv", SMALL["prediction-consensus"]["devices"])
        write_pets(self.folder / "pets.csv")

    def test_commands_run(self):
        done = dict.fromkeys(("run", "plot", "report", "data", "sweep", "example"), 0)
        for words in commands():
            name = words[1] if words[0] == "./collab" else "example"
            known = hasattr(self, f"do_{name}")
            if known and (name != "example" or words[0].startswith("build/examples/")):
                with self.subTest(command=shlex.join(words)):
                    done[name] += getattr(self, f"do_{name}")(words)
        self.assertGreaterEqual(done.pop("run"), 12)
        self.assertGreaterEqual(done.pop("plot"), 2)
        self.assertTrue(all(done.values()), done)

    def do_run(self, words):
        program, *arguments = words[2:]
        if arguments and "--help" not in arguments:
            self.assertIn(program, SMALL)
            arguments = self.small(program, arguments, PETS if "pets" in shlex.join(arguments) else {})
            if not any(word.startswith("--runDir=") for word in arguments):
                self.made += 1
                arguments.append(f"--runDir=runs/{program}-{self.made}")
        self.run_in(self.folder, None, self.program(program), *arguments)
        return 1

    def small(self, program, arguments, more=()):
        given = {word.partition("=")[0] for word in arguments}
        settings = {**SMALL[program], **dict(more)}
        return arguments + [f"--{k}={v}" for k, v in settings.items() if f"--{k}" not in given]

    def program(self, name):
        if name == "mine":  # a copy of the example, see README
            return BUILD / "examples" / "hello-algorithm"
        kind = "scenarios" if (BUILD / "scenarios" / name).exists() else "examples"
        return BUILD / kind / name

    def do_example(self, words):
        name = Path(words[0]).name
        self.run_in(self.folder, None, self.program(name), *self.small(name, words[1:]))
        return 1

    def do_plot(self, words):
        """Plots of runs that were made here; those of demo and sweeps are not."""
        runs = [word for word in words[2:] if word.startswith("runs/")]
        if not all((self.folder / run).exists() for run in runs):
            return 0
        self.analysis(*words[1:], folder=self.folder)
        return 1

    def do_report(self, words):
        self.analysis(*words[1:], folder=self.folder)
        return 1

    do_data = do_report

    def do_sweep(self, words):
        told = self.analysis(*words[1:], "--dry-run", f"--programs={BUILD / 'scenarios'}", folder=self.folder)
        self.assertIn("8 points", told)
        return 1

    def test_the_protocol_in_python_is_an_example(self):
        _, block = re.findall(r"```python\n(.*?)```", README, re.S)
        example = (PROJECT / "examples/averaging.py").read_text()
        self.assertTrue(block.startswith("import collab\n"))
        self.assertIn(block.rstrip() + "\n\n\nif __name__", example)

    def test_python_runs(self):
        missing = [name for name in ("pandas", "xarray") if not importlib.util.find_spec(name)]
        if missing:
            self.skipTest(f"{missing} are not installed")
        block, _ = re.findall(r"```python\n(.*?)```", README, re.S)
        program = PYTHON.format(small=SMALL["prediction-consensus"], block=block)
        environment = {**os.environ, "PYTHONPATH": str(PROJECT / "analysis"), "COLLAB_BUILD": str(BUILD),
                       "COLLAB_ROOT": str(PROJECT), "PATH": engine_path(self.folder)}  # fmt: skip
        told = self.run_in(self.folder, environment, sys.executable, "-c", program)
        self.assertIn("rows 6", told)


class DemoTest(Caller):
    """The tables of ./collab demo as README has them: those of kept runs, and of runs now, nightly of all kinds
    of trust, otherwise of local training."""

    def test_tables_are_those_of_kept_runs(self):
        kept = archive.read(PROJECT / "scenarios/recorded/prediction-consensus/demo.tar.xz")
        with tempfile.TemporaryDirectory() as folder:
            for files in kept.values():
                run = json.loads(files["run.json"])
                trust = run["parameters"]["trust"]
                if run["run"] == 1 and trust in demo.TRUSTS:
                    (Path(folder) / trust).mkdir()
                    for name in ("run.json", "rounds.csv", "messages.csv", "energy.csv", "columns.csv"):
                        (Path(folder) / trust / name).write_bytes(files[name])
            self.assertEqual(rows_by_trust(self.analysis("plot", folder)), rows_by_trust(README))

    def test_tables_are_those_of_the_demo(self):
        if BUILD is None:
            self.skipTest("no build folder was given")
        trusts = demo.TRUSTS if NIGHTLY else ("local",)
        with tempfile.TemporaryDirectory() as folder:
            for trust in trusts:
                self.run_in(folder, None, BUILD / "scenarios" / demo.SCENARIO, f"--trust={trust}", f"--runDir={trust}")
            told = rows_by_trust(self.analysis("plot", folder))
        written = rows_by_trust(README)
        self.assertEqual([trust for trust, *_ in written], [*demo.TRUSTS] * 2)
        # Accuracies differ by kinds of processors; seconds, joules and bytes do not
        accuracies, costs = written[: len(demo.TRUSTS)], written[len(demo.TRUSTS) :]
        expected = [(row, delta) for table, delta in ((accuracies, 0.03), (costs, 0.0))
                    for row in table if row[0] in trusts]  # fmt: skip
        self.assertEqual(len(told), len(expected))
        for (kind, *seen), ((trust, *values), delta) in zip(told, expected):
            self.assertEqual((kind, len(seen)), (trust, len(values)))
            for one, other in zip(seen, values):
                with self.subTest(trust=trust, value=other):
                    self.assertAlmostEqual(number(one), number(other), delta=delta)


def rows_by_trust(text):
    """The words of each row of tables that begins with a kind of trust."""
    lines = (line.split() for line in text.splitlines())
    return [words for words in lines if words and words[0] in demo.TRUSTS and number(words[-1]) is not None]


def number(word):
    """What a cell says: -1 for nothing, None if it is no cell."""
    try:
        return -1.0 if word == "-" else float(word)
    except ValueError:
        return None


# README's block with small runs: the module is the same that it imports
PYTHON = """
import collab
for name in ("run", "sweep"):
    def call(*words, real=getattr(collab, name), **given):
        return real(*words, **{{**given, **{small}}})
    setattr(collab, name, call)
{block}
print("rows", len(results.to_frame("accuracy_reference", "energy")), set(results.to_xarray("energy").dims))
"""


def write_matrix(file, size):
    """An outage of 0.2 for each pair of devices."""
    file.write_text(f"{','.join(['0.2'] * size)}\n" * size)


def write_pets(file):
    """A table of 450 pets of three kinds, which differ by weight."""
    draw = random.Random(1)
    rows = [(draw.gauss(weight, 1), draw.gauss(0, 1), kind)
            for kind, weight in (("cat", 4), ("dog", 9), ("emu", 14)) for _ in range(150)]  # fmt: skip
    draw.shuffle(rows)
    file.write_text("weight,age,kind\n" + "".join(f"{w:.3f},{a:.3f},{k}\n" for w, a, k in rows))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
