#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the tables of all figures of the command plot as reStructuredText.

print_figures.py prints; with --compare FILE it prints nothing, and fails if the file has others.
"""

import argparse
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "analysis"))

from collab.figures.plot import FIGURES  # noqa: E402

HEAD = """.. Printed by tests/configuration/print_figures.py: do not edit.

Figures
=======

What ``./collab plot --figure NAME`` draws, and with which of its other options. From Python each is a
function of ``collab.plot``, with ``_`` for each ``-`` in its name; :doc:`collab-analysis` says more.
"""
TABLE = """
.. list-table::
   :header-rows: 1
   :widths: 24 56 20

   * - Figure
     - What it shows
     - Options
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compare", type=Path)
    given = parser.parse_args()
    text = describe()
    if given.compare is None:
        print(text, end="")
        return 0
    if given.compare.exists() and given.compare.read_text() == text:
        return 0
    print(f"{given.compare} is not what the package says; renew it:", file=sys.stderr)
    print(f"  {sys.argv[0]} > {given.compare}", file=sys.stderr)
    return 1


def describe():
    drawn = {name: figure for name, figure in FIGURES.items() if figure.by_default}
    asked = {name: figure for name, figure in FIGURES.items() if not figure.by_default}
    parts = [HEAD]
    for title, figures in (("Drawn by Default", drawn), ("Drawn if Asked For", asked)):
        rows = "".join(row_of(name, figure) for name, figure in figures.items())
        parts.append(f"\n{title}\n{'-' * len(title)}\n{TABLE}{rows}")
    return "".join(parts)


def row_of(name, figure):
    names = {*figure.options, *figure.text_options} | ({"csv", "rst"} if figure.table else set())
    options = " " + ", ".join(f"``--{option}``" for option in sorted(names)) if names else ""
    title = re.sub(r"[\\*`|]", r"\\\g<0>", figure.title)
    title = re.sub(r"--\w+", r"``\g<0>``", title)
    return f"   * - ``{name}``\n     - {title}\n     -{options}\n"


if __name__ == "__main__":
    sys.exit(main())
