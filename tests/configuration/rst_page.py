# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What programs share that print a page of the documentation, as reStructuredText."""

import re


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
