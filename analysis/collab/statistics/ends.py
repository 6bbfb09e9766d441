# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Where methods end: what they measure, and what it took, as tables with intervals."""

import pandas as pd

from .curves import measure_of
from .intervals import with_interval
from .quantities import quantity
from .tables import pairs_of

_COSTS = ("time", "energy", "bytes")


def end_table(groups, column=None, paired=False) -> pd.DataFrame:
    """A row a method: runs, a column of rounds at the end, and the whole run's quantities of cost.

    The column is the runs' own measure unless one is named; means over runs with their intervals.
    With paired set, the first method minus each other one, over the pairs of runs that share a seed.
    """
    names = (measure_of(groups, column), *_COSTS)
    if paired:
        return _paired(groups, names)
    return pd.DataFrame([
        {"method": label, "runs": len(runs), **_row(names, [(run, None) for run in runs])}
        for label, runs in groups.items()
    ])  # fmt: skip


def _paired(groups, names):
    (first_label, first), *others = groups.items()
    pairs = {label: pairs_of(first, runs) for label, runs in others}
    return pd.DataFrame([
        {"method": f"{first_label} - {label}", "pairs": len(of_label), **_row(names, of_label)}
        for label, of_label in pairs.items()
        if of_label
    ])  # fmt: skip


def _row(names, pairs):
    row = {}
    for name in names:
        values = [quantity(a, name) - (quantity(b, name) if b else 0) for a, b in pairs]
        row.update(with_interval(name, values))
    return row
