# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the radio's validation, from the tables of fidelity-proof and link-chain."""

import math

import numpy as np

from ..style import (
    BLACK, BLUE, GRAY, GREEN, ORANGE, PURPLE, VERMILLION, new_figure, styled, use_decades,
)  # fmt: skip

_POLICIES = {
    "best-effort": (BLUE, "o"),
    "stop-and-wait": (ORANGE, "s"),
    "selective-repeat": (VERMILLION, "^"),
    "divisible": (GREEN, "D"),
    "divisible-reliable": (PURPLE, "v"),
}
_OUTAGE_MODELS = {
    "rayleigh": "Rayleigh",
    "nakagami": "Nakagami, m = 2",
    "threshold": "Threshold",
}
_QUANTITIES = {
    "best-effort": (BLUE, "messages, sent once"),
    "reliable": (ORANGE, "messages, repeated"),
    "divisible": (GREEN, "units of messages"),
}


@styled
def fidelity_figure(table):
    """Means of both fidelities against each other, and how they differ in standard errors."""
    figure = new_figure(11, 7.5)
    (delivered, airtime), (joules, deviations) = figure.subplots(2, 2)
    _draw_means(delivered, table, "delivered", "delivered fraction [1]", log=False)
    _draw_means(airtime, table, "airtime_s", "airtime [s]")
    _draw_means(joules, table, "sender_tx_j", "energy of sending [J]")
    _draw_deviations(deviations, table)
    delivered.legend(loc="upper left", fontsize=9)
    return figure


def _draw_means(axes, table, quantity, title, log=True):
    rows = table[table["quantity"] == quantity]
    for policy, (color, marker) in _POLICIES.items():
        some = rows[rows["policy"] == policy]
        axes.errorbar(
            some["packet_mean"],
            some["burst_mean"],
            xerr=some["packet_se"],
            yerr=some["burst_se"],
            fmt=marker,
            color=color,
            markersize=4,
            linewidth=0.8,
            label=policy,
            markerfacecolor="none",
        )
    limits = [rows["packet_mean"].min(), rows["packet_mean"].max()]
    axes.plot(limits, limits, color=GRAY, linewidth=0.8, zorder=0)
    if log:
        use_decades(axes)
    axes.set_xlabel("fidelity Packet")
    axes.set_ylabel("fidelity Burst")
    axes.set_title(title[0].upper() + title[1:])


def _draw_deviations(axes, table):
    z = table["z"].dropna()
    edges = np.arange(-4, 4.01, 0.5)
    axes.hist(z, bins=edges, color=BLUE, alpha=0.6, label="seen")
    normal = [math.erfc(-edge / math.sqrt(2)) / 2 for edge in edges]
    axes.stairs(np.diff(normal) * len(z), edges, color=BLACK, label="expected")
    axes.set_xlabel("difference of the means [standard errors]")
    axes.set_ylabel("comparisons")
    axes.set_title(f"{len(z)} differences of means that vary")
    axes.legend(loc="upper left")


@styled
def chain_figure(table):
    """Distance to received power to outage to delivery, measured and in closed form."""
    figure = new_figure(13, 4.5)
    panels = figure.subplots(1, len(_OUTAGE_MODELS), sharey=True)
    for axes, (model, title) in zip(panels, _OUTAGE_MODELS.items()):
        rows = table[table["outage_model"] == model]
        for quantity, (color, label) in _QUANTITIES.items():
            _draw_quantity(axes, rows[rows["quantity"] == quantity], color, label)
        axes.set_title(title)
        axes.set_xlabel("distance [m]")
        _add_snr_axis(axes, rows)
    panels[0].set_ylabel("delivered fraction [1]")
    panels[-1].legend(loc="lower left", bbox_to_anchor=(0, 0.1))
    return figure


def _draw_quantity(axes, rows, color, label):
    packet = rows[rows["fidelity"] == "Packet"]
    axes.plot(packet["distance_m"], packet["expected"], color=color, linewidth=1, label=label)
    for fidelity, marker in (("Packet", "o"), ("Burst", "x")):
        some = rows[rows["fidelity"] == fidelity]
        axes.errorbar(
            some["distance_m"],
            some["measured"],
            yerr=3 * some["standard_error"],
            fmt=marker,
            color=color,
            markersize=5,
            linewidth=0.8,
            markerfacecolor="none",
            label=f"{fidelity} fidelity" if label.startswith("units") else None,
        )


def _add_snr_axis(axes, rows):
    places = [100, 200, 300, 400, 500, 600]
    ratios = rows.groupby("distance_m")["snr_db"].first()
    top = axes.secondary_xaxis("top")
    top.set_xticks(places, [f"{ratios[place]:.0f}" for place in places])
    top.set_xlabel("received over noise power [dB]")
