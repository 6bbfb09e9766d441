# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command: prints the table of some runs and writes their figures."""

import argparse
import os
import sys
from pathlib import Path

from .costs import energy_figure, latency_figure
from .curves import accuracy_figure
from .overview import overview_figure
from .run import RunError, find_runs, load_run
from .tables import group_runs, paired_differences, summary
from .trust import trust_figure

FIGURES = {
    "accuracy": accuracy_figure,
    "energy": energy_figure,
    "latency": latency_figure,
    "trust": trust_figure,
    "demo": overview_figure,
}


def main(arguments=None):
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = _parse(arguments)
    try:
        runs = _load(options.runs)
        folder = Path(options.out or os.path.commonpath([run.path for run in runs]))
        _report(group_runs(runs), folder, ["png", "pdf"] if options.pdf else ["png"])
    except (RunError, OSError) as error:
        print(f"collab plot: {error}", file=sys.stderr)
        return 2
    return 0


def _parse(arguments):
    parser = argparse.ArgumentParser(
        prog="collab plot", description="Print the results of runs side by side and draw them."
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run folder, or a folder of them")
    parser.add_argument(
        "--out", help="where the figures go (default: the lowest folder with all the runs)"
    )
    parser.add_argument("--pdf", action="store_true", help="write each figure as PDF too")
    return parser.parse_args(arguments)


def _load(paths):
    """The runs that have something to show; says which have not."""
    runs = []
    for path in find_runs(paths):
        run = load_run(path)
        if run.rounds.empty:
            print(f"collab plot: {path} is left out: no round has ended yet", file=sys.stderr)
        else:
            runs.append(run)
    if not runs:
        raise RunError("no run has a round that has ended")
    return runs


def _report(groups, folder, formats):
    print(summary(groups))
    differences = paired_differences(groups)
    if differences:
        print(differences)
    folder.mkdir(parents=True, exist_ok=True)
    print("Figures:")
    for name, draw in FIGURES.items():
        figure = draw(groups)
        if figure is None:
            continue
        for kind in formats:
            file = folder / f"{name}.{kind}"
            figure.savefig(file, dpi=150)
            print(f"  {file}")
