# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What made a run: versions that its program tells, and digests of the program itself and of the
libraries of programs that do not tell what is in these."""

import hashlib
import re
import subprocess
from pathlib import Path

# Digests, among the versions
PROGRAM = "program"
LIBRARIES = "libraries"

# What results depend on. A commit is only told: it may change other files than those of programs.
_COMPARED = ("ns3", "sources", PROGRAM, LIBRARIES)
_SHOWN_DIGITS = 8  # of a digest

_LIBRARY = re.compile(r"^\t(?:\S+ => )?(/.+) \(0x[0-9a-f]+\)$", re.MULTILINE)  # as ldd tells it
_OF_SYSTEM = re.compile(r"/(usr/)?lib(32|64|x32)?/(?!(.*/)?libns3[^/]*$)")  # but those of ns-3


def program_digest(*files: Path) -> str:
    """The same as long as the files of a program are the same; empty if one cannot be read."""
    digest = hashlib.sha256()
    try:
        for file in files:
            digest.update(file.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()[:16]


def libraries_digest(program: Path) -> str:
    """The same as long as the libraries are that a program is linked to, but for those of the system
    that are not ns-3's; empty if there are none."""
    try:
        told = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
    files = sorted(Path(name) for name in _LIBRARY.findall(told) if not _OF_SYSTEM.match(name))
    if not files:
        return ""
    names = "\n".join(f"{file.name} {program_digest(file)}" for file in files)
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def is_stale(made: dict, present: dict) -> bool:
    """Whether what made a run is not the present program, or is not known: the digest of a program is
    lost with mark and log of its run."""
    return any(made.get(key, "") != present.get(key, "") for key in _COMPARED)


def describe(versions: dict) -> str:
    """What made a run as a person reads it."""
    digests = ("sources", PROGRAM, LIBRARIES)
    names = {"collab": "ns-3 collab", "commit": "commit", **{name: name for name in digests}}
    if not versions.get("sources") and not versions.get(PROGRAM):
        return "an unknown version"
    told = {key: versions[key] for key in names if versions.get(key)}
    for key in digests:
        if key in told:
            told[key] = told[key][:_SHOWN_DIGITS]
    told.setdefault(PROGRAM, "unknown")
    return ", ".join(f"{names[key]} {text}" for key, text in told.items())
