# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What lies do to the users that tell the truth, by the rule of pooling."""

import numpy as np
import pandas as pd

from ...statistics.intervals import as_text, with_interval
from ..figure import runs_of
from ..style import method_line, new_figure, styled, use_decades
from .measures import last, measured, split_by_others

_METRICS = {
    "error": "share of users that err",
    "log_ratio": "log ratio of true and wrong [nat]",
    "excess_mse": "excess MSE",
}
_REFUSED = "messages_refused"
_NOBODY = "no liar"


@styled
def malice_figure(runs):
    """Error at the end and refused messages by lie, a bar a rule of pooling, with 95 % intervals.

    None if no run has a metric of hypotheses or of a linear model.
    """
    table = malice_table(runs)
    if table.empty:
        return None
    shown = [name for name in (*_METRICS, "refused") if table[name].notna().any()]
    figure = new_figure(1 + 4.4 * len(shown), 4)
    panels = figure.subplots(1, len(shown), squeeze=False)[0]
    for axes, name in zip(panels, shown):
        _draw(axes, table, name)
        axes.set_xlabel(_METRICS.get(name, "messages refused by a user"))
    panels[0].legend(title="pooling", fontsize=8)
    return figure


def malice_table(runs) -> pd.DataFrame:
    """A row a lie and rule of pooling: metrics at the end over the users that tell the truth.

    refused is the number of messages that one of them did not believe, up to the end.
    """
    groups = {}
    for run in runs_of(runs):
        if any(len(measured(run, metric)) for metric in _METRICS):
            lie = str(run.settings.get("lie"))
            lie = lie if str(run.settings.get("malicious", "none")) != "none" else _NOBODY
            key = (str(run.settings.get("family")), lie, str(run.settings.get("pooling")))
            groups.setdefault(key, []).append(run)
    rows = []
    for family, lie, pooling in sorted(groups, key=_place):
        known = ("family", "pooling", *(("lie", "lieStrength") if lie == _NOBODY else ("lie",)))
        for other, group in split_by_others(groups[family, lie, pooling], known).items():
            told = f"{lie}, {other}" if other else lie
            row = {"family": family, "lie": told, "pooling": pooling, "seeds": len(group)}
            for metric in _METRICS:
                row.update(with_interval(metric, [last(run, metric) for run in group]))
            row.update(with_interval("refused", [_refused(run) for run in group]))
            rows.append(row)
    return pd.DataFrame(rows)


def format_malice(groups) -> str:
    """The same as text."""
    return as_text("Users that tell the truth, at the end (95 % intervals over seeds)",
                   malice_table(groups))  # fmt: skip


def _place(key):
    """Sorts rows: no liar first, and pools that trust everybody before those that clip."""
    family, lie, pooling = key
    return family, lie != _NOBODY, lie, pooling == "clipped", pooling


def _refused(run):
    """Refused messages of a user that tells the truth, mean over them; NaN if nobody counts."""
    if _REFUSED not in run.rounds:
        return np.nan
    totals = run.rounds.groupby("device")[_REFUSED].sum()
    return float(totals.drop(run.malicious, errors="ignore").mean())


def _draw(axes, table, name):
    rows = [f"{lie} ({family})" if table["family"].nunique() > 1 else lie
            for family, lie in zip(table["family"], table["lie"])]  # fmt: skip
    places = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    rules = list(dict.fromkeys(table["pooling"]))
    height = 0.8 / len(rules)
    for number, rule in enumerate(rules):
        chosen = (table["pooling"] == rule).to_numpy()
        at = [places[row] + height * (number - (len(rules) - 1) / 2)
              for row, is_chosen in zip(rows, chosen) if is_chosen]  # fmt: skip
        axes.barh(at, table.loc[chosen, name].fillna(0), height, label=rule,
                  color=method_line(number)[0], capsize=2,
                  xerr=np.nan_to_num(table.loc[chosen, f"{name}_half_width"]))  # fmt: skip
    axes.set_yticks(list(places.values()), list(places))
    axes.invert_yaxis()
    if name == "error":
        axes.set_xlim(0, 1.05)
    elif name == "log_ratio":
        axes.set_xscale("symlog", linthresh=10)
    elif name == "excess_mse" and (table[name].dropna() > 0).all():
        use_decades(axes, "x")
