# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sweep files as they are written: their form, and what they include."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Optional

from .protocol_file import absolute, is_protocol
from .texts import SweepError, read_yaml, require_known, require_seed

SCHEMA = 1

# Sizes of a sweep; a file's own is the standard one
SCALES = ("smoke", "standard", "paper")
STANDARD = "standard"

_SCALE_KEYS = ("include", "arguments", "axes", "seeds")
_PART_KEYS = ("name", "scenario", "names", "scales", *_SCALE_KEYS)
_KEYS = ("schema", "scenario", "names", "scales", "parts", *_SCALE_KEYS)
_AXES = ("grid", "zip", "list", "alone")
_SEEDS = ("RngSeed", "RngRun")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST_SEEDS = 1_000_000

Values = dict  # name of an argument: its values, as a list of texts


@dataclass
class Document:
    """One file, or a part or a scale of one; None where it says nothing."""

    name: str = ""  # of a part
    scenario: Optional[str] = None
    arguments: dict = field(default_factory=dict)
    grid: Values = field(default_factory=dict)
    zips: Optional[list] = None
    rows: Optional[list] = None
    seeds: Optional[tuple] = None
    called: dict = field(default_factory=dict)  # name: what the scenario calls it, maybe nothing
    scales: dict = field(default_factory=dict)  # what is said on top of all else, by scale
    parts: list = field(default_factory=list)

    def said_of(self) -> set:
        """The arguments that it says anything about."""
        groups = [self.arguments, self.grid, *(self.zips or []), *(self.rows or [])]
        return {name for group in groups for name in group}

    def merge(self, other: "Document") -> "Document":
        """This document with another one on top: what that says of an argument replaces all here;
        its zip, list and seeds replace these as a whole; a part of it goes on top of the part of
        its name here, and all parts here get what it says itself."""
        said = other.said_of()
        return Document(
            name=self.name,
            scenario=other.scenario or self.scenario,
            arguments={**without(self.arguments, said), **other.arguments},
            grid={**without(self.grid, said - set(other.grid)), **other.grid},
            zips=self.zips if other.zips is None else other.zips,
            rows=self.rows if other.rows is None else other.rows,
            seeds=other.seeds or self.seeds,
            called={**self.called, **other.called},
            scales={
                scale: self.scales.get(scale, Document()).merge(
                    other.scales.get(scale, Document())
                )
                for scale in {**self.scales, **other.scales}
            },
            parts=self._merge_parts(other),
        )

    def _merge_parts(self, other: "Document") -> list:
        own = replace(other, parts=[])
        parts = {part.name: part.merge(own) for part in self.parts}
        for part in other.parts:
            parts[part.name] = parts[part.name].merge(part) if part.name in parts else part
        return list(parts.values())


def without(group: dict, names: set) -> dict:
    """A dictionary without some keys."""
    return {name: value for name, value in group.items() if name not in names}


def read_document(file: Path, including: tuple = ()) -> Document:
    """Reads a file with what it includes; including: the files that include it, outermost first."""
    if file in including:
        raise SweepError(f"{including[-1]}: include of {file.name}, which includes it")
    content = _mapping(read_yaml(file), f"{file}: a sweep")
    for key in content:
        require_known(key, _KEYS, f"{file}: key")
    if content.get("schema") != str(SCHEMA):
        given = content.get("schema") or "not given"
        raise SweepError(f"{file}: schema is {given}; allowed: {SCHEMA}")
    return _parse(content, file, (*including, file))


def _parse(content: dict, file: Path, including: tuple) -> Document:
    """What a file, or a part or scale of one, says on top of what it includes."""
    merged = Document()
    for name in _texts(content.get("include") or [], f"{file}: include"):
        included = read_document((file.parent / name).resolve(), including)
        merged = merged.merge(included)
    return merged.merge(_parse_own(content, file, including))


