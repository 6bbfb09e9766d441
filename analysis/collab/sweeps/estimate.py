# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long points take, from those that are done."""

from .points import Point


class TimeEstimate:
    """Seconds of a point: the mean of the known ones, times a factor for each argument's value.

    The factor is the mean of the known points with that value over the mean of all; 1 if there are
    none. So a value that doubles the time is known for what it is before all others are tried.
    """

    def __init__(self, axes: list):
        """axes: the arguments whose values may change the time."""
        self._axes = axes
        self._count = 0
        self._sum = 0.0
        self._by_value: dict = {}  # (name, value): [count, sum]

    def add(self, point: Point, seconds: float) -> None:
        """Adds a point that is done."""
        self._count += 1
        self._sum += seconds
        for key in self._keys(point):
            entry = self._by_value.setdefault(key, [0, 0.0])
            entry[0] += 1
            entry[1] += seconds

    def __bool__(self) -> bool:
        return self._sum > 0

    def seconds(self, point: Point) -> float:
        """How long a point will take; 0 if nothing is known."""
        if not self:
            return 0.0
        mean = self._sum / self._count
        estimate = mean
        for key in self._keys(point):
            if key in self._by_value:
                count, total = self._by_value[key]
                estimate *= total / count / mean
        return estimate

    def _keys(self, point: Point) -> list:
        return [(name, point.arguments[name]) for name in self._axes if name in point.arguments]


def estimate_text(seconds: list, jobs: int, since: float = 0.0) -> str:
    """How long points will take, so many at a time, since some seconds: 'about 5 min', or 'over
    5 min' if the seconds of some are unknown (0); empty if those of all are."""
    if not any(seconds):
        return ""
    left = max(0.0, max(sum(seconds) / jobs, *seconds) - since)
    return f"{'about' if all(seconds) else 'over'} {duration(left)}"


def duration(seconds: float) -> str:
    """A duration as a person says it: 8 s, 5 min, 2 h 05 min, 3 d 4 h."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02d} min"
    return f"{hours // 24} d {hours % 24} h"
