#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the tables of all figures of the command plot as reStructuredText.

print_figures.py prints; with --compare FILE it prints nothing, and fails if the file has others.
"""

import re
import sys
from pathlib import Path

from rst_page import escape, parser, print_or_compare, section

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "analysis"))

from collab.figures.plot import FIGURES  # noqa: E402

HEAD = """.. Printed by tests/configuration/print_figures.py: do not edit.

Figures
=======

These are the figures that ``./collab plot --figure NAME`` draws, with the other options that each
takes. From Python each is a function of ``collab.plot``, with ``_`` for each ``-`` in its name;
:doc:`collab-analysis` says more.
"""
COLUMNS = ("Figure", "What it shows", "Options")


def main():
    return print_or_compare(describe(), parser().parse_args().compare)


def describe():
    drawn = [row_of(name, figure) for name, figure in FIGURES.items() if figure.by_default]
    others = [row_of(name, figure) for name, figure in FIGURES.items() if not figure.by_default]
    return (
        HEAD
        + section("Drawn by Default", COLUMNS, "24 56 20", drawn)
        + section("Drawn if Asked For", COLUMNS, "24 56 20", others)
    )


def row_of(name, figure):
    names = {*figure.options, *figure.text_options} | ({"csv", "rst"} if figure.table else set())
    options = ", ".join(f"``--{option}``" for option in sorted(names))
    return f"``{name}``", re.sub(r"--\w+", r"``\g<0>``", escape(figure.title)), options


if __name__ == "__main__":
    sys.exit(main())
