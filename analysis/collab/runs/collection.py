# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Brings a database up to date with the finished runs of some folders."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterable, List, Tuple

import pandas as pd

from .contents import OUTDATED, contents_of, is_outdated, older_calls
from .database import OWN_NAMES, opened, quoted, transaction
from .definition import definition_of
from .errors import RunError
from .run import Run, find_runs, load_run, read_metadata
from .run_files import DESCRIPTION_COLUMNS

DERIVED = (".html", ".pdf", ".png", ".svg")  # reports and figures beside the run's own files
_UNITS_OF_DEVICES = {"x_m": "m", "y_m": "m", "z_m": "m"}


@dataclass
class Report:
    """What collect() did, by folder."""

    added: List[Path] = field(default_factory=list)
    renewed: List[Path] = field(default_factory=list)  # changed since they were added
    kept: List[Path] = field(default_factory=list)
    vanished: List[Path] = field(default_factory=list)  # in the database, but no folder any more
    left_out: List[str] = field(default_factory=list)  # a line each
    older: List[str] = field(default_factory=list)  # a line for each sweep with runs of older calls


def collect(paths: Iterable, database, prune: bool = False) -> Report:
    """Brings a database up to date with the finished runs in and below some folders.

    Each run is added at once or not at all, so that an interrupted call leaves whole runs and the
    next one goes on. A run whose folder has vanished stays unless prune is set.
    """
    database = Path(database)
    paths = [Path(path) for path in paths]
    folders = find_runs(paths)
    report = Report()
    with opened(database, create=True) as connection:
        known = _known_runs(connection, database)
        for folder in folders:
            if folder not in paths and is_outdated(folder):
                _leave_out(connection, folder, known, report)
            else:
                _collect_run(connection, database, folder, known, report)
        for folder in sorted(known):
            if not (folder / "run.json").exists():
                report.vanished.append(folder)
                if prune:
                    with connection:
                        _remove(connection, known[folder][0])
        _make_wide_view(connection)
    collected = [*report.added, *report.renewed, *report.kept]
    report.older = older_calls(folder for folder in collected if folder not in paths)
    return report


def _known_runs(connection, database: Path) -> Dict[Path, Tuple[int, str, str]]:
    """Number, fingerprint and definition of the runs in the database, by folder."""
    rows = connection.execute("SELECT folder, run_id, fingerprint, definition FROM runs")
    parent = database.resolve().parent
    return {(parent / folder).resolve(): tuple(rest) for folder, *rest in rows}


def _leave_out(connection, folder: Path, known, report: Report) -> None:
    """Leaves a run out of other contents of files than the others are of, and takes it out."""
    report.left_out.append(f"{folder} is left out: {OUTDATED}")
    if folder.resolve() in known:
        with connection:
            _remove(connection, known.pop(folder.resolve())[0])


def _collect_run(connection, database: Path, folder: Path, known, report: Report) -> None:
    place = folder.resolve()
    if folder.name.endswith(".partial"):
        report.left_out.append(f"{folder} is left out: it has not finished")
        return
    fingerprint = _fingerprint(folder)
    if place in known and known[place][1] == fingerprint:
        report.kept.append(folder)
        return
    try:
        run, metadata = load_run(folder), read_metadata(folder)
        replaced = _replaced(place, definition_of(run), known)
    except RunError as error:
        report.left_out.append(f"{folder} is left out: {error}")
        return
    with transaction(connection):
        for old in replaced:
            _remove(connection, known.pop(old)[0])
        run_id = _insert(connection, database, run, metadata, fingerprint)
    known[place] = (run_id, fingerprint, definition_of(run))
    (report.renewed if place in replaced else report.added).append(folder)


def _replaced(place: Path, definition: str, known) -> List[Path]:
    """The runs in the database that a run takes the place of: of its folder, or one that moved.

    Raises RunError if another folder that is still there has the same run.
    """
    replaced = [place] if place in known else []
    for other, (_, _, known_definition) in known.items():
        if other != place and known_definition == definition:
            if (other / "run.json").exists():
                raise RunError(f"it is the same run as {other}")
            replaced.append(other)
    return replaced


