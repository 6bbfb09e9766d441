# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How far devices are from holding samples like all of them together (Wagle et al., Fig. 8d)."""

import numpy as np
import pandas as pd

from ...statistics.intervals import HALF_WIDTH, as_text, with_interval
from ..style import method_line, method_marker, new_figure, styled
from .measures import held, passes_of

DISTANCES = {
    "wasserstein": "Wasserstein distance, |l - l'|",
    "total_variation": "total variation distance",
}
_CHANGE = "_change"


def wasserstein(shares, target) -> np.ndarray:
    """1-Wasserstein distance of each row to the target, with |l - l'| between labels."""
    return np.abs(np.cumsum(shares - target, axis=1)).sum(axis=1)


def total_variation(shares, target) -> np.ndarray:
    """Half of the sum of differences of each row to the target."""
    return np.abs(shares - target).sum(axis=1) / 2


def distances_of(run, passes) -> dict:
    """Each distance after some passes, mean over devices that have datapoints; None if untold.

    The target is what all devices together had at first.
    """
    first, now = held(run, 0), held(run, passes)
    if first is None or now is None:
        return None
    target = first.sum().to_numpy() / first.to_numpy().sum()
    now = now[now.sum(axis=1) > 0]
    shares = now.div(now.sum(axis=1), axis=0).to_numpy()
    return {
        "wasserstein": float(wasserstein(shares, target).mean()),
        "total_variation": float(total_variation(shares, target).mean()),
    }


@styled
def distance_figure(groups):
    """Both distances after each pass, a line a method: what one edge and the next one bring.

    Means over devices, then over seeds with 95 % intervals. None if no run tells what devices hold.
    """
    table = distance_table(groups)
    if table.empty:
        return None
    figure = new_figure(10.5, 3.8)
    panels = figure.subplots(1, len(DISTANCES))
    for axes, (name, label) in zip(panels, DISTANCES.items()):
        for place, (method, rows) in enumerate(table.groupby("method", sort=False)):
            color, line = method_line(place)
            axes.errorbar(rows["passes"] + 0.02 * place, rows[name],
                          yerr=np.nan_to_num(rows[f"{name}{HALF_WIDTH}"]), linestyle=line,
                          fmt=method_marker(place), color=color, markersize=4, elinewidth=1,
                          capsize=2, label=method)  # fmt: skip
        axes.set_xticks(sorted(set(table["passes"])))
        axes.set_xlabel("passes (edges per device)")
        axes.set_ylabel(f"{label},\nmean over devices")
    panels[-1].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def distance_table(groups) -> pd.DataFrame:
    """A row a method and number of passes; _change is relative to before the first, in percent."""
    rows = []
    for label, runs in groups.items():
        for passes in range(1 + min(map(passes_of, runs))):
            found = [(distances_of(run, 0), distances_of(run, passes)) for run in runs]
            if any(now is None for _, now in found):
                continue
            row = {"method": label, "passes": passes, "seeds": len(runs)}
            for name in DISTANCES:
                row.update(with_interval(name, [now[name] for _, now in found]))
                changes = [_percent(now[name], first[name]) for first, now in found]
                row.update(with_interval(f"{name}{_CHANGE}", changes))
            rows.append(row)
    return pd.DataFrame(rows)


def format_distance(groups) -> str:
    """The same as text."""
    title = "Distance of devices' labels to those of all together; changes in percent"
    return as_text(title, distance_table(groups))


def _percent(now, first):
    return 100 * (now / first - 1) if first else np.nan
