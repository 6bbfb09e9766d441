# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Trust that devices receive from their peers, and how trust becomes uniform, over rounds."""

import numpy as np
import pandas as pd

from ..style import BLUE, GRAY, VERMILLION, method_lines, new_figure, styled, use_decades
from ..words import label_words
from .consensus import TABLE, draw_rounds

_TRACE = ("trace", "trace of W", False)
_UNIFORM = ("uniform_distance", "greatest distance of W from uniform", True)


def received_trust(run, own=False) -> pd.DataFrame:
    """Column sums of W, round x device, without the diagonal unless own is set.

    What a device thinks of itself says nothing about what others think of it.
    """
    rows = run.trust if own else run.trust[run.trust["device"] != run.trust["peer"]]
    sums = rows.groupby(["round", "peer"])["weight"].sum().unstack()
    return sums.reindex(columns=run.devices.index).fillna(0)


def lowest_table(groups) -> pd.DataFrame:
    """A row a method: in how many runs, and in what part of the rounds with trust, the devices of
    low quality received the least, with the diagonal of W and without it.

    Columns: method, runs, then FIRST and ROUNDS with ending _own for sums with the diagonal.
    """
    rows = []
    for label, runs in _with_trust(groups).items():
        runs = [run for run in runs if len(run.low_quality)]
        if runs:
            row = {"method": label, "runs": len(runs)}
            for own in (False, True):
                lowest = [_are_lowest(run, received_trust(run, own)) for run in runs]
                ending = "_own" if own else ""
                row[f"first{ending}"] = sum(bool(one.any() and one.iloc[0]) for one in lowest)
                row[f"rounds{ending}"] = float(np.mean([one.mean() for one in lowest]))
            rows.append(row)
    return pd.DataFrame(rows)


def format_received(groups) -> str:
    """The table as text; empty if no run has trust and devices of low quality."""
    table = lowest_table(groups)
    if table.empty:
        return ""
    lines = ["All devices of low quality have the lowest column sums of W", ""]
    table = table.rename(columns={
        "first": "first round, by peers [runs]",
        "first_own": "with own weight [runs]",
        "rounds": "all rounds, by peers [share]",
        "rounds_own": "with own weight [share]",
    })  # fmt: skip
    return "\n".join([*lines, table.to_string(index=False, float_format="{:.2f}".format)]) + "\n"


@styled
def received_figure(groups):
    """Trust received from peers, trace of W and distance from uniform trust against rounds.

    A panel a method for the trust: lines are means over devices and runs, bands reach from the
    lowest to the highest device. The other panels have a line a method with its 95 % interval over
    runs. None if no method has weights.
    """
    groups = {label: runs for label, runs in _with_trust(groups).items()
              if all(run.has(TABLE, "round", _TRACE[0], _UNIFORM[0]) for run in runs)}  # fmt: skip
    if not groups:
        return None
    columns = min(len(groups), 3)
    rows = -(-len(groups) // columns)
    figure = new_figure(max(8.4, 4.2 * columns), 3.4 * (rows + 1))
    above, below = figure.subfigures(2, 1, height_ratios=[rows, 1])
    panels = above.subplots(rows, columns, sharey=True, squeeze=False).flat
    for axes, (label, runs) in zip(panels, groups.items()):
        _draw_received(axes, runs)
        axes.set_title(label_words(label))
    for axes in list(panels)[len(groups):]:
        axes.remove()
    above.axes[0].legend()
    for axes, (column, name, decades) in zip(below.subplots(1, 2), (_TRACE, _UNIFORM)):
        for label, (color, line) in method_lines(groups).items():
            draw_rounds(axes, groups[label], column, decades, color, line, label)
        if decades:
            use_decades(axes, "y")
        axes.set_xlabel("rounds done")
        axes.set_ylabel(name)
    below.axes[0].legend()
    return figure


def _with_trust(groups):
    return {label: runs for label, runs in groups.items() if all(r.trust_rounds() for r in runs)}


def _are_lowest(run, sums) -> pd.Series:
    """By round, whether no other device received as little as any of low quality."""
    return sums[run.low_quality].max(axis=1) < sums[run.regular].min(axis=1)


def _draw_received(axes, runs):
    kinds = {"regular": (BLUE, [run.regular for run in runs])}
    if len(runs[0].low_quality):
        kinds["low quality"] = (VERMILLION, [run.low_quality for run in runs])
    for name, (color, devices) in kinds.items():
        sums = pd.concat(
            [received_trust(run)[of_run] for run, of_run in zip(runs, devices)], axis=1
        )
        rounds = sums.index + 1
        axes.plot(rounds, sums.mean(axis=1), color=color, label=name)
        axes.fill_between(
            rounds, sums.min(axis=1), sums.max(axis=1), color=color, alpha=0.15, linewidth=0
        )
    count = len(runs[0].devices)
    axes.axhline((count - 1) / count, color=GRAY, linewidth=0.8, label="uniform trust")
    axes.set_xlabel("rounds done")
    axes.set_ylabel("trust received from peers")
