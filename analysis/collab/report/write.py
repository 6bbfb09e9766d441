# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the report of a run, of a folder or database of runs, or of a sweep."""

import os
from pathlib import Path

from ..runs.errors import RunError
from ..runs.sources import is_database
from .page import build_page
from .run_page import run_data
from .sweep_page import sweep_data

SWEEPS = Path("runs/sweeps")  # where ./collab sweep puts them
KINDS = "a run folder, a folder or database of runs, or the name of a sweep"


def write_report(source, out=None) -> Path:
    """Writes the report of a run, a folder or database of runs, or a sweep by name.

    Returns its file, by default report.html in the folder, NAME.html beside a database.

    Raises RunError if there is no run, OSError if the file cannot be written, ChartLibraryError
    if Chart.js is not installed.
    """
    source = _find(source)
    usual = source / "report.html" if source.is_dir() else source.with_suffix(".html")
    file = Path(out) if out else usual
    if file.exists() and not file.is_file():
        raise RunError(f"--out was given {file}, which is no file; allowed: a new or an old file")
    single = (source / "run.json").is_file()
    data = run_data(source) if single else sweep_data(source, file)
    _replace(file, build_page(data))
    return file


def _find(source) -> Path:
    for place in (Path(source), SWEEPS / str(source)):
        if place.is_dir() or is_database(place):
            return place
    raise RunError(f"{source} is not a run; allowed: {KINDS} in {SWEEPS}")


def _replace(file: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(file.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, file)
    finally:
        partial.unlink(missing_ok=True)
