# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long rounds take by framework and rate, communication and computation apart."""

import numpy as np
import pandas as pd

from .groups import as_number, short_name, swept_names
from .run import Run
from .style import method_line, new_figure, styled

# Phases in which a device computes, and those in which it sends weights or waits for them
COMPUTING = ("train", "score", "aggregate", "merge")
SENDING = ("upload", "ask", "fetch", "exchange", "pull")

BANDWIDTH = "ns3::collab::D2dNetDevice::Bandwidth"
DEFAULT_BANDWIDTH = 1e6

# Scenarios and algorithms by the names of the frameworks, in the order of the figure
FRAMEWORKS = {
    "fedavg": "FL",
    "committee": "CMFL",
    "braintorrent": "BrainTorrent",
    "gossipfl": "GossipFL",
    "segmented": "segmented gossip",
}

# Settings beside model and rate that make a condition of the radio, if they differ
_CONDITIONS = (
    "maxOutage",
    "loss",
    "ns3::collab::D2dNetDevice::Duplex",
    "ns3::collab::D2dChannel::Access",
)
_CHOSEN = ("framework", "model", "condition", "rate_mbps")


@styled
def efficiency_figure(runs):
    """Communication and computation time of a round, by framework and rate, a panel a model."""
    table = efficiency_table(runs)
    if table.empty:
        return None
    panels = list(dict.fromkeys(zip(table["model"], table["condition"])))
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = new_figure(4.4 * columns, 0.6 + 3.2 * rows)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, panel in zip(grid.flat, panels):
        part = table[(table["model"] == panel[0]) & (table["condition"] == panel[1])]
        _draw(axes, part)
        axes.set_title("\n".join(filter(None, panel)))
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    bottom, top = grid[0, 0].get_ylim()
    grid[0, 0].set_ylim(bottom, top * (top / bottom) ** 0.35)  # space for the legend
    grid[0, 0].legend(fontsize="small", ncol=2)
    return figure


def efficiency_table(runs) -> pd.DataFrame:
    """A row a framework, model, condition and rate: seconds, joules and bytes a round.

    Of a round of all devices: communication_s and computation_s as times_of() has them; of a round
    of one device, on average: energy_j and bytes. Mean over runs that differ in the seed.
    """
    names = [name for name in _CONDITIONS if name in swept_names(runs)]
    rows = [
        {
            "framework": _framework(run),
            "model": str(run.parameters.get("model")),
            "condition": ", ".join(
                f"{short_name(name)}={run.settings[name]}" for name in names if name in run.settings
            ),
            "rate_mbps": (as_number(run.settings.get(BANDWIDTH)) or DEFAULT_BANDWIDTH) / 1e6,
            "rounds": run.rounds["round"].nunique(),
            **times_of(run),
            "energy_j": run.final("energy_j", run.devices.index) / run.rounds["round"].nunique(),
            "bytes": run.final("bytes_sent", run.devices.index) / run.rounds["round"].nunique(),
        }
        for run in runs
        if len(run.rounds) and len(run.latency)
    ]
    if not rows:
        return pd.DataFrame(columns=[*_CHOSEN, "communication_s", "computation_s"])
    table = pd.DataFrame(rows).groupby(list(_CHOSEN), sort=False).mean().reset_index()
    return table.sort_values(["condition", "model", "rate_mbps", "framework"], key=_ordered)


def times_of(run: Run) -> dict:
    """Seconds of a round, by what they are spent on: mean over the rounds after the first one.

    A round lasts from the end of the one before to its own, that of the last device to end it.
    Time in which any device sends weights or waits for some is communication, whatever others do
    meanwhile. Of the rest, time in which any device computes is computation, and what is then left
    (votes, pairs, waiting for a timeout) is communication too: both add up to the whole time.
    """
    ends = run.rounds.groupby("round")["end_s"].max()
    start = run.rounds["start_s"].min() if len(ends) == 1 else ends.iloc[0]
    end = ends.iloc[-1]
    sending = _intervals(run, SENDING, start, end)
    computing = _intervals(run, COMPUTING, start, end)
    computation = _length(np.concatenate([sending, computing])) - _length(sending)
    rounds = max(1, len(ends) - 1)
    return {
        "communication_s": (end - start - computation) / rounds,
        "computation_s": computation / rounds,
    }


def _intervals(run, phases, start, end):
    """Starts and ends of phases of any device, as far as they are between two times."""
    rows = run.latency[run.latency["phase"].isin(phases)]
    intervals = rows[["start_s", "end_s"]].to_numpy(dtype=float).clip(start, end)
    return intervals[intervals[:, 0] < intervals[:, 1]]


def _length(intervals) -> float:
    """Length of the union of intervals (start, end)."""
    if not len(intervals):
        return 0.0
    ordered = intervals[np.argsort(intervals[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(ordered[1:, 0] - ends[:-1], 0).sum()
    return float(ends[-1] - ordered[0, 0] - gaps)


def _ordered(column):
    if column.name != "framework":
        return column
    places = {name: place for place, name in enumerate(FRAMEWORKS.values())}
    return column.map(places).fillna(len(places))


def _framework(run) -> str:
    name = str(run.parameters.get("algorithm", run.scenario))
    return FRAMEWORKS.get(name, name)


def _draw(axes, table):
    rates = sorted(table["rate_mbps"].unique())
    frameworks = list(dict.fromkeys(table["framework"]))
    width = 0.8 / len(frameworks)
    for number, framework in enumerate(frameworks):
        rows = table[table["framework"] == framework].set_index("rate_mbps").reindex(rates)
        places = np.arange(len(rates)) + width * (number - (len(frameworks) - 1) / 2)
        color = method_line(number)[0]
        bar = {"width": width / 2, "color": color}
        axes.bar(places - width / 4, rows["communication_s"], label=framework, **bar)
        axes.bar(places + width / 4, rows["computation_s"], alpha=0.4, **bar)
    axes.set_yscale("log")
    axes.set_xticks(np.arange(len(rates)), [f"{rate:g}" for rate in rates])
    axes.set_xlabel("rate of a device [Mbit/s]")
    axes.set_ylabel("a round [s]; pale: computation")
