# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command bench: the benchmarks, as ratios of times in one run."""

import subprocess
import sys
from pathlib import Path
from typing import Sequence

from ...setup import probes
from ...setup.building import build_release, environment
from ...setup.messages import CommandError, usage_error
from ...setup.packages import install_missing
from ...setup.project import root
from ..arguments import OneLineParser

BENCHMARKS = ("learning", "consensus", "graphs", "wireless")  # program collab-bench-<name> of each
_SCRIPTS = {  # that measure other programs: script and what it needs built
    "cells": ("learning_cells.py", "collab-bench-cells"),
    "python": ("python_protocols.py", "collab-bench-python"),
    "scale": ("devices_scale.py", "federated", "gossip"),
}
_ALLOWED = f"[PROGRAM] [FILTER], PROGRAM one of: {' '.join((*BENCHMARKS, *_SCRIPTS))}"
_MEASURING = (
    "--benchmark_repetitions=3",
    # So that what else the machine does hits both sides of a ratio
    "--benchmark_enable_random_interleaving=true",
    "--benchmark_min_time=0.2",
)


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab bench",
        usage="collab bench [-h] [PROGRAM] [FILTER]",
        description="Build and run the benchmarks, three times each, and print ratios of their"
        " times.",
        allowed=_ALLOWED,
    )
    made.add_argument(
        "words",
        nargs="*",
        metavar="PROGRAM, FILTER",
        help=f"one of: {' '.join(BENCHMARKS)} (default: all), and a regular expression of names; or"
        " cells: training of clients beside PyTorch and the processor's limit; python: protocols in Python"
        " beside C++; or scale: a run by its number of devices",
    )
    return made


def main(arguments: Sequence[str]) -> int:
    """Runs benchmarks; returns the exit code."""
    names, pattern = _parse(arguments)
    project = root()
    install_missing("bench")
    _find_library(project)
    if names[0] in _SCRIPTS:
        script, *needed = _SCRIPTS[names[0]]
        build = build_release(project, *needed)
        command = [sys.executable, project / "tests/benchmarks" / script, build]
        return subprocess.run(command, check=False, env=environment(project)).returncode
    build = build_release(project, *(f"collab-bench-{name}" for name in names))
    results = []
    for name in names:
        results += _measure(project, build, name, pattern)
    command = [sys.executable, project / "tests/benchmarks/print_ratios.py", *results]
    return subprocess.run(command, check=False).returncode


def _parse(arguments: Sequence[str]) -> tuple:
    """The benchmarks to run, and the filter."""
    words = parser().parse_args(arguments).words
    names = list(BENCHMARKS)
    if words and words[0] in (*BENCHMARKS, *_SCRIPTS):
        names = [words.pop(0)]
    if len(words) > 1:
        raise usage_error(f"bench was given '{words[1]}' too much; allowed: {_ALLOWED}")
    return names, words[0] if words else "."


def _find_library(project: Path) -> None:
    """Makes the build folder know Google Benchmark, if that was installed after it was
    configured."""
    if not probes.config("benchmark"):
        raise CommandError("bench needs Google Benchmark (Debian package libbenchmark-dev)")
    cache = project / "build/CMakeCache.txt"
    lines = cache.read_text(encoding="utf-8").splitlines() if cache.is_file() else []
    if any(line.startswith("benchmark_DIR:") and line.endswith("NOTFOUND") for line in lines):
        (project / "build/build.ninja").unlink(missing_ok=True)


def _measure(project: Path, build: Path, name: str, pattern: str) -> list:
    """Files with the times of a program, and of its baseline if it has one."""
    results = [build / f"bench-{name}.json"]
    command = [build / "tests/benchmarks" / f"collab-bench-{name}"]
    command += [f"--benchmark_filter={pattern}", *_MEASURING, f"--benchmark_out={results[0]}"]
    if subprocess.run(command, env=environment(project), check=False).returncode != 0:
        raise CommandError(f"the benchmarks of {name} failed")
    baseline = project / "tests/benchmarks" / f"{name}_baseline.py"
    if baseline.is_file():
        results.append(build / f"bench-{name}-baseline.json")
        command = [sys.executable, baseline, f"--filter={pattern}", f"--out={results[-1]}"]
        if subprocess.run(command, env=environment(project), check=False).returncode != 0:
            raise CommandError(f"the baseline of {name} failed")
    return results
