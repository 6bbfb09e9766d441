# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sweep files: reading them with what they include, and checking their form."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Optional

from .texts import SweepError, read_yaml, require_known

SCHEMA = 1

# What a sweep gives each run by itself
OWN_ARGUMENTS = {
    "RngSeed": "use seeds",
    "RngRun": "use seeds",
    "runDir": "each run has its folder",
    "threads": "use --jobs",
}

_KEYS = ("schema", "include", "scenario", "arguments", "axes", "seeds")
_AXES = ("grid", "zip", "list")
_SEEDS = ("RngSeed", "RngRun")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST_SEEDS = 1_000_000
_PARTS = "parts"  # folders of files that only make sense where they are included

Values = dict  # name of an argument: its values, as a list of texts


@dataclass
class Sweep:
    """What a sweep file says, with all that it includes."""

    name: str
    file: Path
    scenario: str = ""
    arguments: dict = field(default_factory=dict)  # name: text
    grid: Values = field(default_factory=dict)
    zips: list = field(default_factory=list)  # of Values of equal lengths
    rows: list = field(default_factory=list)  # of {name: text}
    seeds: list = field(default_factory=lambda: [1])  # values of RngSeed
    runs: list = field(default_factory=lambda: [1])  # values of RngRun

    def axes(self) -> list:
        """Names of all arguments that differ among the points, in their order."""
        names = [*self.grid, *(name for group in self.zips for name in group)]
        return names + (list(self.rows[0]) if self.rows else [])


def find_sweep_file(name: str, folder: Path) -> tuple:
    """(name, file) of a sweep in the folder of sweeps, or of a file given by its path."""
    if name.endswith((".yaml", ".yml")) and Path(name).is_file():
        return Path(name).stem, Path(name).resolve()
    files = [file for file in sorted(folder.rglob("*.yaml")) if file.parent.name != _PARTS]
    known = {str(file.relative_to(folder))[:-5]: file for file in files}
    if name not in known and "/" in name and name.endswith((".yaml", ".yml")):
        raise SweepError(f"{name}: there is no such file")
    require_known(name, known, "sweep")
    return name, known[name].resolve()


def load_sweep_file(name: str, file: Path) -> Sweep:
    """Reads a sweep; raises SweepError at the first mistake in its form."""
    document = _read(file, ())
    if not document.scenario:
        raise SweepError(f"{file}: scenario is not given")
    sweep = Sweep(name, file, document.scenario, document.arguments, document.grid)
    sweep.zips = document.zips or []
    sweep.rows = document.rows or []
    sweep.seeds, sweep.runs = document.seeds or ([1], [1])
    _check_names(sweep)
    return sweep


def override(sweep: Sweep, settings: dict) -> Sweep:
    """The sweep with other values of some arguments; its name tells them.

    An axis of that name vanishes. Raises SweepError for what the sweep sets itself, or if an axis
    of that name goes with others.
    """
    if not settings:
        return sweep
    for name in settings:
        if name in OWN_ARGUMENTS:
            raise SweepError(f"--set: '{name}' is set by the sweep itself; {OWN_ARGUMENTS[name]}")
        if any(name in group for group in [*sweep.zips, *sweep.rows]):
            raise SweepError(f"--set: '{name}' goes with others in {sweep.file}")
    return replace(
        sweep,
        name=sweep.name + suffix(settings),
        arguments={**sweep.arguments, **settings},
        grid=_without(sweep.grid, set(settings)),
    )


def suffix(settings: dict) -> str:
    """What names of folders end with, for some values of arguments."""
    return "".join(
        f",{name}={re.sub('[^-+.,:=A-Za-z0-9_]', '_', value)}"
        for name, value in sorted(settings.items())
    )


@dataclass
class _Document:
    """One file; None where it says nothing."""

    scenario: Optional[str] = None
    arguments: dict = field(default_factory=dict)
    grid: Values = field(default_factory=dict)
    zips: Optional[list] = None
    rows: Optional[list] = None
    seeds: Optional[tuple] = None

    def names(self) -> set:
        """The arguments that it says anything about."""
        groups = [self.arguments, self.grid, *(self.zips or []), *(self.rows or [])]
        return {name for group in groups for name in group}

    def merge(self, other: "_Document") -> "_Document":
        """This document with another one on top: what that says of an argument replaces all here;
        its zip, list and seeds replace these as a whole."""
        said = other.names()
        return _Document(
            scenario=other.scenario or self.scenario,
            arguments={**_without(self.arguments, said), **other.arguments},
            grid={**_without(self.grid, said - set(other.grid)), **other.grid},
            zips=self.zips if other.zips is None else other.zips,
            rows=self.rows if other.rows is None else other.rows,
            seeds=other.seeds or self.seeds,
        )


def _without(group: dict, names: set) -> dict:
    return {name: value for name, value in group.items() if name not in names}


