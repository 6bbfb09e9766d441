# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios
"""Every registered sweep at every scale gives its scenario only arguments and values that it takes."""

import unittest
from functools import lru_cache
from unittest import mock

from folder_test_case import PROGRAMS, ROOT

from collab.sweeps import expand
from collab.sweeps import program as program_module
from collab.sweeps.definition import load_sweeps, scales_of
from collab.sweeps.program import Executable, check_program
from collab.sweeps.texts import SweepError

SWEEPS = ROOT / "scenarios" / "sweeps"
NAMES = [str(file.relative_to(SWEEPS))[:-5] for file in sorted(SWEEPS.rglob("*.yaml")) if file.parent.name != "parts"]


class Answers:
    """What programs say of themselves, asked once; options that they are given are kept for later."""

    def __init__(self, ask):
        self.ask = ask
        self.listed = lru_cache(None)(lambda file: ask(Executable(file), []))
        self.options = {}  # of each program, each once, with the sweep that has it first

    def __call__(self, program, options, where=""):
        for option in options:
            self.options.setdefault(program.file, {}).setdefault(option, where)
        return self.listed(program.file)


class EverySweepTest(unittest.TestCase):
    def test_programs_take_all_arguments_at_all_scales(self):
        self.assertGreater(len(NAMES), 60)
        answers = Answers(program_module._ask)
        with mock.patch.object(program_module, "_ask", answers):
            for name in NAMES:
                file = SWEEPS / f"{name}.yaml"
                for scale in scales_of(file):
                    with self.subTest(name=name, scale=scale):
                        for sweep in load_sweeps(name, file, scale):
                            self.assertTrue(expand(sweep))
                            check_program(sweep, Executable(PROGRAMS / sweep.scenario))
        for file, options in answers.options.items():
            with self.subTest(file=file):
                self.check_values(answers, file, options)

    def test_scales_keep_the_axes_that_the_file_does_not_fix_itself(self):
        """As an included file might: a search that has lost its axis would say nothing."""
        for name in NAMES:
            file = SWEEPS / f"{name}.yaml"
            text = file.read_text()
            usual = {sweep.name: sweep for sweep in load_sweeps(name, file)}
            for sweep in load_sweeps(name, file, "paper") if "paper" in scales_of(file) else ():
                with self.subTest(name=sweep.name):
                    known = usual[sweep.name.removesuffix("-paper")]
                    lost = set(known.axes()) - set(sweep.axes())
                    fixed = {axis for axis in lost if f"{axis}: {sweep.arguments.get(axis)}\n" in text}
                    self.assertEqual(lost - fixed, set())

    def check_values(self, answers, file, options):
        """All at once; if they are refused, one by one, so that each wrong one is told."""
        try:
            answers.ask(Executable(file), list(options))
        except SweepError:
            for option, where in options.items():
                with self.subTest(option=option):
                    answers.ask(Executable(file), [option], where)
