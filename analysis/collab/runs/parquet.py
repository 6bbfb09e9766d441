# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The tables of a database of runs as a folder of Parquet files, a file per table, and back."""

import importlib.util
import sqlite3
import tempfile
from pathlib import Path
from typing import List, Sequence

import pandas as pd

from .collection import Report, collect
from .database import load_database, opened, quoted
from .errors import RunError
from .sweep_results import Sweep

SUFFIX = ".parquet"  # of the folder, and of each file in it
_LIBRARIES = ("pyarrow", "fastparquet")  # of which pandas needs one
_MIXED = "parameters"  # the table whose values are numbers and texts, which Parquet's columns cannot be


def check_library() -> None:
    """Raises RunError unless Parquet files can be read and written."""
    if not any(map(importlib.util.find_spec, _LIBRARIES)):
        raise RunError("Parquet files need the Python module pyarrow (not in Debian 12; pip install pyarrow)")


def collect_parquet(paths: Sequence, folder: Path) -> Report:
    """Writes all finished runs in and below some folders into a new folder of Parquet files."""
    check_library()
    if folder.exists():
        raise RunError(f"{folder} is there already; allowed: a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        database, partial = Path(place) / "runs.sqlite", Path(place) / "tables"
        report = collect(paths, database)
        partial.mkdir()
        with opened(database) as connection:
            for name in _tables(connection):
                table = pd.read_sql_query(f"SELECT * FROM {quoted(name)}", connection)
                if name == _MIXED:
                    table["value"] = table["value"].map(lambda value: None if value is None else str(value))
                table.to_parquet(partial / f"{name}{SUFFIX}", index=False)
        partial.rename(folder)
    return report


def _tables(connection) -> List[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in rows]


def is_parquet(path: Path) -> bool:
    """Whether a folder is one that collect_parquet() has written."""
    return path.is_dir() and (path / f"runs{SUFFIX}").is_file()


def load_parquet(folder: Path) -> Sweep:
    """All runs of such a folder, whose tables are read at once."""
    check_library()
    with tempfile.TemporaryDirectory() as place:
        database = Path(place) / "runs.sqlite"
        with opened(database, create=True) as connection:
            made = _tables(connection)
            for file in sorted(folder.glob(f"*{SUFFIX}")):
                _insert(connection, file, file.stem in made)
        sweep = load_database(database)
        for run in sweep.runs:
            for name in run.tables:
                run.tables[name]
    return sweep


def _insert(connection: sqlite3.Connection, file: Path, is_made: bool) -> None:
    """Adds the rows of a file to its table, which has no rows yet, if it is there at all."""
    try:
        table = pd.read_parquet(file)
    except Exception as error:  # libraries raise nearly anything at a damaged file
        raise RunError(f"{file} is no Parquet file, or damaged: {str(error).splitlines()[0]}") from None
    if is_made:
        connection.execute(f"DELETE FROM {quoted(file.stem)}")
        present = {row[1] for row in connection.execute(f"PRAGMA table_info({quoted(file.stem)})")}
        for column in table.columns.difference(sorted(present), sort=False):
            connection.execute(f"ALTER TABLE {quoted(file.stem)} ADD COLUMN {quoted(column)}")
    table.to_sql(file.stem, connection, if_exists="append", index=False)
    connection.commit()
