#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the tables of all figures of the command plot as reStructuredText: see write_appendices.py."""

import re
import sys
from pathlib import Path

from rst_page import escape, section

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "analysis"))

from collab.figures.plot import FIGURES  # noqa: E402

COLUMNS = ("Figure", "What it shows", "Options")


def describe():
    drawn = [row_of(name, figure) for name, figure in FIGURES.items() if figure.by_default]
    others = [row_of(name, figure) for name, figure in FIGURES.items() if not figure.by_default]
    return section("Drawn by Default", COLUMNS, "24 56 20", drawn) + section(
        "Drawn if Asked For", COLUMNS, "24 56 20", others
    )


def row_of(name, figure):
    names = {*figure.options, *figure.text_options} | ({"csv", "table"} if figure.table else set())
    options = ", ".join(f"``--{option}``" for option in sorted(names))
    return f"``{name}``", re.sub(r"--\w+", r"``\g<0>``", escape(figure.title)), options


if __name__ == "__main__":
    print(describe(), end="")
