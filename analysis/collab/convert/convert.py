# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Converts a source of any format, told by its name, into one data set file."""

from pathlib import Path

from .arrays import SUFFIXES as ARRAYS
from .arrays import convert_arrays
from .errors import bad_data
from .images import convert_images
from .options import Options
from .tables import SUFFIXES as TABLES
from .tables import convert_table
from .writer import TEST, DataSetWriter

FORMATS = "a folder of images, " + ", ".join((*TABLES, *ARRAYS))


def convert(source: Path, options: Options, out: Path) -> DataSetWriter:
    """Converts a source; returns what was written."""
    for path, _ in options.sources(source):
        if not path.exists():
            raise bad_data(path, "does not exist")
    converter = _converter(source)
    sources = {"": source, TEST: options.test or source}
    with DataSetWriter(out, options.metadata(source), sources, options.first_label) as writer:
        writer.describe(converter(source, options, writer) or {})
        writer.finish()
    return writer


def _converter(source: Path):
    if source.is_dir():
        return convert_images
    if source.name.lower().endswith(TABLES):
        return convert_table
    if source.suffix in ARRAYS:
        return convert_arrays
    raise bad_data(source, f"is of no format that can be converted; these can: {FORMATS}")
