# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Models that can be drawn: fitted curves and decision boundaries (tables samples, curves and
boundaries)."""

import numpy as np
from matplotlib.colors import ListedColormap

from ..style import BLUE, GREEN, ORANGE, PURPLE, device_label, method_line, new_figure, styled

_CLASS_COLORS = (BLUE, ORANGE, GREEN, PURPLE)
_INNER = (-4.5, 4.5)  # where the panels of single rounds are drawn


@styled
def curves_figure(groups):
    """Samples and fitted curves of each device after some rounds, a row a method.

    The last panel has the curves of the last round on a larger scale. Of several runs of a method
    the first one is drawn. None if no run has curves.
    """
    runs = _runs_with(groups, "curves", ("round", "device", "x1", "y"), ("device", "x1", "y"))
    if not runs:
        return None
    count = max(len(_rounds(run, "curves")) for run in runs.values()) + 1
    figure = new_figure(3.2 * count, 3.2 * len(runs))
    panels = figure.subplots(len(runs), count, squeeze=False)
    for row, (label, run) in zip(panels, runs.items()):
        rounds = _rounds(run, "curves")
        for axes, number in zip(row, rounds):
            _draw_curves(axes, run, number, _limits(run))
            axes.set_title(f"{label}: {_after(number, rounds)}")
        _draw_curves(row[len(rounds)], run, rounds[-1], None)
        row[len(rounds)].set_title("the last, further out")
        for axes in row[len(rounds) + 1:]:
            axes.remove()
    panels[0][0].legend(title="device", fontsize=8)
    return figure


@styled
def boundaries_figure(groups):
    """Samples and decision regions of each device at the end, a row a method.

    Of several runs of a method the first one is drawn. None if no run has boundaries.
    """
    columns = ("round", "device", "x1", "x2", "class")
    runs = _runs_with(groups, "boundaries", columns, ("device", "x1", "x2", "y"))
    if not runs:
        return None
    devices = max(len(run.devices) for run in runs.values())
    figure = new_figure(3 * devices, 3.1 * len(runs))
    panels = figure.subplots(len(runs), devices, squeeze=False, sharex=True, sharey=True)
    for row, (label, run) in zip(panels, runs.items()):
        for axes, device in zip(row, run.devices.index):
            _draw_regions(axes, run, device)
            axes.set_title(f"{label}: device {device_label(run, device)}")
    figure.supxlabel("dots: samples with the labels that the device believes in"
                     " (* low quality)", fontsize=9)  # fmt: skip
    return figure


def _runs_with(groups, table, columns, of_samples):
    """The first run of each method, if it has these columns of a table and of its samples."""
    runs = {label: group[0] for label, group in groups.items()}
    return {label: run for label, run in runs.items()
            if run.has(table, *columns) and run.has("samples", *of_samples)}  # fmt: skip


def _rounds(run, table):
    return sorted(run.table(table)["round"].unique())


def _after(number, rounds):
    if number == rounds[0]:
        return "local fit"
    return f"{number - rounds[0]} rounds"


def _limits(run):
    """Range of y of the samples, with a margin."""
    y = run.table("samples")["y"]
    margin = 0.3 * (y.max() - y.min())
    return y.min() - margin, y.max() + margin


def _draw_curves(axes, run, number, limits):
    curves = run.table("curves")
    samples = run.table("samples")
    for place, device in enumerate(run.devices.index):
        color, line = method_line(place)
        curve = curves[(curves["round"] == number) & (curves["device"] == device)]
        own = samples[samples["device"] == device]
        axes.plot(own["x1"], own["y"], ".", color=color, markersize=3, alpha=0.4)
        axes.plot(curve["x1"], curve["y"], line, color=color, label=str(device), linewidth=1.4)
    axes.set_xlabel("x")
    if limits is not None:
        high = max(_INNER[1], samples["x1"].max())
        axes.set_xlim(_INNER[0], high)
        axes.set_ylim(*limits)


def _draw_regions(axes, run, device):
    table = run.table("boundaries")
    last = table[(table["round"] == table["round"].max()) & (table["device"] == device)]
    classes = last.dropna(subset=["x1", "x2"]).pivot(index="x2", columns="x1", values="class")
    colors = ListedColormap(_CLASS_COLORS)
    if min(classes.shape) > 1:  # a single point has no region
        axes.pcolormesh(classes.columns, classes.index, classes.to_numpy(dtype=float), cmap=colors,
                        vmin=-0.5, vmax=len(_CLASS_COLORS) - 0.5, alpha=0.35,
                        shading="nearest", rasterized=True)  # fmt: skip
    samples = run.table("samples")
    own = samples[samples["device"] == device].dropna(subset=["x1", "x2", "y"])
    axes.scatter(own["x1"], own["x2"], s=8, linewidth=0,
                 c=np.array(_CLASS_COLORS)[own["y"].astype(int)])  # fmt: skip
    axes.set_aspect("equal")
    axes.grid(False)
