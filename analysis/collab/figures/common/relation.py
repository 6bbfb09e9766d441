# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Any quantity of a run against any setting that was swept."""

from typing import Optional, Sequence

import numpy as np
from matplotlib.transforms import ScaledTranslation

from ...runs.groups import as_number, full_name, method_order, setting, sort_key
from ...runs.run import Run
from ...statistics.quantities import by_one_measure, quantity_label
from ...statistics.relation import relation_table
from ..outside import legend_beside, put_beside
from ..style import GRAY, method_line, method_marker, new_figure, styled, use_decades
from ..words import setting_word

_WIDEST = 0.09  # inches between a mean and the outermost of its runs


@styled
def relation_figure(runs: Sequence[Run], x: str, y: str, hue: Optional[str] = None, paired=False):
    """y, mean over seeds with its 95 % confidence interval, against x, a line a value of hue.

    x and hue are settings (or METHOD), y is a quantity; see relation_table(). Pale dots are single
    runs, side by side in their order.
    With paired set it is y of the first value of hue minus y of each other one.
    """
    table = relation_table(runs, x, y, hue, paired)
    hues = list(dict.fromkeys(table["hue"]))
    figure = new_figure(6.5, 4.2)
    axes = figure.subplots()
    places = _places(table["x"], method_order(runs))
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
        use_decades(axes, "x")
    if not numeric:
        axes.set_xticks(list(places.values()), list(map(str, places)))
    axes.set_xlabel(setting_word(full_name(runs, x)))
    label = quantity_label(runs[0], by_one_measure(runs, y))
    axes.set_ylabel(f"difference of {label}" if paired else label)
    if paired:
        axes.axhline(0, color=GRAY, linewidth=0.8)
    marks = ["bars: 95 % confidence interval", "dots: single runs"]
    marks = marks if table["half_width"].notna().any() else []
    if hue:
        legend_beside(axes, title="\n".join([setting_word(hue), *marks]))
    elif marks:
        axes.set_title("; ".join(marks), fontsize=9, fontweight="normal")
    put_beside(figure)
    return figure


def _first_hue(runs, hue):
    """The value of hue that the others are compared with."""
    methods = method_order(runs)
    values = (setting(run, full_name(runs, hue)) for run in runs)
    return min(values, key=lambda value: sort_key(value, methods))


def _places(values, methods):
    """Where the values of x are on the axis: numbers at themselves, others side by side."""
    distinct = sorted(set(values), key=lambda value: sort_key(value, methods))
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
    step = 0.05 if numeric else 0.6 / count  # where nothing is between two places
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
        markersize=6,
        markeredgecolor="white",
        markeredgewidth=0.8,
        elinewidth=1.2,
        capsize=4,
        label=label,
        zorder=3,
    )
    for place, (_, row) in zip(places, rows.iterrows()):
        if len(row["values"]) > 1:
            _draw_runs(axes, place, row["values"], color)


def _draw_runs(axes, place, values, color):
    """A pale dot per run, beside each other by steps on paper, as an axis may have decades."""
    paper = axes.figure.dpi_scale_trans
    for value, step in zip(values, np.linspace(-1, 1, len(values))):
        beside = ScaledTranslation(_WIDEST * step, 0, paper)
        axes.scatter([place], [value], 16, color, alpha=0.4, linewidths=0, zorder=2,
                     transform=axes.transData + beside)  # fmt: skip


def _note_missing(axes, table, places, hues):
    """Says below which points are not of all runs, a line a hue."""
    for _, row in table[table["runs_without"] > 0].iterrows():
        reached = f"{row['runs'] - row['runs_without']} of {row['runs']} reached"
        axes.annotate(
            f"{row['hue']}: {reached}" if row["hue"] else reached,
            (places[row["x"]], 0),
            (0, 4 + 9 * hues.index(row["hue"])),
            ("data", "axes fraction"),
            "offset points",
            ha="center",
            fontsize=7,
        )
    if table["runs_without"].any():
        axes.margins(x=0.15)
