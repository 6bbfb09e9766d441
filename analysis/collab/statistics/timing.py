# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long rounds take, communication and computation apart."""

import numpy as np

from ..runs.run import Run

# Phases in which a device computes, and those in which it sends weights or waits for them
COMPUTING = ("train", "score", "aggregate", "merge", "predict", "trust", "update", "pool", "average")

SENDING = ("upload", "ask", "fetch", "exchange", "pull")


def times_of(run: Run) -> dict:
    """Seconds of a round, by what they are spent on: mean over the rounds after the first one.

    A round lasts from the end of the one before to its own, that of the last device to end it.
    Time in which any device sends weights or waits for some is communication, whatever others do
    meanwhile. Of the rest, time in which any device computes is computation, and what is then left
    (votes, pairs, waiting for a timeout) is communication too: both add up to the whole time.
    """
    ends = run.rounds.groupby("round")["end_s"].max()
    start = run.rounds["start_s"].min() if len(ends) == 1 else ends.iloc[0]
    end = ends.iloc[-1]
    sending = _intervals(run, SENDING, start, end)
    computing = _intervals(run, COMPUTING, start, end)
    computation = _length(np.concatenate([sending, computing])) - _length(sending)
    rounds = max(1, len(ends) - 1)
    return {
        "communication_s": (end - start - computation) / rounds,
        "computation_s": computation / rounds,
    }


def _intervals(run, phases, start, end):
    """Starts and ends of phases of any device, as far as they are between two times."""
    rows = run.latency[run.latency["phase"].isin(phases)]
    intervals = rows[["start_s", "end_s"]].to_numpy(dtype=float).clip(start, end)
    return intervals[intervals[:, 0] < intervals[:, 1]]


def _length(intervals) -> float:
    """Length of the union of intervals (start, end)."""
    if not len(intervals):
        return 0.0
    ordered = intervals[np.argsort(intervals[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(ordered[1:, 0] - ends[:-1], 0).sum()
    return float(ends[-1] - ordered[0, 0] - gaps)
