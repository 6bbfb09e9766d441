# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Theorem 1's bound beside the error that was measured (table bound)."""

import pandas as pd

from ...statistics.intervals import as_text, with_interval
from ..style import GRAY, method_lines, new_figure, styled, use_decades

TABLE = "bound"
_SHOWN = (1, 10, 100, 10000)  # rounds
_COLUMNS = ("round", "error", "bound", "least_ratio", "gap", "phi_min", "phi_max")


@styled
def bound_figure(groups):
    """Error of the model and the bound of Theorem 1, their ratio, and the gap against rounds, a line a method.

    Of several runs of a method the mean is drawn. None if no run has the table.
    """
    groups = {label: runs for label, runs in groups.items() if _have(runs)}
    if not groups:
        return None
    figure = new_figure(13, 3.8)
    errors, ratios, gaps = figure.subplots(1, 3)
    for label, (color, line) in method_lines(groups).items():
        table = _mean(groups[label])
        x = table.index + 1
        errors.plot(x, table["error"], line, color=color, label=label)
        errors.plot(x, table["bound"], line, color=color, alpha=0.4)
        ratios.plot(x, table["bound"] / table["error"], line, color=color)
        gaps.plot(x, table["gap"], line, color=color, linewidth=0.8)
    errors.plot([], [], color=GRAY, alpha=0.4, label="bounds, pale")
    use_decades(errors)
    errors.set_xlabel("rounds done")
    errors.set_ylabel(r"$\mathrm{E}\,F(w) - F^*$")
    errors.legend(fontsize=8)
    use_decades(ratios)
    ratios.set_xlabel("rounds done")
    ratios.set_ylabel("bound / error")
    gaps.axhline(0, color=GRAY, linewidth=0.8)
    use_decades(gaps, "x")
    gaps.set_xlabel("rounds done")
    gaps.set_ylabel(r"$\varphi(S_a, w)$")
    return figure


def bound_table(groups) -> pd.DataFrame:
    """A row a method and some rounds: error and bound, with intervals over runs.

    least_ratio is the least one of bound and error in any round of any run until then.
    """
    rows = []
    for label, runs in groups.items():
        tables = [run.table(TABLE) for run in runs] if _have(runs) else []
        rounds = min((table["round"].iloc[-1] + 1 for table in tables), default=0)
        for done in (n for n in _SHOWN if n <= rounds):
            then = pd.concat(table[table["round"] == done - 1] for table in tables)
            row = {"method": label, "runs": len(runs), "rounds": done}
            for name in ("error", "bound"):
                row.update(with_interval(name, then[name]))
            row["least_ratio"] = then["least_ratio"].min()
            for name in ("phi_min", "phi_max"):
                row.update(with_interval(name, then[name]))
            rows.append(row)
    return pd.DataFrame(rows)


def format_bound(groups) -> str:
    """The table as text."""
    return as_text("Theorem 1: error measured and bound (95 % intervals over runs)", bound_table(groups))


def _have(runs):
    return all(run.has(TABLE, *_COLUMNS) for run in runs)


def _mean(runs):
    return pd.concat([run.table(TABLE) for run in runs]).groupby("round").mean()
