# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Joules by what they were spent on, until the learned model is good enough or the run ends."""

import numpy as np
import pandas as pd

from ...statistics.intervals import HALF_WIDTH, as_text, interval, with_interval
from ...statistics.thresholds import first_round_at
from ..figure import runs_of
from ..style import BLUE, GREEN, ORANGE, PURPLE, SKY_BLUE, new_figure, styled
from ..words import settings_words
from .comparison import by_setting, without_constant
from .measures import joules_by_part
from .targets import REFERENCE

# Without what devices spend while they wait, which is in the table only
PARTS = {
    "discovery": ("setup and discovery", ORANGE),
    "exchange": ("exchange of datapoints", GREEN),
    "training": ("training, between devices", SKY_BLUE),
    "server": ("training, with the server", PURPLE),
    "compute": ("computing", BLUE),
}
_TOTAL = "total"
_IDLE = "idle"
_RATIO = "total_ratio"
_ALL_RATIO = "all_ratio"


@styled
def joules_figure(runs, levels=None, column=None):
    """Joules of all devices by part, a bar a method and setting, mean over seeds.

    With a level of the runs' measure (of a column, if given): until the mean of the regular devices
    is there, over the runs that reach it; only the first level counts. None if no run tells.
    """
    table = joules_table(runs, levels, column)
    table = table[table[_TOTAL].notna()] if len(table) else table
    if table.empty:
        return None
    figure = new_figure(8.5, 1.2 + 0.3 * len(table))
    axes = figure.subplots()
    left = np.zeros(len(table))
    names = [settings_words(", ".join(filter(None, pair))) for pair in zip(table["method"], table["setting"])]
    for part, (label, color) in PARTS.items():
        axes.barh(range(len(table)), table[part], 0.7, left, color=color, label=label)
        left += table[part].to_numpy()
    half_widths = np.nan_to_num(table[f"{_TOTAL}{HALF_WIDTH}"])
    axes.errorbar(left, range(len(table)), xerr=half_widths, fmt="none", ecolor="black", elinewidth=1, capsize=2)
    for place, (_, row) in enumerate(table.iterrows()):
        if row["reached"] < row["seeds"]:
            note = f" {row['reached']} of {row['seeds']} reached"
            axes.annotate(note, (left[place] + half_widths[place], place), xytext=(6, 0), va="center", fontsize=7,
                          textcoords="offset points")  # fmt: skip
    axes.set_yticks(range(len(table)), names)
    axes.invert_yaxis()
    axes.set_xlabel("joules of all devices" + (f" to reach {levels[0]:g}" if levels else ""))
    axes.grid(axis="x", visible=True)
    axes.grid(axis="y", visible=False)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def joules_table(runs, levels=None, column=None) -> pd.DataFrame:
    """A row a setting and method: seeds, how many reached the level, and joules by part.

    total is without idle, discovery_share is the part of discovery and exchange in it. total_ratio
    is to the learned graph's total, over pairs of runs of one seed that both reached the level; in
    all_ratio idle joules count, too.
    """
    rows = []
    groups = by_setting(runs_of(runs))
    for (chosen, method), group in groups.items():
        spent = [spent_by(run, levels, column) for run in group]
        if not any(map(joules_by_part, group)):
            continue
        told = pd.DataFrame([one for one in spent if one], columns=[*PARTS, _IDLE])
        told[_TOTAL] = told[list(PARTS)].sum(axis=1)
        early = told["discovery"] + told["exchange"]
        told["discovery_share"] = early / told[_TOTAL].where(told[_TOTAL] > 0)
        row = {"setting": chosen, "method": method, "seeds": len(group)}
        row["reached"] = interval(told[_TOTAL])[2]
        for name in (*PARTS, _TOTAL, _IDLE, "discovery_share"):
            row.update(with_interval(name, told[name]))
        base = {run.pair: spent_by(run, levels, column) for run in groups.get((chosen, REFERENCE), [])}
        for name, cost in ((_RATIO, total), (_ALL_RATIO, with_idle)):
            ratios = [cost(one) / cost(base.get(run.pair)) for run, one in zip(group, spent)]
            row.update(with_interval(name, ratios))
        rows.append(row)
    return pd.DataFrame(rows)


def format_joules(groups, levels=None, column=None) -> str:
    """The same as text."""
    what = f"until {levels[0]:g} is reached" if levels else "in the whole run"
    table = joules_table(groups, levels, column)
    return as_text(f"Joules of all devices {what}, 95 % intervals over seeds",
                   without_constant(table))  # fmt: skip


def total(spent):
    return sum(spent[part] for part in PARTS) if spent else np.nan


def with_idle(spent):
    return total(spent) + spent[_IDLE] if spent else np.nan


def spent_by(run, levels=None, column=None):
    if not levels:
        return joules_by_part(run)
    first = first_round_at(run, levels[0], column)
    return None if first is None else joules_by_part(run, first)
