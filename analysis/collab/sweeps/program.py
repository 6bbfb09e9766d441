# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario's program can be given, as it says itself."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable

from .adapter import OPEN
from .definition import Sweep
from .protocol_file import absolute, file_of
from .texts import SweepError, nearest
from .versions import PROGRAM, program_digest

PRINT = "--PrintArguments=json"
PRINT_FILES = "--PrintFiles=json"  # of a protocol in Python: its name, and what it is made of
_PACKAGES = Path(__file__).resolve().parents[2]
_STARTER = f"{__package__.rpartition('.')[0]}.protocols.program"  # not imported here: sweeps stand alone
_AT_ONCE = 500  # options on one command line


@dataclass(frozen=True)
class Executable:
    """A program's file, and the words that call it."""

    file: Path
    command: list = field(default_factory=list)  # default: the file alone
    name: str = ""  # how run.json calls it; default: as the file
    files: list = field(default_factory=list)  # that results depend on; default: the file

    def __post_init__(self):
        defaults = {"command": [str(self.file)], "name": self.file.name, "files": [self.file]}
        for key, default in defaults.items():
            if not getattr(self, key):
                object.__setattr__(self, key, default)

    @classmethod
    def adapted(cls, file: Path) -> "Executable":
        """Any ns-3 program, made a scenario."""
        return cls(file, _by_module(f"{__package__}.adapter", str(file)))

    @classmethod
    def protocol(cls, place: str) -> "Executable":
        """A protocol in Python: FILE.py, or FILE.py:CLASS if the file has several.

        Raises SweepError if there is no such file, or no protocol in it.
        """
        place = absolute(place, Path.cwd())
        command = starter(place)
        done = subprocess.run([*command, PRINT_FILES], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            told = done.stderr.strip().splitlines() or [f"{place}: exit code {done.returncode}"]
            raise SweepError(told[-1])
        told = json.loads(done.stdout.splitlines()[-1])
        return cls(file_of(place), command, told["name"], [Path(one) for one in told["files"]])


def starter(place: str) -> list:
    """Words that run a protocol in Python."""
    return _by_module(_STARTER, place)


def _by_module(module: str, *words: str) -> list:
    """Words that call the main function of a module of this package."""
    code = f"import sys; sys.path.insert(0, {str(_PACKAGES)!r}); "
    code += f"from {module} import main; sys.exit(main())"
    return [sys.executable, "-c", code, *words]


@dataclass(frozen=True)
class Program:
    """What a program says of itself."""

    arguments: set  # names of the scenario's own ones
    plays_many: bool  # whether one process of it plays what its standard input tells: --runs=-
    versions: dict  # what it was built from, and its digest


def tells_arguments(file: Path) -> bool:
    """Whether a program is a scenario: it says what it can be given, a run folder among it."""
    try:
        listed = _ask(Executable(file), [])
    except SweepError:
        return False
    return "runDir" in {entry["name"] for entry in listed["arguments"]}


def check_program(sweep: Sweep, program: Executable) -> Program:
    """Raises SweepError for an argument that the program does not know, or for a value that is none
    of its type; returns what the program says of itself.

    It is asked once with all values, as it takes half a second to begin; what it says without them
    tells more of a mistake.
    """
    options = [f"--{name}={value}" for name, value in _values(sweep)]
    first, *rest = [options[n : n + _AT_ONCE] for n in range(0, len(options), _AT_ONCE)] or [[]]
    try:
        listed, refused = _ask(program, first, f"{sweep.file}: "), None
    except SweepError as error:
        listed, refused = _ask(program, []), error
    own = {entry["name"] for entry in listed["arguments"]}
    others = {entry["name"] for kind in ("globals", "attributes") for entry in listed[kind]}
    axes = sweep.axes()
    for name in [*sweep.arguments, *axes]:
        if name not in own and name not in others and not _is_unlisted(program, listed, sweep, name):
            what = "axis" if name in axes else "argument"
            raise SweepError(f"{sweep.file}: unknown {what} '{name}'; {_hint(name, own, others)}")
    for name, value in _values(sweep):
        _check_choice(sweep, listed, name, value)
    if refused:
        raise refused
    for some in rest:
        _ask(program, some, f"{sweep.file}: ")
    plays_many = any("-" in entry.get("suggestions", []) for entry in listed["arguments"]
                     if entry["name"] == "runs")  # fmt: skip
    return Program(own, plays_many, {**listed.get("versions", {}), PROGRAM: program_digest(*program.files)})


def _is_unlisted(program: Executable, listed: dict, sweep: Sweep, name: str) -> bool:
    """Whether an attribute is known to a program that does not list it: ns-3 keeps old names of
    types, such as ns3::BasicEnergySource for ns3::energy::BasicEnergySource."""
    if "::" not in name or listed.get(OPEN, False):
        return "::" in name
    value = next(value for other, value in _values(sweep) if other == name)
    try:
        _ask(program, [f"--{name}={value}"])
    except SweepError:
        return False
    return True


def _check_choice(sweep: Sweep, listed: dict, name: str, value: str) -> None:
    """Raises SweepError for a value that is none of those that an argument may have."""
    for entry in listed["arguments"]:
        choices = entry.get("choices") if entry["name"] == name else None
        if choices and value not in choices:
            allowed = ", ".join(choices)
            raise SweepError(f"{sweep.file}: {name} is '{value}'; allowed: {allowed}")


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


def _ask(program: Executable, options: list, where: str = "") -> dict:
    try:
        result = subprocess.run(
            [*program.command, *options, PRINT], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise SweepError(f"{program.file}: {error.strerror}") from None
    if result.returncode == 2 and options:
        raise SweepError(where + result.stderr.strip().splitlines()[-1])
    try:
        listed = json.loads(result.stdout)
        if result.returncode == 0 and listed["schema"] == 1:
            return listed
    except (ValueError, KeyError, TypeError):
        pass
    raise SweepError(f"{program.file} does not tell its arguments ({PRINT}); build it anew")
