# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sentences that follow from the tables of a comparison by a rule, each with its rows."""

from typing import List

import pandas as pd

from .frames import COSTS
from .views import NEARLY

_SHORT = {"joules": "energy", "seconds": "time", "bytes": "traffic", "samples": "training"}

SAVING = 0.9  # of another one's cost: who spends more saves nothing to speak of

RULE = (
    "A sentence is there only if the 95 % interval of the paired difference that it tells is on one"
    " side of 0, and if the runs of the less accurate protocol had not ended before they had spent"
    f" {NEARLY:.0%} of the budget. Intervals are not widened for the number of pairs. A saving is told if it is a"
    f" {1 - SAVING:.0%} of what the other one spends, or more."
)


def guide(differences: pd.DataFrame, ends: pd.DataFrame) -> List[str]:
    """The sentences of difference_table() and end_table(): see RULE."""
    return [*_leaders(differences), *_dominated(ends)]


def _leaders(differences):
    """At each budget, the protocol that is more accurate than the most others."""
    sentences = []
    if differences.empty:
        return sentences
    sure = differences[
        (differences["difference"] > differences["difference_half_width"])
        & (differences["ended"] == 0)
    ]
    for (place, view, _, budget), rows in sure.groupby(
        ["place", "view", "quantile", "budget"], sort=False
    ):
        leader = _most_often(rows["better"], differences.loc[_cell(differences, place, view, budget)])
        told = [
            f"{row.worse} ({row.difference:+.2g} +- {row.difference_half_width:.2g}, {row.row})"
            for row in rows[rows["better"] == leader].itertuples()
        ]
        at = f"{budget:.4g} {COSTS[view][0]} a device" if view == "joules" else (
            f"{budget:.4g} {COSTS[view][0]}".strip())  # fmt: skip
        sentences.append(
            f"{_where(place)}at equal {view} ({at}), {leader} was more accurate than {_list(told)}."
        )
    return [sentence[0].upper() + sentence[1:] for sentence in sentences]


def _cell(table, place, view, budget):
    return (table["place"] == place) & (table["view"] == view) & (table["budget"] == budget)


def _most_often(better, cell):
    """Who is better most often; of several, who is also without regard to intervals."""
    counts = better.value_counts()
    tied = counts.index[counts == counts.max()]
    return max(tied, key=lambda protocol: ((cell["better"] == protocol).sum(), protocol))


def _dominated(ends):
    """For each protocol that costs more and is less accurate than others, by which most."""
    sentences = []
    if ends.empty:
        return sentences
    sure = ends[ends["accuracy"] > ends["accuracy_half_width"]]
    for (place, worse), rows in sure.groupby(["place", "worse"], sort=False):
        saving = {cost: (rows[cost] < -rows[f"{cost}_half_width"])
                  & (rows[f"{cost}_ratio"] <= SAVING) for cost in COSTS}  # fmt: skip
        counts = sum(saving.values())
        if not counts.any():
            continue
        most = rows[counts == counts.max()].sort_values("accuracy").iloc[-1]
        costs = [f"{_SHORT[cost]} ({-most[cost]:.3g} +- {most[f'{cost}_half_width']:.2g}"
                 f" {COSTS[cost][0]}".rstrip() + ")"
                 for cost in COSTS if saving[cost][most.name]]  # fmt: skip
        sentences.append(
            f"{_where(place)}over whole runs {most['better']} took less {_list(costs)} than {worse} and"
            f" was more accurate ({most['accuracy']:+.2g} +- {most['accuracy_half_width']:.2g};"
            f" {most['row']})."
        )
    return [sentence[0].upper() + sentence[1:] for sentence in sentences]


def _where(place):
    return f"with {place}, " if place else ""


def _list(parts):
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
