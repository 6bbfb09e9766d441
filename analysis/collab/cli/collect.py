# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command collect: all finished runs of some folders in one SQLite file."""

import os
import sys
from pathlib import Path
from typing import Callable

from ..runs.collection import Report, collect
from ..runs.errors import RunError
from ..runs.parquet import SUFFIX as PARQUET
from ..runs.parquet import collect_parquet
from ..runs.run import find_runs, load_run
from .arguments import OneLineParser

DEFAULT_NAME = "results.sqlite"


def main(arguments=None) -> int:
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = parser().parse_args(arguments)
    try:
        if options.tensorboard:
            place = options.tensorboard
            return _export(options.folders, place, f"tensorboard --logdir {place} shows them",
                           lambda run, name: run.to_tensorboard(place / name))  # fmt: skip
        if options.mlflow:
            place = options.mlflow
            return _export(options.folders, place, f"mlflow ui --backend-store-uri {place} shows them",
                           lambda run, name: run.to_mlflow(place, name))  # fmt: skip
        database = Path(options.out) if options.out else _default_place(options.folders)
        if database.suffix == PARQUET:
            report = collect_parquet(options.folders, database)
        else:
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
        "--out", metavar="FILE", help=f"the file (default: {DEFAULT_NAME} in the folder), or a new"
        f" folder NAME{PARQUET} of Parquet files, one per table"
    )
    made.add_argument(
        "--prune", action="store_true", help="remove runs whose folders have vanished"
    )
    others = made.add_mutually_exclusive_group()
    others.add_argument("--tensorboard", type=Path, metavar="DIR",
                        help="write event files of TensorBoard there instead, one per run")  # fmt: skip
    others.add_argument("--mlflow", type=Path, metavar="DIR",
                        help="write a file store of MLflow there instead, usually mlruns")  # fmt: skip
    return made


def _default_place(folders) -> Path:
    return _common(folders) / DEFAULT_NAME


def _common(folders) -> Path:
    return Path(os.path.commonpath([os.path.abspath(folder) for folder in folders]))


def _export(folders, place: Path, hint: str, write: Callable) -> int:
    """Writes each run, named as its folder below what is common, into the files of another program."""
    common = _common(folders)
    runs = find_runs(folders)
    written = 0
    for folder in runs:
        try:
            run = load_run(folder)
            if run.rounds.empty:
                raise RunError(f"{folder}: no round has ended")
            write(run, os.path.relpath(folder.resolve(), common.resolve()))
            written += 1
        except FileExistsError as error:
            print(f"collab collect: {error.filename} is there already", file=sys.stderr)
        except RunError as error:
            print(f"collab collect: {error}", file=sys.stderr)
    print(f"{place}: {written} of {len(runs)} runs; {hint}")
    return 0 if written == len(runs) else 2


def _print(report: Report, database: Path, prune: bool) -> None:
    for line in report.left_out:
        print(f"collab collect: {line}", file=sys.stderr)
    for line in report.older:
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
