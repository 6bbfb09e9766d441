# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Accuracy, or the runs' own measure, against rounds, simulated time, energy and bytes."""

import numpy as np

from ...runs.errors import RunError
from ...statistics.curves import (
    AXES,
    band_over_devices,
    band_over_runs,
    mean_of_regular,
    measure_of,
    name_of,
)
from ...statistics.tables import pairs_of
from ..outside import legend_beside
from ..style import GRAY, method_lines, new_figure, styled, use_decades
from ..words import keep_within_shares


@styled
def accuracy_figure(groups, column=None, paired=False):
    """Accuracy, or the runs' own measure, against rounds, time, joules and bytes.

    With paired set, the differences of paired_accuracy_figure().
    """
    if paired:
        return paired_accuracy_figure(groups, column)
    column = measure_of(groups, column)
    figure = new_figure(10, 7.5)
    panels = figure.subplots(2, 2, sharey=True).flat
    for axes, against in zip(panels, AXES):
        title = draw_accuracy(axes, groups, against, column)
    legend_beside(panels[0], title=title)
    for axes in (panels[1], panels[3]):
        axes.set_ylabel("")
    return figure


@styled
def bytes_figure(groups, column=None):
    """Accuracy, or the runs' own measure, against bytes over decades, a line a method."""
    column = measure_of(groups, column)
    figure = new_figure(6.5, 4.4)
    axes = figure.subplots()
    title = _draw_curves(axes, groups, "bytes", column, decades=True)
    use_decades(axes, "x")
    legend_beside(axes, title=title)
    return figure


@styled
def paired_accuracy_figure(groups, column=None):
    """First method minus each other one, round by round over pairs of runs, with 95 % bands.

    None if no other method has two pairs of runs with the first one.
    """
    column = measure_of(groups, column)
    (first_label, first), *others = groups.items()
    pairs = {label: pairs_of(first, group) for label, group in others}
    pairs = {label: of_label for label, of_label in pairs.items() if len(of_label) > 1}
    if not pairs:
        return None
    figure = new_figure(6, 4)
    axes = figure.subplots()
    for label, (color, line) in method_lines(groups).items():
        if label in pairs:
            curves = [_difference(a, b, column) for a, b in pairs[label]]
            legend = f"{first_label} - {label} ({len(curves)} pairs)"
            _draw(axes, *_mean_curve(curves), line, color, legend)
    axes.axhline(0, color=GRAY, linewidth=0.8)
    axes.set_xlabel(AXES["rounds"][0])
    axes.set_ylabel(f"difference of {name_of(column)}")
    legend_beside(axes, title="band: 95 % confidence interval")
    return figure


def draw_accuracy(axes, groups, against, column=None):
    """Draws a line a method; against is one of AXES. Returns the title of a legend.

    The band is one standard deviation over regular devices with one run of a method, else the 95 %
    confidence interval of the mean over runs. The title tells which, names in the legend numbers of
    runs that differ.
    """
    title = _draw_curves(axes, groups, against, measure_of(groups, column))
    _mark_start(axes, groups, against)
    axes.set_xlim(left=0)
    return title


def _draw_curves(axes, groups, against, column, decades=False):
    """Draws the lines with their bands; returns what the legend says of the bands."""
    counts = {len(runs) for runs in groups.values()}
    for label, (color, line) in method_lines(groups).items():
        curves = [_curve(run, against, column) for run in groups[label]]
        x, *bands = _mean_curve(curves) if len(curves) > 1 else curves[0]
        x = np.where(x > 0, x, np.nan) if decades else x
        told = f" ({_runs(len(curves))})" if len(counts) > 1 else ""
        _draw(axes, x, *bands, line, color, f"{label}{told}")
    axes.set_xlabel(AXES[against][0])
    axes.set_ylabel(f"{name_of(column)}, regular devices")
    keep_within_shares(axes, column)
    return f"method (band: {_band_name(counts)})"


def _runs(count):
    return f"{count} run{'s' if count > 1 else ''}"


def _band_name(counts):
    """What bands are, of methods with these numbers of runs."""
    if max(counts) == 1:
        return "1 s.d. over devices"
    return "95 % confidence interval" + ("; of 1 run 1 s.d. over devices" if 1 in counts else "")


def _draw(axes, x, mean, low, high, line, color, label):
    """Draws a line with its band through the rounds that have a value."""
    known = np.isfinite(mean)
    x, mean, low, high = (np.asarray(values)[known] for values in (x, mean, low, high))
    axes.plot(x, mean, line, color=color, label=label)
    axes.fill_between(x, low, high, color=color, alpha=0.12, linewidth=0)


def _curve(run, against, column):
    if run.rounds.empty:
        raise RunError(f"{run.path}: no round has ended yet")
    return np.array([AXES[against][1](run), *band_over_devices(run, column, run.regular)])


def _difference(run, other, column):
    """Rounds done and differences, where both runs were measured."""
    first, second = (
        mean_of_regular(one, column).set_axis(AXES["rounds"][1](one)) for one in (run, other)
    )
    difference = (first - second).dropna()
    return np.array([difference.index, difference])


def _mean_curve(curves):
    """Mean over runs with its band, round by round."""
    x, _, _ = band_over_runs([curve[0] for curve in curves])
    return x, *band_over_runs([curve[1] for curve in curves])


def _mark_start(axes, groups, against):
    """Marks where the first method that collaborates begins to."""
    for run in (runs[0] for runs in groups.values()):
        if "collaborative" not in run.rounds:
            continue
        collaborative = run.rounds.loc[run.rounds["collaborative"] == 1, "round"]
        if not collaborative.empty:
            before = collaborative.min() - 1
            if before in run.rounds["round"].values:
                x = AXES[against][1](run)
                axes.axvline(x[before], color=GRAY, linewidth=0.8)
                near_axis = x[before] < 0.06 * axes.get_xlim()[1]  # there is no room left of it
                axes.annotate(
                    "collaboration begins",
                    (x[before], 1),
                    xycoords=("data", "axes fraction"),
                    xytext=(3 if near_axis else -3, -2),
                    textcoords="offset points",
                    rotation=90,
                    ha="left" if near_axis else "right",
                    va="top",
                    fontsize=8,
                    color="#666666",
                )
            return