def _parse_own(content: dict, file: Path, including: tuple) -> Document:
    axes = _mapping(content.get("axes") or {}, f"{file}: axes")
    for key in axes:
        require_known(key, _AXES, f"{file}: kind of axes")
    document = Document(scenario=content.get("scenario"))
    if not isinstance(document.scenario, (str, type(None))):
        raise SweepError(f"{file}: scenario must be one name")
    if document.scenario and is_protocol(document.scenario):
        document.scenario = absolute(document.scenario, file.parent)
    document.arguments = _settings(content.get("arguments") or {}, f"{file}: arguments")
    document.grid = _values(axes.get("grid") or {}, f"{file}: grid")
    if "zip" in axes:
        document.zips = _zips(axes["zip"] or [], f"{file}: zip")
    if "list" in axes:
        rows = _list(axes["list"], f"{file}: list")
        document.rows = _rows([_settings(row, f"{file}: list") for row in rows], file)
    if "alone" in axes:
        if document.rows is not None:
            raise SweepError(f"{file}: axes have both list and alone; allowed: one of them")
        document.rows = _alone(_list(axes["alone"], f"{file}: alone"), f"{file}: alone")
    document.called = _called(content.get("names") or {}, f"{file}: names")
    if content.get("seeds") is not None:
        document.seeds = _seeds(content["seeds"], f"{file}: seeds")
    for scale, change in _mapping(content.get("scales") or {}, f"{file}: scales").items():
        require_known(scale, [one for one in SCALES if one != STANDARD], f"{file}: scale")
        document.scales[scale] = _parse_scale(change or {}, file, scale, including)
    for part in _list(content.get("parts") or [], f"{file}: parts"):
        document.parts.append(_parse_part(part, file, including))
    names = [part.name for part in document.parts]
    for name in names:
        if names.count(name) > 1:
            raise SweepError(f"{file}: the name '{name}' is that of two parts")
    return document


def _parse_scale(content, file: Path, scale: str, including: tuple) -> Document:
    for key in _mapping(content, f"{file}: scale {scale}"):
        require_known(key, _SCALE_KEYS, f"{file}: key of scale {scale}")
    document = _parse(content, file, including)
    if document.scales or document.scenario or document.parts or document.called:
        raise SweepError(f"{file}: scale {scale} includes a file with more than a scale may say")
    return document


def _parse_part(content, file: Path, including: tuple) -> Document:
    for key in _mapping(content, f"{file}: a part"):
        require_known(key, _PART_KEYS, f"{file}: key of a part")
    name = content.get("name") or ""
    if not isinstance(name, str) or "/" in name:
        raise SweepError(f"{file}: the name of a part must be one word")
    part = _parse(content, file, including)
    if part.parts:
        raise SweepError(f"{file}: part {name} includes a file with parts")
    return replace(part, name=name)


def _zips(content, where: str) -> list:
    groups = content if isinstance(content, list) else [content]
    zips = [_values(group, where, may_repeat=True) for group in groups]
    for group in zips:
        lengths = {name: len(values) for name, values in group.items()}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            raise SweepError(f"{where}: {told} values; allowed: equally many")
        rows = list(zip(*group.values()))
        if len(set(rows)) < len(rows):
            twice = next(row for row in rows if rows.count(row) > 1)
            told = ", ".join(f"{name}: {value}" for name, value in zip(group, twice))
            raise SweepError(f"{where}: {told} is there twice")
    return zips


def _rows(rows: list, file: Path) -> list:
    if not rows:
        raise SweepError(f"{file}: list has no entry, so the sweep has no point")
    for row in rows:
        if set(row) != set(rows[0]):
            differ = ", ".join(sorted(set(row) ^ set(rows[0])))
            raise SweepError(f"{file}: list: not in every entry: {differ}")
    return rows


def _alone(content: list, where: str) -> list:
    """Rows of a baseline, the first entry, and of the baseline with what each other entry changes of it."""
    if len(content) < 2:
        raise SweepError(f"{where} has {len(content)} entries; allowed: a baseline and its changes")
    baseline, *changes = [_settings(row, where) for row in content]
    for change in changes:
        for name in change:
            require_known(name, baseline, f"{where}: argument")
    return [baseline, *({**baseline, **change} for change in changes)]


def _seeds(content, where: str) -> tuple:
    """(values of RngSeed, values of RngRun)"""
    if not isinstance(content, dict):
        content = {"RngRun": content}
    for key in content:
        require_known(key, _SEEDS, f"{where}: key")
    seeds, runs = (
        _whole_numbers(content.get(key, ["1"]), f"{where}: {key}") for key in _SEEDS
    )
    for seed in seeds:
        require_seed(seed, f"{where}: RngSeed")
    return seeds, runs


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


def _called(content, where: str) -> dict:
    """{name: names that the scenario has for it}"""
    return {
        name: _texts([] if given is None else given, f"{where}: {name}")
        for name, given in _mapping(content, where).items()
    }


def _values(content, where: str, may_repeat: bool = False) -> Values:
    values = {}
    for name, given in _mapping(content, where).items():
        values[name] = _texts(_list(given, f"{where}: {name}"), f"{where}: {name}")
        if not given:
            raise SweepError(f"{where}: {name} has no value, so the sweep has no point")
        if len(set(given)) < len(given) and not may_repeat:
            twice = next(text for text in given if given.count(text) > 1)
            raise SweepError(f"{where}: {name} has {twice} twice")
    return values
