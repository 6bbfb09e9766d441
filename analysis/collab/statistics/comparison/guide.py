# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sentences that follow from the tables of a comparison by a rule, each with its rows."""

from typing import List

import pandas as pd

from .choice import stretches
from .frames import COSTS

_SHORT = {"joules": "energy", "seconds": "time", "bytes": "traffic", "samples": "training"}
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))  # of bytes

SAVING = 0.9  # of another one's cost: who spends more saves nothing to speak of

RULE = (
    "By energy, time and traffic: for each budget of 1, 2 and 5 times a power of ten, the protocols whose"
    " accuracy does not differ surely from that of the most accurate one; budgets side by side are told"
    " together as long as one protocol is among these at all of them. The number is the accuracy of the"
    " most accurate one at the last of the budgets, which is that told first unless another is named with it."
    " Over whole runs, which is told if nothing is swept: the 95 % interval of the paired"
    " difference in accuracy is on one side of 0, and so is that of each cost that is told, of which at"
    f" least {1 - SAVING:.0%} are saved. Intervals are not widened for the number of pairs."
)


def guide(choices: pd.DataFrame, ends: pd.DataFrame) -> List[str]:
    """The sentences of choice_table() and, if nothing is swept, of end_table(): see RULE."""
    is_swept = len(choices) > 0 and choices["place"].nunique() > 1
    return [*_choices(choices), *([] if is_swept else _dominations(ends))]


def _choices(choices):
    """For each cost, which protocol from which budget on."""
    for place, cost, found in stretches(choices):
        parts = [_choice(cost, names, rows, number == 0, number == len(found) - 1)
                 for number, (names, rows) in enumerate(found)]  # fmt: skip
        sentence = f"{_where(place)}by {_SHORT[cost]}: {', '.join(parts)}."
        yield sentence[0].upper() + sentence[1:]


def _choice(cost, names, rows, is_first, is_last):
    first, last = rows[0], rows[-1]
    low, high = _amount(cost, first.budget), _amount(cost, last.budget)
    if is_first and is_last:
        when = "whatever is spent,"
    elif is_first:
        when = f"up to {high}"
    elif is_last:
        when = f"from {low} on"
    else:
        when = f"at {low}" if low == high else f"from {low} to {high}"
    backed = first.row if len(rows) == 1 else f"{first.row} to {last.row}"
    best = last.as_good.split(", ")[0]
    reached = f"{last.accuracy:.3g}" if names[0] == best else f"{best}: {last.accuracy:.3g}"
    return f"{when} {_list(names, 'or')} ({reached}; {backed})"


def _amount(cost, value):
    """A budget as a person writes it."""
    if cost == "bytes":
        factor, prefix = next((entry for entry in _PREFIXES if value >= entry[0]), (1, ""))
        return f"{value / factor:g} {prefix}B"
    return f"{value:g} {COSTS[cost][0]}".strip()


def dominated(ends: pd.DataFrame) -> pd.DataFrame:
    """The rows of end_table() that the guide tells: for each protocol that is surely less accurate than
    others that also save some cost, that other one which saves most costs."""
    told = []
    sure = ends[ends["accuracy"] > ends["accuracy_half_width"]] if len(ends) else ends
    for _, rows in sure.groupby(["place", "worse"], sort=False) if len(sure) else ():
        saved = pd.DataFrame({cost: _is_saved(rows, cost) for cost in COSTS}).sum(axis=1)
        if saved.any():
            told.append(rows[saved == saved.max()].sort_values("accuracy").iloc[-1])
    return pd.DataFrame(told, columns=ends.columns)


def _is_saved(rows, cost):
    return (rows[cost] < -rows[f"{cost}_half_width"]) & (rows[f"{cost}_ratio"] <= SAVING)


def _dominations(ends):
    """A sentence for each of dominated()."""
    for _, row in dominated(ends).iterrows():
        costs = [
            f"{_SHORT[cost]} ({-row[cost]:.3g} +- {row[f'{cost}_half_width']:.2g}"
            f" {COSTS[cost][0]}".rstrip() + ")"
            for cost in COSTS if _is_saved(row, cost)
        ]  # fmt: skip
        sentence = (
            f"{_where(row['place'])}over whole runs {row['better']} took less {_list(costs)} than"
            f" {row['worse']} and was more accurate ({row['accuracy']:+.2g} +-"
            f" {row['accuracy_half_width']:.2g}; {row['row']})."
        )
        yield sentence[0].upper() + sentence[1:]


def _where(place):
    return f"with {place}, " if place else ""


def _list(parts, word="and"):
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