def _fingerprint(folder: Path) -> str:
    """Changes when a file that the run wrote does, without reading it, or what is known of contents."""
    contents = contents_of(folder)
    digest = hashlib.sha256(json.dumps(contents, sort_keys=True).encode() if contents else b"")
    written = (file for file in folder.iterdir() if file.suffix not in DERIVED)
    for file in sorted(written):
        status = file.stat()
        digest.update(f"{file.name}/{status.st_size}/{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def _insert(connection, database: Path, run: Run, metadata: dict, fingerprint: str) -> int:
    values = (run.path.name, _relative(run.path, database), definition_of(run), fingerprint,
              run.scenario, run.seed, run.run, json.dumps(metadata))  # fmt: skip
    names = "name, folder, definition, fingerprint, scenario, seed, run, metadata"
    run_id = connection.execute(
        f"INSERT INTO runs ({names}) VALUES ({', '.join('?' * len(values))})", values
    ).lastrowid
    chosen = [(run_id, name, _plain(value)) for name, value in run.settings.items()
              if name not in ("seed", "run")]  # fmt: skip
    connection.executemany("INSERT INTO parameters VALUES (?, ?, ?)", chosen)
    _insert_table(connection, run_id, "devices", run.devices.reset_index(), _of_devices(run))
    for name, table in run.tables.items():
        if name in OWN_NAMES:
            raise RunError(f"{run.path}: a table may not be called {name}")
        _insert_table(connection, run_id, name, table, run.columns[run.columns["table"] == name])
    return run_id


def _insert_table(connection, run_id: int, name: str, table: pd.DataFrame, columns) -> None:
    """Adds the rows of a run to a table, which gets the columns that it lacks."""
    described = columns.set_index("column")
    present = {row[1] for row in connection.execute(f"PRAGMA table_info({quoted(name)})")}
    if not present:
        connection.execute(f"CREATE TABLE {quoted(name)} (run_id INTEGER NOT NULL)")
        connection.execute(f"CREATE INDEX {quoted('of_' + name)} ON {quoted(name)} (run_id)")
        _describe(connection, name, "run_id", "integer", "", "number of the run")
    for column in table:
        if column in present:
            continue
        row = described.loc[column] if column in described.index else {}
        kind = row.get("type") or _kind(table[column])
        connection.execute(f"ALTER TABLE {quoted(name)} ADD COLUMN {quoted(column)} {kind}")
        _describe(connection, name, column, kind, row.get("unit", ""), row.get("meaning", ""))
    names = ", ".join(map(quoted, ["run_id", *table.columns]))
    places = ", ".join("?" * (1 + len(table.columns)))
    cells = table.astype(object).where(table.notna(), None)
    rows = ([run_id, *row] for row in cells.itertuples(index=False, name=None))
    connection.executemany(f"INSERT INTO {quoted(name)} ({names}) VALUES ({places})", rows)


def _describe(connection, *row) -> None:
    connection.execute("INSERT OR IGNORE INTO schema VALUES (?, ?, ?, ?, ?)", row)


def _of_devices(run: Run) -> pd.DataFrame:
    """What is known of the columns that run.json has for devices."""
    rows = [
        ("devices", name, _kind(run.devices[name]), _UNITS_OF_DEVICES.get(name, ""), "see run.json")
        for name in run.devices
    ]
    return pd.DataFrame(rows, columns=list(DESCRIPTION_COLUMNS))


def _remove(connection, run_id: int) -> None:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in names:
        if name != "schema":
            connection.execute(f"DELETE FROM {quoted(name)} WHERE run_id = ?", [run_id])


def _make_wide_view(connection) -> None:
    """The view wide: a row a run, a column a parameter."""
    names = connection.execute("SELECT DISTINCT name FROM parameters ORDER BY name").fetchall()
    reserved = {"run_id", "name", "scenario", "seed", "run"}
    columns = ["run_id", "runs.name", "scenario", "seed", "run"] + [
        f"max(CASE parameters.name WHEN {_text(name)} THEN value END) AS "
        + quoted(f"parameter {name}" if name in reserved else name)
        for (name,) in names
    ]
    statement = (
        f"CREATE VIEW wide AS SELECT {', '.join(columns)} FROM runs"
        " LEFT JOIN parameters USING (run_id) GROUP BY run_id"
    )
    present = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'wide'").fetchone()
    if present != (statement,):
        with transaction(connection):
            connection.execute("DROP VIEW IF EXISTS wide")
            connection.execute(statement)


def _relative(folder: Path, database: Path) -> str:
    """The folder as seen from the database's, so that both can move together."""
    place, parent = folder.resolve(), database.resolve().parent
    return str(place.relative_to(parent)) if parent in place.parents else str(place)


def _kind(values: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(values) or pd.api.types.is_integer_dtype(values):
        return "integer"
    return "real" if pd.api.types.is_float_dtype(values) else "text"


def _plain(value):
    """A value as SQLite can hold it."""
    if isinstance(value, (list, dict)):
        return json.dumps(value)
    if hasattr(value, "item"):
        value = value.item()
    return int(value) if isinstance(value, bool) else value


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
