# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How the policies of devices become better: the table discovery against iterations."""

import numpy as np
import pandas as pd

from ...statistics.intervals import HALF_WIDTH, with_interval
from ..style import method_lines, new_figure, styled

TABLE = "discovery"
CURVES = {
    "local_reward": "local reward",
    "success": "success of links, 1 - P_D",
    "grant_rate": "share of iterations with a grant",
}


@styled
def learning_figure(groups):
    """Reward, success of links and grants while policies are learned, a line a method.

    Of several passes one follows the other. Means over devices, then over seeds with 95 %
    intervals. None if no run has the table.
    """
    table = learning_table(groups)
    if table.empty:
        return None
    figure = new_figure(14, 3.8)
    panels = figure.subplots(1, len(CURVES))
    lines = method_lines(dict.fromkeys(table["method"]))
    for axes, (column, label) in zip(panels, CURVES.items()):
        for method, rows in table.groupby("method", sort=False):
            color, line = lines[method]
            axes.plot(rows["iteration"], rows[column], line, color=color, label=method)
            width = np.nan_to_num(rows[f"{column}{HALF_WIDTH}"])
            axes.fill_between(rows["iteration"], rows[column] - width, rows[column] + width,
                              color=color, alpha=0.15, linewidth=0)  # fmt: skip
        axes.set_xlabel("iteration")
        axes.set_ylabel(label)
    panels[-1].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def learning_table(groups) -> pd.DataFrame:
    """A row a method and window of iterations, counted on through all passes."""
    rows = []
    for label, runs in groups.items():
        if not all(run.has(TABLE, "iteration", *CURVES) for run in runs):
            continue
        windows = pd.concat([_counted_on(run) for run in runs])
        for iteration, window in windows.groupby("iteration"):
            row = {"method": label, "iteration": iteration, "seeds": len(window)}
            for column in CURVES:
                row.update(with_interval(column, window[column]))
            rows.append(row)
    return pd.DataFrame(rows)


def _counted_on(run):
    table = run.table(TABLE)
    length = int(run.settings.get("iterations", table["iteration"].max() + 1))
    return table.assign(iteration=table["iteration"] + length * table["round"])
