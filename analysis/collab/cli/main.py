# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Calls a command by its name."""

import importlib
import sys
from typing import Optional, Sequence

# Command: the module that does it, loaded when it is called only
_MODULES = {
    "collect": "collect",
    "plot": "plot",
    "report": "report",
    "reproduce": "sweep",
    "scenarios": "sweep",
    "sweep": "sweep",
    "validation": "validation",
}
_OF_SEVERAL = {"sweep"}  # modules that do several commands, and are told which


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command that the first argument names; returns its exit code."""
    name, *others = list(sys.argv[1:] if arguments is None else arguments) or [""]
    if name not in _MODULES:
        allowed = ", ".join(_MODULES)
        print(f"collab: unknown command '{name}'; allowed: {allowed}", file=sys.stderr)
        return 2
    module = _MODULES[name]
    command = importlib.import_module(f".{module}", __package__)
    return command.main([name, *others] if module in _OF_SEVERAL else others)
