# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command report: writes the report of a run folder, or of a folder of runs."""

import sys
from typing import Optional, Sequence

from ..report.page import ChartLibraryError
from ..report.write import KINDS, write_report
from ..runs.errors import RunError
from .arguments import OneLineParser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = parser().parse_args(arguments)
    try:
        file = write_report(options.run, options.out)
    except ChartLibraryError as error:
        print(f"collab report: {error}", file=sys.stderr)
        return 1
    except (RunError, OSError) as error:
        print(f"collab report: {error}", file=sys.stderr)
        return 2
    print(f"wrote {file} ({file.stat().st_size / 1e6:.1f} MB)")
    return 0


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab report", description="Write a run or a sweep as one HTML file."
    )
    made.add_argument("run", metavar="RUN|SWEEP", help=KINDS)
    made.add_argument(
        "--out", metavar="FILE", help="default: report.html in that folder, NAME.html of a database"
    )
    return made
