# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Links between devices: the matrix of what got through, and the graph on their positions."""

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection

from ...runs.errors import RunError
from ...statistics.messages import delivered_matrix
from ..style import BLACK, GRAY, SKY_BLUE, VERMILLION, device_label, new_figure, styled

_COLORS = "cividis"  # also for the color-blind, and in gray
_MOST_DEVICES_WITH_NUMBERS = 16


@styled
def links_figure(groups):
    """The share of messages that got through, row: receiver, column: sender, a panel a method.

    Of several runs of a method the first one is drawn: devices of another run are elsewhere. None
    if no run has sent any message.
    """
    runs = _first_with_messages(groups)
    if not runs:
        return None
    figure = new_figure(0.8 + 4.2 * len(runs), 4.8)
    panels = figure.subplots(1, len(runs), squeeze=False)[0]
    for axes, (label, run) in zip(panels, runs.items()):
        matrix = delivered_matrix(run)
        mesh = _draw_matrix(axes, matrix.to_numpy())
        labels = [device_label(run, device) for device in matrix.index]
        _label_devices(axes, labels)
        axes.set_title(label)
        axes.set_xlabel("sender")
    panels[0].set_ylabel("receiver")
    figure.colorbar(mesh, ax=panels, label="share of messages delivered", shrink=0.85)
    return figure


@styled
def graph_figure(groups):
    """Devices at their positions and the links between them, a panel a method.

    A line's color is the share of messages delivered, both directions together, of the first run of
    a method. None if no run has sent any message, RunError if positions are unknown.
    """
    runs = _first_with_messages(groups)
    if not runs:
        return None
    figure = new_figure(1 + 4.4 * len(runs), 4.4)
    panels = figure.subplots(1, len(runs), squeeze=False, sharex=True, sharey=True)[0]
    for axes, (label, run) in zip(panels, runs.items()):
        lines = _draw_graph(axes, run)
        axes.set_title(label)
        axes.set_xlabel("x [m]" + ("; square, *: low quality" if len(run.low_quality) else ""))
    panels[0].set_ylabel("y [m]")
    figure.colorbar(lines, ax=panels, label="share of messages delivered", shrink=0.85)
    return figure


def _first_with_messages(groups):
    """The first run of each method that has sent messages."""
    firsts = {label: group[0] for label, group in groups.items()}
    return {label: run for label, run in firsts.items() if not run.device_messages.empty}


def _draw_matrix(axes, matrix):
    edges = np.arange(len(matrix) + 1)
    mesh = axes.pcolormesh(
        edges, edges, matrix, cmap=_COLORS, vmin=0, vmax=1, edgecolor="white", linewidth=0.5
    )
    if len(matrix) <= _MOST_DEVICES_WITH_NUMBERS:
        for (receiver, sender), share in np.ndenumerate(matrix):
            if not np.isnan(share):
                color = "white" if share < 0.5 else BLACK
                size = 8 if len(matrix) <= 10 else 6
                text = f"{share:.2f}".replace("0.", ".")
                place = (sender + 0.5, receiver + 0.5)
                axes.text(*place, text, color=color, ha="center", va="center", fontsize=size)
    return mesh


def _label_devices(axes, labels):
    places = np.arange(len(labels)) + 0.5
    if len(labels) > _MOST_DEVICES_WITH_NUMBERS:
        labels, places = labels[::5], places[::5]
    axes.set_xticks(places, labels)
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)


def _draw_graph(axes, run):
    devices = run.devices
    if not {"x_m", "y_m"} <= set(devices.columns):
        raise RunError(f"{run.path}: run.json has no positions (x_m, y_m) of the devices")
    places = devices[["x_m", "y_m"]].to_numpy(dtype=float)
    shares = _links(run)
    lines = LineCollection(
        [places[list(pair)] for pair in shares],
        array=np.array(list(shares.values())),
        cmap=_COLORS,
        norm=matplotlib.colors.Normalize(0, 1),
        linewidths=1.6 if len(shares) < 100 else 0.6,
        zorder=1,
    )
    axes.add_collection(lines)
    low = devices.index.isin(run.low_quality)
    size = 220 if len(devices) <= 30 else 30
    for chosen, color, marker in ((~low, SKY_BLUE, "o"), (low, VERMILLION, "s")):
        axes.scatter(*places[chosen].T, size, color, marker=marker, edgecolors=BLACK, zorder=2)
    if len(devices) <= 30:
        for device, place in zip(devices.index, places):
            label = device_label(run, device)
            axes.text(*place, label, ha="center", va="center", fontsize=8, zorder=3)
    axes.set_aspect("equal", adjustable="box")
    axes.margins(0.1)
    axes.grid(True, axis="both")
    axes.tick_params(color=GRAY)
    return lines


def _links(run):
    """Share of messages delivered by pair of places of devices, least first, both ways together."""
    messages = run.device_messages
    ends = np.sort(messages[["sender", "receiver"]].to_numpy(), axis=1)
    places = [run.devices.index.get_indexer(ends[:, end]) for end in (0, 1)]
    return messages["delivered"].groupby(places).mean().sort_values().to_dict()
