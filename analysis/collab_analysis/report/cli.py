# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command: writes the report of a run folder, or of a folder of runs."""

import argparse
import os
import sys
from pathlib import Path
from typing import Optional, Sequence

from ..errors import RunError
from ..sweep_results import is_database
from .page import ChartLibraryError, build_page
from .run_page import run_data
from .sweep_page import sweep_data


SWEEPS = Path("runs/sweeps")  # where ./collab sweep puts them
_KINDS = "a run folder, a folder or database of runs, or the name of a sweep"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = _parse(arguments)
    try:
        file = write_report(options.run, options.out)
    except ChartLibraryError as error:
        print(f"collab report: {error}", file=sys.stderr)
        return 1
    except (RunError, OSError) as error:
        print(f"collab report: {error}", file=sys.stderr)
        return 2
    print(f"wrote {file} ({file.stat().st_size / 1e6:.1f} MB)")
    return 0


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
    raise RunError(f"{source} is not a run; allowed: {_KINDS} in {SWEEPS}")


def _parse(arguments):
    parser = argparse.ArgumentParser(
        prog="collab report", description="Write a run or a sweep as one HTML file."
    )
    parser.add_argument("run", metavar="RUN|SWEEP", help=_KINDS)
    parser.add_argument(
        "--out", metavar="FILE", help="default: report.html in that folder, NAME.html of a database"
    )
    return parser.parse_args(arguments)


def _replace(file: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(file.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, file)
    finally:
        partial.unlink(missing_ok=True)
