# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads runs from wherever they are: folders, or a database."""

from pathlib import Path
from typing import Sequence

from .database import load_database
from .errors import RunError
from .groups import meeting
from .parquet import is_parquet, load_parquet
from .sweep_results import Sweep, load_folders

# Text that every SQLite file begins with
_SQLITE_MAGIC = b"SQLite format 3\0"


def load_sweep(path) -> Sweep:
    """The runs in and below a folder, or of a database or folder of Parquet files that collect made.

    Of a folder, runs that have not finished or are damaged are left out; RunError if no run is
    left.
    """
    path = Path(path)
    if is_database(path):
        return load_database(path)
    if is_parquet(path):
        return load_parquet(path)
    return load_folders([path])


def is_database(path: Path) -> bool:
    """True for a SQLite file."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def load_paths(paths: Sequence, where: Sequence[str] = ()) -> Sweep:
    """The runs in and below folders, of one that has not finished too if it is named or none has;
    or those of one database; such as meet conditions as read_condition() reads them."""
    databases = [path for path in paths if is_database(Path(path)) or is_parquet(Path(path))]
    if not databases:
        return load_folders(paths, begun=True, where=where)
    if len(paths) > 1:
        raise RunError(f"{databases[0]} is a database, which cannot go with other runs")
    sweep = load_sweep(databases[0])
    return Sweep(meeting(sweep.runs, where), sweep.left_out)
