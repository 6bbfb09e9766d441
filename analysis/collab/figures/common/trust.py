# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Trust matrices with their column sums."""

import matplotlib
import numpy as np
from matplotlib.patches import Rectangle

from ..style import BLACK, VERMILLION, device_label, new_figure, styled

_GAP = 0.4  # between the matrix and the row of column sums, in cells
_MOST_DEVICES_WITH_NUMBERS = 16


@styled
def trust_figure(groups):
    """W in the first collaborative round and in the last one, a row a method that has weights.

    Of several runs of a method the first one is drawn. None if no method has weights.
    """
    runs = {label: group[0] for label, group in groups.items() if group[0].trust_rounds()}
    if not runs:
        return None
    figure = new_figure(11, 0.4 + 4.8 * len(runs))
    panels = figure.subplots(len(runs), 2, squeeze=False)
    for row, (label, run) in zip(panels, runs.items()):
        rounds = run.trust_rounds()
        limits = weight_limits(run, (rounds[0], rounds[-1]))
        for axes, number in zip(row, (rounds[0], rounds[-1])):
            mesh = draw_trust(axes, run, number, limits)
            axes.set_title(f"{label}: W in round {number}")
        figure.colorbar(mesh, ax=row, label="weight", shrink=0.8, pad=0.02, extend="max")
    figure.supxlabel(
        "sum: trust in a device; by peers: without its own (framed) weight;"
        " dot: from a stale prediction; empty: not heard",
        fontsize=9,
    )
    return figure


def weight_limits(run, rounds):
    """Lowest and highest weight of a peer in some rounds; a color scale needs them to differ.

    Own weights, which may be far higher, would leave no color to tell the peers apart.
    """
    of_peers = run.trust["device"] != run.trust["peer"]
    weights = run.trust.loc[of_peers & run.trust["round"].isin(rounds), "weight"]
    low, high = weights.min(), weights.max()
    return (low, high) if high - low > 1e-6 else (0, 2 * high)


def has_numbers(run):
    """True if the weights are few enough to be written into their cells."""
    return len(run.devices) <= _MOST_DEVICES_WITH_NUMBERS


def draw_trust(axes, run, number, limits):
    """Draws W of a round, rows trust columns, and below it the sums of its columns with
    and without the diagonal.

    The diagonal is framed, a dot marks a weight for a stale prediction, an empty cell a peer that
    was not heard. Returns the mesh, for a color scale.
    """
    matrix = run.trust_matrix(number).to_numpy(dtype=float)
    edges = np.arange(len(matrix) + 1)
    mesh = axes.pcolormesh(
        edges, edges, matrix, cmap="Blues", vmin=limits[0], vmax=limits[1], edgecolor="white"
    )
    for device in range(len(matrix)):
        frame = Rectangle((device, device), 1, 1, fill=False, edgecolor=BLACK, linewidth=1.2)
        frame.set_clip_on(False)
        axes.add_patch(frame)
    sums = np.nansum(matrix, axis=0)
    _draw_column_sums(axes, sums, 0)
    _draw_column_sums(axes, sums - np.nan_to_num(np.diagonal(matrix)), 1)
    if has_numbers(run):
        _write_weights(axes, matrix, limits)
    _mark_stale(axes, run.trust_matrix(number, "age_rounds").to_numpy(dtype=float))
    _label_devices(axes, run, len(matrix))
    return mesh


def _draw_column_sums(axes, sums, row):
    """A row of cells: purple where a device is trusted more than the average, orange where less."""
    distance = sums - sums.mean()
    scale = max(0.05, np.abs(distance).max())
    colors = matplotlib.colormaps["PuOr"](0.5 + 0.28 * distance / scale)
    top = len(sums) + _GAP + row
    for device, (total, color) in enumerate(zip(sums, colors)):
        axes.add_patch(Rectangle((device, top), 1, 1, facecolor=color, edgecolor="white"))
        if len(sums) <= _MOST_DEVICES_WITH_NUMBERS:
            axes.text(device + 0.5, top + 0.5, f"{total:.2f}", **_text_style(len(sums), 1))


def _write_weights(axes, matrix, limits):
    dark = limits[0] + 0.6 * (limits[1] - limits[0])
    for (device, peer), weight in np.ndenumerate(matrix):
        if not np.isnan(weight):
            color = "white" if weight > dark else BLACK
            text = f"{weight:.2f}".replace("0.", ".")
            axes.text(peer + 0.5, device + 0.5, text, color=color, **_text_style(len(matrix)))


def _text_style(devices, smaller=0):
    size = (9 if devices <= 10 else 7) - smaller
    return {"ha": "center", "va": "center", "fontsize": size}


def _mark_stale(axes, ages):
    device, peer = np.nonzero(ages > 0)
    axes.plot(peer + 0.85, device + 0.18, "o", color=VERMILLION, markersize=3, linestyle="none")


def _label_devices(axes, run, count):
    labels = [device_label(run, device) for device in run.devices.index]
    places = np.arange(count) + 0.5
    if count > _MOST_DEVICES_WITH_NUMBERS:
        labels, places = labels[::5], places[::5]
    axes.set_xticks(places, labels)
    sums = count + _GAP + np.array([0.5, 1.5])
    axes.set_yticks([*places, *sums], [*labels, "sum", "by peers"])
    for tick in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        if tick.get_text().endswith("*"):
            tick.set(color=VERMILLION, fontweight="bold")
    axes.set_xlim(0, count)
    axes.set_ylim(count + _GAP + 2, 0)
    axes.set_aspect("equal")
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    notes = "; * low quality" if len(run.low_quality) else ""
    axes.set_xlabel("trusted device" + notes)
    axes.set_ylabel("trusting device")
