#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the tables of all arguments of scenarios as reStructuredText, from what programs say.

Usage: print_arguments.py PROGRAM...; see write_appendices.py.
"""

import json
import subprocess
import sys
from pathlib import Path

from rst_page import escape, section

COLUMNS = ("Name", "Default", "Values", "Meaning", "Attribute")
WIDTHS = "16 12 22 30 20"


def main():
    for program in sorted(map(Path, sys.argv[1:]), key=lambda program: program.name):
        print(describe(program), end="")


def describe(program):
    result = subprocess.run(
        [program, "--PrintArguments=json"], check=True, capture_output=True, text=True
    )
    listed = json.loads(result.stdout)
    rows = [row_of(entry) for entry in listed["arguments"]]
    return section(listed["program"], COLUMNS, WIDTHS, rows, escape(listed["usage"]))


def row_of(entry):
    name = f"``{entry['name']}``"
    default = f"``{entry['default']}``" if entry["default"] else ""
    meaning = escape(entry["help"])
    if entry.get("changesResults") is False:
        meaning += "; changes no result"
    return name, default, values_of(entry), meaning, attributes_of(entry)


def values_of(entry):
    if "choices" in entry:
        return ", ".join(f"``{choice}``" for choice in entry["choices"])
    if "suggestions" in entry:
        return "such as " + ", ".join(f"``{choice}``" for choice in entry["suggestions"])
    if "range" in entry:
        return escape(entry["range"])
    return entry["type"] + (f" [{entry['unit']}]" if "unit" in entry else "")


def attributes_of(entry):
    same = [shorten(name) for name in entry.get("attributes", [])]
    computed = ["computes " + shorten(name) for name in entry.get("computes", [])]
    return ", ".join(same + computed)


def shorten(attribute):
    # newer versions of ns-3 have energy sources in a namespace of their own
    short = attribute.replace("ns3::collab::", "").replace("ns3::energy::", "ns3::")
    return f"``{short}``"


if __name__ == "__main__":
    main()
