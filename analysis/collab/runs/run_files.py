# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The tables of a run folder: CSV files, or one SQLite file."""

import contextlib
import io
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Callable, Dict, Optional, Tuple

import pandas as pd

from .errors import RunError

SQLITE_FILE = "run.sqlite"
DESCRIPTION = "columns"  # the table that describes the others
DESCRIPTION_COLUMNS = ("table", "column", "type", "unit", "meaning")

# The columns that this package reads. A run says itself what columns it has, but runs of older
# versions do not.
KNOWN_COLUMNS = {
    "rounds": "round device start_s end_s collaborative energy_j bytes_sent",
    "energy": "round device time_s tx_j rx_j idle_j sleep_j compute_j d2s_tx_j d2s_rx_j source_j"
    " remaining_j",
    "latency": "round device phase start_s end_s",
    "messages": "queued_s start_s end_s sender receiver kind round sequence bytes fragments"
    " lost_fragments attempts airtime_s delivered reason",
    "positions": "time_s device x_m y_m z_m",
    "trust": "round device peer weight age_rounds",
}

# Those of them that an algorithm may do without
_OPTIONAL_COLUMNS = {"collaborative"}

# Columns that the files of older versions lack, and what they stand for there
ADDED_COLUMNS = {
    "sleep_j": 0.0,
    "d2s_tx_j": 0.0,
    "d2s_rx_j": 0.0,
    "lost_fragments": float("nan"),
}

_TEXT_COLUMNS = {"phase", "kind", "reason"}

_Tables = Dict[str, pd.DataFrame]


def read_tables(
    path: Path, finished: bool, problems: Optional[list] = None
) -> Tuple[_Tables, pd.DataFrame]:
    """All tables of a run folder, and what their columns mean (DESCRIPTION_COLUMNS).

    Raises RunError if a file is damaged, or if a finished run lacks one. Given a list as problems,
    says that in it instead, and keeps of a damaged table what can be read.
    """
    if (path / SQLITE_FILE).exists():
        file = path / SQLITE_FILE
        tables = _noting(problems, lambda: _read_sqlite(file), dict)
        place = f"{file}: table %s"
    else:
        tables = {
            file.stem: _noting(problems, partial(_read_csv, file, finished), partial(_rest, file))
            for file in sorted(path.glob("*.csv"))
        }
        place = f"{path}/%s.csv"
    description = tables.pop(DESCRIPTION, None)
    if description is None or description.empty:
        description = _assumed_description(tables)
    elif not set(DESCRIPTION_COLUMNS) <= set(description.columns):
        raise RunError(f"{place % DESCRIPTION}: its columns are not {DESCRIPTION_COLUMNS}")
    description = description.fillna("")
    for name, columns in description.groupby("table", sort=False):
        if name in tables:
            check = partial(_checked, tables[name], columns, place % name)
            tables[name] = _noting(problems, check, partial(_mended, tables[name], columns))
        elif finished:
            _noting(problems, partial(_miss, place % name), dict)
    return tables, description


def read_any_tables(path: Path) -> Tuple[_Tables, pd.DataFrame]:
    """The CSV files of a folder that make tables, of which nothing is known."""
    tables: _Tables = {}
    for file in sorted(path.glob("*.csv")):
        with contextlib.suppress(RunError):
            tables[file.stem] = _read_csv(file, finished=True)
    rows = [
        (name, str(column), "real" if pd.api.types.is_numeric_dtype(table[column]) else "text")
        for name, table in tables.items()
        for column in table.columns
    ]
    return tables, pd.DataFrame([(*row, "", "") for row in rows], columns=list(DESCRIPTION_COLUMNS))


def _noting(problems: Optional[list], read: Callable, otherwise: Callable):
    """What read() gives; if it raises RunError and problems is a list, what otherwise() gives."""
    try:
        return read()
    except RunError as error:
        if problems is None:
            raise
        problems.append(str(error))
        return otherwise()


def _miss(place: str) -> None:
    raise RunError(f"{place} is missing")


def _rest(file: Path) -> pd.DataFrame:
    """The whole lines of a damaged file; nothing if it makes no table even then."""
    try:
        return _read_csv(file, finished=False)
    except RunError:
        return pd.DataFrame()


