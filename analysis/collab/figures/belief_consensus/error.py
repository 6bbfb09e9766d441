# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How wrong users are, against instants, simulated time and energy."""

import numpy as np
import pandas as pd

from ...statistics.curves import measure_of, name_of
from ...statistics.intervals import as_text, mean_and_half_width, t_quantile, with_interval
from ..style import MOST_IN_LEGEND, method_lines, new_figure, styled, use_decades
from ..words import label_words
from .measures import has_metrics, having, joules, measured

# What a metric is drawn against, and the row of _curve() that it is
_AXES = ("instants", "simulated time [s]", "energy per device [J]")
_SHOWN = (10, 30, 100, 200, 300, 1000, 3000, 10000)  # instants of the table, and the last one
_OF_DECADES = ("excess_mse",)  # metrics that fall by orders of magnitude
_CENTRAL = "central"


@styled
def error_figure(groups, column=None):
    """A metric, mean over the users that tell the truth, against instants, seconds and joules.

    Of several runs it is the mean over seeds with its 95 % interval. The metric is the runs' own
    measure by default. None if no method has measured it in every run.
    """
    column, groups = _choose(groups, column)
    if not groups:
        return None
    beside = len(groups) > MOST_IN_LEGEND
    figure = new_figure(15.5 if beside else 12, 4)
    panels = figure.subplots(1, len(_AXES), sharey=True)
    lines = method_lines(groups)
    for label, runs in groups.items():
        *places, mean, half_width = _mean_curve(runs, column)
        for axes, x in zip(panels, places):
            _draw(axes, x, mean, half_width, lines[label], label)
    for axes, name in zip(panels, _AXES):
        axes.set_xlabel(name)
        if column in _OF_DECADES:
            use_decades(axes)
    panels[0].set_ylabel(name_of(column))
    place = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if beside else {}
    panels[-1].legend(title="band: 95 % interval over seeds", alignment="left", fontsize=8, **place)
    return figure


def error_table(groups, column=None) -> pd.DataFrame:
    """A row a method and some instants: the metric over seeds, of which users, and its costs.

    least and greatest are over users, mean over seeds. ratio_to_central is the mean of the metric
    over that of the method central, of the seeds that both have.
    """
    column, groups = _choose(groups, column)
    central = next((runs for label, runs in groups.items()
                    if label.split(",")[0] == _CENTRAL), [])  # fmt: skip
    rows = [
        _row(label, runs, central, column, instant)
        for label, runs in groups.items()
        for instant in _instants(runs, column)
    ]
    return pd.DataFrame(rows)


def format_error(groups, column=None) -> str:
    """The same as text."""
    column, chosen = _choose(groups, column)
    title = f"{name_of(column)} (mean over users, over seeds with 95 % intervals)" if chosen else ""
    return as_text(title, error_table(groups, column))


def _choose(groups, column):
    """The metric, and the groups that have it; no group of runs of other algorithms."""
    groups = {label: runs for label, runs in groups.items() if all(map(has_metrics, runs))}
    if not groups:
        return column, {}
    column = measure_of(groups, column)
    return column, having(groups, column)


def _curve(run, column):
    """Instants, seconds, joules and the metric, a column an instant that was measured."""
    table = measured(run, column)
    spent = joules(run).reindex(table.index).to_numpy()
    return pd.DataFrame(
        {"instant": table.index + 1, "s": table["time_s"], "j": spent, "value": table["mean"]}
    ).set_index("instant", drop=False)


def _mean_curve(runs, column):
    """Means over runs of what _curve() has, and the half width, of the instants that all have."""
    curves = [_curve(run, column) for run in runs]
    shared = curves[0].index
    for curve in curves[1:]:
        shared = shared.intersection(curve.index)
    stacked = np.array([curve.loc[shared].to_numpy(dtype=float) for curve in curves])
    mean, half_width = mean_and_half_width(stacked)
    return (*mean.T, half_width[:, -1])


def _draw(axes, x, mean, half_width, look, label):
    color, line = look
    axes.plot(x, mean, line, color=color, label=label_words(label))
    low = mean - half_width
    if axes.get_yscale() == "log" or (mean > 0).all():
        low = np.maximum(low, 1e-2 * np.abs(mean))  # a logarithmic axis has no zero
    axes.fill_between(x, low, mean + half_width, color=color, alpha=0.15, linewidth=0)


def _instants(runs, column):
    """Those of _SHOWN at which all runs have measured, and the last one."""
    known = set(measured(runs[0], column).index + 1)
    for run in runs[1:]:
        known &= set(measured(run, column).index + 1)
    return sorted({*(n for n in _SHOWN if n in known), *([max(known)] if known else [])})


def _row(label, runs, central, column, instant):
    tables = [measured(run, column).loc[instant - 1] for run in runs]
    row = {"method": label, "instant": instant, "seeds": len(runs)}
    row.update(with_interval(column, [table["mean"] for table in tables]))
    row["least_user"] = np.mean([table["least"] for table in tables])
    row["greatest_user"] = np.mean([table["greatest"] for table in tables])
    row["seconds"] = np.mean([table["time_s"] for table in tables])
    row["joules"] = np.mean([joules(run).loc[instant - 1] for run in runs])
    row.update(_ratio(runs, central, column, instant))
    return row


def _ratio(runs, central, column, instant):
    """Ratio of means over the seeds of both, with the interval of the delta method."""
    at = {
        run.pair: measured(run, column)["mean"].get(instant - 1, np.nan) for run in central
    }
    pairs = np.array(
        [(measured(run, column)["mean"].loc[instant - 1], at[run.pair])
         for run in runs if run.pair in at]
    )  # fmt: skip
    if not len(pairs) or not np.isfinite(pairs).all() or pairs[:, 1].mean() == 0:
        return {"ratio_to_central": np.nan, "ratio_to_central_half_width": np.nan}
    mean, reference = pairs.mean(axis=0)
    ratio, half_width = mean / reference, np.nan
    if len(pairs) > 1:
        errors = pairs[:, 0] - ratio * pairs[:, 1]
        half_width = t_quantile(len(pairs) - 1) * errors.std(ddof=1) / len(pairs) ** 0.5
        half_width /= abs(reference)
    return {"ratio_to_central": ratio, "ratio_to_central_half_width": half_width}
