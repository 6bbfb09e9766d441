# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the command validate: draws the tables of fidelity-proof and link-chain."""

import sys
from pathlib import Path

import pandas as pd

from ..figures.radio.validation import chain_figure, fidelity_figure
from .arguments import OneLineParser


def main(arguments=None):
    """Draws the figures; returns the exit code."""
    parser = OneLineParser(prog="collab validate", description=__doc__)
    parser.add_argument("folder", type=Path, help="with fidelity.csv and chain.csv")
    folder = parser.parse_args(arguments).folder
    try:
        _draw(folder)
    except (OSError, ValueError, KeyError) as error:
        print(f"collab validate: {folder}: {error}", file=sys.stderr)
        return 2
    return 0


def _draw(folder):
    for name, draw in (("fidelity", fidelity_figure), ("chain", chain_figure)):
        figure = draw(pd.read_csv(folder / f"{name}.csv"))
        file = folder / f"{name}.png"
        figure.savefig(file, dpi=120)
        print(f"  {file}")