def _mended(table: pd.DataFrame, columns: pd.DataFrame) -> pd.DataFrame:
    """A damaged table without what is no number; without a row if a column is missing."""
    lacking = [column for column in columns["column"] if column not in table.columns]
    if any(column not in ADDED_COLUMNS for column in lacking):
        table = pd.DataFrame(columns=columns["column"])
    table = table.assign(**{c: ADDED_COLUMNS[c] for c in lacking if c in ADDED_COLUMNS})
    for column in columns.loc[columns["type"] != "text", "column"]:
        table[column] = pd.to_numeric(table[column], errors="coerce").astype(float)
    return table


def needed_columns(name: str) -> list:
    """The columns of a table of KNOWN_COLUMNS that every run has to have."""
    optional = _OPTIONAL_COLUMNS | set(ADDED_COLUMNS)
    return [column for column in KNOWN_COLUMNS[name].split() if column not in optional]


def completed(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """A table with the columns of KNOWN_COLUMNS that some runs do not tell."""
    known = KNOWN_COLUMNS.get(name, "").split()
    lacking = [column for column in ADDED_COLUMNS if column in known and column not in table]
    if not lacking:
        return table
    return table.assign(**{column: ADDED_COLUMNS[column] for column in lacking})


def empty_table(name: str) -> pd.DataFrame:
    """A table of KNOWN_COLUMNS without a row, but with the types that its columns have."""
    columns = KNOWN_COLUMNS[name].split()
    types = {column: object if column in _TEXT_COLUMNS else float for column in columns}
    return pd.DataFrame({column: pd.Series(dtype=types[column]) for column in columns})


def _assumed_description(tables: _Tables) -> pd.DataFrame:
    """What is known of the columns of a run that does not describe them."""
    rows = []
    for name, known in KNOWN_COLUMNS.items():
        if name == "positions" and name not in tables:
            continue  # which only runs of devices that move have
        present = list(tables[name].columns) if name in tables else []
        for column in [*present, *(c for c in known.split() if c not in present)]:
            kind = "text" if column in _TEXT_COLUMNS else "real"
            rows.append((name, column, kind, "", ""))
    return pd.DataFrame(rows, columns=list(DESCRIPTION_COLUMNS))


def _read_csv(file: Path, finished: bool) -> pd.DataFrame:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RunError(f"{file}: {error}") from None
    if not finished:
        text = text[: text.rfind("\n") + 1]
    elif not text.endswith("\n"):
        raise RunError(f"{file}: the last line is cut")
    if not text:
        return pd.DataFrame()
    try:
        return pd.read_csv(io.StringIO(text), low_memory=False)  # or a column may be of two types
    except ValueError as error:
        raise RunError(f"{file}: {error}") from None


def _read_sqlite(file: Path) -> _Tables:
    # Not read-only: a run that was killed leaves a journal, by which SQLite restores its last round
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=rw", uri=True)) as database:
            names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {
                name: pd.read_sql_query(f'SELECT * FROM "{name}" ORDER BY rowid', database)
                for (name,) in names.fetchall()
            }
    except (sqlite3.Error, pd.errors.DatabaseError, UnicodeDecodeError) as error:
        raise RunError(f"{file}: {error}") from None


def _checked(table: pd.DataFrame, columns: pd.DataFrame, place: str) -> pd.DataFrame:
    """The table with numbers where its columns say so, and with what older versions lack."""
    if table.columns.empty:  # begun, with not even its header
        table = pd.DataFrame(columns=columns["column"])
    lacking = [column for column in columns["column"] if column not in table.columns]
    missing = [column for column in lacking if column not in ADDED_COLUMNS]
    if missing:
        raise RunError(f"{place}: columns not in it: {', '.join(missing)}")
    table = table.assign(**{column: ADDED_COLUMNS[column] for column in lacking})
    for column, kind in zip(columns["column"], columns["type"]):
        if kind == "text":
            table[column] = table[column].fillna("").astype(object)
        else:
            table[column] = _numbers(table[column], kind, f"{place}: column {column}")
    return table


def _numbers(values: pd.Series, kind: str, place: str) -> pd.Series:
    try:
        numbers = pd.to_numeric(values)
    except (ValueError, TypeError):
        bad = values[pd.to_numeric(values, errors="coerce").isna() & values.notna()]
        raise RunError(f"{place}: {bad.iloc[0]!r} in row {bad.index[0] + 1} is no number") from None
    if kind == "integer" and numbers.isna().any():
        raise RunError(f"{place}: no number in row {numbers.index[numbers.isna()][0] + 1}")
    return numbers if len(numbers) else numbers.astype(float)
