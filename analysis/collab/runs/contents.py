# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the folders of sweeps tell of runs in them: contents of files that their arguments name, since a
run that was made with others is another one, though its run.json says the same; and older calls."""

import functools
import json
from collections import Counter
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Set, Tuple

# Why a run does not count
OUTDATED = "files that its arguments name have changed since, or are not known"

_Contents = Dict[Tuple[str, str], Set[str]]  # digests by argument and its value


def contents_of(folder: Path) -> dict:
    """Digests of the contents of files, by the arguments that name them; of a run that is in the
    folder of a sweep, else nothing."""
    points, _ = _last_call(folder.parent)
    point = points.get(folder.name)
    return (point or {}).get("files") or _mark(folder).get("contents", {})


def is_outdated(folder: Path) -> bool:
    """Whether a run in the folder of a sweep was made with other contents of a file than the sweep
    had when it was last called, or with contents that nobody knows any more."""
    points, present = _last_call(folder.parent)
    if not present or folder.name in points:
        return False
    mark = _mark(folder)
    made = mark.get("contents", {})
    return not mark or any(
        made.get(name) not in present.get((name, value), {made.get(name)})
        for name, value in mark["arguments"].items()
    )


def older_calls(folders: Iterable[Path]) -> List[str]:
    """A line for each sweep of which some of these runs are no points any more as it was last called."""
    older = Counter(folder.parent for folder in folders if _is_older(folder))
    return [f"{sweep}: runs of older calls of the sweep, which count: {count}"
            for sweep, count in older.items()]  # fmt: skip


def _is_older(folder: Path) -> bool:
    points, _ = _last_call(folder.parent)
    return bool(points) and folder.name not in points


def _mark(folder: Path) -> Mapping:
    """What a sweep knows of a finished run."""
    return _read(folder.parent / "points" / f"{folder.name}.json")


def _last_call(sweep: Path) -> Tuple[Mapping, _Contents]:
    """The points of a sweep as it was last called, and the contents of files then."""
    try:
        changed = (sweep / "sweep.json").stat().st_mtime_ns
    except OSError:
        return {}, {}
    return _read_call(sweep / "sweep.json", changed)


@functools.lru_cache(maxsize=64)
def _read_call(file: Path, _changed: int) -> Tuple[Mapping, _Contents]:
    present: _Contents = {}
    points = _read(file).get("points", {})
    for point in points.values():
        for name, digest in point.get("files", {}).items():
            present.setdefault((name, point["arguments"][name]), set()).add(digest)
    return points, present


def _read(file: Path) -> Mapping:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
