# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Which protocol to choose for what a device may spend."""

from typing import Iterator, List, Sequence

import numpy as np
import pandas as pd

from ..intervals import interval, with_interval
from .views import named

CHOSEN_BY = ("joules", "seconds", "bytes")
_STEPS = (1, 2, 5)  # budgets of a decade
_RUN = ["seed", "run"]
_ROUNDING = 1e-12  # of accuracies, which is no difference


def choice_table(frame: pd.DataFrame, costs: Sequence[str] = CHOSEN_BY) -> pd.DataFrame:
    """A row a place, cost and budget: the most accurate protocol, and which are as good.

    Budgets are 1, 2 and 5 times powers of ten, from the first that a measurement of all runs of a protocol
    is within, to the first that no run spends more than. What a run has reached for a budget is its last
    measurement within it. A protocol is as good as the best if the 95 % interval of its paired
    difference, over runs of the same seed, reaches 0, or if there are no two pairs.

    Columns: row, place, cost, budget, runs and accuracy of the best with its half width, and as_good (names
    from the best on, by their means, joined by commas).
    """
    rows = []
    for place, group in frame.groupby("place", sort=False):
        for cost in costs:
            for budget in _budgets(group, cost):
                reached = _reached(group, cost, budget)
                if len(reached.columns):
                    rows.append({"place": place, "cost": cost, "budget": budget, **_best(reached)})
    return named(pd.DataFrame(rows), "C")


def budget_table(frame: pd.DataFrame, cost: str = "joules", decades: int = 3) -> pd.DataFrame:
    """A row a budget, place and protocol that has a measurement within it in all of its runs: the accuracy
    reached, with its half width over seeds.

    Budgets are the last powers of ten below the greatest cost of any run.
    """
    last = int(np.floor(np.log10(frame[cost].max()))) if frame[cost].max() > 0 else 0
    rows = []
    for budget in 10.0 ** np.arange(last - decades + 1, last + 1):
        for place, group in frame.groupby("place", sort=False):
            for protocol, values in _reached(group, cost, budget).items():
                rows.append({"budget": budget, "place": place, "protocol": protocol,
                             **with_interval("accuracy", values.dropna())})  # fmt: skip
    columns = ["budget", "place", "protocol", "accuracy", "accuracy_half_width"]
    return pd.DataFrame(rows, columns=columns)


def _budgets(group: pd.DataFrame, cost: str) -> List[float]:
    """Round numbers from the least to the greatest that is of interest."""
    spent = group[group[cost] > 0]
    if spent.empty:
        return []
    first = spent.groupby(["protocol", *_RUN])[cost].min().groupby("protocol").max().min()
    last = spent[cost].max()
    decades = range(int(np.floor(np.log10(first))), int(np.ceil(np.log10(last))) + 1)
    budgets = [step * 10.0**decade for decade in decades for step in _STEPS]
    end = next(budget for budget in budgets if budget >= last)
    return [budget for budget in budgets if first <= budget <= end]


def _reached(group: pd.DataFrame, cost: str, budget: float) -> pd.DataFrame:
    """Accuracy by run and protocol, of those that have one in all of their runs."""
    within = group[group[cost] <= budget].sort_values("round", kind="stable")
    last = within.groupby(["protocol", *_RUN])["accuracy"].last().unstack("protocol")
    runs = group.drop_duplicates(["protocol", *_RUN])["protocol"].value_counts()
    there = [name for name in runs.index if name in last and last[name].count() == runs[name]]
    return last[there]


def _best(reached: pd.DataFrame) -> dict:
    means = reached.mean().sort_values(ascending=False, kind="stable")
    best = means.index[0]
    as_good = [name for name in means.index if not _is_worse(reached[best] - reached[name])]
    return {
        "runs": int(reached[best].count()),
        **with_interval("accuracy", reached[best].dropna()),
        "as_good": ", ".join(as_good),
    }


def _is_worse(differences: pd.Series) -> bool:
    """Whether the mean difference is surely above 0."""
    mean, half_width, pairs = interval(differences)
    return pairs > 1 and mean > half_width + _ROUNDING


def stretches(choices: pd.DataFrame) -> Iterator[tuple]:
    """(place, cost, [(names, rows)]) of choice_table(): budgets side by side at which the same
    protocols are as good as the best, from the least budget on.

    names: those that are so at each of the rows, by their order in the last one.
    """
    if choices.empty:
        return
    for (place, cost), group in choices.groupby(["place", "cost"], sort=False):
        found = []
        for row in group.itertuples():
            names = row.as_good.split(", ")
            common = [name for name in names if found and name in found[-1][0]]
            if common:
                found[-1] = (common, [*found[-1][1], row])
            else:
                found.append((names, [row]))
        yield place, cost, found
