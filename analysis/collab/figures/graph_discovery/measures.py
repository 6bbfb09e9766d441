# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of a run of graph discovery: its graph, its learning, what devices hold, joules."""

import numpy as np
import pandas as pd

from ...runs.groups import as_number
from ...statistics.costs import accounts_by_round

_GRAPH = ("round", "device", "peer")
_HOLDINGS = ("passes", "device", "label", "samples")
_PARTS = "phase_energy"
_COMMUNICATION = ("tx_j", "rx_j")
_SERVER = ("d2s_tx_j", "d2s_rx_j")
_LATE = 0.1  # part of the iterations, the last ones, that late_learning() is over


def edges(run) -> pd.DataFrame:
    """The edges of the last pass, a row a device, peer -1 without one; RunError without a table."""
    table = run.table("graph")
    return table[table["round"] == table["round"].max()].set_index("device").sort_index()


def has_graph(run) -> bool:
    """Whether a run tells its edges."""
    return run.has("graph", *_GRAPH)


def local_reward(run) -> float:
    """rL of the edges that were chosen, mean over devices and passes; 0 of a device without one."""
    return float(run.table("graph")["local_reward"].mean()) if has_graph(run) else np.nan


def success(run) -> float:
    """1 - P_D of the edges, mean over devices that have one, and passes; NaN without any."""
    return _mean_of_edges(run, lambda graph: graph["success"].mean())


def arrived(run) -> float:
    """Part of the granted datapoints that came; NaN if none were granted."""
    return _mean_of_edges(
        run, lambda graph: graph["received"].sum() / max(graph["granted"].sum(), 1)
    )


def received(run) -> float:
    """Datapoints that came to a device, mean over devices, of all passes together."""
    if not has_graph(run):
        return np.nan
    return float(run.table("graph").groupby("device")["received"].sum().mean())


def trusted(run) -> float:
    """Partitions with which peers trust the devices that they send to; NaN without an edge."""
    return _mean_of_edges(run, lambda graph: graph["trusted"].mean())


def _mean_of_edges(run, value):
    if not has_graph(run):
        return np.nan
    graph = run.table("graph")
    chosen = graph[graph["peer"] >= 0]
    return float(value(chosen)) if len(chosen) else np.nan


def late_learning(run, column) -> float:
    """A column of the table discovery, mean over the last tenth of each pass; NaN without any."""
    if not run.has("discovery", "iteration", column):
        return np.nan
    table = run.table("discovery")
    first = (1 - _LATE) * (table.groupby("round")["iteration"].transform("max") + 1)
    return float(table.loc[table["iteration"] >= first, column].mean())


def held(run, passes) -> pd.DataFrame:
    """Datapoints after some passes, device x true label; None if the run does not tell."""
    if not run.has("holdings", *_HOLDINGS):
        return None
    table = run.table("holdings")
    rows = table[table["passes"] == passes]
    return rows.pivot(index="device", columns="label", values="samples") if len(rows) else None


def passes_of(run) -> int:
    """Passes that are over; 0 if the run does not tell what devices hold."""
    return int(run.table("holdings")["passes"].max()) if run.has("holdings", *_HOLDINGS) else 0


def labels_reached(run) -> pd.Series:
    """Labels of which a device has enough at the end, by device; None if the run does not tell.

    Enough is a part of b, the mean number of datapoints of a label that the device had first. Of a
    device that went off before the end nothing is told.
    """
    before, after = held(run, 0), held(run, passes_of(run))
    if before is None or after is None:
        return None
    share = as_number(run.settings.get("thresholdShare"))
    slack = as_number(run.settings.get("thresholdSlack"))
    slack = 1.0 if slack is None else slack
    thresholds = (share or 1.0) * slack * before.sum(axis=1) / before.shape[1]
    return after.ge(thresholds[after.index], axis=0).sum(axis=1)


def mean_labels_reached(run) -> float:
    """The same, mean over devices."""
    reached = labels_reached(run)
    return np.nan if reached is None else float(reached.mean())


def labeling_accuracy(run) -> float:
    """Part of the samples that devices gave their true label, mean over devices."""
    if not run.has("labeling", "accuracy"):
        return np.nan
    return float(run.table("labeling")["accuracy"].mean())


def joules_by_part(run, until=None) -> dict:
    """Joules of all devices by what they were spent on, up to the end of a downstream round.

    Without a round it is the whole run. None if the run does not tell, or if there was no such
    round. What devices spend while they wait is apart, as "idle".
    """
    if not run.has(_PARTS, "part", *_COMMUNICATION):
        return None
    parts = run.table(_PARTS).groupby("part").sum(numeric_only=True)
    early = parts.drop(index="training", errors="ignore")
    learning = _sum(early.drop(index="exchange", errors="ignore"), _COMMUNICATION)
    if until is None or "training" not in parts.index:
        spent, idle = parts, _sum(parts, ("idle_j", "sleep_j"))
    else:
        rows = accounts_by_round(run)
        rows = rows[rows["round"] <= until]
        if rows.empty or rows["round"].max() < until:
            return None
        rows = rows.drop_duplicates("device", keep="last")  # a device may have been silent
        spent, idle = rows, _sum(rows, ("idle_j", "sleep_j"))
    before, all_parts = _sum(early, _COMMUNICATION), _sum(spent, _COMMUNICATION)
    # Of numbers that differ in their last digits if there was nothing
    training = 0.0 if np.isclose(before, all_parts, rtol=1e-12) else all_parts - before
    return {
        "discovery": learning,
        "exchange": before - learning,
        "training": training,
        "server": _sum(spent, _SERVER),
        "compute": _sum(spent, ("compute_j",)),
        "idle": idle,
    }


def _sum(table, columns) -> float:
    return float(table[list(columns)].to_numpy().sum())
