# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""After how many instants nobody errs any more, beside what theory asks for."""

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from ...statistics.intervals import as_text
from ..figure import runs_of
from ..style import BLACK, GRAY, method_line, new_figure, styled, use_decades
from .measures import measured, split_by_others, theory_value

_CHOSEN = ("design", "topology", "weights", "missing", "outage", "devices")  # what a row is of
_DRAWS = 400  # of seeds, for the intervals
_BOUNDS = ("bound", "sharper_bound", "independent_bound")
_THEORY = (*_BOUNDS, "K", "lambda_second")


@styled
def complexity_figure(runs):
    """The least n from which on few errs against the number of users, a panel a design.

    Few: at most a share delta of the seeds, of which a seed counts as soon as one user is wrong
    (argmax) or not sure (confident: all wrong hypotheses below 1/(2M)). Dotted: the bound (4).
    None if no run has measured it.
    """
    table = complexity_table(runs)
    if table.empty:
        return None
    designs = list(dict.fromkeys(table["design"]))
    figure = new_figure(1.6 + 4.2 * len(designs), 4.4)
    panels = figure.subplots(1, len(designs), squeeze=False, sharey=True)[0]
    names = list(dict.fromkeys(table["network"]))
    for axes, design in zip(panels, designs):
        rows = table[table["design"] == design]
        for place, name in enumerate(names):
            _draw(axes, rows[rows["network"] == name], method_line(place)[0])
        sizes = sorted(table["devices"].unique())
        use_decades(axes)
        axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
        axes.minorticks_off()
        axes.set_title(design)
        axes.set_xlabel("users")
    panels[0].set_ylabel("instants")
    panels[-1].legend(handles=_handles(names), loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def complexity_table(runs) -> pd.DataFrame:
    """A row a design, network and number of users: n by both events with intervals, and bounds.

    argmax and confident are instants, NaN if the runs are too short; _low and _high are the 95 %
    interval by drawing seeds anew. The bounds and what they are made of are means over seeds.
    """
    groups = {}
    for run in runs_of(runs):
        if len(measured(run, "error")) and len(measured(run, "confident")):
            key = tuple(run.settings.get(name) for name in _CHOSEN)
            groups.setdefault((run.method, *key), []).append(run)
    rows = [
        _row(key, alike, other)
        for key, group in groups.items()
        for other, alike in split_by_others(group, _CHOSEN).items()
    ]
    if not rows:
        return pd.DataFrame()
    return pd.DataFrame(rows).sort_values(["design", "network", "devices"], ignore_index=True)


def format_complexity(groups) -> str:
    """The same as text."""
    title = "Instants until few err (argmax) or doubt (confident), and bounds"
    return as_text(title, complexity_table(groups))


def least_instants(wrong, delta) -> float:
    """The least instant from which on at most a share delta of the seeds is wrong; NaN if none is.

    wrong has a row a seed, and a column an instant, which it is called.
    """
    many = np.flatnonzero(wrong.to_numpy().mean(axis=0) > delta + 1e-12)
    first = many[-1] + 1 if len(many) else 0
    return float(wrong.columns[first]) if first < len(wrong.columns) else np.nan


def instants_until_right(runs) -> dict:
    """n of runs that differ in their seeds, by both events, and the ends of their intervals."""
    delta = float(runs[0].settings.get("delta", 0.05))
    row = {}
    for name, wrong in (("argmax", _wrong(runs, "error", "greatest", 1)),
                        ("confident", _wrong(runs, "confident", "least", 0))):  # fmt: skip
        row[name] = least_instants(wrong, delta)
        row[f"{name}_low"], row[f"{name}_high"] = _interval(wrong, delta)
    return row


def _row(key, runs, other):
    method, design, topology, weights, missing, outage, devices = key
    network = topology if weights == "uniform" else f"{topology}, {weights}"
    if method != "consensus":
        network = f"{method}: {network}"
    if outage:
        network += f", outage {outage:g}, {missing}"
    network += f", {other}" if other else ""
    row = {"design": str(design), "network": str(network), "devices": devices, "seeds": len(runs)}
    row.update(instants_until_right(runs))
    return {**row, **{name: theory_value(runs, name) for name in _THEORY}}


def _wrong(runs, metric, column, value):
    """Whether any user is wrong, a row a seed, a column an instant that all have measured."""
    values = [measured(run, metric)[column] for run in runs]
    table = pd.concat(values, axis=1, join="inner").sort_index()
    return (table == value).set_index(table.index + 1).T


def _interval(wrong, delta):
    """2.5 and 97.5 % quantiles of n over seeds drawn anew; NaN if a draw has none."""
    generator = np.random.default_rng(1)
    count = len(wrong)
    draws = [least_instants(wrong.iloc[generator.integers(0, count, count)], delta)
             for _ in range(_DRAWS)]  # fmt: skip
    return tuple(np.quantile(draws, (0.025, 0.975), method="nearest"))


def _draw(axes, rows, color):
    for name, line, marker in (("argmax", "-", "o"), ("confident", "--", "s")):
        known = rows[rows[name].notna()]
        bars = np.abs(known[[f"{name}_low", f"{name}_high"]].T.to_numpy() - known[name].to_numpy())
        axes.errorbar(known["devices"], known[name], yerr=np.nan_to_num(bars), fmt=marker,
                      linestyle=line, color=color, markersize=4, elinewidth=1, capsize=2,
                      markerfacecolor=color if line == "-" else "white")  # fmt: skip
    bounds = rows[rows["bound"].notna()]
    axes.plot(bounds["devices"], bounds["bound"], ":", color=color, linewidth=1)


def _handles(names):
    kinds = [("argmax", "-", BLACK), ("confident", "--", BLACK), ("bound (4)", ":", GRAY)]
    handles = [Line2D([], [], color=method_line(place)[0], label=name)
               for place, name in enumerate(names)]  # fmt: skip
    return handles + [Line2D([], [], color=color, linestyle=line, label=name)
                      for name, line, color in kinds]  # fmt: skip
