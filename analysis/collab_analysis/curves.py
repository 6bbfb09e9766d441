# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Accuracy on X* against simulated time and against energy."""

import numpy as np

from .statistics import mean_and_half_width
from .style import GRAY, method_lines, new_figure, styled


@styled
def accuracy_figure(groups):
    """Accuracy on X*, mean over the regular devices, against time and against joules a device."""
    figure = new_figure(10, 4)
    time, energy = figure.subplots(1, 2, sharey=True)
    draw_accuracy(time, groups, "time")
    draw_accuracy(energy, groups, "energy")
    energy.set_ylabel("")
    energy.get_legend().remove()
    return figure


def draw_accuracy(axes, groups, against):
    """Draws a line a method; against is "time" or "energy".

    The band is one standard deviation over regular devices with one run a method, else the 95 %
    confidence interval of the mean over runs.
    """
    several = any(len(runs) > 1 for runs in groups.values())
    for label, (color, line) in method_lines(groups).items():
        curves = [_curve(run, against) for run in groups[label]]
        x, mean, low, high = _mean_curve(curves) if len(curves) > 1 else curves[0]
        axes.plot(x, mean, line, color=color, label=label)
        axes.fill_between(x, low, high, color=color, alpha=0.12, linewidth=0)
    _mark_start(axes, groups, against)
    axes.set_xlabel("simulated time [s]" if against == "time" else "energy a device [J]")
    axes.set_ylabel("accuracy on X*, regular devices")
    axes.set_xlim(left=0)
    band = "95 % confidence interval" if several else "1 s.d. over devices"
    axes.legend(loc="lower right", title=f"trust (band: {band})", alignment="left")


def _curve(run, against):
    accuracy = run.by_round("accuracy_reference").reindex(columns=run.regular)
    x = run.by_round("end_s" if against == "time" else "energy_j").mean(axis=1)
    mean, deviation = accuracy.mean(axis=1), accuracy.std(axis=1, ddof=0)
    return np.array([x, mean, mean - deviation, mean + deviation])


def _mean_curve(curves):
    """Mean over runs, round by round, as far as all of them came."""
    rounds = min(curve.shape[1] for curve in curves)
    x, accuracy = (np.array([curve[row, :rounds] for curve in curves]) for row in (0, 1))
    mean, half_width = mean_and_half_width(accuracy)
    return x.mean(axis=0), mean, mean - half_width, mean + half_width


def _mark_start(axes, groups, against):
    """Marks where the first method that collaborates begins to."""
    for run in (runs[0] for runs in groups.values()):
        collaborative = run.rounds.loc[run.rounds["collaborative"] == 1, "round"]
        if not collaborative.empty:
            before = collaborative.min() - 1
            if before in run.rounds["round"].values:
                x = run.by_round("end_s" if against == "time" else "energy_j").mean(axis=1)
                axes.axvline(x[before], color=GRAY, linewidth=0.8)
                axes.annotate(
                    "collaboration begins",
                    (x[before], 1),
                    xycoords=("data", "axes fraction"),
                    xytext=(-3, -2),
                    textcoords="offset points",
                    rotation=90,
                    ha="right",
                    va="top",
                    fontsize=8,
                    color="#666666",
                )
            return
