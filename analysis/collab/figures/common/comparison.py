# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Protocols side by side: accuracy against costs with Pareto fronts, and at equal costs."""

import numpy as np

from ...runs.groups import as_number, sort_key
from ...statistics.comparison.frames import COSTS, VIEWS
from ...statistics.comparison.fronts import is_on_front
from ..style import LIGHT_GRAY, method_line, method_marker, new_figure, styled, use_decades

_DRAWN = ("joules", "seconds", "bytes")


def label_of(cost):
    """How a cost is called on an axis."""
    unit, name = COSTS[cost]
    return f"{name} [{unit}]" if unit else name


@styled
def front_figure(curves, protocols):
    """Accuracy against joules, seconds and bytes of mean_curves() of one place.

    A line a protocol, with the 95 % interval at its end; gray below the Pareto front of all rounds of
    all protocols.
    """
    figure = new_figure(13, 4.6)
    panels = figure.subplots(1, len(_DRAWN), sharey=True)
    for axes, cost in zip(panels, _DRAWN):
        positive = curves[curves[cost] > 0]
        if positive.empty:
            axes.set_visible(False)
            continue
        for number, protocol in enumerate(protocols):
            _draw_curve(axes, positive[positive["protocol"] == protocol], cost, number, protocol)
        _draw_front(axes, positive, cost)
        use_decades(axes, "x")
        axes.set_xlabel(label_of(cost))
    panels[0].set_ylabel("accuracy on the global test set")
    handles, labels = panels[0].get_legend_handles_labels()
    panels[-1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _draw_curve(axes, rows, cost, number, protocol):
    color, line = method_line(number)
    axes.plot(rows[cost], rows["accuracy"], line, color=color, linewidth=1.2)
    last = rows.tail(1)
    axes.errorbar(
        last[cost], last["accuracy"], last["accuracy_half_width"].fillna(0),
        fmt=method_marker(number), color=color, capsize=2, markersize=5, label=protocol,
        linestyle=line,
    )  # fmt: skip


def _draw_front(axes, rows, cost):
    front = rows[is_on_front(rows[cost], rows["accuracy"])].sort_values(cost)
    end = rows[cost].max()
    costs = np.append(front[cost], end)
    values = np.append(front["accuracy"], front["accuracy"].iloc[-1])
    axes.fill_between(costs, values, step="post", color=LIGHT_GRAY, alpha=0.5, zorder=0)
    axes.set_ylim(bottom=0)


@styled
def views_figure(ranks, values, axis, quantile):
    """Accuracy at equal joules, seconds and samples against what is swept, of rank_table().

    values: the value of the axis at each place. Bands are 95 % intervals.
    """
    figure = new_figure(13, 4.6)
    panels = figure.subplots(1, len(VIEWS), sharey=True)
    order = sorted(set(values.values()), key=sort_key)
    numeric = all(as_number(value) is not None for value in order)
    places = {place: as_number(value) if numeric else order.index(value)
              for place, value in values.items()}  # fmt: skip
    rows = ranks[ranks["quantile"] == quantile]
    rows = rows.assign(x=rows["place"].map(places)).sort_values("x")
    protocols = sorted(rows["protocol"].unique(), key=list(ranks["protocol"].unique()).index)
    for axes, view in zip(panels, VIEWS):
        for number, protocol in enumerate(protocols):
            chosen = rows[(rows["view"] == view) & (rows["protocol"] == protocol)]
            color, line = method_line(number)
            axes.plot(chosen["x"], chosen["accuracy"], line, color=color,
                      marker=method_marker(number), markersize=5, label=protocol)  # fmt: skip
            low = chosen["accuracy"] - chosen["accuracy_half_width"]
            high = chosen["accuracy"] + chosen["accuracy_half_width"]
            axes.fill_between(chosen["x"], low, high, color=color, alpha=0.12, linewidth=0)
        if numeric and min(places.values()) > 0 and max(places.values()) >= 100 * min(places.values()):
            use_decades(axes, "x")
        if not numeric:
            axes.set_xticks(range(len(order)), order)
        axes.set_xlabel(axis)
        axes.set_title(f"equal {view}", fontsize=10)
    panels[0].set_ylabel("accuracy on the global test set")
    handles, labels = panels[0].get_legend_handles_labels()
    panels[-1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1, 1))
    return figure
