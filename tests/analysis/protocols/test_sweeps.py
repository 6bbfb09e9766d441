# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow bridge scenarios
"""Protocols in Python as programs: runs, sweeps, comparisons with scenarios in C++."""

import importlib.util
import os
import shutil
import sys
import unittest
from pathlib import Path
from unittest import mock

from protocol_test_case import EXAMPLES, ROOT, ProtocolTestCase
from folder_test_case import PROGRAMS, engine_path

import pandas as pd

import collab
from collab.api.programs import find_executable
from collab.cli import sweep
from collab.cli.project import run
from collab.setup import building
from collab.setup.messages import CommandError
from collab.sweeps.program import Executable
from collab.sweeps.versions import program_digest

SMALL = {"devices": 4, "rounds": 2}
DATA = {"dataSet": "gaussian-classes", "samples": 20, "minimumSamples": 4, "referenceSamples": 20,
        "testSamples": 30, "model": "linear", **SMALL}  # fmt: skip
ALONE = '''
import collab
from pace import EPOCHS


class _Base(collab.Protocol):
    data_set = "gaussian-classes"
    has_learner = True


class Alone(_Base):
    """Each device trains alone."""

    async def round(self):
        self.report(**await self.learner.train(EPOCHS))
'''
ENTRIES = """
schema: 1
parts:
  - name: solitude
    scenario: ../alone.py
    names: {trust: []}
  - name: panel
    scenario: prediction-consensus
    arguments: {lowQuality: none, pretrainingRounds: 1}
"""
AXES = """
axes:
  grid:
    maxOutage: [0.4]
"""


class ProgramTestCase(ProtocolTestCase):
    """Its folder is the current one, and has a protocol with a module of its own."""

    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(self.folder)
        patch = mock.patch.dict(os.environ, PATH=engine_path(self.folder))
        patch.start()
        self.addCleanup(patch.stop)
        Path("alone.py").write_text(ALONE)
        Path("pace.py").write_text("EPOCHS = 1\n")

    def assert_refused(self, pattern, program, function=collab.run, **arguments):
        with self.assertRaisesRegex((collab.ProgramError, collab.SweepError), pattern) as caught:
            function(program, **arguments)
        self.assertNotIn("\n", str(caught.exception))


class RunTest(ProgramTestCase):
    def test_a_run_is_that_of_simulate(self):
        run = collab.run("alone.py", seed=3, **DATA)
        self.assertEqual((run.path.as_posix(), run.scenario), ("runs/alone-1", "alone"))
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        from alone import Alone

        collab.simulate(Alone, into="same", seed=3, **DATA)
        run.path.rename("run")
        one, other = self.digests("run"), self.digests("same")
        self.assertEqual([name for name in one if one[name] != other[name]], [])
        self.assertEqual(collab.run(Alone, seed=3, **DATA).scenario, "alone")

    def test_the_command_runs_a_file(self):
        output = self.run_collab("run", "alone.py", *(f"--{n}={v}" for n, v in DATA.items()))
        self.assertIn("into runs/alone-1", output)
        self.assertEqual(len(collab.load("runs/alone-1").rounds), 8)
        self.assertIn("Each device trains alone.", self.run_collab("run", "alone.py", "--help"))

    def test_commands_build_what_protocols_need(self):
        Path("one.yaml").write_text("schema: 1\nscenario: alone.py\n")
        with mock.patch.dict(os.environ, COLLAB_ROOT=str(ROOT)), \
             mock.patch.object(building, "build_release", return_value=Path("made")) as build, \
             mock.patch.object(run, "become") as become:  # fmt: skip
            del os.environ["COLLAB_BUILD"]
            self.run_command(run.main, "alone.py", "--devices=3")
        words, variables = become.call_args.args
        self.assertEqual(build.call_args.args, (ROOT, "collab-bridge"))
        self.assertEqual(variables["COLLAB_BUILD"], "made")
        self.assertEqual(words[-3:], ["alone.py", "--runDir=runs/alone-1", "--devices=3"])
        with mock.patch.dict(os.environ, COLLAB_ROOT=str(ROOT)), \
             mock.patch.object(building, "build_release", return_value=PROGRAMS.parent) as build:  # fmt: skip
            self.call(sweep.sweep_main, "one.yaml", "--dry-run")
        self.assertEqual(build.call_args.args, (ROOT, "collab-bridge"))
        with mock.patch.object(building.probes, "config", return_value=""), \
             self.assertRaisesRegex(CommandError, "these Debian packages.*: pybind11-dev"):  # fmt: skip
            building.build_bridge(ROOT)

    def test_what_is_no_program(self):
        class Local(collab.Protocol):
            pass

        Path("two.py").write_text(ALONE + "\n\nclass Other(Alone):\n    pass\n")
        Path("none.py").write_text("import collab\n")
        Path("broken.py").write_text("import collab\n(\n")
        Path("eager.py").write_text(ALONE + "\ncollab.run('eager.py')\n")
        for program, pattern in (
            ("nothing.py", "nothing.py: .*No such file"),
            ("none.py", "none.py: no protocol is in it"),
            ("two.py", "two.py: it has the protocols Alone, Other; give FILE.py:CLASS"),
            ("two.py:Third", "it has no protocol Third; allowed: _Base, Alone, Other"),
            ("broken.py", "SyntaxError"),
            ("eager.py", 'only if __name__ is "__main__"'),
            (Local, "Local is no class of a file"),
        ):
            with self.subTest(program=program):
                self.assert_refused(pattern, program)
        self.assert_refused("devices=1 is not allowed", "alone.py", devices=1)
        self.assertEqual(collab.run("two.py:Other", **DATA).scenario, "other")


