#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the tables of all reproductions as reStructuredText, from their files: see write_appendices.py."""

import sys
from pathlib import Path

from rst_page import escape, section

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))
from collab.sweeps.reproduction import load_reproduction, scales_of_all  # noqa: E402

FOLDER = ROOT / "scenarios" / "reproductions"
COLUMNS = ("Name", "What it shows", "Of what", "Scales")


def main():
    files = sorted(FOLDER.rglob("*.yaml"))
    for folder in sorted({file.parent for file in files}):
        print(describe(folder), end="")


def describe(folder):
    rows = [row_of(file) for file in sorted(folder.glob("*.yaml"))]
    return section(str(folder.relative_to(FOLDER)), COLUMNS, "26 36 24 14", rows)


def row_of(file):
    name = str(file.relative_to(FOLDER).with_suffix(""))
    reproduction = load_reproduction(name, ROOT / "scenarios")
    scales = ", ".join(f"``{scale}``" for scale in scales_of_all(reproduction, ROOT / "scenarios"))
    texts = (escape(text) for text in (reproduction.title, reproduction.source))
    return f"``{name}``", *texts, scales


if __name__ == "__main__":
    main()
