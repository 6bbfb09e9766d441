# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long rounds take by framework and rate, communication and computation apart."""

import numpy as np
import pandas as pd

from ...runs.groups import as_number, setting, short_name, swept_names
from ...statistics.intervals import with_interval
from ...statistics.timing import times_of
from ..style import method_line, new_figure, styled, use_decades
from ..words import method_word

BANDWIDTH = "ns3::collab::D2dPhy::Bandwidth"
DEFAULT_BANDWIDTH = 1e6
SPECTRAL_EFFICIENCY = "ns3::collab::D2dPhy::SpectralEfficiency"
DEFAULT_SPECTRAL_EFFICIENCY = 1.0
RATE_CONTROL = "ns3::collab::D2dPhy::RateControl"

# In the place of a rate, of devices that have another one for each link
ADAPTIVE = "adaptive"

# Algorithms or scenarios, and uploads, by the names of the frameworks, in the order of the figure
FRAMEWORKS = {
    "fedavg": "FL",
    "committee": "CMFL",
    "committee, broadcast": "CMFL, broadcast",
    "braintorrent": "BrainTorrent",
    "gossipfl": "GossipFL",
    "segmented": "segmented gossip",
}

# Settings beside model and rate that make a condition of the radio, if they differ
_CONDITIONS = (
    "maxOutage",
    "loss",
    SPECTRAL_EFFICIENCY,  # also of the same rate: it makes another outage
    RATE_CONTROL,
    "ns3::collab::D2dPhy::Duplex",
    "ns3::collab::D2dMac::MaxReceptions",
    "ns3::collab::D2dMac::ReceiverSensing",
    "ns3::collab::D2dChannel::Access",
)
_TIMES = ("communication_s", "computation_s")
# What a framework's name tells
_TOLD = {"algorithm", "upload"}
_CHOSEN = ("framework", "model", "condition", "rate_mbps")
_MEASURED = (*_TIMES, "energy_j", "bytes", "agreed")


@styled
def efficiency_figure(runs):
    """Communication and computation time of a round, by framework and rate, a panel a model.

    Joules of a device's round in their place if no time is known.
    """
    table = efficiency_table(runs)
    if table.empty or table[["communication_s", "energy_j"]].isna().all(axis=None):
        return None
    shown = _TIMES if table["communication_s"].notna().any() else ("energy_j",)
    panels = list(dict.fromkeys(zip(table["model"], table["condition"])))
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = new_figure(4.4 * columns, 0.6 + 3.2 * rows)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, panel in zip(grid.flat, panels):
        part = table[(table["model"] == panel[0]) & (table["condition"] == panel[1])]
        _draw(axes, part, shown)
        axes.set_title("\n".join(filter(None, (method_word(panel[0]), panel[1]))))
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    if grid[0, 0].get_yscale() == "log":
        bottom, top = grid[0, 0].get_ylim()
        grid[0, 0].set_ylim(bottom, top * (top / bottom) ** 0.35)  # space for the legend
    grid[0, 0].legend(fontsize="small", ncol=2)
    return figure


def efficiency_table(runs) -> pd.DataFrame:
    """A row a framework, model, condition and rate: seconds, joules and bytes a round.

    A framework is told with the settings that differ among its runs of a model, condition and rate, see
    labels_of().
    Of a round of all devices: communication_s and computation_s as times_of() has them, nothing of
    runs without a record of messages or phases; of a round of one device, on average: energy_j and bytes;
    agreed: the part of all rounds of members of a committee that ended so, nothing without a
    committee. Means over runs that differ in the seed, with half widths of their intervals.
    """
    runs = [run for run in runs if len(run.rounds)]
    names = [name for name in _CONDITIONS if name in swept_names(runs)]

    def panel_and_rate(run):
        condition = [f"{short_name(name)}={run.settings[name]}" for name in names if name in run.settings]
        return str(run.parameters.get("model")), ", ".join(condition), rate_of(run)

    rows = [
        {
            "framework": label,
            **dict(zip(_CHOSEN[1:], panel_and_rate(run))),
            "rounds": run.rounds["round"].nunique(),
            **times_of(run),
            "energy_j": run.total("energy_j").mean() / run.rounds["round"].nunique(),
            "bytes": run.total("bytes_sent").mean() / run.rounds["round"].nunique(),
            "agreed": _agreed(run),
        }
        for run, label in zip(runs, labels_of(runs, framework_of, _TOLD, panel_and_rate))
    ]
    if not rows:
        return pd.DataFrame(columns=[*_CHOSEN, *_TIMES])
    table = pd.DataFrame([
        {**dict(zip(_CHOSEN, chosen)), "rounds": of_seeds["rounds"].mean()}
        | {name: value for column in _MEASURED
           for name, value in with_interval(column, of_seeds[column]).items()}
        for chosen, of_seeds in pd.DataFrame(rows).groupby(list(_CHOSEN), sort=False)
    ])  # fmt: skip
    return table.sort_values(["condition", "model", "rate_mbps", "framework"], key=_ordered)


