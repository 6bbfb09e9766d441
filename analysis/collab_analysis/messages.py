# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What became of messages: delay, attempts, and outage against distance."""

import numpy as np
import pandas as pd

from .errors import RunError
from .style import method_lines, new_figure, styled

_MESSAGE = ["sender", "kind", "round", "sequence"]  # what a message is known by
_MOST_BINS = 12
_Z = 1.96  # 97.5 % quantile of the normal distribution


@styled
def delay_figure(groups):
    """Distributions of the delay of messages and of the transmissions that a fragment took.

    The delay is from queueing to reception. Its distribution ends below 1 by the share of messages
    that were lost. None if no run has sent any message.
    """
    groups = _with_messages(groups)
    if not groups:
        return None
    figure = new_figure(10, 4)
    delay, attempts = figure.subplots(1, 2)
    for label, (color, line) in method_lines(groups).items():
        style = {"linestyle": line, "color": color, "label": label}
        delay.step(*delay_distribution(groups[label]), where="post", **style)
        attempts.step(*attempt_distribution(groups[label]), where="post", **style)
    delay.set_xlabel("delay from queueing to reception [s]")
    delay.set_ylabel("share of all messages and receivers")
    attempts.set_xlabel("transmissions a fragment, for all receivers")
    attempts.set_ylabel("share of messages")
    for axes in (delay, attempts):
        axes.set_ylim(0, 1.02)
        axes.set_xlim(left=0)
    attempts.legend(loc="lower right")
    return figure


@styled
def outage_figure(groups):
    """Fragments and messages lost against the distance of the link, with 95 % intervals.

    Links are put together by distance, about equally many messages a point; the bars are Wilson's
    interval, which takes losses for independent. Distances are those at the beginning. None if no
    run has sent any message between devices, RunError if positions are unknown.
    """
    groups = {
        label: runs
        for label, runs in groups.items()
        if not all(run.device_messages.empty for run in runs)
    }
    if not groups:
        return None
    figure = new_figure(10, 4)
    panels = figure.subplots(1, 2, sharex=True)
    for label, (color, line) in method_lines(groups).items():
        table = losses_by_distance(groups[label])
        for axes, what in zip(panels, ("fragments", "messages")):
            _draw_share(axes, table, what, line, color, label)
    for axes, what in zip(panels, ("fragments", "messages")):
        axes.set_title(f"{what.capitalize()} lost, after all repetitions")
        axes.set_xlabel("distance [m]")
        axes.set_ylabel("share lost")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
    panels[0].legend(loc="upper left", title="bars: 95 % interval", alignment="left")
    return figure


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
    """Transmissions a fragment, of each message once, for all of its receivers."""
    messages = messages.drop_duplicates(_MESSAGE)
    return messages["attempts"] / messages["fragments"]


def losses_by_distance(runs):
    """What links of about the same distance lost, a row a distance.

    Columns: distance_m (mean), messages, messages_lost, fragments, fragments_lost. A message of a
    run that does not count lost fragments counts by its messages only.
    """
    messages = pd.concat([_with_distance(run) for run in runs])
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


def _with_messages(groups):
    return {
        label: runs
        for label, runs in groups.items()
        if not all(run.messages.empty for run in runs)
    }


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


def _draw_share(axes, table, what, line, color, label):
    share, low, high = wilson_interval(table[f"{what}_lost"], table[what])
    errors = np.clip([share - low, high - share], 0, None)
    axes.errorbar(
        table["distance_m"],
        share,
        yerr=errors,
        fmt="o",
        linestyle=line,
        color=color,
        markersize=4,
        linewidth=1.2,
        capsize=2,
        label=label,
    )
