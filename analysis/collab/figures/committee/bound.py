# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Theorem 1's bound beside the error that was measured (table bound)."""

import pandas as pd

from ..style import GRAY, method_lines, new_figure, styled, use_decades

TABLE = "bound"
_COLUMNS = ("round", "error", "bound", "gap", "phi_min", "phi_max")


@styled
def bound_figure(groups):
    """Error of the model and the bound of Theorem 1 against rounds, a line a method.

    Of several runs of a method the mean is drawn. None if no run has the table.
    """
    groups = {label: runs for label, runs in groups.items() if _have(runs)}
    if not groups:
        return None
    figure = new_figure(10, 3.8)
    errors, gaps = figure.subplots(1, 2)
    for label, (color, line) in method_lines(groups).items():
        table = _mean(groups[label])
        x = table.index + 1
        errors.plot(x, table["error"], line, color=color, label=f"{label}, measured")
        errors.plot(x, table["bound"], ":", color=color, label=f"{label}, bound")
        gaps.plot(x, table["gap"], line, color=color, label=label, linewidth=0.8)
    use_decades(errors)
    errors.set_xlabel("rounds done")
    errors.set_ylabel("E F(w) - F*")
    errors.legend(fontsize=8)
    gaps.axhline(0, color=GRAY, linewidth=0.8)
    use_decades(gaps, "x")
    gaps.set_xlabel("rounds done")
    gaps.set_ylabel("phi(S_a, w)")
    return figure


def format_bound(groups) -> str:
    """A row a method and some rounds: error, bound and their ratio, as text."""
    rows = []
    for label, runs in groups.items():
        if not _have(runs):
            continue
        table = _mean(runs)
        shown = [n for n in (1, 10, 100, 1000, 10000) if n <= len(table)]
        for done in shown:
            row = table.iloc[done - 1]
            rows.append({"method": label, "rounds": done, "error": row["error"],
                         "bound": row["bound"], "ratio": row["bound"] / row["error"],
                         "phi_min": row["phi_min"], "phi_max": row["phi_max"]})  # fmt: skip
    if not rows:
        return ""
    text = pd.DataFrame(rows).to_string(index=False, float_format="{:.4g}".format)
    return f"Theorem 1: error measured and bound\n\n{text}\n"


def _have(runs):
    return all(run.has(TABLE, *_COLUMNS) for run in runs)


def _mean(runs):
    return pd.concat([run.table(TABLE) for run in runs]).groupby("round").mean()
