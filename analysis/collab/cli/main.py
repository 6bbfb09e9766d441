# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Calls a command by its name."""

import importlib
import os
import sys
from dataclasses import dataclass
from typing import Optional, Sequence

from ..setup.building import environment
from ..setup.messages import USAGE, CommandError, warn
from ..setup.packages import install_first, install_missing
from ..setup.project import find_root


@dataclass(frozen=True)
class Command:
    """A command, whose module is loaded when it is called only."""

    module: str
    summary: str
    function: str = "main"
    parser: str = "parser"  # the function that makes its parser
    first: str = ""  # package that it needs before it can tell what else it needs
    installs: bool = False  # whether all that it needs is to be installed before it is called


COMMANDS = {
    "demo": Command("project.demo", "install what is missing, build, run a scenario three ways"),
    "test": Command("project.build", "install what is missing, build, run the tests",
                    "test_main", "test_parser"),
    "build": Command("project.build", "install what is missing, configure and build everything",
                     "build_main", "build_parser"),
    "run": Command("project.run", "build one scenario, or a program of yours, and run it"),
    "plot": Command("plot", "print the results of runs side by side and draw them"),
    "compare": Command("compare", "compare protocols at equal joules, seconds and samples",
                       first="python3-yaml"),
    "collect": Command("collect", "put all finished runs in one SQLite file"),
    "report": Command("report", "write a run or a sweep as one HTML file", installs=True),
    "sweep": Command("sweep", "run what is missing of a sweep", "sweep_main", "sweep_parser",
                     first="python3-yaml"),
    "reproduce": Command("sweep", "run a paper's experiment, print its tables, draw its figures",
                         "reproduce_main", "reproduce_parser", first="python3-yaml"),
    "results": Command("project.results", "what made the documentation's tables, and how old they are",
                       first="python3-yaml"),
    "bench": Command("project.bench", "run the benchmarks and print ratios of their times"),
    "validate": Command("project.validate", "play the radio against closed forms, or a recording"),
    "data": Command("project.data", "the data sets: what is here, and how to get the rest"),
    "docs": Command("project.docs", "build the documentation as HTML pages"),
    "doctor": Command("project.doctor", "what is needed, what is found, what installs the rest"),
    "completion": Command("project.completion", "print what lets bash or zsh complete commands"),
}  # fmt: skip
_HIDDEN = {"validation": Command("validation", "draw the tables of validate")}

_HELP = ("help", "-h", "--help")
_ENVIRONMENT = """\
Environment: COLLAB_PYTHON (default /usr/bin/python3), COLLAB_DATA (folder of data sets, default
             data/ in the project), CMAKE_PREFIX_PATH, CXX, CCACHE_DIR,
             CMAKE_BUILD_PARALLEL_LEVEL (default: one job a core and 2 GB of memory).
"""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command that the first argument names; returns its exit code."""
    name, *words = list(sys.argv[1:] if arguments is None else arguments) or [""]
    if name in _HELP:
        _print_help()
        return 0
    command = {**COMMANDS, **_HIDDEN}.get(name)
    if command is None:
        warn(f"unknown command '{name}'; allowed: {' '.join(COMMANDS)} help")
        return USAGE
    project = find_root()
    if project:
        os.environ.update(environment(project))
    try:
        return _call(name, command, words)
    except CommandError as error:
        warn(str(error))
        return error.code
    except SystemExit as end:  # of a parser
        return end.code
    except KeyboardInterrupt:
        return 130


def _call(name: str, command: Command, words: list) -> int:
    asked = asks_for_help(words)
    if not asked:
        if command.first:
            install_first(command.first)
        if command.installs:
            install_missing(name)
    try:
        module = importlib.import_module(f".{command.module}", __package__)
    except ModuleNotFoundError as error:
        if asked:
            print(f"usage: collab {name} ...\n\n{command.summary}")
            return 0
        raise CommandError(
            f"{name} needs the Python module {error.name}; ./collab doctor tells how to install it"
        ) from None
    return getattr(module, command.function)(words)


def asks_for_help(words: Sequence[str]) -> bool:
    """Whether an option for help is among the words, before what goes to another program."""
    before = words[: words.index("--")] if "--" in words else words
    return any(word in ("-h", "--help") for word in before)


def _print_help() -> None:
    print("Usage: ./collab COMMAND [ARGUMENTS]\n")
    for name, command in COMMANDS.items():
        print(f"  {name:<12}{command.summary}")
    print("  help        this text; ./collab COMMAND --help is a command's\n")
    print(_ENVIRONMENT, end="")
