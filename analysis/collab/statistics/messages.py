# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What became of messages: delays, attempts, and losses by distance and link."""

import numpy as np
import pandas as pd

from ..runs.errors import RunError

MESSAGE = ["sender", "kind", "round", "sequence"]  # what a message is known by

# What link_losses() may be
OUTAGE = "outage probability"
LOST = "share of messages lost"

_MOST_BINS = 12

_Z = 1.96  # 97.5 % quantile of the normal distribution


def delay_distribution(runs):
    """Delays in ascending order, and the share of all receivers reached by then."""
    messages = pd.concat([run.messages for run in runs])
    return _steps(np.sort(delays_of(messages)), len(messages))


def attempt_distribution(runs):
    """Transmissions a fragment in ascending order, and the share of messages with up to as many."""
    attempts = pd.concat([attempts_of(run.messages) for run in runs])
    return _steps(np.sort(attempts), len(attempts))


def delays_of(messages):
    """From queueing to reception, of the messages that were delivered [s]."""
    delivered = messages[messages["delivered"] == 1]
    return delivered["end_s"] - delivered["queued_s"]


def attempts_of(messages):
    """Transmissions a fragment, of each message on air once, for all of its receivers."""
    messages = messages[messages["attempts"] > 0].drop_duplicates(MESSAGE)
    return messages["attempts"] / messages["fragments"]


def losses_by_distance(runs):
    """What links of about the same distance lost, a row a distance.

    Columns: distance_m (mean), messages, messages_lost, fragments, fragments_lost. A message of a
    run that does not count lost fragments counts by its messages only; one that never went on air
    was not lost by a link.
    """
    messages = pd.concat([_with_distance(run) for run in runs])
    messages = messages[messages["attempts"] != 0]
    distances = np.unique(messages["distance_m"])
    if len(distances) > _MOST_BINS:
        edges = np.unique(messages["distance_m"].quantile(np.linspace(0, 1, _MOST_BINS + 1)))
        bins = np.clip(np.searchsorted(edges, messages["distance_m"], "right"), 1, len(edges) - 1)
    else:
        bins = messages["distance_m"].to_numpy()
    counted = messages["lost_fragments"].notna()
    table = pd.DataFrame(
        {
            "distance_m": messages["distance_m"],
            "messages": 1,
            "messages_lost": 1 - messages["delivered"],
            "fragments": messages["fragments"].where(counted, 0),
            "fragments_lost": messages["lost_fragments"].fillna(0),
        }
    ).groupby(bins)
    return table.sum().assign(distance_m=table["distance_m"].mean()).reset_index(drop=True)


def wilson_interval(lost, count):
    """Share lost, and the ends of Wilson's 95 % interval of it; NaN for a count of 0."""
    lost, count = np.asarray(lost, dtype=float), np.asarray(count, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = lost / count
        scale = 1 / (1 + _Z**2 / count)
        middle = scale * (share + _Z**2 / (2 * count))
        half = scale * _Z * np.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    return share, middle - half, middle + half


def _with_distance(run):
    if not {"x_m", "y_m"} <= set(run.devices.columns):
        raise RunError(f"{run.path}: run.json has no positions (x_m, y_m) of the devices")
    messages = run.device_messages
    sender, receiver = (run.devices.loc[messages[end]] for end in ("sender", "receiver"))
    apart = [sender[axis].to_numpy() - receiver[axis].to_numpy() for axis in ("x_m", "y_m")]
    return messages.assign(distance_m=np.round(np.hypot(*apart), 6))


def _steps(values, count):
    """A distribution as steps; what is missing to the count is beyond all values."""
    if not count:
        return np.array([]), np.array([])
    shares = np.arange(1, len(values) + 1) / count
    first = values[0] if len(values) else 0
    return np.concatenate([[first], values]), np.concatenate([[0], shares])


def delivered_matrix(run):
    """Share of messages delivered, receiver x sender; NaN where none was sent."""
    shares = run.device_messages.groupby(["receiver", "sender"])["delivered"].mean().unstack()
    return shares.reindex(index=run.devices.index, columns=run.devices.index)


def link_losses(run):
    """What links between devices lose, by sender and receiver, and how that is called.

    It is the outage probability if the run has it, in a table links with the column outage; else
    the share of messages lost, after all repetitions.
    """
    if run.has("links", "device", "peer", "outage"):
        rows = run.table("links").groupby(["device", "peer"])["outage"].last()
        return rows.rename_axis(["sender", "receiver"]), OUTAGE
    messages = run.device_messages
    lost = 1 - messages["delivered"]
    return lost.groupby([messages["sender"], messages["receiver"]]).mean(), LOST
