# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The data sets that the module knows: its own table of them, and which files are here."""

import ast
import os
import re
from dataclasses import dataclass, fields
from pathlib import Path

from .messages import CommandError

TABLE = "contrib-module/model/learning/data/collab-data-sets.inc"  # the module reads it too
_ROW = re.compile(r'^COLLAB_DATA_SET(\(\s*"(?:[^"\\]|\\.|"[\s,]*")*"\s*\))', re.MULTILINE)
_COMPRESSED = ("", ".gz", ".bz2")


@dataclass(frozen=True)
class DataSet:
    """A row of the table."""

    name: str
    folder: str  # empty if it is generated
    files: str  # expected in its folder
    originals: str  # of which they are converted, in the same folder; they may be patterns
    packaged: str  # folder where a package of Debian puts them
    package: str  # that package
    page: str  # about it
    preparation: str  # what to do with what is published there
    published: str  # MD5 and address of each file

    @property
    def is_generated(self) -> bool:
        """Whether it needs no files."""
        return not self.folder

    def place(self, data: Path) -> Path:
        """The folder where its files are expected, given that of all sets."""
        own = data / self.folder
        if self.packaged and not own.exists() and Path(self.packaged).is_dir():
            return Path(self.packaged)
        return own

    def found(self, data: Path) -> dict:
        """What there is of each expected file: a list of files, plain or compressed."""
        return _found(self.place(data), self.files)

    def found_originals(self, data: Path) -> dict:
        """The same of each file that they are converted of."""
        return _found(self.place(data), self.originals)

    def awaits_conversion(self, data: Path) -> bool:
        """Whether nothing but the conversion is missing."""
        originals = self.found_originals(data)
        return bool(self.missing(data) and originals and all(originals.values()))

    def missing(self, data: Path) -> list:
        """The expected files that are not there."""
        return [name for name, files in self.found(data).items() if not files]

    def downloads(self) -> list:
        """(MD5, address) of each published file."""
        words = self.published.split()
        return list(zip(words[::2], words[1::2]))


def load_data_sets(project: Path) -> dict:
    """The data sets of the module by name, in the order of its table."""
    text = (project / TABLE).read_text(encoding="utf-8")
    rows = [ast.literal_eval(row) for row in _ROW.findall(text)]
    if not rows or any(len(row) != len(fields(DataSet)) for row in rows):
        raise CommandError(f"{TABLE} cannot be read")
    return {row[0]: DataSet(*row) for row in rows}


def data_folder(project: Path) -> Path:
    """The folder of all data sets."""
    return Path(os.environ.get("COLLAB_DATA") or project / "data")


def _found(place: Path, names: str) -> dict:
    return {name: _matching(place, name) for name in names.split()}


def _matching(place: Path, name: str) -> list:
    """The files that are not empty and match a name, whatever they are compressed by."""
    stem = re.sub(r"\.(gz|bz2)$", "", name)
    files = [file for end in _COMPRESSED for file in sorted(place.glob(stem + end))]
    return [file for file in files if file.stat().st_size > 0]
