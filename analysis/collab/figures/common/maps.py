# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Where devices are, what their links lose, and what is left in their batteries."""

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize

from ...runs.errors import RunError
from ...statistics.costs import batteries
from ...statistics.messages import link_losses
from ...statistics.places import ways
from ..style import BLACK, BLUE, GRAY, VERMILLION, device_label, new_figure, styled

LOSS_COLORS = "cividis_r"  # dark for a link that loses much; also for the color-blind
LEFT_COLORS = "YlGn"
_MOST_DEVICES_WITH_NUMBERS = 30


@styled
def map_figure(groups):
    """Devices at their positions, links by outage and batteries by what is left, a panel a method.

    Devices that move are where they start, with the ways that they take. Of the first run of a method. Without an outage in its tables, links have the share of messages
    that they lost, after all repetitions. None if no run has sent any message, RunError if
    positions are unknown.
    """
    runs = {label: group[0] for label, group in groups.items()}
    runs = {label: run for label, run in runs.items() if not run.device_messages.empty}
    if not runs:
        return None
    losses = {label: link_losses(run) for label, run in runs.items()}
    most = max(values.max() for values, _ in losses.values())
    left = {label: energy_left(run) for label, run in runs.items()}
    ends = [end for shares in left.values() for end in (shares.min(), shares.max())]
    figure = new_figure(2 + 4.4 * len(runs), 4.4)
    panels = figure.subplots(1, len(runs), squeeze=False, sharex=True, sharey=True)[0]
    for axes, (label, run) in zip(panels, runs.items()):
        lines = draw_links(axes, run, losses[label][0].sort_values(), Normalize(0, most or 1))
        devices = draw_devices(axes, run)
        devices.set(cmap=LEFT_COLORS, norm=Normalize(min(ends) - 1e-9, max(ends)))
        devices.set_array(left[label].reindex(run.devices.index).to_numpy(dtype=float))
        axes.set_title(label)
        axes.set_xlabel("x [m]" + ("; red edge, *: low quality" if len(run.low_quality) else ""))
    panels[0].set_ylabel("y [m]")
    names = dict.fromkeys(name for _, name in losses.values())
    figure.colorbar(devices, ax=panels, label="energy left [%]", shrink=0.85)
    figure.colorbar(lines, ax=panels, label=" or ".join(names), shrink=0.85)
    return figure


@styled
def history_figure(groups):
    """Energy left in each battery, and the share of messages that links have lost, over time.

    A thin line a device and a link, a thick one for their mean; a column a method, of its first
    run. A message counts in the round that it is of, a round at the mean of its beginnings. None
    if no run has told its energy.
    """
    runs = {label: group[0] for label, group in groups.items() if not group[0].energy.empty}
    if not runs:
        return None
    figure = new_figure(max(5, 1 + 4 * len(runs)), 6)
    panels = figure.subplots(2, len(runs), squeeze=False, sharex="col", sharey="row")
    for (above, below), (label, run) in zip(panels.T, runs.items()):
        left = batteries(run)
        left["left"] = 100 * left["remaining_j"] / left["capacity_j"]
        curves = left.pivot_table(index="time_s", columns="device", values="left").ffill()
        _draw_curves(above, curves, "device")
        _draw_curves(below, link_history(run), "link")
        above.set_title(label)
        below.set_xlabel("simulated time [s]")
    panels[0][0].set_ylabel("energy left [%]")
    panels[1][0].set_ylabel("share of messages lost so far")
    for axes in panels[:, 0]:
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best")
    return figure


def energy_left(run):
    """Percent of the energy of each device that is left at the end, by device."""
    last = batteries(run).groupby("device").last()
    return 100 * last["remaining_j"] / last["capacity_j"]


def link_history(run):
    """Share of messages that each link between devices has lost so far, time of round x link."""
    messages = run.device_messages
    if messages.empty:
        return pd.DataFrame()
    lost = (1 - messages["delivered"]).rename("lost")
    begins = run.rounds.groupby("round")["start_s"].mean()
    places = [messages["round"], messages["sender"], messages["receiver"]]
    sums = lost.groupby(places).agg(["sum", "count"]).unstack(["sender", "receiver"], fill_value=0)
    table = sums["sum"].cumsum() / sums["count"].cumsum()
    return table.set_axis(begins.reindex(table.index).to_numpy(), axis=0)


def draw_links(axes, run, values, norm):
    """Draws a line a link, a little beside the straight one so that both ways are seen."""
    places = positions(run)
    reach = np.ptp(places, axis=0).max() or 1
    lines = []
    for sender, receiver in values.index:
        ends = places[run.devices.index.get_indexer([sender, receiver])]
        ahead = (ends[1] - ends[0]) / (np.hypot(*(ends[1] - ends[0])) or 1)
        lines.append(ends + 0.004 * reach * np.array([ahead[1], -ahead[0]]))
    drawn = LineCollection(lines, array=values.to_numpy(dtype=float), cmap=LOSS_COLORS, norm=norm,
                           linewidths=1.2 if len(lines) < 200 else 0.5, zorder=1)  # fmt: skip
    axes.add_collection(drawn)
    return drawn


def draw_devices(axes, run):
    """Draws devices with their numbers at their positions; returns their marks."""
    places = positions(run)
    few = len(places) <= _MOST_DEVICES_WITH_NUMBERS
    edges = [VERMILLION if device in run.low_quality else BLACK for device in run.devices.index]
    marks = axes.scatter(*places.T, s=240 if few else 30, edgecolors=edges, linewidths=1.5, zorder=2)
    if few:
        for device, place in zip(run.devices.index, places):
            label = device_label(run, device)
            axes.text(*place, label, ha="center", va="center", fontsize=8, zorder=4)
    for _, way in ways(run).groupby("device"):
        axes.plot(way["x_m"], way["y_m"], color=GRAY, linewidth=0.6, alpha=0.6, zorder=0)
    axes.set_aspect("equal", adjustable="box")
    axes.margins(0.12)
    axes.grid(True, axis="both")
    return marks


def positions(run):
    """Where devices are [m], a row a device; RunError if the run does not tell it."""
    if not {"x_m", "y_m"} <= set(run.devices.columns):
        raise RunError(f"{run.path}: run.json has no positions (x_m, y_m) of the devices")
    return run.devices[["x_m", "y_m"]].to_numpy(dtype=float)


def _draw_curves(axes, table, what):
    if table.empty:
        return
    axes.plot(table.index, table, color=GRAY, linewidth=0.6, alpha=0.5)
    axes.plot(table.index, table.mean(axis=1), color=BLUE, label=f"mean; gray: each {what}")
