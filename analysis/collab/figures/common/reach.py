# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Time and energy to reach levels of accuracy."""

import numpy as np

from ...statistics.curves import measure_of, name_of
from ...statistics.thresholds import COLUMNS, UNITS, note, reach_table
from ..style import method_line, method_marker, new_figure, styled


@styled
def reach_figure(groups, levels=None, column=None):
    """Time and energy to reach levels of a measure, a dot a method, 95 % intervals over runs."""
    column = measure_of(groups, column)
    table = reach_table(groups, levels, column)
    figure = new_figure(10, 1.4 + 0.28 * len(table))
    panels = figure.subplots(1, 2, sharey=True)
    for axes, name in zip(panels, ("time", "energy")):
        _draw_reach(axes, table, COLUMNS[name], list(groups))
        axes.set_xlabel(f"{'time' if name == 'time' else 'energy a device'} [{UNITS[name]}]")
    levels_at = table.reset_index().groupby("level", sort=False)["index"]
    places = {level: _places(table)[rows].mean() for level, rows in levels_at.groups.items()}
    panels[0].set_yticks(list(places.values()), [f"{level:g}" for level in places])
    panels[0].set_ylabel(f"{name_of(column)} reached")
    panels[0].invert_yaxis()
    panels[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _places(table):
    """Vertical place of each row: levels apart, methods of a level together."""
    methods = list(dict.fromkeys(table["method"]))
    levels = list(dict.fromkeys(table["level"]))
    rows = zip(table["level"], table["method"])
    step = len(methods) + 1
    return np.array([levels.index(level) * step + methods.index(m) for level, m in rows])


def _draw_reach(axes, table, name, labels):
    places = _places(table)
    for number, label in enumerate(labels):
        color, _ = method_line(number)
        marker = method_marker(number)
        of_method = (table["method"] == label).to_numpy()
        rows = table[of_method]
        present = rows[name].notna().to_numpy()
        axes.errorbar(
            rows[name][present],
            places[of_method][present],
            xerr=rows[f"{name}_half_width"][present].fillna(0),
            fmt=marker,
            color=color,
            capsize=2,
            label=label,
            clip_on=not present.any(),  # what is empty and not clipped confuses the layout
        )
        for place, (_, row) in zip(places[of_method], rows.iterrows()):
            text = note(row)
            if text:
                at = np.nan_to_num(row[name]) + np.nan_to_num(row[f"{name}_half_width"])
                axes.annotate(text, (at, place), (6, 0), textcoords="offset points", va="center",
                              fontsize=8, color="#444444")  # fmt: skip
    axes.update_datalim([(0, place) for place in places])  # levels that nothing reached, too
    axes.autoscale_view()
    axes.set_xlim(left=0)
    axes.grid(axis="x", visible=True)
    axes.grid(axis="y", visible=False)
