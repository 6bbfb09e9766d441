# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command run: builds a program and becomes it."""

import os
import sys
from pathlib import Path
from typing import Sequence

from ...setup import blas
from ...setup.building import build_release, environment
from ...setup.messages import warn
from ...setup.project import folder_of_program, new_run_folder, root
from ..arguments import OneLineParser


def parser() -> OneLineParser:
    """The parser of the command's own arguments; all others are the program's."""
    made = OneLineParser(
        prog="collab run",
        usage="collab run [-h] PROGRAM [OPTIONS]",
        description="Build one scenario, or one of your own programs in scratch/, and run it here,"
        " into runs/PROGRAM-<n> unless --runDir is given.",
        epilog="The options of a program: ./collab run PROGRAM --help",
    )
    made.add_argument("program", metavar="PROGRAM", help="of scenarios/ or scratch/")
    return made


def main(arguments: Sequence[str]) -> int:
    """Builds a program and runs it in the place of this process."""
    words = list(arguments)
    name = parser().parse_args(words[:1]).program
    project = root()
    kind = folder_of_program(project, name)
    blas.check()
    folder = build_release(project, name, output=sys.stderr)
    into = new_run_folder(project, name, kind, words[1:])
    options = words[1:]
    if into:
        warn(f"into {into}")
        options = [f"--runDir={into}", *options]
    become(folder / kind / name, options, environment(project))
    return 1


def become(program: Path, options: Sequence[str], variables: dict) -> None:
    """Replaces this process by a program, which signals then reach without a detour."""
    sys.stdout.flush()
    os.execve(program, [str(program), *options], variables)
