# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs tests of a woven copy: first all of them to see which reach which mutant, then for each mutant
those that reach it until one fails."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SLOWEST = 1800  # seconds that a program may take without a mutant
LONGEST_FILTER = 90_000  # characters; longer ones are no filter at all


@dataclass
class Case:
    """A case of GoogleTest."""

    name: str
    seconds: float
    reached: set


@dataclass
class Program:
    """A test that can be run with a mutant: a GoogleTest program, or any other command of CTest."""

    name: str
    command: list
    folder: Path
    variables: dict
    is_google: bool
    cases: list = field(default_factory=list)
    startup: set = field(default_factory=set)
    reached: set = field(default_factory=set)
    seconds: float = 0
    failed: list = field(default_factory=list)  # cases that fail without a mutant: not run again

    def filter_for(self, mutant: int) -> str:
        """The cases that reach a mutant; empty for all."""
        names = [case.name for case in self.cases if mutant in case.reached]
        text = ":".join(names)
        if names and len(names) < len(self.cases) and len(text) < LONGEST_FILTER:
            return text
        own = self.command_filter()
        return own + (":" if "-" in own else "-") + ":".join(self.failed) if self.failed else own

    def command_filter(self) -> str:
        """The filter that CTest gives the program."""
        return next((word.split("=", 1)[1] for word in self.command
                     if word.startswith("--gtest_filter=")), "")  # fmt: skip

    def seconds_for(self, mutant: int) -> float:
        """What running it with a mutant will take without a failure."""
        if not self.is_google or mutant in self.startup:
            return self.seconds
        return 0.5 + sum(case.seconds for case in self.cases if mutant in case.reached)

    def reaches(self, mutant: int) -> bool:
        """Whether any of it reaches a mutant."""
        return mutant in self.reached


def read_programs(build: Path, wanted: re.Pattern, others: bool) -> list:
    """The GoogleTest programs, or all tests, of CTest whose names match and that are not nightly."""
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, capture_output=True)
    programs = []
    for test in json.loads(shown.stdout)["tests"]:
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        command = test.get("command", [])
        if not wanted.fullmatch(test["name"]) or "nightly" in properties.get("LABELS", []) or not command:
            continue
        variables = dict(one.split("=", 1) for one in properties.get("ENVIRONMENT", []))
        folder = Path(properties.get("WORKING_DIRECTORY", build))
        is_google = Path(command[0]).name.startswith("test-") and "--gtest_brief=1" in command
        if is_google or others:
            programs.append(Program(test["name"], command, folder, variables, is_google))
    return programs


def run(program: Program, limit: float, variables: dict, words=()) -> str:
    """Empty if a program passes; else how it failed."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as temporary:
        everything = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                      **program.variables, **variables, "TMPDIR": temporary}  # fmt: skip
        command = [word for word in program.command if not (words and "--gtest_filter" in word)]
        folder = temporary if program.is_google else program.folder
        with subprocess.Popen([*command, *words], cwd=folder, env=everything, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace",
                              stderr=subprocess.STDOUT, start_new_session=True) as process:  # fmt: skip
            try:
                output = process.communicate(timeout=limit)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return "time"
            if process.returncode == 0:
                return ""
            failed = re.search(r"\[  FAILED  \] ([^\s,]+)", output)
            return failed[1] if failed else f"exit {process.returncode}"


def find_reached(program: Program, marks: Path) -> None:
    """Run a program without a mutant and note what it reaches, unless that was done since it was
    built."""
    cases = marks.with_suffix(".cases")
    binary = Path(program.command[0])
    if not (cases.is_file() and cases.stat().st_mtime > binary.stat().st_mtime):
        marks.write_bytes(bytes(4096))
        unfinished = marks.with_suffix(".unfinished")
        begin = time.monotonic()
        failure = run(program, SLOWEST, {"COLLAB_MUTATION_MARKS": str(marks),
                                         "COLLAB_MUTATION_CASES": str(unfinished)})  # fmt: skip
        if not program.is_google:
            numbers = (str(number) for number, mark in enumerate(marks.read_bytes()) if mark)
            seconds = time.monotonic() - begin
            unfinished.write_text(f"{program.name}\t{seconds}\t{bool(failure):d}\t{' '.join(numbers)}\n")
        unfinished.rename(cases)
    read_reached(program, cases)


def read_reached(program: Program, file: Path) -> None:
    """Read what the listener wrote: name, seconds, whether it failed, and mutants of each case."""
    for row in file.read_text().splitlines():
        name, seconds, failed, reached = row.split("\t")
        numbers = set(map(int, reached.split()))
        if name == "startup":
            program.startup = numbers
        elif failed == "1":
            program.failed.append(name)
            continue
        else:
            program.cases.append(Case(name, float(seconds), numbers | program.startup))
        program.reached |= numbers
    program.seconds = sum(case.seconds for case in program.cases)


def try_mutant(program: Program, mutant: int) -> str:
    """Empty if a program passes with a mutant; else how it failed."""
    words = []
    if program.is_google:
        chosen = program.filter_for(mutant)
        words = ["--gtest_fail_fast", *([f"--gtest_filter={chosen}"] if chosen else [])]
    limit = 20 + 6 * program.seconds_for(mutant)
    return run(program, limit, {"COLLAB_MUTANT": str(mutant)}, words)