def _ordered(column):
    if column.name == "rate_mbps":
        return column.map(rate_order)
    if column.name != "framework":
        return column
    return column.map(sorted(set(column), key=_framework_order).index)


def _framework_order(label):
    """Where a framework is in the figure, whatever settings are told with it."""
    fitting = [place for place, name in enumerate(FRAMEWORKS.values())
               if f"{label}, ".startswith(f"{name}, ")]  # fmt: skip
    return (fitting[-1] if fitting else len(FRAMEWORKS), label)


def _agreed(run) -> float:
    if not run.has("committee", "outcome"):
        return np.nan
    return (run.table("committee")["outcome"] == "agreed").mean()


def framework_of(run) -> str:
    """The name of what a run trains with."""
    name = str(run.parameters.get("algorithm", run.scenario))
    upload = run.parameters.get("upload", "unicast")
    name += "" if upload == "unicast" else f", {upload}"
    return FRAMEWORKS.get(name, name)


def labels_of(runs, name_of, told, within=lambda run: None) -> list:
    """The name of each run's framework, with the settings that differ among the framework's runs within
    the same place.

    What differs between frameworks or places only tells nothing that these do not, nor do settings that
    are told otherwise.
    """
    groups = {}
    for run in runs:
        groups.setdefault((name_of(run), within(run)), []).append(run)
    differ = {
        key: [name for name in swept_names(its) if name not in told] for key, its in groups.items()
    }
    return [
        ", ".join([name, *(f"{short_name(key)}={setting(run, key)}" for key in differ[name, place])])
        for run, name, place in ((run, name_of(run), within(run)) for run in runs)
    ]


def rate_of(run):
    """The rate r B of a run's devices [Mbit/s], or ADAPTIVE."""
    if run.settings.get(RATE_CONTROL) == "Adaptive":
        return ADAPTIVE
    bandwidth = as_number(run.settings.get(BANDWIDTH)) or DEFAULT_BANDWIDTH
    efficiency = as_number(run.settings.get(SPECTRAL_EFFICIENCY)) or DEFAULT_SPECTRAL_EFFICIENCY
    return bandwidth * efficiency / 1e6


def rate_order(rate) -> float:
    """By what rates are put in order: adaptive ones come last."""
    return np.inf if rate == ADAPTIVE else rate


def _draw(axes, table, shown):
    rates = sorted(table["rate_mbps"].unique(), key=rate_order)
    frameworks = list(dict.fromkeys(table["framework"]))
    room = 0.8 / len(frameworks)
    width = room / len(shown)
    for number, framework in enumerate(frameworks):
        rows = table[table["framework"] == framework].set_index("rate_mbps").reindex(rates)
        first = np.arange(len(rates)) + room * (number - (len(frameworks) - 1) / 2) - (room - width) / 2
        color = method_line(number)[0]
        for place, column in enumerate(shown):
            label, alpha = (None, 0.4) if place else (framework, 1)
            axes.bar(first + place * width, rows[column], label=label, width=width, color=color, alpha=alpha)
    use_decades(axes, "y")
    axes.set_xticks(np.arange(len(rates)), [rate if rate == ADAPTIVE else f"{rate:g}" for rate in rates])
    axes.set_xlabel("rate of a device [Mbit/s]")
    axes.set_ylabel("a round [s]; pale: computation" if shown == _TIMES else "a round of a device [J]")
