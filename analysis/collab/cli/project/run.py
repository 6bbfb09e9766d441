# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command run: builds a program and becomes it, or says what a run costs or came to."""

import json
import os
import sys
from pathlib import Path
from typing import Optional, Sequence

from ...setup import blas
from ...setup.building import build_bridge, build_release, environment
from ...setup.messages import CommandError, usage_error, warn
from ...setup.packages import install_missing
from ...setup.project import (
    find_programs,
    find_root,
    folder_of_program,
    free_folder,
    new_folder,
    new_run_folder,
    root,
)
from ...sweeps.program import starter
from ...sweeps.protocol_file import file_of, is_protocol
from ..arguments import OneLineParser

_JSON, _DRY_RUN = "--json", "--dry-run"


def parser() -> OneLineParser:
    """The parser of the command's own arguments; all others are the program's."""
    made = OneLineParser(
        prog="collab run",
        usage="collab run [-h] [--json] [--dry-run] PROGRAM [OPTIONS]",
        description="Build one scenario, one of your own programs in scratch/, or what protocols in"
        " Python need, and run it here, into runs/PROGRAM-<n> unless --runDir is given.",
        epilog="The options of a program: ./collab run PROGRAM --help",
    )
    made.add_argument("program", metavar="PROGRAM", help="of scenarios/ or scratch/, or FILE.py")
    made.add_argument(_JSON, action="store_true",
                      help="print one JSON object: run folder, final numbers, seconds, joules; what the program"
                      " prints goes to standard error")  # fmt: skip
    made.add_argument(_DRY_RUN, action="store_true",
                      help="do not run it: estimate its seconds, memory and joules from its first rounds")  # fmt: skip
    return made


def main(arguments: Sequence[str]) -> int:
    """Builds a program and runs it in the place of this process, or describes the run."""
    own = [word for word in arguments if word in (_JSON, _DRY_RUN)]
    words = [word for word in arguments if word not in own]
    given = parser().parse_args([*own, *words[:1]])
    name, options = given.program, words[1:]
    if own:
        return _describe(name, options, given)
    if find_root() is None and find_programs():
        return _run_installed(name, options)
    project = root()
    if is_protocol(name):
        return _run_protocol(project, name, options)
    kind = folder_of_program(project, name)
    blas.check()
    folder = build_release(project, name, output=sys.stderr)
    options = _with_folder(options, new_run_folder(project, name, kind, options))
    become([folder / kind / name, *options], environment(project))
    return 1


def _describe(name: str, options: list, given) -> int:
    """Prints what a run will cost, or runs it and prints what it came to."""
    if find_root():
        install_missing("run")
    from ...api.estimate import estimate
    from ...api.outcome import run_described
    from ...api.programs import ProgramError

    try:
        if given.dry_run:
            told = estimate(name, options)
            print(json.dumps(told.as_object()) if given.json else told)
        else:
            folder = free_folder(_short(name))
            print(json.dumps(run_described(name, options, folder)))
    except ProgramError as error:
        raise CommandError(str(error), error.code) from None
    return 0


def _short(name: str) -> str:
    return file_of(name).stem if is_protocol(name) else Path(name).name


def _run_installed(name: str, options: list) -> int:
    """Runs what was installed with this package, outside of any checkout."""
    from ...api.programs import ProgramError, find_executable, variables

    try:
        command = find_executable(name).command
    except ProgramError as error:
        raise CommandError(str(error), error.code) from None
    options = _with_folder(options, new_folder(_short(name), options))
    become([*command, *options], variables())
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
