# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads a run as far as it can be read, and says what is wrong with it."""

import dataclasses
from pathlib import Path

import pandas as pd

from ..runs.run import UNIQUE_ROWS, Run, load_run

IDENTIFIERS = ("round", "device", "peer", "sender", "receiver", "sequence")


def load(path: Path, notes: list) -> Run:
    """Reads a run folder; RunError only if it is none or if its run.json cannot be read."""
    run = load_run(path, notes)
    notes[:] = [note.replace(f"{path}/", "").replace(f"{path}: ", "") for note in notes]
    if not run.finished:
        notes.append("The run has not finished: what follows is up to the last whole round.")
    tables = {name: _clean(table, name, notes) for name, table in run.tables.items()}
    return dataclasses.replace(run, tables=tables)


def _clean(table, name, notes):
    """Whole numbers as identifiers, and no row twice."""
    identifiers = [column for column in IDENTIFIERS if column in table.columns]
    numbers = {column: pd.to_numeric(table[column], errors="coerce") for column in identifiers}
    whole = table.assign(**numbers).dropna(subset=identifiers)
    whole = whole.astype({column: "int64" for column in identifiers})
    key = UNIQUE_ROWS.get(name, [])
    once = whole.drop_duplicates(key) if key and set(key) <= set(identifiers) else whole
    for left_out, why in ((len(table) - len(whole), "without a number"),
                          (len(whole) - len(once), "that repeat others")):  # fmt: skip
        if left_out:
            notes.append(f"{name}: {left_out} rows {why} are left out.")
    return once.reset_index(drop=True)
