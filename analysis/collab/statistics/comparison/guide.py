# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What follows from the tables of a comparison by a rule, each finding with its rows."""

from typing import List

import pandas as pd

from .choice import stretches
from .frames import COSTS

_SHORT = {"joules": "energy", "seconds": "time", "bytes": "traffic", "samples": "training"}
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))  # of bytes

SAVING = 0.9  # of another one's cost: who spends more saves nothing to speak of

RULE = (
    "By energy, time and traffic: for each budget of 1, 2 and 5 times a power of ten, the protocols whose"
    " accuracy does not differ significantly from that of the most accurate one. Adjacent budgets are merged as"
    " long as one protocol is among these at all of them. The number is the accuracy of the most accurate"
    " protocol at the last of the budgets: the first in the list, unless another is named with it. Over whole"
    " runs, if nothing is swept: the 95 % interval of the paired difference in accuracy excludes 0, and so does"
    f" that of each cost named, of which at least {1 - SAVING:.0%} are saved. Intervals are not widened for the"
    " number of pairs."
)

WHOLE_RUNS = "whole runs"  # instead of a cost


def guide_table(choices: pd.DataFrame, ends: pd.DataFrame) -> pd.DataFrame:
    """What follows from choice_table() and, if nothing is swept, from end_table(), by RULE: a row per place and
    cost, or whole runs."""
    is_swept = len(choices) > 0 and choices["place"].nunique() > 1
    rows = [*_choices(choices), *([] if is_swept else _dominations(ends))]
    return pd.DataFrame(rows, columns=["place", "by", "choice"])


def sentences(guide: pd.DataFrame) -> List[str]:
    """The rows of guide_table() as sentences."""
    return [_sentence(*row) for row in guide.itertuples(index=False)]


def _sentence(place, by, choice):
    told = f"over whole runs {choice}" if by == WHOLE_RUNS else f"by {by}: {choice}"
    sentence = f"with {place}, {told}." if place else f"{told}."
    return sentence[0].upper() + sentence[1:]


def _choices(choices):
    """For each cost, which protocol from which budget on."""
    for place, cost, found in stretches(choices):
        parts = [_choice(cost, names, rows, number == 0, number == len(found) - 1)
                 for number, (names, rows) in enumerate(found)]  # fmt: skip
        yield place, _SHORT[cost], ", ".join(parts)


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
    """The rows of end_table() that the guide has: for each protocol that is surely less accurate than
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
    """What each of dominated() says."""
    for _, row in dominated(ends).iterrows():
        costs = [
            f"{_SHORT[cost]} ({-row[cost]:.3g} +- {row[f'{cost}_half_width']:.2g}"
            f" {COSTS[cost][0]}".rstrip() + ")"
            for cost in COSTS if _is_saved(row, cost)
        ]  # fmt: skip
        choice = (
            f"{row['better']} took less {_list(costs)} than {row['worse']} and was more accurate"
            f" ({row['accuracy']:+.2g} +- {row['accuracy_half_width']:.2g}; {row['row']})"
        )
        yield row["place"], WHOLE_RUNS, choice


def _list(parts, word="and"):
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
