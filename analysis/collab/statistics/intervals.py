# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Mean and confidence interval of a few independent values."""

import numpy as np

# What the name of a column ends with that has the half width of the interval of another one
HALF_WIDTH = "_half_width"
# and of one that says of how many runs the mean is, if not all have such a number
PRESENT = "_present"

# Of a half width: means that are less differ from 0 by rounding
_ROUNDING = 1e-9

# 97.5 % quantiles of Student's t distribution by degrees of freedom
_T_QUANTILES = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
    10: 2.228, 11: 2.201, 12: 2.179, 13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120, 17: 2.110,
    18: 2.101, 19: 2.093, 20: 2.086, 21: 2.080, 22: 2.074, 23: 2.069, 24: 2.064, 25: 2.060,
    26: 2.056, 27: 2.052, 28: 2.048, 29: 2.045, 30: 2.042, 40: 2.021, 60: 2.000, 120: 1.980,
}  # fmt: skip


def t_quantile(degrees):
    """The 97.5 % quantile of the t distribution; between table entries that of fewer degrees."""
    return _T_QUANTILES[max(entry for entry in _T_QUANTILES if entry <= degrees)]


def mean_and_half_width(values):
    """Mean and half width of the 95 % confidence interval along the first axis.

    The half width is NaN with fewer than two values.
    """
    values = np.asarray(values, dtype=float)
    count = values.shape[0]
    mean = values.mean(axis=0)
    if count < 2:
        return mean, np.full_like(mean, np.nan)
    return mean, t_quantile(count - 1) * values.std(axis=0, ddof=1) / np.sqrt(count)


def interval(values) -> tuple:
    """Mean and half width of the 95 % interval of the values that there are, and their number."""
    present = [value for value in values if not np.isnan(value)]
    if not present:
        return np.nan, np.nan, 0
    mean, half_width = mean_and_half_width(present)
    return float(mean), float(half_width), len(present)


def with_interval(name, values) -> dict:
    """The entries of a table's row for a number of several runs: its mean and half width, and of how many
    runs these are if some have no such number (NaN)."""
    mean, half_width, present = interval(values)
    told = {f"{name}{PRESENT}": f"{present} of {len(values)} runs"} if 0 < present < len(values) else {}
    return {name: mean, f"{name}{HALF_WIDTH}": half_width, **told}


def of_all(name, values) -> dict:
    """The same, but NaN if one of the values is: a mean without it would be of runs that the data has chosen."""
    return with_interval(name, values if np.isfinite(values).all() else [])


def cells(table):
    """A table as texts of four digits or more, with intervals beside their means, and of how many runs they
    are if not of all; "" where there is none.

    Columns without anything at all are left out.
    """
    shown = [name for name in table.columns
             if not name.endswith((HALF_WIDTH, PRESENT)) and table[name].notna().any()]  # fmt: skip
    texts = {name: [_cell(row, name) for _, row in table.iterrows()] for name in shown}
    return table[shown].assign(**texts)


def as_text(title, table) -> str:
    """A table as text below a title; empty if it has no row."""
    if table.empty:
        return ""
    return f"{title}\n\n{cells(table).to_string(index=False)}\n"


def _cell(row, name):
    value, half_width = row[name], row.get(f"{name}{HALF_WIDTH}", np.nan)
    if not isinstance(value, (int, float, np.number)):
        return str(value)
    if np.isnan(value):
        return ""
    if abs(value) < _ROUNDING * half_width:
        value = 0.0
    text = f"{value:.0f}" if 1e3 <= abs(value) < 1e7 else f"{value:.4g}"
    text += "" if np.isnan(half_width) else f" +- {half_width:.2g}"
    present = row.get(f"{name}{PRESENT}")
    return f"{text} ({present})" if isinstance(present, str) else text
