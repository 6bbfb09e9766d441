# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Data frames as the tables of a report."""

from typing import Optional

import numpy as np
import pandas as pd

from ..statistics.messages import MESSAGE
from .loading import IDENTIFIERS

MOST_ROWS = 20_000

# What can be added up; of everything else that is measured the mean makes sense
_ADDITIVE = {"bytes", "fragments", "lost_fragments", "attempts", "airtime_s"}
_OF_RECEIVERS = {"lost_fragments"}  # the others are of a message, which has a row a receiver


def data_table(
    frame: pd.DataFrame,
    name: str,
    caption: str,
    links: Optional[list] = None,
    meanings: Optional[dict] = None,
    totals: bool = True,
) -> dict:
    """A table: its columns, one list of values each, with sums and means (totals) over all rows.

    Of more than MOST_ROWS rows some are left out evenly, and "total" says how many there were.
    With links, a list with a link or None for each row, the first column is made of links.
    Meanings are texts by name of column.
    """
    shown = frame.iloc[every_few(len(frame), MOST_ROWS)]
    return {
        "name": name,
        "caption": caption,
        "total": len(frame),
        "columns": [_column(frame, shown, column, totals) for column in frame.columns],
        "links": links,
        "meanings": [[name, text] for name, text in (meanings or {}).items()],
    }


def every_few(count: int, most: int) -> np.ndarray:
    """At most that many places out of count, evenly, the first and the last among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).astype(int))


def values_of(series: pd.Series) -> list:
    """Values for JSON: None for what is missing."""
    if pd.api.types.is_bool_dtype(series):
        return [bool(value) for value in series]
    if pd.api.types.is_numeric_dtype(series):
        return [None if pd.isna(value) else _number(value) for value in series.tolist()]
    return ["" if _is_missing(value) else _scalar(value) for value in series]


def _column(frame, shown, name, totals):
    values = frame[name]
    numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    measured = totals and numeric and name not in IDENTIFIERS and values.notna().any()
    return {
        "name": str(name),
        "numeric": bool(numeric),
        "values": values_of(shown[name]),
        "sum": _sum(frame, name) if measured and name in _ADDITIVE else None,
        "mean": float(values.mean()) if measured else None,
    }


def _sum(frame, name):
    if name not in _OF_RECEIVERS and set(MESSAGE) <= set(frame):
        frame = frame.drop_duplicates(MESSAGE)
    return _number(float(frame[name].sum()))


def _number(value):
    """A whole number without a fraction, which is shorter."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _is_missing(value):
    return value is None or (isinstance(value, float) and np.isnan(value))


def _scalar(value):
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, (int, float, bool)) else str(value)
