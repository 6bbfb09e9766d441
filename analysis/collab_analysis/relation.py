# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Any quantity of a run against any setting that was swept."""

from typing import Optional, Sequence

import numpy as np
import pandas as pd

from .errors import RunError
from .groups import as_number, full_name, group_runs, setting, short_name, sort_key
from .quantities import quantity, quantity_label
from .run import Run
from .statistics import mean_and_half_width
from .style import GRAY, MOST_IN_LEGEND, method_line, method_marker, new_figure, styled
from .tables import pairs_of


@styled
def relation_figure(runs: Sequence[Run], x: str, y: str, hue: Optional[str] = None, paired=False):
    """y, mean over seeds with its 95 % confidence interval, against x, a line a value of hue.

    x and hue are settings (or METHOD), y is a quantity; see relation_table(). Small strokes are
    single runs.
    With paired set it is y of the first value of hue minus y of each other one.
    """
    table = relation_table(runs, x, y, hue, paired)
    hues = list(dict.fromkeys(table["hue"]))
    figure = new_figure(9 if len(hues) > MOST_IN_LEGEND else 6.5, 4.2)
    axes = figure.subplots()
    places = _places(table["x"])
    numeric = all(as_number(value) is not None for value in places)
    decades = numeric and _spans_decades(places.values())
    for number, value in enumerate(hues):
        rows = table[table["hue"] == value]
        color, line = method_line(number)
        line = line if numeric else "none"  # there is nothing between two words
        at = np.array([places[value] for value in rows["x"]], dtype=float)
        at += 0 if decades else _shift(number, len(hues), places, numeric)
        label = f"{_first_hue(runs, hue)} - {value}" if paired else value or None
        _draw(axes, at, rows, (color, line, method_marker(number)), label)
    _note_missing(axes, table, places, hues)
    if decades:
        axes.set_xscale("log")
    if not numeric:
        axes.set_xticks(list(places.values()), list(map(str, places)))
    axes.set_xlabel(short_name(full_name(runs, x)))
    label = quantity_label(runs[0], y)
    axes.set_ylabel(f"difference of {label}" if paired else label)
    if paired:
        axes.axhline(0, color=GRAY, linewidth=0.8)
    title = "bars: 95 % confidence interval" if table["half_width"].notna().any() else None
    if hue:
        _add_legend(axes, "\n".join(filter(None, [short_name(hue), title])), len(hues))
    elif title:
        axes.set_title(title, fontsize=9, fontweight="normal")
    return figure


def _add_legend(axes, title, count):
    beside = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if count > MOST_IN_LEGEND else {}
    axes.legend(title=title, alignment="left", **beside)


def relation_table(
    runs: Sequence[Run], x: str, y: str, hue: Optional[str] = None, paired: bool = False
) -> pd.DataFrame:
    """A row a value of hue and x: mean and half width of the 95 % confidence interval over seeds.

    Columns: hue (text; empty without one), x, runs, missing (runs without such a number, e.g.
    because a level was not reached: they are not in the mean), mean, half_width (NaN with fewer
    than two runs), values (of the single runs). Raises RunError if runs differ in anything but x,
    hue, seed and run number.
    """
    x, hue = full_name(runs, x), full_name(runs, hue) if hue else None
    if paired and not hue:
        raise RunError("paired differences need a hue: the setting whose values are compared")
    groups = {}
    for group in group_runs(runs, [name for name in (hue, x) if name]).values():
        groups[(str(setting(group[0], hue)) if hue else "", setting(group[0], x))] = group
    order = sorted(groups, key=lambda key: (sort_key(key[0]), sort_key(key[1])))
    rows = [_row(*key, _values(groups, order, key, y, paired)) for key in order]
    return pd.DataFrame([row for row in rows if row is not None])


def _first_hue(runs, hue):
    """The value of hue that the others are compared with."""
    return min((setting(run, full_name(runs, hue)) for run in runs), key=sort_key)


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
        "missing": len(values) - len(present),
        "mean": float(mean),
        "half_width": float(half_width),
        "values": values,
    }


def _places(values):
    """Where the values of x are on the axis: numbers at themselves, others side by side."""
    distinct = sorted(set(values), key=sort_key)
    if all(as_number(value) is not None for value in distinct):
        return {value: as_number(value) for value in distinct}
    return {value: place for place, value in enumerate(distinct)}


def _spans_decades(places):
    """Whether numbers are too far apart for an axis with equal steps."""
    return min(places) > 0 and max(places) >= 100 * min(places)


def _shift(number, count, places, numeric):
    """A small step to the side, so that bars of several hues do not hide each other."""
    ordered = sorted(places.values())
    gap = min(np.diff(ordered)) if len(ordered) > 1 else 1
    step = 0.03 if numeric else 0.6 / count  # where nothing is between two places
    return step * gap * (number - (count - 1) / 2)


def _draw(axes, places, rows, look, label):
    color, line, marker = look
    present = rows["mean"].notna().to_numpy()
    places, rows = places[present], rows[present]
    axes.errorbar(
        places,
        rows["mean"],
        yerr=rows["half_width"].fillna(0),
        fmt=marker,
        linestyle=line,
        color=color,
        markersize=5,
        elinewidth=1,
        capsize=3,
        label=label,
    )
    for place, (_, row) in zip(places, rows.iterrows()):
        if len(row["values"]) > 1:
            beside = [(place, value) for value in row["values"]]
            axes.scatter(*zip(*beside), 22, color, "_", linewidths=1)


def _note_missing(axes, table, places, hues):
    """Says below which points are not of all runs, a line a hue."""
    for _, row in table[table["missing"] > 0].iterrows():
        reached = f"{row['runs'] - row['missing']} of {row['runs']} reached"
        axes.annotate(
            f"{row['hue']}: {reached}" if row["hue"] else reached,
            (places[row["x"]], 0),
            (0, 4 + 9 * hues.index(row["hue"])),
            ("data", "axes fraction"),
            "offset points",
            ha="center",
            fontsize=7,
        )
    if table["missing"].any():
        axes.margins(x=0.15)
