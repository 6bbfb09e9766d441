# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Arguments of a program as words of a command line: --name=value."""

from typing import List, Optional

from .programs import ProgramError


def value_of(name: str, words: List[str]) -> Optional[str]:
    """The last value that a name is given; None if it is not."""
    values = [word.partition("=")[2] for word in words if word.partition("=")[0] == f"--{name}"]
    return values[-1] if values else None


def without(words: List[str], *names: str) -> List[str]:
    """The words that give no value to any of some names."""
    return [word for word in words if word.partition("=")[0][2:] not in names]


def check_single(words: List[str]) -> None:
    """Raises ProgramError if words ask for several runs."""
    runs = value_of("runs", words)
    if runs:
        raise ProgramError(f"--runs={runs} is not allowed here; allowed: one run, as --RngRun=1")
