# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command run: builds a program and becomes it."""

import os
import sys
from pathlib import Path
from typing import Optional, Sequence

from ...setup import blas
from ...setup.building import build_bridge, build_release, environment
from ...setup.messages import usage_error, warn
from ...setup.project import folder_of_program, new_folder, new_run_folder, root
from ...sweeps.program import starter
from ...sweeps.protocol_file import file_of, is_protocol
from ..arguments import OneLineParser


def parser() -> OneLineParser:
    """The parser of the command's own arguments; all others are the program's."""
    made = OneLineParser(
        prog="collab run",
        usage="collab run [-h] PROGRAM [OPTIONS]",
        description="Build one scenario, one of your own programs in scratch/, or what protocols in"
        " Python need, and run it here, into runs/PROGRAM-<n> unless --runDir is given.",
        epilog="The options of a program: ./collab run PROGRAM --help",
    )
    made.add_argument("program", metavar="PROGRAM", help="of scenarios/ or scratch/, or FILE.py")
    return made


def main(arguments: Sequence[str]) -> int:
    """Builds a program and runs it in the place of this process."""
    words = list(arguments)
    name = parser().parse_args(words[:1]).program
    project = root()
    if is_protocol(name):
        return _run_protocol(project, name, words[1:])
    kind = folder_of_program(project, name)
    blas.check()
    folder = build_release(project, name, output=sys.stderr)
    options = _with_folder(words[1:], new_run_folder(project, name, kind, words[1:]))
    become([folder / kind / name, *options], environment(project))
    return 1


def _run_protocol(project: Path, place: str, options: list) -> int:
    """Runs a protocol in Python; $COLLAB_BUILD is a folder that has the extension module."""
    if not file_of(place).is_file():
        raise usage_error(f"there is no file {file_of(place)}")
    blas.check()
    variables = environment(project)
    if "COLLAB_BUILD" not in variables:
        variables["COLLAB_BUILD"] = str(build_bridge(project, output=sys.stderr))
    options = _with_folder(options, new_folder(file_of(place).stem, options))
    become([*starter(place), *options], variables)
    return 1


def _with_folder(options: list, into: Optional[Path]) -> list:
    """Options that name a new folder, which the user is told."""
    if into is None:
        return options
    warn(f"into {into}")
    return [f"--runDir={into}", *options]


def become(words: Sequence, variables: dict) -> None:
    """Replaces this process by a program, which signals then reach without a detour."""
    sys.stdout.flush()
    os.execve(words[0], [str(word) for word in words], variables)
