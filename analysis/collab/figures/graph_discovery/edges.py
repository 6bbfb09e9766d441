# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Joules until the learned model is good enough, by edges per device, beside no exchange and i.i.d. data."""

import numpy as np
import pandas as pd

from ...runs.groups import as_number, method_order, setting, short_name, swept_names
from ...statistics.intervals import HALF_WIDTH, as_text, with_interval
from ...statistics.thresholds import reach
from ..figure import runs_of
from ..style import method_line, method_marker, new_figure, styled
from .joules import spent_by, total, with_idle
from .targets import LEVEL

BASE = "none"  # the method whose cost is divided by that of another one
CEILING = "iid-ceiling"
_NOT_IN_LABELS = {"edges", "rounds"}
_COSTS = {"rounds": "rounds", "joules": "J without idle", "all_joules": "J with idle"}


@styled
def edges_figure(runs, levels=None, column=None):
    """A panel per level: joules of all devices, idle ones too, by edges, a line per method.

    Methods without edges are horizontal lines. Means with 95 % intervals over the runs that reach the
    level. None if no run tells its joules.
    """
    table = edges_table(runs, levels, column)
    if table.empty or table["all_joules"].isna().all():
        return None
    methods = list(dict.fromkeys(table["method"]))
    reached = table.groupby("level")
    figure = new_figure(2 + 3.6 * len(reached), 3.8)
    panels = figure.subplots(1, len(reached), squeeze=False)[0]
    for axes, (level, rows) in zip(panels, reached):
        for method, line in rows[rows["all_joules"].notna()].groupby("method", sort=False):
            place = methods.index(method)
            color, style = method_line(place)
            if method in (BASE, CEILING):
                axes.axhline(line["all_joules"].iloc[0], color=color, linestyle=style, label=method)
                continue
            axes.errorbar(line["edges"], line["all_joules"],
                          yerr=np.nan_to_num(line[f"all_joules{HALF_WIDTH}"]), label=method,
                          color=color, linestyle=style, fmt=method_marker(place), capsize=2)  # fmt: skip
        axes.set_title(f"to {level:g}")
        axes.set_xlabel("edges per device")
        axes.set_xticks(sorted(set(table["edges"])))
        axes.set_ylim(bottom=0)
    panels[0].set_ylabel("joules of all devices")
    panels[-1].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def edges_table(runs, levels=None, column=None) -> pd.DataFrame:
    """A row per method, number of edges and level: seeds, how many reached it, rounds and joules.

    Each factor is the cost of no exchange over that of the method, over pairs of runs of one seed that
    both reached the level. In least_factor, of all joules, a run without exchange that did not reach it
    counts with what it spent by its end, which is less than it would have taken; runs of the method that
    miss it do not count.
    """
    runs = [run for run in runs_of(runs) if setting(run, "edges") is not None and spent_by(run) is not None]
    groups = _by_method_and_edges(runs)
    base = {run.pair: run for run in runs if run.method == BASE}
    rows = []
    for (label, edges), group in groups.items():
        spent = pd.Series([with_idle(spent_by(base[run.pair])) if run.pair in base else np.nan for run in group])
        for level in levels or [LEVEL]:
            costs = pd.DataFrame([_costs(run, level, column) for run in group])
            others = pd.DataFrame([_costs(base.get(run.pair), level, column) for run in group])
            row = {"method": label, "edges": edges, "level": level, "seeds": len(group),
                   "reached": int(costs["rounds"].notna().sum())}  # fmt: skip
            for name in _COSTS:
                row.update(with_interval(name, costs[name].dropna()))
            for name in _COSTS:
                row.update(with_interval(f"{name}_factor", (others[name] / costs[name]).dropna()))
            least = others["all_joules"].fillna(spent) / costs["all_joules"]
            row.update(with_interval("least_factor", least.dropna()))
            rows.append(row)
    return pd.DataFrame(rows)


def format_edges(groups, levels=None, column=None) -> str:
    """The same as text."""
    return as_text("Rounds and joules of all devices to levels by edges, 95 % intervals over seeds",
                   edges_table(groups, levels, column))  # fmt: skip


def _by_method_and_edges(runs) -> dict:
    """{(label, edges): [run, ...]}; a label is the method with what differs among its runs."""
    groups = {}
    order = method_order(runs)
    for method in sorted({run.method for run in runs}, key=order.index):
        own = [run for run in runs if run.method == method]
        hidden = _NOT_IN_LABELS.union(*(run.display.parameters for run in own))
        names = [name for name in swept_names(own) if name not in hidden]
        for run in sorted(own, key=lambda run: ([str(setting(run, name)) for name in names],
                                                as_number(setting(run, "edges")), run.pair)):  # fmt: skip
            label = ", ".join([method, *(f"{short_name(name)}={setting(run, name)}" for name in names)])
            groups.setdefault((label, int(as_number(setting(run, "edges")))), []).append(run)
    return groups


def _costs(run, level, column) -> dict:
    """Rounds and joules of a run to a level; NaN if it did not reach it, or there is no such run."""
    spent = spent_by(run, [level], column) if run else None
    if spent is None:
        return dict.fromkeys(_COSTS, np.nan)
    return {"rounds": reach(run, level, column)["rounds"], "joules": total(spent),
            "all_joules": with_idle(spent)}  # fmt: skip
