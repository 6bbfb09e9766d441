#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the tables of all reproductions as reStructuredText, from their files.

print_reproductions.py prints; with --compare FILE it prints nothing, and fails if the file has
others. Exits with 77, which CTest counts as skipped, where a package of the analysis is not
installed.
"""

import sys
from pathlib import Path

from rst_page import escape, parser, print_or_compare, section

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))
try:
    from collab.sweeps.reproduction import load_reproduction, scales_of_all
except ImportError as error:
    print(f"{error.name} is not installed: the reproductions were not read")
    sys.exit(77)

FOLDER = ROOT / "scenarios" / "reproductions"
HEAD = """.. Printed by tests/configuration/print_reproductions.py: do not edit.

Reproductions
=============

These are the experiments that ``./collab reproduce NAME --scale SCALE`` repeats; :doc:`collab-sweeps`
says more.
"""
COLUMNS = ("Name", "What it shows", "Of what", "Scales")


def main():
    files = sorted(FOLDER.rglob("*.yaml"))
    folders = sorted({file.parent for file in files})
    text = HEAD + "".join(describe(folder) for folder in folders)
    return print_or_compare(text, parser().parse_args().compare)


def describe(folder):
    rows = [row_of(file) for file in sorted(folder.glob("*.yaml"))]
    return section(str(folder.relative_to(FOLDER)), COLUMNS, "26 36 24 14", rows)


def row_of(file):
    name = str(file.relative_to(FOLDER).with_suffix(""))
    reproduction = load_reproduction(name, ROOT / "scenarios")
    scales = ", ".join(f"``{scale}``" for scale in scales_of_all(reproduction, ROOT / "scenarios"))
    return f"``{name}``", escape(reproduction.title), escape(reproduction.source), scales


if __name__ == "__main__":
    sys.exit(main())
