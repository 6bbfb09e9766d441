# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Rounds, seconds and joules until the learned model is good enough, beside those of a method."""

import numpy as np
import pandas as pd

from ...statistics.curves import measure_of
from ...statistics.intervals import HALF_WIDTH, as_text, with_interval
from ...statistics.thresholds import reach
from ..figure import runs_of
from ..style import method_line, method_marker, new_figure, styled
from .comparison import by_setting, without_constant

REFERENCE = "learned"  # the method that others are compared with
LEVEL = 0.6  # if none is given
_COSTS = {"rounds": "rounds", "time": "simulated time [s]", "energy": "energy per device [J]"}
_RATIO = "rounds_ratio"


@styled
def targets_figure(runs, levels=None, column=None):
    """Rounds, seconds and joules to each level by method, and rounds over those of the learned one.

    Over the seeds that reached the level, with 95 % intervals. None if no run measures anything.
    """
    table = targets_table(runs, levels, column)
    if table.empty:
        return None
    names = {**_COSTS, _RATIO: f"rounds / rounds of {REFERENCE}"}
    methods = list(dict.fromkeys(_name(row) for _, row in table.iterrows()))
    figure = new_figure(2 + 3.4 * len(names), 1.6 + 0.3 * len(methods))
    panels = figure.subplots(1, len(names), sharey=True)
    for axes, (name, label) in zip(panels, names.items()):
        for place, (level, rows) in enumerate(table.groupby("level")):
            present = rows[rows[name].notna()]
            at = [methods.index(_name(row)) + 0.15 * place for _, row in present.iterrows()]
            axes.errorbar(present[name], at, xerr=np.nan_to_num(present[f"{name}{HALF_WIDTH}"]),
                          fmt=method_marker(place), color=method_line(place)[0], capsize=2,
                          label=f"{level:g}")  # fmt: skip
        axes.set_xlabel(label)
        axes.grid(axis="x", visible=True)
    panels[0].set_yticks(range(len(methods)), methods)
    panels[0].set_ylim(len(methods) - 0.5, -0.5)
    panels[-1].axvline(1, color="black", linewidth=0.8)
    panels[-1].legend(title="level", loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def targets_table(runs, levels=None, column=None) -> pd.DataFrame:
    """A row a setting, method and level: seeds, how many reached it, and what that took.

    rounds_ratio is over pairs of runs of one seed that both reached it; NaN where none did.
    """
    runs = [run for run in runs_of(runs) if run.metrics]
    if not runs:
        return pd.DataFrame()
    column = measure_of({"": runs}, column)
    groups = by_setting(runs)
    rows = []
    for (chosen, method), group in groups.items():
        base = {run.pair: run for run in groups.get((chosen, REFERENCE), [])}
        for level in levels or [LEVEL]:
            taken = pd.DataFrame([reach(run, level, column) for run in group])
            reached = taken.dropna(subset=["rounds"])
            row = {"setting": chosen, "method": method, "level": level, "seeds": len(group),
                   "reached": len(reached)}  # fmt: skip
            for name in _COSTS:
                row.update(with_interval(name, reached[name]))
            theirs = [reach(base[run.pair], level, column)["rounds"] if run.pair in base else np.nan
                      for run in group]  # fmt: skip
            ratios = taken["rounds"] / theirs
            rows.append({**row, **with_interval(_RATIO, ratios)})
    return pd.DataFrame(rows)


def format_targets(groups, levels=None, column=None) -> str:
    """The same as text."""
    title = f"What it takes to reach levels, and rounds relative to {REFERENCE}"
    table = targets_table(groups, levels, column)
    return as_text(f"{title} (95 % intervals over seeds)", without_constant(table))


def _name(row):
    return ", ".join(filter(None, (row["method"], row["setting"])))
