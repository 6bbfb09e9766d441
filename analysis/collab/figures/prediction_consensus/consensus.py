# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How devices come to a consensus on X* (tables consensus and influence)."""

import numpy as np
import pandas as pd

from ...statistics.intervals import mean_and_half_width, with_interval
from ..style import BLUE, GRAY, VERMILLION, method_lines, new_figure, styled, use_decades
from ..words import label_words

TABLE = "consensus"

# Column of the table consensus, how its axis is called, and whether it is drawn over decades
_PANELS = (
    ("class_disagreement_mean", "disagreement on classes, mean over pairs", False),
    ("distance_mean", "l2 distance on X*, mean over pairs", True),
    ("uniform_distance", "greatest distance of W from uniform", False),
    ("row_difference", "row difference of the product of W", True),
)

# Columns of the table consensus that are told, and how they are called
_TOLD = {
    "class_disagreement_mean": "part of X* that two devices classify differently",
    "distance_mean": "l2 distance of two devices' predictions",
    "difference_max": "greatest difference of a number",
    "trace": "trace of W",
    "uniform_distance": "greatest distance of W from uniform",
    "row_difference": "delta of the product of all W",
    "bound": "its bound by eq. (10)",
    "update_residual_relative": "distance from eq. (4), relative",
    "column_sum_margin": "margin of the column sums: Prop. 4 (ii), 7 (i), 8 (i)",
    "row_margin": "margin within rows: Prop. 4 (i), 7 (ii), 8 (iii)",
    "gap_margin": "margin of the gap: Prop. 8 (ii)",
    "importance_margin": "margin of the importance: conclusion",
    "confidence_premise": "part of pairs in which eq. (20) holds",
    "confidence_conclusion": "part of pairs with less trust than without confidence: Appendix F",
}
_MARGIN = "_margin"


def consensus_table(groups) -> pd.DataFrame:
    """A row a method and column of the table consensus, and one for the times that the trace grew.

    Columns: method, quantity, runs, first and last of its values in a run and, of a margin, the least
    one; each with its interval over runs.
    """
    rows = []
    for label, runs in groups.items():
        if not _has_rounds(runs):
            continue
        for column, name in _TOLD.items():
            if all(run.has(TABLE, column) and run.table(TABLE)[column].notna().any() for run in runs):
                values = [run.table(TABLE)[column].dropna() for run in runs]
                row = {"method": label, "quantity": name, "runs": len(runs)}
                for place, at in (("first", 0), ("last", -1)):
                    row.update(with_interval(place, [of_run.iloc[at] for of_run in values]))
                if column.endswith(_MARGIN):
                    row.update(with_interval("least", [of_run.min() for of_run in values]))
                rows.append(row)
        if all(run.has(TABLE, "trace") for run in runs):
            grew = [int((run.table(TABLE)["trace"].diff() > 0).sum()) for run in runs]
            row = {"method": label, "quantity": "rounds in which the trace grew", "runs": len(runs)}
            rows.append({**row, **with_interval("last", grew)})
    return pd.DataFrame(rows)


@styled
def consensus_figure(groups):
    """Disagreement on X*, and what the trust matrices do to it, against rounds, a line a method.

    None if no run has the table. With several runs a method, bands are 95 % intervals, and over
    decades they reach from the lowest to the highest run.
    """
    groups = {label: runs for label, runs in groups.items() if _has_rounds(runs)}
    if not groups:
        return None
    panels = [panel for panel in _PANELS if _has_numbers(groups, *panel[::2])]
    if not panels:
        return None
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = new_figure(5 * columns, 3.6 * rows)
    axes_of = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes, (column, name, decades) in zip(axes_of, panels):
        for label, (color, line) in method_lines(groups).items():
            draw_rounds(axes, groups[label], column, decades, color, line, label)
        if column == "row_difference" and _has_numbers(groups, "bound", True):
            _draw_bounds(axes, groups)
        if decades:
            use_decades(axes, "y")
        axes.set_xlabel("rounds done")
        axes.set_ylabel(name)
    for axes in axes_of[len(panels):]:
        axes.remove()
    figure.axes[0].legend()
    return figure


@styled
def influence_figure(groups):
    """Trust that each device receives, and its weight in the product of all W, a row a method.

    Of several runs of a method the first one is drawn. None if no run has the table.
    """
    runs = {label: group[0] for label, group in groups.items() if _has_influence(group[0])}
    if not runs:
        return None
    figure = new_figure(10, 3.4 * len(runs))
    panels = figure.subplots(len(runs), 2, squeeze=False)
    names = {"column_sum": "column sum of W", "importance": "importance in the consensus"}
    for row, (label, run) in zip(panels, runs.items()):
        for axes, (column, name) in zip(row, names.items()):
            table = run.table("influence").pivot(index="round", columns="device", values=column)
            for device in table.columns:
                bad = device in run.low_quality
                axes.plot(table.index + 1, table[device], color=VERMILLION if bad else BLUE,
                          linewidth=1.8 if bad else 1)  # fmt: skip
            axes.axhline(1 if column == "column_sum" else 1 / len(run.devices), color=GRAY,
                         linewidth=0.8)  # fmt: skip
            axes.set_title(label_words(label))
            axes.set_xlabel("rounds done")
            axes.set_ylabel(name)
    figure.supxlabel("orange: devices of low quality; gray: uniform trust", fontsize=9)
    return figure


def _has_rounds(runs):
    return all(run.has(TABLE, "round") for run in runs)


def _has_influence(run):
    return run.has("influence", "round", "device", "column_sum", "importance")


def _has_numbers(groups, column, decades):
    runs = [run for of_label in groups.values() for run in of_label]
    if not all(run.has(TABLE, column) for run in runs):
        return False
    columns = (run.table(TABLE)[column] for run in runs)
    return any((values > 0).any() if decades else values.notna().any() for values in columns)


def draw_rounds(axes, runs, column, decades, color, line, label):
    """Draws a column of the table against rounds, with a band over several runs."""
    curves = [run.table(TABLE).set_index("round")[column] for run in runs]
    rounds = min(len(curve) for curve in curves)
    values = np.array([curve.to_numpy(dtype=float)[:rounds] for curve in curves])
    values = _positive(values) if decades else values
    x = curves[0].index[:rounds] + 1
    if len(runs) == 1:
        axes.plot(x, values[0], line, color=color, label=label)
        return
    mean, half_width = mean_and_half_width(values)
    low, high = mean - half_width, mean + half_width
    if decades:  # an interval around a mean of such numbers reaches below 0
        low, high = values.min(axis=0), values.max(axis=0)
    axes.plot(x, mean, line, color=color, label=label)
    axes.fill_between(x, low, high, color=color, alpha=0.12, linewidth=0)


def _positive(values):
    """NaN in the place of 0, which has none on an axis of decades."""
    return np.where(values > 0, values, np.nan)


def _draw_bounds(axes, groups):
    """The bound of eq. (10), mean over the runs of each method."""
    for label, (color, _) in method_lines(groups).items():
        bounds = pd.concat([run.table(TABLE).set_index("round")["bound"] for run in groups[label]],
                           axis=1).mean(axis=1)  # fmt: skip
        bounds = bounds.where(bounds > 1e-16)
        axes.plot(bounds.index + 1, bounds, ":", color=color, linewidth=1)
    axes.set_ylim(bottom=1e-16)
    axes.set_title("dotted: bound, eq. (10)", fontsize=9, fontweight="normal")
