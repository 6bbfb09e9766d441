# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Accuracy of protocols at equal joules, seconds and samples; ranks and paired differences."""

from itertools import combinations
from typing import Sequence

import numpy as np
import pandas as pd

from ..intervals import HALF_WIDTH, PRESENT, interval, of_all, with_interval
from .frames import COSTS, VIEWS

QUANTILES = (0.1, 0.25, 0.5, 0.75)
NEARLY = 0.95  # of a budget: a run that spends so much has not ended before it
_RUN = ["seed", "run"]
_CELL = ["place", "view", "quantile"]


def accuracies_at_budgets(
    frame: pd.DataFrame, quantiles: Sequence[float] = QUANTILES
) -> pd.DataFrame:
    """A row a place, view, quantile, protocol and run: what it had reached for the budget.

    A budget is a quantile of what the protocols have spent at the ends of their runs of the same seed.
    Columns: place, view, quantile, budget, protocol, seed, run, accuracy, worst (of the last round
    within the budget; NaN if the first measurement costs more), ended (1 if the run was over before it
    had spent NEARLY all of the budget) and rank (1: best; among runs of the same seed, those without
    accuracy last; NaN for a seed that not all protocols have).
    """
    rows = []
    for place, group in frame.groupby("place", sort=False):
        ends = ends_of(group).groupby(_RUN)
        for view in VIEWS:
            for quantile in quantiles:
                budgets = ends[view].quantile(quantile)
                told = {"place": place, "view": view, "quantile": quantile}
                rows += [{**told, **row} for row in _rows_of_budgets(group, view, budgets)]
    table = pd.DataFrame(rows)
    return table.assign(rank=_ranks(table))


def ends_of(group: pd.DataFrame) -> pd.DataFrame:
    """The last row of each run."""
    return group.sort_values("round", kind="stable").groupby(["place", "protocol", *_RUN], sort=False).tail(1)


def _rows_of_budgets(group, view, budgets):
    """Of each run what it had reached for the budget of its seed."""
    for (protocol, seed, number), run in group.groupby(["protocol", *_RUN], sort=False):
        budget = budgets[seed, number]
        within = run[run[view] <= budget]
        last = within.iloc[-1] if len(within) else {}
        yield {
            "budget": budget, "protocol": protocol, "seed": seed, "run": number,
            "accuracy": last.get("accuracy", np.nan), "worst": last.get("worst", np.nan),
            "ended": float(run[view].iloc[-1] < NEARLY * budget),
        }  # fmt: skip


def _ranks(table):
    """Rank of each row among the protocols of the same seed; NaN where a protocol lacks the seed."""
    ranks = table.groupby([*_CELL, *_RUN])["accuracy"].rank(ascending=False, na_option="bottom")
    present = table.groupby([*_CELL, *_RUN])["protocol"].transform("nunique")
    protocols = table.groupby(_CELL)["protocol"].transform("nunique")
    return ranks.where(present == protocols)


def _cells(reached):
    """(what it is of, rows) for each place, view and quantile."""
    for told, cell in reached.groupby(_CELL, sort=False):
        budgets = cell.drop_duplicates(_RUN)["budget"]
        yield {**dict(zip(_CELL, told)), "budget": float(budgets.mean())}, cell


def rank_table(reached: pd.DataFrame) -> pd.DataFrame:
    """A row a place, view, budget and protocol, the best mean rank first, from
    accuracies_at_budgets().

    Columns: row (its name), place, view, quantile, budget (mean over seeds), protocol, runs (with a measurement within
    the budget), rank, accuracy, worst, each with the half width of its 95 % interval over seeds, and
    ended (share of the runs).
    """
    rows = []
    for told, cell in _cells(reached):
        table = [{
            **told, "protocol": protocol,
            "runs": int(runs["accuracy"].notna().sum()),
            **with_interval("rank", runs["rank"]), **with_interval("accuracy", runs["accuracy"]),
            **with_interval("worst", runs["worst"]), "ended": runs["ended"].mean(),
        } for protocol, runs in cell.groupby("protocol", sort=False)]  # fmt: skip
        rows += sorted(table, key=lambda row: (np.isnan(row["rank"]), row["rank"]))
    return named(pd.DataFrame(rows), "R")


