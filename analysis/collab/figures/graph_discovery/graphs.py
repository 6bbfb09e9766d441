# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The graphs that devices chose, at their positions (Wagle et al., Fig. 4)."""

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from ...runs.errors import RunError
from ..style import BLACK, GREEN, ORANGE, VERMILLION, new_figure, styled
from .measures import edges, has_graph, labels_reached, success, trusted

_COLUMNS = 4  # of panels
# Colors below and from these numbers: of labels that a device reaches, of partitions of an edge
_LABELS = ((4, VERMILLION, "at most 3 labels"), (5, ORANGE, "4 labels"),
           (np.inf, GREEN, "5 labels or more"))  # fmt: skip
_TRUSTED = ((3, VERMILLION, "fewer than 3 trusted"), (5, ORANGE, "3 or 4 trusted"),
            (np.inf, GREEN, "5 trusted or more"))  # fmt: skip


@styled
def graphs_figure(groups):
    """Devices by labels that they reach, and edges by trusted partitions, a panel a method.

    Of several runs of a method the first one is drawn: devices of another run are elsewhere. None
    if no run has a graph, RunError if positions are unknown.
    """
    runs = _first(groups)
    if not runs:
        return None
    columns = min(_COLUMNS, len(runs))
    rows = -(-len(runs) // columns)
    figure = new_figure(1.8 + 3.6 * columns, 0.4 + 3.8 * rows)
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for axes, (label, run) in zip(panels.flat, runs.items()):
        _draw(axes, run)
        axes.set_title(label)
    for axes in panels.flat[len(runs) :]:
        axes.set_axis_off()
    panels[0, -1].legend(handles=_legend(), loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def graphs_table(groups) -> pd.DataFrame:
    """A row a method, of the run that is drawn: devices and edges of each color, and success."""
    rows = []
    for label, run in _first(groups).items():
        graph = edges(run)
        chosen = graph[graph["peer"] >= 0]
        row = {"method": label, "edges": len(chosen)}
        reached = labels_reached(run)
        if reached is not None:
            row.update(_count("devices", reached, _LABELS))
        row.update(_count("edges", chosen["trusted"], _TRUSTED))
        rows.append({**row, "success": success(run), "trusted": trusted(run)})
    return pd.DataFrame(rows)


def _first(groups):
    return {label: runs[0] for label, runs in groups.items() if has_graph(runs[0])}


def _count(what, values, steps):
    counts, below = {}, -np.inf
    for limit, _, name in steps:
        counts[f"{what}: {name}"] = int(((values >= below) & (values < limit)).sum())
        below = limit
    return counts


def _color(value, steps):
    return next(color for limit, color, _ in steps if value < limit)


def _draw(axes, run):
    if not {"x_m", "y_m"} <= set(run.devices.columns):
        raise RunError(f"{run.path}: run.json has no positions (x_m, y_m) of the devices")
    places = run.devices[["x_m", "y_m"]]
    for device, edge in edges(run).iterrows():
        if edge["peer"] >= 0:
            axes.annotate("", xy=places.loc[device], xytext=places.loc[edge["peer"]],
                          arrowprops={"arrowstyle": "->", "shrinkA": 6, "shrinkB": 6,
                                      "color": _color(edge["trusted"], _TRUSTED)})  # fmt: skip
    reached = labels_reached(run)
    colors = ["white"] * len(places)
    if reached is not None:
        colors = [_color(count, _LABELS) for count in reached.reindex(places.index)]
    axes.scatter(places["x_m"], places["y_m"], 110, colors, edgecolors=BLACK, zorder=3)
    for device, place in places.iterrows():
        axes.text(*place, str(device), ha="center", va="center", fontsize=6, zorder=4)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.grid(False)


def _legend():
    nodes = [Line2D([], [], marker="o", linestyle="none", color=color, markeredgecolor=BLACK,
                    label=name) for _, color, name in _LABELS]  # fmt: skip
    lines = [Line2D([], [], color=color, label=name) for _, color, name in _TRUSTED]
    return [*nodes, *lines]
