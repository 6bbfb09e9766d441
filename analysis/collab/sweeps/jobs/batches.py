# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Which points are one job, and so one process, which loads its program once."""

_MOST_POINTS = 20
_JOBS_EACH = 2  # at least, for each of those that run at a time: so all of them have something to do
_JOB_SECONDS = 60  # of points that take longer, loading the program is a small part


def batch_size(count: int, jobs: int) -> int:
    """How many points may be one job, of all that processes can share; jobs: how many run at a time."""
    return max(1, min(_MOST_POINTS, count // (_JOBS_EACH * jobs)))


def make_batches(digests: list, size: int, seconds: list) -> list:
    """The points of each job; seconds: what is known of how long the points take, 0 for nothing.

    Neighbors, which often take equally long, are of different jobs.
    """
    mean = sum(seconds) / len(seconds)
    size = max(1, min(size, int(_JOB_SECONDS / mean))) if mean else size
    count = -(-len(digests) // size)
    return [digests[first::count] for first in range(count)]
