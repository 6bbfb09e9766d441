# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What it takes until users are right, with and without repetition of what is lost."""

import numpy as np
import pandas as pd

from ...runs.groups import short_name, swept_names
from ...statistics.intervals import as_text, with_interval
from ..figure import runs_of
from ..style import method_line, method_marker, new_figure, styled
from .measures import joules, measured, outage_of, radio_joules

COSTS = {
    "radio_j": "sending and receiving [J a device]",
    "energy_j": "energy [J a device]",
    "seconds": "simulated time [s]",
    "instants": "instants",
}
_OUTAGES = ("outage", "maxOutage")
_LEVEL = 0.05  # excess MSE, if no level is given
_LINE = "loss"


@styled
def joules_figure(runs, levels=None):
    """Joules, seconds and instants until users are right, against outage, a line a loss policy.

    Discrete: until no user errs any more; Gaussian: until the mean excess MSE stays below the
    (first) level. Over seeds with 95 % intervals. None if no run has measured that.
    """
    table = joules_table(runs, levels)
    if table.empty:
        return None
    figure = new_figure(14, 3.8)
    panels = figure.subplots(1, len(COSTS))
    for axes, (name, label) in zip(panels, COSTS.items()):
        for place, (line, rows) in enumerate(table.groupby("setting", sort=False)):
            color, style = method_line(place)
            axes.errorbar(rows["outage"], rows[name],
                          yerr=np.nan_to_num(rows[f"{name}_half_width"]), fmt=method_marker(place),
                          linestyle=style, color=color, markersize=4, elinewidth=1, capsize=2,
                          label=line)  # fmt: skip
        axes.set_xlabel("outage of a link")
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
    panels[-1].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def joules_table(runs, levels=None) -> pd.DataFrame:
    """A row a setting and outage: seeds, how many of them came to be right, and what that took."""
    runs = [run for run in runs_of(runs) if _knows(run)]
    names = [name for name in swept_names(runs) if name not in _OUTAGES]
    groups = {}
    for run in runs:
        setting = ", ".join(f"{short_name(name)}={run.asked.get(name)}" for name in names)
        groups.setdefault((setting or str(run.settings.get(_LINE)), outage_of(run)), []).append(run)
    rows = []
    for (setting, outage), group in sorted(groups.items(), key=lambda item: item[0]):
        taken = pd.DataFrame([costs(run, levels) for run in group]).dropna(subset=["instants"])
        row = {"setting": setting, "outage": outage, "seeds": len(group), "reached": len(taken)}
        for name in COSTS:
            row.update(with_interval(name, taken[name]))
        rows.append(row)
    return pd.DataFrame(rows)


def format_joules(groups, levels=None) -> str:
    """The same as text."""
    title = "What it takes until users are right (over the seeds that came to be, 95 % intervals)"
    return as_text(title, joules_table(groups, levels))


def costs(run, levels=None) -> dict:
    """What a run took until its users were right and stayed so; NaN if they never were."""
    number = _right_from(run, levels)
    if number is None:
        return dict.fromkeys(COSTS, np.nan)
    metric = "error" if len(measured(run, "error")) else "excess_mse"
    return {
        "radio_j": radio_joules(run).loc[number] if len(run.energy) else np.nan,
        "energy_j": joules(run).loc[number],
        "seconds": measured(run, metric)["time_s"].loc[number],
        "instants": number + 1,
    }


def _right_from(run, levels):
    """The round from which on all users are right; None if there is none."""
    if len(measured(run, "error")):
        wrong = measured(run, "error")["greatest"] > 0
    else:
        wrong = measured(run, "excess_mse")["mean"] > (levels[0] if levels else _LEVEL)
    right = wrong[::-1].cumsum()[::-1] == 0
    return int(right.index[right][0]) if right.any() else None


def _knows(run):
    return len(measured(run, "error")) > 0 or len(measured(run, "excess_mse")) > 0
