#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the appendices of the documentation, which programs print: DIR/PAGE.rst for each page.

Usage: write_appendices.py DIR PRINTERS [SCENARIO...]

PRINTERS is the folder of the programs print-attributes, print-columns and print-models. Without
scenarios there is no appendix of their arguments. conf.py of the pages appends each file to the page
of the same name. Files that are as before keep their time, so that Sphinx reads only what changed.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Page to the program that prints it; conf.py finds the pages by their names
PROGRAMS = {
    "collab-attributes": "print-attributes",
    "collab-columns": "print-columns",
    "collab-model-costs": "print-models",
}
SCRIPTS = {"collab-figures": "print_figures.py", "collab-reproductions": "print_reproductions.py"}
NEEDS = {"collab-figures": "matplotlib", "collab-reproductions": "yaml"}
ARGUMENTS = "collab-scenario-arguments"


def main(folder, printers, *scenarios):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for page, program in PROGRAMS.items():
        write(folder / f"{page}.rst", Path(printers) / program)
    for page, script in SCRIPTS.items():
        if importlib.util.find_spec(NEEDS[page]) is None:
            print(f"no {page}: {NEEDS[page]} is not installed")
        else:
            write(folder / f"{page}.rst", sys.executable, HERE / script)
    if scenarios:
        write(folder / f"{ARGUMENTS}.rst", sys.executable, HERE / "print_arguments.py", *scenarios)


def write(file, *command):
    """Writes what a program prints into a file, unless it says that already."""
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
