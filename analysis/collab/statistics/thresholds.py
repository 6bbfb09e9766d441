# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What it takes to reach a level of a measure: time, energy, bytes and rounds."""

import numpy as np
import pandas as pd

from ..runs.errors import RunError
from .curves import AXES, is_accuracy, is_loss, mean_of_regular, measure_of, name_of
from .intervals import mean_and_half_width

LEVELS = (0.5, 0.6, 0.7, 0.8)
NOT_REACHED = "not reached"

UNITS = {"rounds": "", "time": "s", "energy": "J", "bytes": "kB"}
# What the table's columns are called, which tell the units
COLUMNS = {"rounds": "rounds", "time": "seconds", "energy": "joules", "bytes": "kilobytes"}


def first_round_at(run, level, column=None):
    """The first round in which the mean of the regular devices is at a level or better.

    None if it never is. The column is a column of rounds, by default the run's own measure.
    """
    column = column or run.measure
    values = mean_of_regular(run, column)
    reached = values.index[values <= level if is_loss(column) else values >= level]
    return None if reached.empty else int(reached[0])


def reach(run, level, column=None):
    """What a run had taken in its first_round_at() a level.

    Rounds, seconds, joules a device and kilobytes sent by a device; NaN if it never was.
    """
    first = first_round_at(run, level, column)
    if first is None:
        return dict.fromkeys(AXES, np.nan)
    return {name: float(value(run)[first]) for name, (_, value) in AXES.items()}


def reach_table(groups, levels=None, column=None) -> pd.DataFrame:
    """A row a method and level: runs, how many of them reached it, and what that took.

    For each of rounds, seconds, joules a device and kilobytes sent by a device the mean over the
    runs that reached the level and the half width of its 95 % confidence interval
    (NAME_half_width; NaN with fewer than two).
    """
    column = measure_of(groups, column)
    rows = []
    for label, runs in groups.items():
        for level in levels_of(column, levels):
            taken = pd.DataFrame([reach(run, level, column) for run in runs]).dropna()
            row = {"method": label, "level": level, "runs": len(runs), "reached": len(taken)}
            for name, column_name in COLUMNS.items():
                mean, half_width = (
                    mean_and_half_width(taken[name]) if len(taken) else (np.nan, np.nan)
                )
                row[column_name] = float(mean)
                row[f"{column_name}_half_width"] = float(half_width)
            rows.append(row)
    return pd.DataFrame(rows)


def levels_of(column, levels=None):
    """The given levels, or the usual ones of an accuracy; RunError for another measure."""
    if levels is None and not is_accuracy(column):
        raise RunError(f"{column} is no accuracy: give its levels by --levels")
    return LEVELS if levels is None else levels


def format_reach(groups, levels=None, column=None) -> str:
    """The table as text: time, energy and bytes, a block each, a row a method, a column a level."""
    column = measure_of(groups, column)
    levels = levels_of(column, levels)
    table = reach_table(groups, levels, column)
    blocks = []
    titles = (("time", "Time"), ("energy", "Energy per device"), ("bytes", "Bytes sent per device"))
    for name, title in titles:
        lines = [f"{title} to reach {name_of(column)}, regular devices [{UNITS[name]}]", ""]
        cells = [["method", *(f"{level:g}" for level in levels)]]
        for label, rows in table.groupby("method", sort=False):
            cells.append([label, *(_cell(row, name) for _, row in rows.iterrows())])
        widths = [max(map(len, column_cells)) for column_cells in zip(*cells)]
        for first, *others in cells:
            padded = [cell.rjust(width) for cell, width in zip(others, widths[1:])]
            lines.append("  ".join([first.ljust(widths[0]), *padded]).rstrip())
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def note(row):
    """Says so if not all runs have reached the level."""
    if row["reached"] == 0:
        return NOT_REACHED
    return "" if row["reached"] == row["runs"] else f"{row['reached']} of {row['runs']} runs"


def _cell(row, name):
    column = COLUMNS[name]
    if row["reached"] == 0:
        return NOT_REACHED
    text = f"{row[column]:.4g}"
    if not np.isnan(row[f"{column}_half_width"]):
        text += f"+-{row[f'{column}_half_width']:.2g}"
    remark = note(row)
    return f"{text} ({remark})" if remark else text
