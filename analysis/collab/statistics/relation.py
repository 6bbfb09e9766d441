# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Any quantity of a run against any setting that was swept, as a table."""

from typing import Optional, Sequence

import numpy as np
import pandas as pd

from ..runs.errors import RunError
from ..runs.groups import full_name, group_runs, method_order, setting, sort_key
from ..runs.run import Run
from .intervals import mean_and_half_width
from .quantities import by_one_measure, quantity
from .tables import pairs_of


def relation_table(
    runs: Sequence[Run], x: str, y: str, hue: Optional[str] = None, paired: bool = False
) -> pd.DataFrame:
    """A row a value of hue and x: mean and half width of the 95 % confidence interval over seeds.

    Columns: hue (text; empty without one), x, runs, runs_without (those without such a number,
    e.g. because a level was not reached: they are not in the mean), mean, half_width (NaN with fewer
    than two runs), values (of the single runs). Of paired differences, the attribute minuend is the
    value of hue from whose runs the others' are taken away. Raises RunError if runs differ in anything but x,
    hue, seed and run number.
    """
    x, hue = full_name(runs, x), full_name(runs, hue) if hue else None
    if paired and not hue:
        raise RunError("paired differences need a hue: the setting whose values are compared")
    y = by_one_measure(runs, y)
    groups = {}
    for group in group_runs(runs, [name for name in (hue, x) if name]).values():
        groups[(str(setting(group[0], hue)) if hue else "", setting(group[0], x))] = group
    methods = method_order(runs)
    order = sorted(groups, key=lambda key: [sort_key(value, methods) for value in key])
    rows = [_row(*key, _values(groups, order, key, y, paired)) for key in order]
    rows = [row for row in rows if row is not None]
    if not rows:
        raise RunError(f"no two values of {hue} have runs of the same seed and run number")
    table = pd.DataFrame(rows)
    if paired:
        table.attrs["minuend"] = order[0][0]
    return table


def _values(groups, order, key, y, paired):
    """y of each run of a group, or how much it is less than that of the first hue."""
    if not paired:
        return [quantity(run, y) for run in groups[key]]
    first = (order[0][0], key[1])
    if key[0] == first[0] or first not in groups:
        return None
    pairs = pairs_of(groups[first], groups[key])
    return [quantity(a, y) - quantity(b, y) for a, b in pairs]


def _row(hue, x, values):
    if not values:
        return None
    present = [value for value in values if not np.isnan(value)]
    mean, half_width = mean_and_half_width(present) if present else (np.nan, np.nan)
    return {
        "hue": hue,
        "x": x,
        "runs": len(values),
        "runs_without": len(values) - len(present),
        "mean": float(mean),
        "half_width": float(half_width),
        "values": values,
    }
