# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What programs share that print a page of the documentation, as reStructuredText."""

import argparse
import re
import sys
from pathlib import Path


def escape(text):
    """What shows a text as it is: what would be markup is escaped."""
    return re.sub(r"[\\*`|]|_(?![A-Za-z0-9])", r"\\\g<0>", text)


def section(title, columns, widths, rows, introduction=""):
    """A section that is a table; cells are reStructuredText."""
    lines = ["", title, "-" * len(title), ""]
    if introduction:
        lines += [introduction, ""]
    lines += [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in [columns, *rows]:
        for number, cell in enumerate(row):
            lines.append((("   * - " if number == 0 else "     - ") + cell).rstrip())
    return "\n".join(lines) + "\n"


def parser():
    """Of the arguments that all of them have."""
    result = argparse.ArgumentParser()
    result.add_argument("--compare", type=Path, metavar="FILE",
        help="print nothing, and fail if FILE says something else")  # fmt: skip
    return result


def print_or_compare(text, file, arguments=()):
    """Prints a page, or compares it with a file; returns the exit code."""
    if file is None:
        print(text, end="")
        return 0
    if file.exists() and file.read_text() == text:
        return 0
    command = " ".join(str(part) for part in (sys.argv[0], *arguments))
    print(f"{file} is not what the code says; renew it:\n  {command} > {file}", file=sys.stderr)
    return 1
