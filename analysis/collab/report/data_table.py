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


def data_table(frame, name: str, caption: str, links: Optional[list] = None, totals=True) -> dict:
    """A table: its columns, one list of values each, with sums and means (totals) over all rows.

    Of more than MOST_ROWS rows, which are the total, some are left out evenly.
    With links, a list with a link or None for each row, the first column is made of links.
    """
    shown = frame.iloc[every_few(len(frame), MOST_ROWS)]
    if len(shown) < len(frame):
        caption += (f" These are {len(shown)} of {len(frame)} rows, evenly chosen; sums and means "
                    "are of all of them.")  # fmt: skip
    return {
        "name": name,
        "caption": caption,
        "total": len(frame),
        "columns": [
            {"name": str(column), "values": values_of(shown[column]),
             **(_totals(frame, column) if totals else {})}
            for column in frame.columns
        ],
        "links": links,
        "meanings": _meanings(**frame.attrs),
    }  # fmt: skip


def every_few(count: int, most: int) -> np.ndarray:
    """At most that many places out of count, evenly, the first and the last among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).astype(int))


def values_of(values) -> list:
    """Values for JSON: None for a number that is missing, an empty text for another value."""
    series = pd.Series(values)
    missing = None if pd.api.types.is_numeric_dtype(series) else ""
    return series.astype(object).where(series.notna(), missing).tolist()


def _meanings(units=(), meanings=()):
    """What the run itself says of columns, as it is said in the attributes of its tables."""
    texts = {name: f"{meanings[name]} [{units[name]}]" if units[name] else meanings[name]
             for name in meanings}  # fmt: skip
    return [[name, text] for name, text in texts.items() if text]


def _totals(frame, name):
    """Sum and mean of a column, as far as it has them."""
    values = frame[name]
    numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if not numeric or name in IDENTIFIERS or values.isna().all():
        return {"sum": None, "mean": None}
    mean = float(values.mean())
    if name not in _ADDITIVE:
        return {"sum": None, "mean": mean}
    if name not in _OF_RECEIVERS and set(MESSAGE) <= set(frame):
        values = frame.drop_duplicates(MESSAGE)[name]
    return {"sum": float(values.sum()), "mean": mean}
