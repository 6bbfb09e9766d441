# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The place of a protocol in Python that is a scenario: FILE.py, or FILE.py:CLASS if the file has
several."""

import re
from pathlib import Path

MODULE = "__protocol__"  # what the file is imported as when it runs
_PLACE = re.compile(r"(.+\.py)(:\w+)?")
_IMPORT = re.compile(r"^\s*(import|from) collab\b", re.MULTILINE)


def is_protocol(place: str) -> bool:
    """Whether a program's name or path is such a place. A file that does not import this package is
    a program of another kind."""
    found = _PLACE.fullmatch(place)
    if not found:
        return False
    file = Path(found[1]).expanduser()
    return not file.is_file() or bool(_IMPORT.search(file.read_text("utf-8", "replace")))


def absolute(place: str, folder: Path) -> str:
    """The place with the whole path of the file, which is relative to a folder."""
    name, *rest = _PLACE.fullmatch(place).groups(default="")
    return str((folder / Path(name).expanduser()).resolve()) + "".join(rest)


def file_of(place: str) -> Path:
    """The file of a place."""
    return Path(_PLACE.fullmatch(place)[1])