def summary_table(ranks: pd.DataFrame, quantile: float) -> pd.DataFrame:
    """A row a place and protocol, the best mean over the views first: what rank_table() tells of each
    view at one quantile.

    Columns: place, protocol, and for each view VIEW_accuracy and VIEW_rank with their half widths.
    """
    rows = []
    for place, of_place in ranks[ranks["quantile"] == quantile].groupby("place", sort=False):
        table = []
        for protocol, views in of_place.groupby("protocol", sort=False):
            row = {"place": place, "protocol": protocol}
            for _, told in views.iterrows():
                for name in ("accuracy", "rank"):
                    endings = [end for end in ("", HALF_WIDTH, PRESENT) if f"{name}{end}" in told]
                    row.update({f"{told['view']}_{name}{end}": told[f"{name}{end}"] for end in endings})
            table.append((views["rank"].mean(), row))
        rows += [row for _, row in sorted(table, key=lambda entry: (np.isnan(entry[0]), entry[0]))]
    return pd.DataFrame(rows)


def difference_table(reached: pd.DataFrame) -> pd.DataFrame:
    """A row a place, view, budget and pair of protocols: how much more accurate the first one was.

    Columns: row, place, view, quantile, budget, better, worse, pairs (of runs of the same seed with a
    measurement within the budget), difference (at least 0) with its half width, and ended (share of
    the runs of the worse one that were over before they had spent the budget).
    """
    rows = []
    for told, cell in _cells(reached):
        values = cell.pivot(index=_RUN, columns="protocol", values="accuracy")
        ended = cell.groupby("protocol")["ended"].mean()
        for better, worse, differences in _pairs(values, cell["protocol"].unique()):
            mean, half_width, pairs = interval(differences)
            rows.append({
                **told, "better": better, "worse": worse, "pairs": pairs,
                "difference": mean, "difference_half_width": half_width, "ended": ended[worse],
            })  # fmt: skip
    return named(pd.DataFrame(rows), "D")


def _pairs(values, protocols):
    """(better, worse, differences by seed) of all pairs that share a seed."""
    for first, second in combinations(protocols, 2):
        differences = (values[first] - values[second]).dropna()
        if differences.empty:
            continue
        if differences.mean() >= 0:
            yield first, second, differences
        else:
            yield second, first, -differences


def end_table(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a place and pair of protocols at the ends of their runs: what the more accurate one had
    more, of accuracy and of each cost, over runs of the same seed.

    Columns: row, place, better, worse, pairs; accuracy and each cost with the half width of its
    interval; COST_ratio (mean of the better one's over that of the worse one's).
    """
    rows = []
    for place, group in frame.groupby("place", sort=False):
        ends = ends_of(group)
        measures = ["accuracy", *COSTS]
        values = {name: ends.pivot(index=_RUN, columns="protocol", values=name)
                  for name in measures}  # fmt: skip
        for better, worse, differences in _pairs(values["accuracy"], ends["protocol"].unique()):
            pairs = int(np.isfinite(differences).sum())
            row = {"place": place, "better": better, "worse": worse, "pairs": pairs}
            for name, table in values.items():
                of_pairs = (table[better] - table[worse]).reindex(differences.index)
                row.update(with_interval(name, of_pairs))
            for name in COSTS:
                both = values[name][[better, worse]].dropna().mean()
                row[f"{name}_ratio"] = both[better] / both[worse] if both[worse] else np.nan
            rows.append(row)
    return named(pd.DataFrame(rows), "E")


def point_table(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a protocol and place: accuracy, worst and costs at the ends of runs, with half widths over
    seeds.

    Columns: row, protocol, place, runs, the numbers (NaN if a run has none), and best (1 at the place where the protocol's mean
    accuracy is the greatest, of several the first; else 0).
    """
    rows = []
    for protocol, group in frame.groupby("protocol", sort=False):
        ends = ends_of(group)
        places = []
        for place, runs in ends.groupby("place", sort=False):
            row = {"protocol": protocol, "place": place, "runs": len(runs)}
            for name in ("accuracy", "worst", *COSTS):
                row.update(of_all(name, runs[name]))
            places.append(row)
        most = max(places, key=lambda row: np.nan_to_num(row["accuracy"], nan=-1.0))
        rows += [{**row, "best": int(row is most)} for row in places]
    return named(pd.DataFrame(rows), "S")


def accuracy_table(points: pd.DataFrame) -> pd.DataFrame:
    """A row a protocol, and a column a place with the accuracy at the ends of runs, of point_table()."""
    rows = []
    for protocol, places in points.groupby("protocol", sort=False):
        row = {"protocol": protocol}
        for _, told in places.iterrows():
            for ending in ("", HALF_WIDTH):
                row[f"{told['place']}{ending}"] = told[f"accuracy{ending}"]
        rows.append(row)
    order = [f"{place}{ending}" for place in points["place"].unique() for ending in ("", HALF_WIDTH)]
    return pd.DataFrame(rows, columns=["protocol", *order])


def named(table: pd.DataFrame, letter: str) -> pd.DataFrame:
    """The table with a first column that names its rows."""
    table.insert(0, "row", [f"{letter}{number}" for number in range(1, len(table) + 1)])
    return table
