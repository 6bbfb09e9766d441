# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of whole runs by method, against whatever other setting was swept."""

from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np
import pandas as pd

from ...runs.groups import (
    as_number,
    method_order,
    setting,
    short_name,
    sort_key,
    swept_names,
)
from ...statistics.intervals import HALF_WIDTH, PRESENT, as_text, with_interval
from ..figure import runs_of
from ..outside import legend_of_all
from ..style import method_line, method_marker, new_figure, styled
from ..words import setting_word, settings_words

EVERYTHING = ""  # the setting of runs that differ in the method only


@dataclass(frozen=True)
class Quantity:
    """A number of a run, and how it is called."""

    name: str  # of the column
    label: str  # on an axis
    value: Callable  # of a Run; NaN if it has none
    relative_to: Optional[str] = None  # a method: divided by its value in the run of the same seed
    is_inverse: bool = False  # that value is divided by this one; in the table only


def by_setting(runs) -> dict:
    """{(setting, method): [run, ...]}, both in order; the setting is text, or empty."""
    runs = list(runs)
    methods = method_order(runs)
    names = [name for name in swept_names(runs) if name not in _names_of_methods(runs)]

    def key(run):
        return (
            [sort_key(setting(run, name), methods) for name in names],
            _place(run.method, methods),
            run.pair,
        )

    groups = {}
    for run in sorted(runs, key=key):
        parts = [f"{short_name(name)}={setting(run, name)}" for name in names]
        groups.setdefault((", ".join(parts) or EVERYTHING, run.method), []).append(run)
    return groups


def _place(method, methods):
    return (methods.index(method) if method in methods else len(methods), method)


def _names_of_methods(runs):
    return {name for run in runs for name in run.display.parameters}


def comparison_table(runs, quantities) -> pd.DataFrame:
    """A row a setting and method: seeds, and each quantity with its interval over them.

    Quantities that no run has are left out; without any there is no row.
    """
    groups = by_setting(runs_of(runs))
    rows = []
    for (chosen, method), group in groups.items():
        row = {"setting": chosen, "method": method, "seeds": len(group)}
        for quantity in quantities:
            others = groups.get((chosen, quantity.relative_to), [])
            row.update(with_interval(quantity.name, _values(quantity, group, others)))
        rows.append(row)
    table = pd.DataFrame(rows)
    present = [one.name for one in quantities if len(table) and table[one.name].notna().any()]
    if not present:
        return pd.DataFrame()
    columns = [f"{one}{ending}" for one in present for ending in ("", HALF_WIDTH, PRESENT)]
    return table[["setting", "method", "seeds", *(name for name in columns if name in table)]]


def _values(quantity, group, others):
    values = [quantity.value(run) for run in group]
    if quantity.relative_to is None:
        return values
    base = {run.pair: quantity.value(run) for run in others}
    pairs = [(value, base.get(run.pair, np.nan)) for run, value in zip(group, values)]
    return [other / (value or np.nan) if quantity.is_inverse else value / (other or np.nan) for value, other in pairs]


@styled
def comparison_figure(runs, quantities):
    """A panel a quantity: bars by method, or a line a method against the setting that was swept.

    Means over seeds with 95 % intervals. None if no run has any of the quantities.
    """
    table = comparison_table(runs, quantities)
    if table.empty:
        return None
    drawn = [quantity for quantity in quantities if quantity.name in table and not quantity.is_inverse]
    settings = list(dict.fromkeys(table["setting"]))
    figure = new_figure(1 + 3.8 * len(drawn) + (1.5 if len(settings) > 1 else 0), 3.8)
    panels = figure.subplots(1, len(drawn), squeeze=False)[0]
    for axes, quantity in zip(panels, drawn):
        if len(settings) == 1:
            draw_bars(axes, table, quantity.name)
            axes.set_xlabel(quantity.label)
        else:
            _draw_lines(axes, table, quantity.name, settings)
            axes.set_ylabel(quantity.label)
    if len(settings) > 1:
        legend_of_all(panels, fontsize=8, title="bars: 95 % intervals")
    return figure


def draw_bars(axes, table, name):
    """A bar a row of a table, with its interval."""
    colors = [method_line(place)[0] for place in range(len(table))]
    axes.barh(table["method"], table[name].fillna(0), color=colors, height=0.7, capsize=3,
              xerr=np.nan_to_num(table[f"{name}{HALF_WIDTH}"]))  # fmt: skip
    axes.invert_yaxis()
    axes.grid(axis="x", visible=True)
    axes.grid(axis="y", visible=False)


def _draw_lines(axes, table, name, settings):
    """Against a number at its place, against words side by side."""
    names = [one.split("=", 1) for one in settings]
    numbers = [as_number(words[-1]) for words in names]
    is_numeric = None not in numbers and all("," not in one for one in settings)
    places = numbers if is_numeric else list(range(len(settings)))
    at = dict(zip(settings, places))
    for place, (method, rows) in enumerate(table.groupby("method", sort=False)):
        rows = rows[rows[name].notna()]
        if rows.empty:
            continue
        color, line = method_line(place)
        axes.errorbar([at[one] for one in rows["setting"]], rows[name],
                      yerr=np.nan_to_num(rows[f"{name}{HALF_WIDTH}"]), fmt=method_marker(place),
                      linestyle=line if is_numeric else "none", color=color, markersize=4,
                      elinewidth=1, capsize=2, label=method)  # fmt: skip
    if is_numeric:
        axes.set_xlabel(setting_word(names[0][0]))
    else:
        axes.set_xticks(places, map(settings_words, settings), rotation=20 if len(settings) > 2 else 0, ha="right",
                        fontsize=8)  # fmt: skip


def format_comparison(title, groups, quantities) -> str:
    """The table as text."""
    table = comparison_table(groups, quantities)
    return as_text(f"{title} (mean over seeds, 95 % intervals)", without_constant(table))


def without_constant(table) -> pd.DataFrame:
    """The table without the column setting if runs differ in the method only."""
    is_constant = len(table) and (table["setting"] == EVERYTHING).all()
    return table.drop(columns="setting") if is_constant else table
