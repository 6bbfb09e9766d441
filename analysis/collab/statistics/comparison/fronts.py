# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Pareto fronts of accuracy and cost."""

from typing import List, Sequence

import numpy as np
import pandas as pd

from ..intervals import mean_and_half_width
from .frames import COSTS
from .views import named

_CURVES = ["place", "protocol", "round", "runs", "accuracy", "accuracy_half_width", *COSTS]


def mean_curves(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a place, protocol and round: accuracy with its half width, and costs, means over runs.

    Only rounds that all runs of the protocol have.
    """
    rows = []
    runs = frame.drop_duplicates(["place", "protocol", "seed", "run"])
    runs = runs.groupby(["place", "protocol"]).size()
    for (place, protocol, number), group in frame.groupby(
        ["place", "protocol", "round"], sort=False
    ):
        if len(group) < runs[place, protocol]:
            continue
        mean, half_width = mean_and_half_width(group["accuracy"])
        rows.append({"place": place, "protocol": protocol, "round": number, "runs": len(group),
                     "accuracy": float(mean), "accuracy_half_width": float(half_width),
                     **group[list(COSTS)].mean(skipna=False)})  # fmt: skip
    return pd.DataFrame(rows, columns=_CURVES)


def is_on_front(costs: Sequence[float], values: Sequence[float]) -> np.ndarray:
    """Which points no other one dominates: by costing no more and being worth no less, and not the
    same in both."""
    costs, values = np.asarray(costs, float), np.asarray(values, float)
    order = np.lexsort((-values, costs))  # by cost, then the more valuable first
    on_front = np.zeros(len(costs), bool)
    best, at = -np.inf, np.nan
    for place in order:
        if values[place] > best:
            best, at = values[place], costs[place]
            on_front[place] = True
        elif values[place] == best and costs[place] == at:  # the same point twice
            on_front[place] = True
    return on_front


def front_table(curves: pd.DataFrame, costs: Sequence[str] = tuple(COSTS)) -> pd.DataFrame:
    """A row a place, cost and stretch of the Pareto front of mean_curves() that one protocol has.

    Columns: row, place, cost, protocol, from, to (of the cost), lowest and highest (accuracy).
    """
    rows = []
    for place, group in curves.groupby("place", sort=False):
        for cost in costs:
            front = group[is_on_front(group[cost], group["accuracy"])].sort_values(
                [cost, "accuracy", "protocol"]
            )
            stretch = (front["protocol"] != front["protocol"].shift()).cumsum()
            for _, part in front.groupby(stretch):
                rows.append({
                    "place": place, "cost": cost, "protocol": part["protocol"].iloc[0],
                    "from": part[cost].iloc[0], "to": part[cost].iloc[-1],
                    "lowest": part["accuracy"].iloc[0], "highest": part["accuracy"].iloc[-1],
                })  # fmt: skip
    return named(pd.DataFrame(rows), "P")


def leaders(curves: pd.DataFrame, costs: Sequence[str], most: int) -> List[str]:
    """The protocols of mean_curves() of one place that have most of the Pareto fronts, in the order
    of the curves: how much, by the decades of a cost up to what follows; after them those that are
    most accurate at their ends, so that there are as many as may be."""
    shares = dict.fromkeys(curves["protocol"], 0.0)
    for cost in costs:
        rows = curves[curves[cost] > 0].sort_values(cost)
        front = rows[is_on_front(rows[cost], rows["accuracy"])]
        ends = [*front[cost].iloc[1:], rows[cost].max()]
        for protocol, begin, end in zip(front["protocol"], front[cost], ends):
            shares[protocol] += np.log10(end / begin)
    last = curves.groupby("protocol")["accuracy"].last()
    chosen = sorted(shares, key=lambda protocol: (-shares[protocol], -last[protocol]))[:most]
    return [protocol for protocol in shares if protocol in chosen]
