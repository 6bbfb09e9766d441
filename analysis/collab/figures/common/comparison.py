# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Protocols side by side: accuracy against costs with Pareto fronts, and at equal costs."""

import numpy as np

from ...runs.groups import as_number
from ...statistics.comparison.frames import COSTS, VIEWS
from ...statistics.comparison.fronts import is_on_front, leaders
from ..style import (
    GRAY,
    LIGHT_GRAY,
    METHOD_LINES,
    method_line,
    method_marker,
    new_figure,
    styled,
    use_decades,
)
from ..words import keep_within_shares, setting_word

_DRAWN = ("joules", "seconds", "bytes")


def label_of(cost):
    """How a cost is called on an axis."""
    unit, name = COSTS[cost]
    return f"{name} [{unit}]" if unit else name


@styled
def front_figure(curves, protocols):
    """Accuracy against joules, seconds and bytes of mean_curves() of one place.

    A line a protocol, with the 95 % interval at its end; those that have most of the fronts in colors
    of their own, the others gray. Gray below the Pareto front of all rounds of all protocols.
    """
    colored = leaders(curves, _DRAWN, len(METHOD_LINES))
    figure = new_figure(13, 4.6)
    panels = figure.subplots(1, len(_DRAWN), sharey=True)
    for axes, cost in zip(panels, _DRAWN):
        positive = curves[curves[cost] > 0]
        if positive.empty:
            axes.set_visible(False)
            continue
        for protocol in protocols:
            number = colored.index(protocol) if protocol in colored else None
            _draw_curve(axes, positive[positive["protocol"] == protocol], cost, number, protocol)
        _draw_front(axes, positive, cost)
        use_decades(axes, "x")
        axes.set_xlabel(label_of(cost))
    panels[0].set_ylabel("accuracy on the global test set")
    handles, labels = panels[0].get_legend_handles_labels()
    others = len(set(curves["protocol"])) - len(labels)
    if others:
        handles.append(panels[0].plot([], [], color=GRAY, linewidth=0.8)[0])
        labels.append(f"{others} others")
    panels[-1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _draw_curve(axes, rows, cost, number, protocol):
    if number is None:
        axes.plot(rows[cost], rows["accuracy"], color=GRAY, linewidth=0.8, zorder=1)
        return
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
    axes.set_ylim(bottom=np.floor(10 * rows["accuracy"].min()) / 10)


@styled
def views_figure(ranks, values, axis, quantile):
    """Accuracy at equal joules, seconds and samples against what is swept, of rank_table().

    values: the value of the axis at each place, in order. Bands are 95 % intervals.
    """
    rows = ranks[ranks["quantile"] == quantile]
    panels = {f"equal {view}": rows[rows["view"] == view] for view in VIEWS}
    return _figure_of_places(panels, values, axis, list(ranks["protocol"].unique()))


@styled
def budgets_figure(reached, values, axis, protocols, cost="joules"):
    """Accuracy for what may be spent against what is swept, of budget_table(): a panel a budget.

    values: the value of the axis at each place, in order. Bands are 95 % intervals.
    """
    panels = {f"{budget:g} {COSTS[cost][0]} per device": rows for budget, rows in reached.groupby("budget")}
    return _figure_of_places(panels, values, axis, protocols)


def _figure_of_places(panels, values, axis, protocols):
    """A panel for each entry {title: rows of place, protocol and accuracy with its half width}."""
    figure = new_figure(13, 4.6)
    several = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    order = list(dict.fromkeys(values.values()))
    places, is_numeric = _positions(values, order)
    for axes, (title, rows) in zip(several, panels.items()):
        rows = rows.assign(x=rows["place"].map(places)).sort_values("x")
        for number, protocol in enumerate(protocols):
            _draw_places(axes, rows[rows["protocol"] == protocol], number, protocol)
        positive = [place for place in places.values() if place > 0]
        if is_numeric and len(positive) == len(places) and max(positive) >= 10 * min(positive):
            use_decades(axes, "x")
            axes.minorticks_off()
            ticks = sorted(set(positive))
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        if not is_numeric:
            axes.set_xticks(range(len(order)), order)
        axes.set_xlabel(setting_word(axis))
        axes.set_title(title, fontsize=10)
    several[0].set_ylabel("accuracy on the global test set")
    keep_within_shares(several[0], "accuracy")
    named = {}
    for axes in several:
        named.update(zip(*reversed(axes.get_legend_handles_labels())))
    names = [protocol for protocol in protocols if protocol in named]
    several[-1].legend([named[name] for name in names], names, loc="upper left", bbox_to_anchor=(1, 1),
                       title="bands: 95 % intervals", alignment="left")  # fmt: skip
    return figure


def _positions(values, order):
    """{place: where it is on the axis}, and whether these are the numbers themselves. What is less than a
    millionth of the greatest is 0: some settings must be positive."""
    numbers = {place: as_number(value) for place, value in values.items()}
    if any(number is None for number in numbers.values()):
        return {place: order.index(value) for place, value in values.items()}, False
    least = max(map(abs, numbers.values())) * 1e-6
    return {place: 0 if abs(number) < least else number for place, number in numbers.items()}, True


def _draw_places(axes, rows, number, protocol):
    if rows.empty:
        return
    color, line = method_line(number)
    axes.plot(rows["x"], rows["accuracy"], line, color=color,
              marker=method_marker(number), markersize=5, label=protocol)  # fmt: skip
    low = rows["accuracy"] - rows["accuracy_half_width"]
    high = rows["accuracy"] + rows["accuracy_half_width"]
    axes.fill_between(rows["x"], low, high, color=color, alpha=0.12, linewidth=0)