class SweepTest(ProgramTestCase):
    def test_a_protocol_is_swept_on_two_cores(self):
        given = {"into": "swept", "jobs": 2, "maxOutage": [1e-6, 0.6], **SMALL}
        results = collab.sweep(EXAMPLES / "averaging.py", **given)
        heard = results.to_frame(heard=lambda run: run.rounds["messages_heard"].sum())
        self.assertEqual(list(heard["maxOutage"]), [1e-6, 0.6])
        self.assertEqual(heard["heard"][0], 24)
        self.assertLess(heard["heard"][1], 24)
        spec = importlib.util.spec_from_file_location("averaging", EXAMPLES / "averaging.py")
        module = importlib.util.module_from_spec(spec)
        with mock.patch.dict(sys.modules, averaging=module):
            spec.loader.exec_module(module)
            times = [file.stat().st_mtime_ns for file in sorted(Path("swept").glob("*/run.json"))]
            self.assertEqual(len(collab.sweep(module.Averaging, **given)), 2)
        again = [file.stat().st_mtime_ns for file in sorted(Path("swept").glob("*/run.json"))]
        self.assertEqual(again, times)

    def test_changes_of_what_a_protocol_is_made_of_are_noticed(self):
        built, build = Path(os.environ["COLLAB_BUILD"]).resolve(), self.folder / "build"
        (build / "python").mkdir(parents=True)
        (build / "lib").symlink_to(built / "lib")
        extension = Path(shutil.copy(next(built.glob("python/_collab.*.so")), build / "python"))
        with mock.patch.dict(os.environ, COLLAB_BUILD=str(build)):
            digests = [self.digest()]
            for file in (extension, Path("pace.py"), Path("alone.py")):
                if file.name == "alone.py":
                    collab.sweep("alone.py", run=[1], **DATA)
                with file.open("ab") as end:
                    end.write(b"\n")
                digests.append(self.digest())
            self.assertEqual(len(set(digests)), 4)
            again = {"program": "alone.py", "run": [1, 2], **DATA}
            self.assert_refused("1 of 2 points were done by another", function=collab.sweep, **again)

    def digest(self):
        return program_digest(*find_executable("alone.py").files)

    def test_a_file_is_an_entry_of_sweeps_and_comparisons(self):
        arguments = "".join(f"  {name}: {value}\n" for name, value in DATA.items())
        Path("lists").mkdir()
        Path("lists/protocols.yaml").write_text(ENTRIES)
        Path("both.yaml").write_text(
            f"schema: 1\ninclude: [lists/protocols.yaml]\narguments:\n{arguments}{AXES}seeds: 1..2\n"
        )
        self.run_collab("sweep", "both.yaml", "--programs", PROGRAMS, "--out", "runs")
        runs = sorted(Path("runs").iterdir())
        self.assertEqual([path.name for path in runs], ["both-panel", "both-solitude"])
        listed = ("--protocols", "lists/protocols.yaml", "--csv")
        self.run_collab("compare", *runs, "--out", "compared", *listed)
        points = pd.read_csv("compared/comparison-points.csv", comment="#")
        self.assertEqual(set(points["protocol"]), {"panel", "solitude"})
        self.assertIn("alone", self.run_collab("plot", *runs, "--out", "drawn"))
        self.assertTrue(Path("drawn/accuracy.png").stat().st_size)

    def test_another_program_in_python_is_none(self):
        stand_in = ROOT / "tests/analysis/sweeps/stand_in.py"
        self.assertEqual(find_executable(stand_in), Executable(stand_in))


if __name__ == "__main__":
    unittest.main()
