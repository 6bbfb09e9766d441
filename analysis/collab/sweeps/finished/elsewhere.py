# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Finished runs of other sweeps: the same run has the same name in all of them."""

import os
import shutil
from pathlib import Path
from typing import Dict, List, Optional

from ..folder import SweepFolder, write_json
from ..points import Point
from ..versions import is_stale

_DEPTHS = ("*", "*/*")  # of sweeps below the folder of all


class OtherSweeps:
    """The sweeps beside one, below the folder that all of them are in."""

    def __init__(self, out: Path, own: SweepFolder, versions: dict):
        """versions: those of the present program; runs of another one are not taken."""
        self._own = own
        self._versions = versions
        self._holders = _holders(out, own)

    def find(self, digest: str, point: Point) -> Optional[SweepFolder]:
        """The folder of a sweep that has the run, whole and of the present program."""
        for folder in self._holders.get(digest, []):
            made = folder.versions(digest)
            if folder.fault(digest, point) is None and not is_stale(made, self._versions):
                return folder
        return None

    def take(self, digest: str, other: SweepFolder) -> None:
        """Makes the run of another sweep one of this sweep, too: by links where there can be."""
        partial = self._own.partial(digest)
        shutil.copytree(other.run(digest), partial, copy_function=_link)
        partial.rename(self._own.run(digest))
        mark = {**other.read_mark(digest), "taken_from": str(other.path)}
        write_json(self._own.mark(digest), mark)


def _holders(out: Path, own: SweepFolder) -> Dict[str, List[SweepFolder]]:
    """The other sweeps that have marked a run as finished, by the run."""
    holders: Dict[str, List[SweepFolder]] = {}
    for depth in _DEPTHS:
        for mark in sorted(out.glob(f"{depth}/points/*.json")):
            folder = mark.parents[1].resolve()
            if folder != own.path:
                holders.setdefault(mark.stem, []).append(SweepFolder(folder))
    return holders


def _link(source: str, target: str) -> None:
    """A hard link, as finished runs are not changed; a copy where the file system has none."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
