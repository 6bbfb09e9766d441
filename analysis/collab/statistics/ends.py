# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Where methods end: what they measure, and what it took, as tables with intervals."""

import pandas as pd

from .curves import is_accuracy, measure_of
from .intervals import of_all
from .quantities import quantity
from .tables import pairs_of

# Quantities of a whole run, by the name and unit that their columns have
_COSTS = {"seconds": "time", "joules": "energy", "kilobytes": "bytes", "lost": "lost"}


def end_table(groups, column=None, paired=False) -> pd.DataFrame:
    """A row a method: runs, what they measure at the end, and what it took.

    Measured is the runs' own measure and all accuracies that all of them have, or the named column of
    rounds. Costs are seconds, and joules and kilobytes sent a device, and the share of messages lost.
    All are means over runs with their intervals, and NaN if a run has no such number. With paired set, the first method minus each other
    one, over the pairs of runs that share a seed.
    """
    columns = {name: name for name in [column] if name} or _measured(groups)
    columns.update(_COSTS)
    if paired:
        return _paired(groups, columns)
    return pd.DataFrame([
        {"method": label, "runs": len(runs), **_row(columns, [(run, None) for run in runs])}
        for label, runs in groups.items()
    ])  # fmt: skip


def _measured(groups) -> dict:
    runs = [run for of_method in groups.values() for run in of_method]
    shared = [name for name in runs[0].metrics if all(name in run.metrics for run in runs)]
    accuracies = [name for name in shared if is_accuracy(name) and not name.startswith("balanced")]
    return {name: name for name in [measure_of(groups), *accuracies]}


def _paired(groups, columns):
    (first_label, first), *others = groups.items()
    pairs = {label: pairs_of(first, runs) for label, runs in others}
    return pd.DataFrame([
        {"method": f"{first_label} - {label}", "pairs": len(of_label), **_row(columns, of_label)}
        for label, of_label in pairs.items()
        if of_label
    ])  # fmt: skip


def _row(columns, pairs):
    row = {}
    for name, of_run in columns.items():
        values = [quantity(a, of_run) - (quantity(b, of_run) if b else 0) for a, b in pairs]
        row.update(of_all(name, values))
    return row
