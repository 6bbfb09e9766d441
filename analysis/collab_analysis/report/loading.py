# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads a run as far as it can be read, and says what is wrong with it."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from ..run import COLUMNS, TEXT_COLUMNS, Run, load_run

_IDENTIFIERS = ("round", "device", "peer", "sender", "receiver", "sequence")
_UNIQUE = {"rounds": ["round", "device"], "trust": ["round", "device", "peer"]}


@dataclass
class Source:
    """A run, the rest of its run.json, tables of its algorithm, and what is wrong with it."""

    run: Run
    metadata: dict
    further: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)


def load(path: Path) -> Source:
    """Reads a run folder; RunError only if it is none or if its run.json cannot be read."""
    notes = []
    run = load_run(path, notes)
    notes = [note.replace(f"{path}/", "").replace(f"{path}: ", "") for note in notes]
    if not run.finished:
        notes.append("The run has not finished: what follows is up to the last whole round.")
    tables = {name: _clean(getattr(run, name), name, notes) for name in COLUMNS}
    run = dataclasses.replace(run, devices=_with_all_devices(run.devices, tables), **tables)
    metadata = json.loads((path / "run.json").read_text(encoding="utf-8"))
    return Source(run, metadata, _further_tables(path, notes), notes)


def _clean(table, name, notes):
    """Numbers where numbers belong, whole identifiers, and no row twice."""
    table = table.copy()
    for column in table.columns.difference(TEXT_COLUMNS):
        numbers = pd.to_numeric(table[column], errors="coerce")
        wrong = int((numbers.isna() & table[column].notna()).sum())
        if wrong:
            notes.append(f"{name}: {wrong} of {len(table)} values of {column} are no numbers.")
        table[column] = numbers
    for column in TEXT_COLUMNS.intersection(table.columns):
        table[column] = table[column].fillna("").astype(str)
    identifiers = [column for column in _IDENTIFIERS if column in table.columns]
    table = _without_rows(table, table[identifiers].isna().any(axis=1), "without a number", name, notes)
    table = table.astype({column: "int64" for column in identifiers})
    if name in _UNIQUE:
        table = _without_rows(table, table.duplicated(_UNIQUE[name]), "that repeat others", name, notes)
    return table


def _without_rows(table, wrong, why, name, notes):
    if wrong.any():
        notes.append(f"{name}: {int(wrong.sum())} rows {why} are left out.")
    return table[~wrong].reset_index(drop=True)


def _with_all_devices(devices, tables):
    """Devices as run.json has them, and those that only tables know."""
    seen = set(devices.index)
    for table in tables.values():
        for column in ("device", "peer", "sender", "receiver"):
            if column in table.columns:
                seen.update(table[column].unique())
    devices = devices.reindex(sorted(seen))
    if "low_quality" not in devices:
        devices["low_quality"] = False
    return devices.assign(low_quality=devices["low_quality"].fillna(False).astype(bool))


def _further_tables(path, notes):
    """Tables that the algorithm adds to those of every run."""
    tables = {}
    for file in sorted(path.glob("*.csv")):
        if file.stem not in COLUMNS:
            try:
                tables[file.stem] = pd.read_csv(file)
            except (OSError, ValueError) as error:
                notes.append(f"{file.name}: {error}")
    return tables
