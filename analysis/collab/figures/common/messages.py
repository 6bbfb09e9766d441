# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What became of messages: delay, attempts, and outage against distance."""

import numpy as np

from ...statistics.messages import (
    attempt_distribution,
    delay_distribution,
    losses_by_distance,
    wilson_interval,
)
from ..style import method_lines, new_figure, styled


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


def _with_messages(groups):
    return {
        label: runs
        for label, runs in groups.items()
        if not all(run.messages.empty for run in runs)
    }


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
