# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Calls a command of the analysis from another command."""

import os
import subprocess
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def analyze(*words: object) -> int:
    """Runs a command of this package in a process of its own; returns its exit code."""
    given = os.environ.get("PYTHONPATH")
    paths = [str(_PACKAGE.parent), *([given] if given else [])]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", _PACKAGE.name, *map(str, words)]
    sys.stdout.flush()
    return subprocess.run(command, env=variables, check=False).returncode
