# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long rounds take, communication and computation apart."""

import numpy as np

from ..runs.run import Run

# Phases in which a device computes
COMPUTING = ("train", "score", "aggregate", "merge", "predict", "trust", "update", "pool", "average")

# Kinds of messages by which devices agree on who does what, and with whom. All others have what is
# learned or learned from. Phases do not tell when that is sent: those of a server are not recorded, a
# device may wait for its model while others still train, and "consensus" is an exchange of models in
# one algorithm and votes in another.
AGREEING = ("air-head", "air-slot", "analog-head", "analog-slot", "clusters-after", "clusters-before",
            "cluster-grant", "cluster-request", "committee-chain", "components", "consensus", "done", "fetch",
            "grant", "link", "lost", "offer", "outage-row", "pairs", "ping", "pull", "rates", "receipt", "request",
            "reward", "trust", "version")  # fmt: skip


def round_seconds(run: Run) -> float:
    """Seconds of a round: mean over the rounds after the first one.

    A round lasts from the end of the one before to its own, that of the last device to end it.
    """
    start, end, rounds = _span(run)
    return (end - start) / rounds


def times_of(run: Run) -> dict:
    """Seconds of a round, by what they are spent on: both add up to round_seconds().

    Time in which weights (or predictions, beliefs or datapoints) are on their way, from when they
    are sent to when they are received or given up, is communication, whoever computes meanwhile. Of
    the rest, time in which any device computes is computation, and what is then left (votes, pairs,
    waiting for a timeout) is communication too. Both are NaN without a record of messages or phases.
    """
    if run.lacks_messages or run.latency.empty:
        return {"communication_s": np.nan, "computation_s": np.nan}
    start, end, rounds = _span(run)
    messages = run.messages[~run.messages["kind"].isin(AGREEING)]
    sending = _intervals(messages[["queued_s", "end_s"]], start, end)
    phases = run.latency[run.latency["phase"].isin(COMPUTING)]
    computing = _intervals(phases[["start_s", "end_s"]], start, end)
    computation = _length(np.concatenate([sending, computing])) - _length(sending)
    return {
        "communication_s": (end - start - computation) / rounds,
        "computation_s": computation / rounds,
    }


def _span(run):
    """Start and end of the rounds after the first one, or of the only one, and how many they are."""
    ends = run.rounds.groupby("round")["end_s"].max()
    start = run.rounds["start_s"].min() if len(ends) == 1 else ends.iloc[0]
    return start, ends.iloc[-1], max(1, len(ends) - 1)


def _intervals(rows, start, end):
    """Intervals from a frame of their starts and ends, as far as they are between two times."""
    intervals = rows.to_numpy(dtype=float).clip(start, end)
    return intervals[intervals[:, 0] < intervals[:, 1]]


def _length(intervals) -> float:
    """Length of the union of intervals (start, end)."""
    if not len(intervals):
        return 0.0
    ordered = intervals[np.argsort(intervals[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(ordered[1:, 0] - ends[:-1], 0).sum()
    return float(ends[-1] - ordered[0, 0] - gaps)
