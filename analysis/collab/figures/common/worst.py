# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Accuracy at the worst of several attacks, by protocol."""

import numpy as np

from ...runs.groups import as_number, short_name, sort_key
from ...statistics.comparison.worst import axis_of
from ...statistics.intervals import HALF_WIDTH
from ..style import method_line, method_marker, new_figure, styled
from ..words import setting_word

_STEP = 0.012  # of the axis, between bars of neighboring protocols


@styled
def worst_figure(table, setting):
    """Accuracy of worst_table() against its axis_of(), a line a protocol, a panel a value of the other settings."""
    x = axis_of(table)
    others = [name for name in table.columns[: table.columns.get_loc("protocol")] if name != x]
    titles = [
        ", ".join(f"{setting_word(other)} {row[other]}" for other in others) for _, row in table.iterrows()
    ]
    panels = list(table.groupby(np.array(titles), sort=False))
    figure = new_figure(3.9 * len(panels) + 2.4, 3.8)
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    values = sorted(table[x].unique(), key=lambda value: sort_key(value, []))
    numbers = [as_number(value) for value in values]
    places = dict(zip(values, numbers if None not in numbers else range(len(values))))
    width = max(places.values()) - min(places.values())
    protocols = list(dict.fromkeys(table["protocol"]))
    for axes, (title, rows) in zip(grid, panels):
        for number, protocol in enumerate(protocols):
            line = rows[rows["protocol"] == protocol].dropna(subset=["accuracy"])
            line = line.sort_values(x, key=lambda column: column.map(places))
            at = line[x].map(places).to_numpy(float) + _STEP * width * (number - (len(protocols) - 1) / 2)
            color, style = method_line(number)
            bars = np.nan_to_num(line[f"accuracy{HALF_WIDTH}"])
            axes.errorbar(at, line["accuracy"], yerr=bars, color=color, linestyle=style, marker=method_marker(number),
                          markersize=5, capsize=2, label=protocol)  # fmt: skip
        axes.set_xticks(list(places.values()), list(places))
        axes.set_xlabel(setting_word(x))
        axes.set_title(title)
    grid[0].set_ylabel(f"accuracy at the worst {short_name(setting)}")
    grid[-1].legend(loc="upper left", bbox_to_anchor=(1, 1), title="bars: 95 % intervals")
    return figure
