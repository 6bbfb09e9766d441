#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs test files of the analysis, each in a process of its own.

The processes are forked after the imports that most files share, which take longer than most tests.

Usage: run.py FILE... [-k PATTERN]    such as: run.py tests/analysis/figures/test_common.py -k Band
"""

import argparse
import contextlib
import importlib
import os
import sys
import time
import unittest
from pathlib import Path

PASSED, FAILED, SKIPPED = 0, 1, 77
TESTS = Path(__file__).resolve().parent
SHARED = ("pandas", "matplotlib.backends.backend_agg", "collab.figures.plot", "collab.cli.main")


def run(file, patterns):
    """Runs the tests of a file; returns the exit code. A file without a test fails."""
    sys.path[:0] = [str(file.parent)]
    loader = unittest.TestLoader()
    loader.testNamePatterns = patterns
    suite = loader.loadTestsFromModule(importlib.import_module(file.stem))
    result = unittest.TextTestRunner(warnings="default").run(suite)
    if not result.wasSuccessful() or not (result.testsRun or patterns):
        return FAILED
    return SKIPPED if result.testsRun == len(result.skipped) else PASSED


def run_forked(file, patterns):
    """Does so in a process of its own; says how it ended."""
    begin = time.monotonic()
    sys.stdout.flush()
    process = os.fork()
    if not process:
        code = FAILED
        try:
            code = run(file, patterns)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    status = os.waitpid(process, 0)[1]
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else FAILED
    said = {PASSED: "passed", SKIPPED: "skipped"}.get(code, "FAILED")
    print(f"{said} {file.relative_to(TESTS)} {time.monotonic() - begin:.1f} s")
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("-k", dest="patterns", action="append", metavar="PATTERN")
    given = parser.parse_args()
    patterns = given.patterns and [p if "*" in p else f"*{p}*" for p in given.patterns]
    sys.path[:0] = [str(TESTS), str(TESTS.parents[1] / "analysis")]
    # Programs of the tests begin by this Python: a wrapper of it on PATH may take longer than they do
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    if len(given.files) > 1:
        with contextlib.suppress(ImportError):  # files say what they miss
            for name in SHARED:
                importlib.import_module(name)
    codes = {run_forked(file.resolve(), patterns) for file in given.files}
    sys.exit(SKIPPED if codes == {SKIPPED} else FAILED if codes - {PASSED, SKIPPED} else PASSED)


if __name__ == "__main__":
    main()
