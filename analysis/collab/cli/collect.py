# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command collect: all finished runs of some folders in one SQLite file."""

import os
import sys
from pathlib import Path

from ..runs.collection import Report, collect
from ..runs.errors import RunError
from .arguments import OneLineParser

DEFAULT_NAME = "results.sqlite"


def main(arguments=None) -> int:
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = parser().parse_args(arguments)
    try:
        database = Path(options.out) if options.out else _default_place(options.folders)
        report = collect(options.folders, database, options.prune)
    except (RunError, OSError) as error:
        print(f"collab collect: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("collab collect: interrupted; the next call goes on", file=sys.stderr)
        return 130
    _print(report, database, options.prune)
    return 0


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab collect",
        description="Put all finished runs in one SQLite file, or bring it up to date.",
    )
    made.add_argument(
        "folders", nargs="+", metavar="FOLDER", help="a sweep, a run folder, or a folder of them"
    )
    made.add_argument(
        "--out", metavar="FILE", help=f"the file (default: {DEFAULT_NAME} in the folder)"
    )
    made.add_argument(
        "--prune", action="store_true", help="remove runs whose folders have vanished"
    )
    return made


def _default_place(folders) -> Path:
    return Path(os.path.commonpath([os.path.abspath(folder) for folder in folders])) / DEFAULT_NAME


def _print(report: Report, database: Path, prune: bool) -> None:
    for line in report.left_out:
        print(f"collab collect: {line}", file=sys.stderr)
    for folder in report.renewed:
        print(f"collab collect: {folder} had changed and was read again", file=sys.stderr)
    for folder in report.vanished:
        what = "was removed" if prune else "is kept (--prune removes it)"
        print(f"collab collect: {folder} has vanished; its run {what}", file=sys.stderr)
    counts = {
        "added": report.added,
        "changed": report.renewed,
        "as they were": report.kept,
        "vanished": report.vanished,
        "left out": report.left_out,
    }
    listed = ", ".join(f"{len(runs)} {name}" for name, runs in counts.items() if runs)
    print(f"{database}: runs {listed or 'none'}")
