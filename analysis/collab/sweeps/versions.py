# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What made a run: versions that its program tells, and a digest of the program itself."""

import hashlib
from pathlib import Path

PROGRAM = "program"  # the digest, among the versions

# What results depend on. A commit is only told: it may change other files than those of programs.
_COMPARED = ("ns3", "sources", PROGRAM)
_SHOWN_DIGITS = 8  # of a digest


def program_digest(program: Path) -> str:
    """The same as long as a program is the same; empty if it cannot be read."""
    try:
        return hashlib.sha256(program.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def is_stale(made: dict, present: dict) -> bool:
    """Whether what made a run is not the present program, or is not known.

    What only one of both has a say in is not compared: the digest of a program is lost with the
    mark of its run.
    """
    if not made.get("sources") and not made.get(PROGRAM):
        return True
    return any(key in made and made[key] != present.get(key) for key in _COMPARED)


def describe(versions: dict) -> str:
    """What made a run as a person reads it."""
    names = {"collab": "ns-3 collab", "commit": "commit", "sources": "sources", PROGRAM: PROGRAM}
    if not versions.get("sources") and not versions.get(PROGRAM):
        return "an unknown version"
    told = {key: versions[key] for key in names if versions.get(key)}
    for key in ("sources", PROGRAM):
        if key in told:
            told[key] = told[key][:_SHOWN_DIGITS]
    return ", ".join(f"{names[key]} {text}" for key, text in told.items())
