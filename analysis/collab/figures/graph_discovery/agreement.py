# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How devices agree after samples are dealt out otherwise than before (table agreement)."""

import numpy as np
import pandas as pd
from matplotlib.colors import TwoSlopeNorm

from ...statistics.intervals import HALF_WIDTH, cells, mean_and_half_width
from ..style import new_figure, styled

TABLE = "agreement"
RULES = ("ratio_of_means", "sum", "mean_ratio")
_ALPHAS = ["alpha_before", "alpha_after"]
_COLUMNS = ("round", *_ALPHAS, *RULES)


@styled
def agreement_figure(groups):
    """The ratio of means, less 1: rows alpha before, columns alpha after, mean over all draws.

    Blue where devices agree more than before, red where less. None if no run has the table.
    """
    table = agreement_table(groups)
    if table.empty:
        return None
    methods = list(dict.fromkeys(table["method"]))
    figure = new_figure(1 + 4.2 * len(methods), 3.8)
    panels = figure.subplots(1, len(methods), squeeze=False)[0]
    for axes, method in zip(panels, methods):
        _draw(axes, table[table["method"] == method])
        axes.set_title(method)
    return figure


def agreement_table(groups) -> pd.DataFrame:
    """A row a method and pair of alphas: each rule's mean over all draws of all runs.

    median is that of ratio_of_means, which a few clusters of few points do not move.
    """
    rows = []
    for label, runs in groups.items():
        if not all(run.has(TABLE, *_COLUMNS) for run in runs):
            continue
        draws = pd.concat([run.table(TABLE) for run in runs])
        for (before, after), cell in draws.groupby(_ALPHAS):
            row = {"method": label, "alpha_before": before, "alpha_after": after}
            row["draws"] = len(cell)
            for rule in RULES:
                row[rule], row[f"{rule}{HALF_WIDTH}"] = mean_and_half_width(cell[rule])
            rows.append({**row, "median": cell["ratio_of_means"].median()})
    return pd.DataFrame(rows)


def format_agreement(groups) -> str:
    """The same as text."""
    table = agreement_table(groups)
    if table.empty:
        return ""
    title = "Agreement of devices by alpha before and after an exchange (Table III)"
    return f"{title}\n\n{cells(table).to_string(index=False)}\n"


def _draw(axes, table):
    matrix = table.pivot(index="alpha_before", columns="alpha_after", values="ratio_of_means")
    widths = table.pivot(
        index="alpha_before", columns="alpha_after", values=f"ratio_of_means{HALF_WIDTH}"
    )
    values = matrix.to_numpy()
    most = max(np.abs(values).max(), 1e-9)
    axes.imshow(values, cmap="RdBu", norm=TwoSlopeNorm(0, -most, most), alpha=0.7)
    for (row, column), value in np.ndenumerate(values):
        text = f"{value:+.3g}"
        width = widths.to_numpy()[row, column]
        if not np.isnan(width):
            text += f"\n+- {width:.2g}"
        axes.text(column, row, text, ha="center", va="center", fontsize=8)
    axes.set_xticks(range(len(matrix.columns)), [f"{alpha:g}" for alpha in matrix.columns])
    axes.set_yticks(range(len(matrix.index)), [f"{alpha:g}" for alpha in matrix.index])
    axes.set_xlabel("alpha after")
    axes.set_ylabel("alpha before")
    axes.grid(False)
