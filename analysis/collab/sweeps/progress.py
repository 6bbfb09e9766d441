# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How far a sweep is, as its folder tells while the engine works."""

import json

from .estimate import TimeEstimate
from .folder import SweepFolder
from .points import Point


class SweepProgress:
    """What of a sweep is still to be run, how long that takes, and what has failed."""

    def __init__(self, folder: SweepFolder, points: dict, axes: list, todo: list):
        """points: Point by digest, all of the sweep; todo: digests of those that the engine runs."""
        self.folder = folder
        self.points = points
        self.left = set(todo)
        self.failures = 0
        self._axes = axes
        self._estimate = TimeEstimate(axes)
        self._seen_failures = set(self._failure_folders())
        for digest in set(points) - self.left:
            self._add_time(digest)

    def take_note(self) -> bool:
        """Looks for points that have ended since it looked last; whether there are any."""
        done = [digest for digest in self.left if self.folder.mark(digest).exists()]
        for digest in done:
            self.left.remove(digest)
            self._add_time(digest)
        return bool(done)

    def new_failures(self) -> list:
        """What is told of each failure since it was asked last, and whether the disk was full."""
        new = sorted(set(self._failure_folders()) - self._seen_failures)
        self._seen_failures.update(new)
        return [self._tell_failure(name) for name in new]

    def seconds_left(self) -> list:
        """How long each point that is left will take; 0 where nothing is known of it."""
        return [self._estimate.seconds(self.points[digest]) for digest in self.left]

    def _add_time(self, digest: str) -> None:
        seconds = self.folder.read_mark(digest).get("seconds")
        if seconds is not None:
            self._estimate.add(self.points[digest], seconds)

    def _failure_folders(self) -> list:
        return [path.parent.name for path in self.folder.failed.glob("*/point.json")]

    def _tell_failure(self, name: str) -> tuple:
        path = self.folder.failed / name
        told = json.loads((path / "point.json").read_text(encoding="utf-8"))
        point: Point = self.points[name.rpartition("-")[0]]
        what = "is run again"
        if "exit_code" in told:
            self.failures += 1
            what = "failed"
        text = f"{path} ({point.describe(self._axes)}) {what}: {told['reason']}"
        return text, told.get("disk_full", False)
