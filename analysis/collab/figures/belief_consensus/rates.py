# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How fast users learn, beside what theory predicts under losses."""

import numpy as np
import pandas as pd

from ...runs.groups import group_runs
from ...statistics.intervals import as_text, with_interval
from ..figure import runs_of
from ..style import GRAY, method_line, method_marker, new_figure, styled
from .measures import outage_of, theory

_METRIC = "log_ratio"


@styled
def rates_figure(runs):
    """Measured against predicted learning rate with 95 % intervals, a point a setting.

    The measured rate is the slope of the log belief in the best hypothesis over that in the best
    wrong one, over the second half of a run, mean over users. None if no run has both.
    """
    table = rates_table(runs)
    if table.empty:
        return None
    figure = new_figure(9, 4.6)
    axes = figure.subplots()
    for place, (_, row) in enumerate(table.iterrows()):
        axes.errorbar(row["predicted"], row["measured"],
                      yerr=np.nan_to_num(row["measured_half_width"]), fmt=method_marker(place),
                      color=method_line(place)[0], markersize=5, capsize=3, elinewidth=1,
                      label=row["method"])  # fmt: skip
    ends = [table[["predicted", "measured"]].min().min(), table["predicted"].max()]
    axes.plot(ends, ends, color=GRAY, linewidth=0.8, label="as predicted")
    axes.set_xlabel(f"predicted rate [{table['unit'].iloc[0]}]")
    axes.set_ylabel("measured rate")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8,
                title="bars: 95 % interval over seeds", alignment="left")  # fmt: skip
    return figure


def rates_table(runs) -> pd.DataFrame:
    """A row a method and setting: predicted and measured rate, and their ratio, over seeds."""
    having = [run for run in runs_of(runs) if _can_tell(run)]
    rows = []
    for label, group in group_runs(having).items():
        first = group[0]
        values = np.array([(rate_measured(run), rate_predicted(run)) for run in group])
        rows.append({
            "method": label,
            "topology": first.settings.get("topology"),
            "missing": first.settings.get("missing"),
            "outage": outage_of(first),
            "seeds": len(group),
            "predicted": values[:, 1].mean(),
            **with_interval("measured", values[:, 0]),
            **with_interval("ratio", values[:, 0] / values[:, 1]),
            "unit": _predictions(first)["unit"].iloc[0],
        })  # fmt: skip
    return pd.DataFrame(rows)


def format_rates(groups) -> str:
    """The same as text."""
    return as_text("Learning rates, predicted and measured (95 % intervals over seeds)",
                   rates_table(groups))  # fmt: skip


def rate_predicted(run) -> float:
    """The least predicted rate of a hypothesis that is not the best one; NaN without any."""
    rates = _predictions(run).set_index("other")["value"]
    rivals = rates.drop(theory(run, "learnable")["other"], errors="ignore")
    return float(rivals.min())


def rate_measured(run) -> float:
    """Slope over the second half of a run, mean over users that tell the truth.

    By instants, or by seconds if that is the unit of the prediction.
    """
    seconds = _predictions(run)["unit"].iloc[0] == "nat/s"
    told = run.rounds.dropna(subset=[_METRIC])
    late = told[told["round"] >= told["round"].max() / 2]
    slopes = [_slope(rows["end_s" if seconds else "round"], rows[_METRIC])
              for device, rows in late.groupby("device") if device not in run.malicious]  # fmt: skip
    return float(np.mean(slopes)) if slopes else np.nan


def _can_tell(run):
    rounds = run.rounds
    return (
        _METRIC in rounds
        and rounds.loc[rounds[_METRIC].notna(), "round"].nunique() >= 4
        and len(_predictions(run)) > 0
    )


def _predictions(run):
    """Predicted rates; where W changes in the run, those by the mean of W in force."""
    rates = theory(run, "mean_rate")
    return rates if len(rates) else theory(run, "predicted_rate")


def _slope(x, y):
    """Of the straight line with the least squares."""
    x, y = (np.asarray(values, dtype=float) for values in (x, y))
    centered = x - x.mean()
    spread = (centered**2).sum()
    return float((centered * y).sum() / spread) if spread > 0 else np.nan
