# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads a run as far as it can be read, and says what is wrong with it."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from ..runs.run import UNIQUE_ROWS, Run, load_run

IDENTIFIERS = ("round", "device", "peer", "sender", "receiver", "sequence")


@dataclass
class Source:
    """A run, the whole of its run.json, and what is wrong with it."""

    run: Run
    metadata: dict
    notes: list = field(default_factory=list)


def load(path: Path) -> Source:
    """Reads a run folder; RunError only if it is none or if its run.json cannot be read."""
    notes = []
    run = load_run(path, notes)
    notes = [note.replace(f"{path}/", "").replace(f"{path}: ", "") for note in notes]
    if not run.finished:
        notes.append("The run has not finished: what follows is up to the last whole round.")
    tables = {name: _clean(table, name, notes) for name, table in run.tables.items()}
    metadata = json.loads((path / "run.json").read_text(encoding="utf-8"))
    return Source(dataclasses.replace(run, tables=tables), metadata, notes)


def of_database(run: Run) -> Source:
    """A run of a database, which was checked when it was put there."""
    chosen = {"parameters": run.parameters, "attributes": run.attributes}
    return Source(run, {**chosen, "seed": run.seed, "run": run.run, "versions": run.versions})


def _clean(table, name, notes):
    """Whole numbers as identifiers, and no row twice."""
    identifiers = [column for column in IDENTIFIERS if column in table.columns]
    numbers = table.assign(
        **{column: pd.to_numeric(table[column], errors="coerce") for column in identifiers}
    )
    lost = numbers[identifiers].isna().any(axis=1)
    table = _without_rows(numbers, lost, "without a number", name, notes)
    table = table.astype({column: "int64" for column in identifiers})
    if name in UNIQUE_ROWS and set(UNIQUE_ROWS[name]) <= set(identifiers):
        again = table.duplicated(UNIQUE_ROWS[name])
        table = _without_rows(table, again, "that repeat others", name, notes)
    return table


def _without_rows(table, wrong, why, name, notes):
    if wrong.any():
        notes.append(f"{name}: {int(wrong.sum())} rows {why} are left out.")
    return table[~wrong].reset_index(drop=True)
