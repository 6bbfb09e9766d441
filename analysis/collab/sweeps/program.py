# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's program can be given, as it says itself."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable

from .definition import Sweep
from .texts import SweepError, nearest
from .versions import PROGRAM, program_digest

_PRINT = "--PrintArguments=json"
_AT_ONCE = 500  # options on one command line


@dataclass(frozen=True)
class Program:
    """What a program says of itself."""

    arguments: set  # names of the scenario's own ones
    versions: dict  # what it was built from, and its digest


def check_program(sweep: Sweep, program: Path) -> Program:
    """Raises SweepError for an argument that the program does not know, or for a value that is none
    of its type; returns what the program says of itself."""
    listed = _ask(program, [])
    own = {entry["name"] for entry in listed["arguments"]}
    others = {entry["name"] for kind in ("globals", "attributes") for entry in listed[kind]}
    axes = sweep.axes()
    for name in [*sweep.arguments, *axes]:
        if name not in own and name not in others:
            what = "axis" if name in axes else "argument"
            raise SweepError(f"{sweep.file}: unknown {what} '{name}'; {_hint(name, own, others)}")
    options = [f"--{name}={value}" for name, value in _values(sweep)]
    for first in range(0, len(options), _AT_ONCE):
        _ask(program, options[first : first + _AT_ONCE], f"{sweep.file}: ")
    return Program(own, {**listed.get("versions", {}), PROGRAM: program_digest(program)})


def _hint(name: str, own: set, others: set) -> str:
    near = nearest(name, own | others)
    if near:
        return f"the nearest known one is '{near}'"
    return f"known are {', '.join(sorted(own))}, and ns-3's attributes (ns3::Type::Attribute)"


def _values(sweep: Sweep) -> Iterable:
    """Each value of each argument once, as (name, value)."""
    yield from sweep.arguments.items()
    for group in (sweep.grid, *sweep.zips):
        for name, values in group.items():
            yield from ((name, value) for value in values)
    yield from dict.fromkeys(pair for row in sweep.rows for pair in row.items())


def _ask(program: Path, options: list, where: str = "") -> dict:
    try:
        result = subprocess.run(
            [program, *options, _PRINT], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise SweepError(f"{program}: {error.strerror}") from None
    if result.returncode == 2 and options:
        raise SweepError(where + result.stderr.strip().splitlines()[-1])
    try:
        listed = json.loads(result.stdout)
        if result.returncode == 0 and listed["schema"] == 1:
            return listed
    except (ValueError, KeyError, TypeError):
        pass
    raise SweepError(f"{program} does not tell its arguments ({_PRINT}); build it anew")
