# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what is told of the documentation's results, with a stand-in for the scenario."""

import contextlib
import io
import json
import shutil
import subprocess
from dataclasses import replace
from unittest import mock

from stand_in import VERSIONS
from test_sweep_run import SweepTestCase

from collab.cli.project import results
from collab.sweeps.finished.excerpt import Excerpt
from collab.sweeps.finished.kept import Result, find_changes, list_results, sample
from collab.sweeps.texts import SweepError

REPRODUCTION = "{schema: 1, title: a, source: b, sweeps: small, plots: [''], pages: {PAGES}}"
SWEEP = "schema: 1\nscenario: stand-in\naxes: {grid: {rounds: [3, 4]}}\n"


class KeptTest(SweepTestCase):
    """A project with a reproduction, small, whose table is of the first of three commits."""

    def setUp(self):
        super().setUp()
        self.project = self.folder / "project"
        self.scenarios = self.project / "scenarios"
        self.write_text("scenarios/sweeps/small.yaml", SWEEP)
        self.write_text("scenarios/reproductions/small.yaml",
                        REPRODUCTION.replace("PAGES", "results/small.csv: small-table.csv"))
        self.write_text("scenarios/reproductions/none.yaml", REPRODUCTION.replace("{PAGES}", "{}"))
        self.git("init", "--quiet")
        first = self.commit("scenarios/program.cc")
        self.commit("contrib-module/model/program.cc")
        self.commit("contrib-module/doc/page.rst")
        self.first = first[:12]
        self.tell(f"runs by ns-3 collab 0.1.0 at commit {self.first}; analysis at commit 0123456789ab")

    def write_text(self, path, text):
        """Writes a file of the project."""
        (self.project / path).parent.mkdir(parents=True, exist_ok=True)
        (self.project / path).write_text(text)

    def git(self, *words):
        """What a command of git prints in the project."""
        command = ["git", "-C", self.project, "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, path):
        """Adds a file; returns the commit."""
        self.write_text(path, "")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message=a")
        return self.git("rev-parse", "HEAD")

    def tell(self, stamp):
        """Writes the table's first line."""
        self.write_text("contrib-module/doc/results/small.csv", f"# collab plot, small: {stamp}\n1\n")

    def find(self):
        """What is told of the reproduction."""
        (result,) = list_results(self.project, [])
        return result

    def check(self):
        """The exit code of ./collab results --check with programs that are built, and its last line."""
        replaced = {"root": lambda: self.project, "install_missing": lambda command: None,
                    "build_release": lambda *words, **options: self.project / "build"}  # fmt: skip
        with mock.patch.multiple(results, **replaced):
            code, output, _ = self.run_command(results.main, "--check")
        return code, output.splitlines()[-1]

    @staticmethod
    def shorten(program, condition):
        """Lets a stand-in play fewer rounds if a condition holds."""
        start = "\ndef write_run(values):\n"
        text = program.read_text()
        program.write_text(text.replace(start, f"{start}    if {condition}:\n        values['rounds'] = '2'\n", 1))

    def test_a_result_is_as_old_as_its_oldest_runs(self):
        self.assertEqual(self.find(), Result("small", [self.first], 1, None))
        second = self.git("rev-parse", "HEAD~1")[:12]
        self.tell(f"runs by ns-3 collab of 2 commits (runs): 0.1.0 at commit {second} (1), 0.1.0 at {self.first} (1)")
        self.assertEqual(self.find().commits, [second, self.first])
        self.assertEqual(self.find().behind, 1)

    def test_a_commit_that_is_not_there_has_no_age(self):
        self.tell("ns-3 collab 0.1.0; commit feedfeedfeed")
        self.assertEqual(self.find(), Result("small", ["feedfeedfeed"], None, None))
        self.tell("no commit")
        self.assertEqual(self.find(), Result("small", [], None, None))

    def test_a_kept_run_is_repeated_with_its_kernels(self):
        for blas, kernels in (("", "Haswell"), ("OpenBLAS 0.3.21 (SkylakeX)", "SkylakeX")):
            with self.subTest(kernels=kernels):
                (self.programs / "versions").write_text(json.dumps({**VERSIONS, "sources": kernels, "blas": blas}))
                archive = self.folder / f"{kernels}.tar.xz"
                self.sweep("--pack", archive, "--redo-other-version", file=self.scenarios / "sweeps/small.yaml")
                programs = self.project / kernels / "scenarios"
                shutil.copytree(self.programs, programs)
                self.shorten(programs / "stand-in", f"os.environ['OPENBLAS_CORETYPE'] != '{kernels}'")
                (point,) = sample("small", self.scenarios)
                self.assertEqual(find_changes(replace(self.find(), archive=archive), point, programs), [])

    def test_a_kept_run_is_the_same_or_not(self):
        archive = self.scenarios / "recorded" / "small.tar.xz"
        self.sweep("--pack", archive, file=self.scenarios / "sweeps/small.yaml")
        result = self.find()
        self.assertEqual(result.archive, archive)
        seconds = [json.loads(file.read_text())["seconds"] for file in self.folder.rglob("points/*.json")]
        self.assertEqual(len(seconds), 2)
        with contextlib.redirect_stdout(io.StringIO()) as output:
            results.print_results([result, replace(result, archive=None, behind=0), replace(result, behind=None)])
        hours = f"{2 * sum(seconds) / 3600:.1f}"
        self.assertEqual(output.getvalue().splitlines()[3], f"2 of 3 keep their runs, of {hours} h; 1 are 0 behind")
        self.assertAlmostEqual(result.hours, sum(seconds) / 3600)
        programs = self.project / "build" / "scenarios"
        shutil.copytree(self.programs, programs)
        (point,) = sample("small", self.scenarios)
        self.assertEqual(point.arguments, {"rounds": "3"})
        self.assertEqual(find_changes(result, point, programs), [])
        self.assertEqual(find_changes(replace(result, keeps={"rounds": Excerpt(("round",))}), point, programs),
                         ["rounds.csv"])  # fmt: skip
        self.assertEqual(self.check(), (0, f"small {point.digest}: the same"))
        program = programs / "stand-in"
        self.shorten(program, "True")
        self.assertEqual(find_changes(result, point, programs), ["rounds.csv"])
        self.assertEqual(self.check(), (1, f"small {point.digest}: rounds.csv"))
        program.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
        with self.assertRaisesRegex(SweepError, "stand-in .*: broken"):
            find_changes(result, point, programs)
        self.assertEqual(self.check(), (1, f"small {point.digest}: stand-in {point.digest}: broken"))
        self.write_text("scenarios/sweeps/small.yaml", SWEEP.replace("3, 4", "5"))
        (other,) = sample("small", self.scenarios)
        with self.assertRaisesRegex(SweepError, "small.tar.xz has no run"):
            find_changes(result, other, programs)
