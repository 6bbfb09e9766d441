# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Where energy and time went: stacked bars by kind and by phase."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from ...runs.run import spent_kinds
from ...statistics.costs import energy_by_device, latency_by_round
from ..outside import legend_of_all
from ..style import (
    ENERGY_COLORS,
    ENERGY_NAMES,
    PHASE_NAMES,
    device_label,
    new_figure,
    phase_colors,
    styled,
)

_NAME = 20  # characters of a line of a method's name beside its bar


@styled
def energy_figure(groups):
    """Energy of each device by kind at the end of the run, a panel a method, mean over runs.

    Methods without a row of energy are left out; None if there is no other.
    """
    groups = _having(groups, "energy")
    if not groups:
        return None
    figure, panels = _panels(groups, "energy [J]")
    for axes, (label, runs) in zip(panels, groups.items()):
        energy = sum(map(energy_by_device, runs)) / len(runs)
        _stack(axes, energy, _energy_colors(groups), ENERGY_NAMES)
        axes.set_title(label)
        axes.set_xlabel("device" + (" (* low quality)" if len(runs[0].low_quality) else ""))
        if len(energy) <= 20:
            axes.set_xticks(energy.index, [device_label(runs[0], d) for d in energy.index])
    legend_of_all(panels, is_stack=True)
    return figure


@styled
def latency_figure(groups):
    """Time of each round by phase, mean over devices and runs, a panel a method.

    Methods without a row of latency are left out; None if there is no other.
    """
    groups = _having(groups, "latency")
    if not groups:
        return None
    figure, panels = _panels(groups, "time, mean over devices [s]")
    for axes, (label, runs) in zip(panels, groups.items()):
        latency = pd.concat(map(latency_by_round, runs)).fillna(0).groupby(level=0).mean()
        _stack(axes, latency, phase_colors(latency), PHASE_NAMES)
        axes.set_title(label)
        axes.set_xlabel("round")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend_of_all(panels, is_stack=True)
    return figure


def draw_mean_energy(axes, groups):
    """Draws a bar a method: energy by kind, mean over devices and runs, with the sum beside it.

    Returns whether any run has told its energy.
    """
    groups = _having(groups, "energy")
    if not groups:
        axes.set_axis_off()
        return False
    means = {
        label: np.mean([energy_by_device(run).mean() for run in runs], axis=0)
        for label, runs in groups.items()
    }
    energy = pd.DataFrame.from_dict(means, orient="index", columns=list(ENERGY_COLORS))
    energy = energy.fillna(0)[::-1]
    left = np.zeros(len(energy))
    places = np.arange(len(energy))
    for kind, color in _energy_colors(groups).items():
        axes.barh(places, energy[kind], 0.6, left, color=color, label=ENERGY_NAMES[kind])
        left += energy[kind].to_numpy()
    axes.set_yticks(places, [textwrap.fill(label, _NAME) for label in energy.index])
    for place, total in enumerate(left):
        axes.annotate(
            f"{total:.4g} J", (total, place), xytext=(4, 0), textcoords="offset points", va="center"
        )
    axes.margins(x=0.18)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", visible=True)
    axes.set_xlabel("energy per device, whole run [J]")
    return bool(axes.get_legend_handles_labels()[0])


def _having(groups, table):
    """The methods all of whose runs have rows in a table."""
    return {label: runs for label, runs in groups.items()
            if not any(run.table(table).empty for run in runs)}  # fmt: skip


def _energy_colors(groups):
    """Colors of the kinds that any run has spent energy on."""
    kinds = spent_kinds(groups)
    return {kind: color for kind, color in ENERGY_COLORS.items() if kind in kinds}


def _panels(groups, label):
    """A row of panels, one a method, that share the vertical axis."""
    figure = new_figure(max(4, 0.6 + 3.2 * len(groups)), 4)
    panels = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    panels[0].set_ylabel(label)
    return figure, panels


def _stack(axes, table, colors, names):
    bottom = np.zeros(len(table))
    for column, color in colors.items():
        height = table[column].to_numpy(dtype=float)
        axes.bar(table.index, height, 0.8, bottom, color=color, label=names.get(column, column))
        bottom += height
