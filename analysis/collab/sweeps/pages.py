# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What pages of the documentation include of the results of a reproduction."""

import shutil
from pathlib import Path, PurePosixPath
from typing import Dict

from .texts import SweepError


def read_pages(content, file: Path) -> Dict[str, str]:
    """The key pages of a reproduction: {path below a folder of pages: name of a result}.

    Raises SweepError unless all are relative paths and names of files.
    """
    if content is None:
        return {}
    if not isinstance(content, dict) or not all(
        _is_path(page) and _is_path(result) and "/" not in result
        for page, result in content.items()
    ):
        raise SweepError(f"{file}: pages must be written as FOLDER/FILE: FILE OF THE RESULTS")
    return content


def _is_path(text) -> bool:
    if not isinstance(text, str) or not text:
        return False
    path = PurePosixPath(text)
    return not path.is_absolute() and ".." not in path.parts


def copy_to_pages(pages: Dict[str, str], results: Path, folder: Path) -> None:
    """Copies results to a folder of pages; raises SweepError if there is no such result."""
    for page, result in pages.items():
        if not (results / result).is_file():
            raise SweepError(f"{results} has no {result}, of which pages has {page}")
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(results / result, folder / page)
