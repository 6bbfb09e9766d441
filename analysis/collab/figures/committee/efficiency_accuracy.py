# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What accuracy the frameworks have after some time, or for some joules, by rate."""

import numpy as np
import pandas as pd

from ...statistics.curves import AXES, mean_of_regular, measure_of, name_of
from ...statistics.intervals import (
    HALF_WIDTH,
    as_text,
    mean_and_half_width,
    with_interval,
)
from ...statistics.thresholds import reach
from ...statistics.timing import round_seconds
from ..figure import runs_of
from ..style import GRAY, method_lines, new_figure, styled, use_decades
from ..words import keep_within_shares
from .efficiency import ADAPTIVE, BANDWIDTH, FRAMEWORKS, framework_of, labels_of, rate_of, rate_order

LEVEL = 0.5  # if none is given

_AGAINST = ("time", "energy")
_TAKEN = ("rounds", *_AGAINST)
# What the names of frameworks tell, what the panels do, and what is chosen to suit these
_NAMED = {"algorithm", "selection", "upload", BANDWIDTH, "rounds"}


@styled
def efficiency_accuracy_figure(runs, levels=None, column=None):
    """Accuracy (or another column) against simulated time and against joules, both over decades.

    A line a framework, with the 95 % interval over seeds; a column of panels a rate.
    """
    groups = _groups(runs)
    if not groups:
        return None
    column = measure_of({"": runs_of(runs)}, column)
    rates = list(dict.fromkeys(rate for rate, _ in groups))
    lines = method_lines(dict.fromkeys(label for _, label in groups))
    figure = new_figure(1.2 + 4 * len(rates), 7)
    panels = figure.subplots(len(_AGAINST), len(rates), sharey=True, squeeze=False)
    for row, against in zip(panels, _AGAINST):
        for axes, rate in zip(row, rates):
            for label, (color, line) in lines.items():
                if (rate, label) in groups:
                    _draw(axes, groups[rate, label], against, column, color, line, label)
            for level in levels or ():
                axes.axhline(level, color=GRAY, linewidth=0.8)
            use_decades(axes, "x")
            axes.set_xlabel(AXES[against][0])
        row[0].set_ylabel(name_of(column))
        keep_within_shares(row[0], column)
    for axes, rate in zip(panels[0], rates):
        axes.set_title("adaptive rates" if rate == ADAPTIVE else f"{rate:g} Mbit/s")
    panels[0][-1].legend(title="band: 95 % confidence interval", alignment="left",
                         loc="upper left", bbox_to_anchor=(1, 1))  # fmt: skip
    return figure


def efficiency_accuracy_table(runs, levels=None, column=None) -> pd.DataFrame:
    """A row a rate, framework and level: rounds, seconds and joules a device until it is reached.

    Means over the seeds that reached it (reached of seeds); beside them the time from the end of a
    round to that of the next one.
    """
    groups = _groups(runs)
    column = measure_of({"": runs_of(runs)}, column) if groups else None
    rows = []
    for (rate, label), group in groups.items():
        seconds = with_interval("round_s", [round_seconds(run) for run in group])
        for level in levels or [LEVEL]:
            taken = pd.DataFrame([reach(run, level, column) for run in group])
            taken = taken.dropna(subset=["rounds"])
            row = {"rate_mbps": rate, "framework": label, "level": level, "seeds": len(group),
                   "reached": len(taken)}  # fmt: skip
            for name in _TAKEN:
                row.update(with_interval(name, taken[name]))
            rows.append({**row, **seconds})
    return pd.DataFrame(rows).rename(columns=_with_unit)


def format_efficiency_accuracy(groups, levels=None, column=None) -> str:
    """The same as text."""
    title = "Rounds, seconds and joules a device until a level is reached, and seconds of a round"
    table = efficiency_accuracy_table(groups, levels, column)
    return as_text(f"{title} (mean over seeds, 95 % intervals)", table)


def _with_unit(name):
    units = {"time": "time_s", "energy": "energy_j"}
    base = name[: -len(HALF_WIDTH)] if name.endswith(HALF_WIDTH) else name
    return name.replace(base, units[base], 1) if base in units else name


def _groups(runs) -> dict:
    """{(rate, framework): [run, ...]}, in the order of rates and frameworks."""
    runs = [run for run in runs_of(runs) if len(run.rounds) and run.metrics]
    places = {name: place for place, name in enumerate(FRAMEWORKS.values())}
    groups = {}
    for run, label in zip(runs, labels_of(runs, _label, _NAMED)):
        rate = rate_of(run)
        place = (rate_order(rate), places.get(framework_of(run), len(places)))
        groups.setdefault((place, rate, label), []).append(run)
    return {(rate, label): groups[place, rate, label] for place, rate, label in sorted(groups)}


def _label(run):
    """The framework, and which gradients are selected in it."""
    name, *upload = framework_of(run).split(", ")
    selection = run.parameters.get("selection")
    return ", ".join([f"{name} {selection}" if selection else name, *upload])


def _draw(axes, group, against, column, color, line, label):
    """The mean over runs, round by round, as far as all of them came."""
    curves = [(AXES[against][1](run), mean_of_regular(run, column)) for run in group]
    rounds = min(len(x) for x, _ in curves)
    x = np.mean([x.iloc[:rounds] for x, _ in curves], axis=0)
    mean, half_width = mean_and_half_width([y.iloc[:rounds] for _, y in curves])
    half_width = np.nan_to_num(half_width)
    known = np.isfinite(mean) & (x > 0)
    axes.plot(x[known], mean[known], line, color=color, label=label)
    axes.fill_between(x[known], (mean - half_width)[known], (mean + half_width)[known],
                      color=color, alpha=0.12, linewidth=0)  # fmt: skip
