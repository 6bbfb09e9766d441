#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A program for the tests that reads its arguments as ns-3's CommandLine does.

It writes a table of length rows, and fails or crashes if told so.
"""

import os
import sys
from pathlib import Path

OPTIONS = """{name} [Program Options] [General Arguments]

Program Options:
    --length:  rows of its table [3]
    --mode:    well, fail or crash [well]
    --step:    between its numbers; with [brackets] in its text [0.5]

General Arguments:
    --PrintGlobals:              Print the list of globals.
    --PrintHelp:                 Print this help message.
"""
GLOBALS = """Global values:
    --ChecksumEnabled=[false]
        A global switch to enable all checksums for all protocols
    --RngRun=[1]
        The substream index used for all streams
    --RngSeed=[1]
        The global seed of all rng streams
"""


def main():
    values = {"length": "3", "mode": "well", "step": "0.5", "RngSeed": "1", "RngRun": "1"}
    for word in sys.argv[1:]:
        name, _, value = word[2:].partition("=")
        if name == "PrintHelp":
            print(OPTIONS.format(name=Path(sys.argv[0]).name))
            return 0
        if name == "PrintGlobals":
            print(GLOBALS)
            return 0
        if name not in values and "::" not in name:
            print(f"Invalid command-line argument: {word}", file=sys.stderr)
            print(OPTIONS.format(name=Path(sys.argv[0]).name), file=sys.stderr)
            return 1
        values[name] = value
    if values["mode"] == "fail":
        print("assert failed. cond=\"length > 0\"", file=sys.stderr)
        print("something else", file=sys.stderr)
        return 3
    if values["mode"] == "crash":
        sys.stdout.flush()
        os.abort()
    rows = [f"{n},{float(values['step']) * n * int(values['RngRun'])}\n"
            for n in range(int(values["length"]))]  # fmt: skip
    Path("numbers.csv").write_text("n,value\n" + "".join(rows))
    print(f"throughput {len(rows) * int(values['RngRun'])} Mbit/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
