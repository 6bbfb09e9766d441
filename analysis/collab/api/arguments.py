# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What arguments from Python are as texts on a command line."""

import os
from typing import Iterable

from ..sweeps.texts import canonical

# Shorter names of ns-3's global values
_GLOBALS = {"seed": "RngSeed", "run": "RngRun"}


def as_text(value) -> str:
    """A value as a program is given it: a text as it is, true and false, numbers in one spelling, lists
    with commas."""
    if hasattr(value, "item") and not getattr(value, "shape", ()):  # a number of NumPy
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_list(value):
        return ",".join(as_text(one) for one in value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return canonical(str(value))


def is_list(value) -> bool:
    """Whether a value stands for several."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike, dict))


def named(arguments: dict) -> dict:
    """Arguments by the names that programs know."""
    return {_GLOBALS.get(name, name): value for name, value in arguments.items()}
