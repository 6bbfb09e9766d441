# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A copy of the project whose module holds all mutants of a draw, each behind a switch, so that one
build serves them all."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import candidates

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
MODULE = "contrib-module/"
SOURCES = ("model", "helper")
ERROR = re.compile(
    r"contrib-module/([\w./-]+\.cc):(\d+):\d+: +(?:(?:fatal )?error:|required from here)"
)
SWITCH = "../tests/mutation/switch.h"  # from the module's folder
MORE_TRIES = 8  # builds until all that does not compile is found


def layer_of(file: str) -> str:
    """The folder of model/ that a source is in, or "helper"."""
    parts = file.split("/")
    return parts[1] if parts[0] == "model" else parts[0]


def read_candidates(project: Path) -> list:
    """All mutants of the module."""
    module = project / MODULE
    files = sorted(f for folder in SOURCES for f in (module / folder).rglob("*.cc"))
    return [
        mutant
        for file in files
        for mutant in candidates.mutants_of(str(file.relative_to(module)), file.read_text())
    ]


class Workshop:
    """The copy: its sources, its build and the mutants in it."""

    def __init__(self, folder: Path, jobs: int, builds_all: bool):
        self.builds_all = builds_all  # not only the test programs
        self.source = folder / "source"
        self.build = self.source / "build"
        self.log = folder / "build.log"
        self.state = folder / "mutants.json"
        self.jobs = jobs
        self.mutants: dict = {}  # by number, which each keeps
        self.unfit: set = set()  # identities of what does not compile

    def prepare(self, choose) -> None:
        """Copy, weave and build; mutants that do not compile are replaced by others. choose(unfit)
        gives the mutants to take."""
        self.copy()
        self.read_state()
        for _ in range(MORE_TRIES):
            self.number(choose(self.unfit))
            self.weave()
            self.write_state()
            if self.compile():
                return
        raise SystemExit(f"mutation: the copy cannot be built: see {self.log}")

    def read_state(self) -> None:
        """Know what was woven in before, and what does not compile, so that as little as possible is
        compiled again."""
        if self.state.is_file():
            state = json.loads(self.state.read_text())
            known = {mutant.identity: mutant for mutant in read_candidates(PROJECT)}
            self.unfit = set(state["unfit"])
            self.mutants = {int(n): known[i] for n, i in state["numbers"].items() if i in known}

    def write_state(self) -> None:
        """What read_state() reads."""
        numbers = {n: mutant.identity for n, mutant in self.mutants.items()}
        self.state.write_text(json.dumps({"numbers": numbers, "unfit": sorted(self.unfit)}))

    def number(self, chosen: list) -> None:
        """Give numbers to those that have none, so that no other source changes."""
        wanted = {mutant.identity for mutant in chosen}
        known = {mutant.identity for mutant in self.mutants.values()}
        first = max(self.mutants, default=-1) + 1
        self.mutants = {n: m for n, m in self.mutants.items() if m.identity in wanted}
        fresh = (mutant for mutant in chosen if mutant.identity not in known)
        self.mutants.update(enumerate(fresh, first))

    def copy(self) -> None:
        """Copy what git knows and is not woven, unless it is there already."""
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True).stdout
        names = set(filter(None, listed.decode().split("\0")))
        for old in [*self.source.glob("tests/**/*.cc"), *self.source.glob("scenarios/**/*.cc")]:
            if str(old.relative_to(self.source)) not in names:
                old.unlink()  # sources are found by their folder
        for name in sorted(names):
            if name.startswith(tuple(MODULE + folder for folder in SOURCES)) and name.endswith(".cc"):
                continue
            original, copy = PROJECT / name, self.source / name
            if original.is_symlink():
                if not copy.is_symlink():
                    copy.symlink_to(os.readlink(original))
            else:
                put(copy, original.read_bytes() if original.is_file() else None)

    def weave(self) -> None:
        """Write each source with the mutants that are in it."""
        files: dict = {}
        for number, mutant in self.mutants.items():
            files.setdefault(mutant.file, {})[number] = mutant
        module = PROJECT / MODULE
        for folder in SOURCES:
            for file in sorted((module / folder).rglob("*.cc")):
                name = str(file.relative_to(module))
                text = woven(file.read_text(), files.get(name, {}), "../" * name.count("/"))
                put(self.source / MODULE / name, text.encode())

    def compile(self) -> bool:
        """Build all test programs; false if mutants did not compile, which are unfit from then on."""
        configure = ["cmake", "--preset", "release", "-S", ".", "-DCOLLAB_EXAMPLES=OFF",
                     "-DCOLLAB_TEST_LISTENER=mutation/listener.cc"]  # fmt: skip
        if not shutil.which("ccache"):
            configure += ["-D", "CMAKE_CXX_COMPILER_LAUNCHER="]
        build = ["cmake", "--build", self.build, "--parallel", str(self.jobs)]
        with open(self.log, "w", encoding="utf-8") as log:
            if not (self.build / "build.ninja").is_file():
                subprocess.run(configure, cwd=self.source, stdout=log, stderr=log, check=True)
            targets = [] if self.builds_all else ["--target", *self.targets()]
            build += [*targets, "--", "-k", "0"]
            done = subprocess.run(build, stdout=log, stderr=log, check=False).returncode == 0
        return done or not self.find_unfit()

    def targets(self) -> list:
        """The test programs."""
        command = ["ninja", "-C", self.build, "-t", "targets", "all"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        names = re.findall(r"^(test-[\w-]+): phony", listed, re.MULTILINE)
        return [name for name in names if not name.endswith("-separately")]

    def find_unfit(self) -> bool:
        """Whether the log of the build names lines of mutants; they are unfit."""
        errors = errors_of(self.log.read_text(encoding="utf-8", errors="replace"))
        found = set()
        for mutant in self.mutants.values():
            text = (PROJECT / MODULE / mutant.file).read_text()
            first = text.count("\n", 0, mutant.begin) + 1
            last = text.count("\n", 0, mutant.end) + 1
            if any((mutant.file, str(line)) in errors for line in range(first, last + 1)):
                found.add(mutant.identity)
        self.unfit |= found
        if not found:
            raise SystemExit(f"mutation: the build fails without naming a mutant: see {self.log}")
        return True


def errors_of(log: str) -> set:
    """(source, line) of all that a log of ninja says of steps that failed: others have warnings."""
    steps = re.split(r"^(?=\[\d+/\d+\] )", log, flags=re.MULTILINE)
    return {found for step in steps if "FAILED: " in step for found in ERROR.findall(step)}


def woven(text: str, numbered: dict, up: str) -> str:
    """A source with its mutants; its lines keep their numbers."""
    for number, mutant in sorted(numbered.items(), key=lambda pair: -pair[1].begin):
        text = text[: mutant.begin] + mutant.woven(number) + text[mutant.end :]
    return f'#include "{up}{SWITCH}"\n#line 1\n' + text if numbered else text


def put(path: Path, content) -> None:
    """Write a file if its content is another; None removes it."""
    if content is None:
        path.unlink(missing_ok=True)
    elif not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