def _read(file: Path, including: tuple) -> _Document:
    if file in including:
        raise SweepError(f"{including[-1]}: include of {file.name}, which includes it")
    content = _mapping(read_yaml(file), f"{file}: a sweep")
    for key in content:
        require_known(key, _KEYS, f"{file}: key")
    if content.get("schema") != str(SCHEMA):
        given = content.get("schema") or "not given"
        raise SweepError(f"{file}: schema is {given}; allowed: {SCHEMA}")
    merged = _Document()
    for name in _texts(content.get("include") or [], f"{file}: include"):
        merged = merged.merge(_read((file.parent / name).resolve(), (*including, file)))
    return merged.merge(_parse(content, file))


def _parse(content: dict, file: Path) -> _Document:
    axes = _mapping(content.get("axes") or {}, f"{file}: axes")
    for key in axes:
        require_known(key, _AXES, f"{file}: kind of axes")
    document = _Document(scenario=content.get("scenario"))
    if not isinstance(document.scenario, (str, type(None))):
        raise SweepError(f"{file}: scenario must be one name")
    document.arguments = _settings(content.get("arguments") or {}, f"{file}: arguments")
    document.grid = _values(axes.get("grid") or {}, f"{file}: grid")
    if "zip" in axes:
        document.zips = _zips(axes["zip"] or [], f"{file}: zip")
    if "list" in axes:
        rows = _list(axes["list"], f"{file}: list")
        document.rows = _rows([_settings(row, f"{file}: list") for row in rows], file)
    if content.get("seeds") is not None:
        document.seeds = _seeds(content["seeds"], f"{file}: seeds")
    return document


def _zips(content, where: str) -> list:
    groups = content if isinstance(content, list) else [content]
    zips = [_values(group, where) for group in groups]
    for group in zips:
        lengths = {name: len(values) for name, values in group.items()}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            raise SweepError(f"{where}: {told} values; allowed: equally many")
    return zips


def _rows(rows: list, file: Path) -> list:
    if not rows:
        raise SweepError(f"{file}: list has no entry, so the sweep has no point")
    for row in rows:
        if set(row) != set(rows[0]):
            differ = ", ".join(sorted(set(row) ^ set(rows[0])))
            raise SweepError(f"{file}: list: not in every entry: {differ}")
    return rows


def _seeds(content, where: str) -> tuple:
    """(values of RngSeed, values of RngRun)"""
    if not isinstance(content, dict):
        content = {"RngRun": content}
    for key in content:
        require_known(key, _SEEDS, f"{where}: key")
    return tuple(_whole_numbers(content.get(key, ["1"]), f"{where}: {key}") for key in _SEEDS)


def _whole_numbers(content, where: str) -> list:
    numbers = []
    for text in _texts(content, where):
        ends = _RANGE.fullmatch(text)
        if ends:
            first, last = map(int, ends.groups())
            if last - first >= _MOST_SEEDS:
                raise SweepError(f"{where} is '{text}'; allowed: {_MOST_SEEDS} numbers at most")
            numbers.extend(range(first, last + 1))
        elif text.isdecimal():
            numbers.append(int(text))
        else:
            raise SweepError(f"{where} is '{text}'; allowed: whole numbers, or ranges such as 1..5")
    if not numbers:
        raise SweepError(f"{where} has no number, so the sweep has no point")
    return numbers


def _mapping(content, where: str) -> dict:
    if not isinstance(content, dict):
        raise SweepError(f"{where} must be written as NAME: VALUE, line by line")
    return content


def _list(content, where: str) -> list:
    if not isinstance(content, list):
        raise SweepError(f"{where} must be a list")
    return content


def _texts(content, where: str) -> list:
    """A text, or a list of texts, as a list."""
    texts = content if isinstance(content, list) else [content]
    for text in texts:
        if not isinstance(text, str):
            raise SweepError(f"{where}: a value is empty or is no single text or number")
    return texts


def _settings(content, where: str) -> dict:
    """{name: text}"""
    return {
        name: _texts([value], f"{where}: {name}")[0]
        for name, value in _mapping(content, where).items()
    }


def _values(content, where: str) -> Values:
    values = {}
    for name, given in _mapping(content, where).items():
        values[name] = _texts(_list(given, f"{where}: {name}"), f"{where}: {name}")
        if not given:
            raise SweepError(f"{where}: {name} has no value, so the sweep has no point")
        if len(set(given)) < len(given):
            twice = next(text for text in given if given.count(text) > 1)
            raise SweepError(f"{where}: {name} has {twice} twice")
    return values


def _check_names(sweep: Sweep) -> None:
    names = [*sweep.arguments, *sweep.axes()]
    for name in names:
        if name in OWN_ARGUMENTS:
            told = OWN_ARGUMENTS[name]
            raise SweepError(f"{sweep.file}: '{name}' is set by the sweep itself; {told}")
        if names.count(name) > 1:
            raise SweepError(f"{sweep.file}: '{name}' is given twice, as argument or axis")
