# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The SQLite file that holds all finished runs of some folders: its layout, and reading it."""

import json
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Dict, Iterator, List, Mapping

import pandas as pd

from .contents import older_calls
from .errors import RunError
from .run import Run, make_run
from .run_files import DESCRIPTION_COLUMNS
from .sweep_results import Sweep

# Bump it whenever a reader of the last version could not read the file
DATABASE_SCHEMA = 1
APPLICATION = 0x636F6C62  # "colb", in the file's head

# Tables of the database itself. Those of the runs come beside them, each with run_id first.
_OWN_TABLES = """
CREATE TABLE runs (
    run_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folder TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    scenario TEXT NOT NULL,
    seed INTEGER NOT NULL,
    run INTEGER NOT NULL,
    metadata TEXT NOT NULL
);
CREATE TABLE parameters (run_id INTEGER NOT NULL, name TEXT NOT NULL, value,
    PRIMARY KEY (run_id, name)) WITHOUT ROWID;
CREATE TABLE devices (run_id INTEGER NOT NULL, device INTEGER NOT NULL,
    PRIMARY KEY (run_id, device)) WITHOUT ROWID;
CREATE TABLE schema ("table" TEXT NOT NULL, "column" TEXT NOT NULL, type TEXT NOT NULL,
    unit TEXT NOT NULL, meaning TEXT NOT NULL, PRIMARY KEY ("table", "column")) WITHOUT ROWID;
"""

# What their columns mean
_OWN_COLUMNS = [
    ("runs", "run_id", "integer", "", "number of the run in this file"),
    ("runs", "name", "text", "", "name of its folder"),
    ("runs", "folder", "text", "", "its folder, as seen from this file's"),
    ("runs", "definition", "text", "", "digest of all that decides the run's results"),
    ("runs", "fingerprint", "text", "", "digest of names, sizes and times of its files"),
    ("runs", "scenario", "text", "", "the scenario's name"),
    ("runs", "seed", "integer", "", "ns-3's RngSeed"),
    ("runs", "run", "integer", "", "ns-3's RngRun"),
    ("runs", "metadata", "text", "", "run.json"),
    ("parameters", "run_id", "integer", "", "number of the run"),
    ("parameters", "name", "text", "", "a parameter of the scenario, or an attribute of ns-3"),
    ("parameters", "value", "any", "", "its value: a number or text"),
    ("devices", "run_id", "integer", "", "number of the run"),
    ("devices", "device", "integer", "", "number of the device; further columns as in run.json"),
]
OWN_NAMES = {"runs", "parameters", "devices", "schema", "wide"}


def load_database(path) -> Sweep:
    """All runs of a database; their tables are read when they are first used."""
    path = Path(path)
    with opened(path) as connection:
        rows = connection.execute("SELECT run_id, folder, metadata FROM runs ORDER BY folder")
        ((scenarios,),) = connection.execute("SELECT COUNT(DISTINCT scenario) FROM runs")
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in tables if name not in OWN_NAMES]
        columns = pd.read_sql_query("SELECT * FROM schema", connection)
        columns = columns[columns["table"].isin(names) & (columns["column"] != "run_id")]
        runs = [_load(path, names, columns, scenarios > 1, *row) for row in rows]
    if not runs:
        raise RunError(f"{path} has no run in it")
    return Sweep(runs, older_calls(run.path for run in runs))


def _load(path: Path, names, columns, is_mixed: bool, run_id: int, folder: str, metadata: str) -> Run:
    tables = _Tables(path, run_id, names, columns, is_mixed)
    place = (path.resolve().parent / folder).resolve()
    return make_run(place, True, json.loads(metadata), tables, columns)


class _Tables(Mapping):
    """The tables of one run in a database, each read when it is first used.

    In a database of several scenarios (is_mixed) a table has the columns of all of them; those without
    any value are left out.
    """

    def __init__(
        self, path: Path, run_id: int, names: List[str], columns: pd.DataFrame, is_mixed: bool
    ):
        self._is_mixed = is_mixed
        self._path = path
        self._run_id = run_id
        self._names = names
        self._columns = columns
        self._read: Dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _load(self, name: str) -> pd.DataFrame:
        query = f"SELECT * FROM {quoted(name)} WHERE run_id = ? ORDER BY rowid"
        with opened(self._path) as connection:
            table = pd.read_sql_query(query, connection, params=[self._run_id])
        table = table.drop(columns="run_id")
        if self._is_mixed and len(table):
            table = table.dropna(axis="columns", how="all")
        kinds = self._columns[self._columns["table"] == name].set_index("column")["type"]
        for column in table:
            if kinds.get(column) == "real" or (table.empty and kinds.get(column) != "text"):
                table[column] = table[column].astype(float)
        return table


@contextmanager
def opened(path: Path, create: bool = False):
    """The file, if it is a database of this module and of this version, or a new one."""
    new = create and not (path.exists() and path.stat().st_size)
    mode = "rwc" if create else "rw"  # "ro" could not undo what an interrupted call left
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True)) as file:
            file.execute("PRAGMA busy_timeout = 60000")
            if new:
                _make(file)
            _check(file, path)
            yield file
    except (sqlite3.Error, pd.errors.DatabaseError) as error:
        raise RunError(f"{path}: {error}{_advice(error)}") from None


def _advice(error: Exception) -> str:
    damaged = "malformed" in str(error) or "not a database" in str(error)
    return "; remove it and collect the runs anew" if damaged else ""


def _make(connection) -> None:
    columns = ", ".join("?" * len(DESCRIPTION_COLUMNS))
    with transaction(connection):
        for statement in filter(str.strip, _OWN_TABLES.split(";")):
            connection.execute(statement)
        connection.executemany(f"INSERT INTO schema VALUES ({columns})", _OWN_COLUMNS)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {DATABASE_SCHEMA}")


@contextmanager
def transaction(connection):
    """All that is done within it, or nothing; also for what changes tables."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def _check(connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise RunError(f"{path} is not a database of runs; give a file that ./collab collect made")
    if version != DATABASE_SCHEMA:
        raise RunError(
            f"{path}: schema is {version}; allowed: {DATABASE_SCHEMA};"
            " remove it and collect the runs anew"
        )


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'
