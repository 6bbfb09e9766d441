# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Reward of learned graphs as part of the optimum's, with one decision changed at a time."""

from collections import Counter

import numpy as np
import pandas as pd

from ...runs.groups import setting, short_name, swept_names
from ...statistics.intervals import HALF_WIDTH, as_text, with_interval
from ..figure import runs_of
from ..style import BLUE, new_figure, styled
from .measures import has_graph, local_reward
from .targets import REFERENCE

USUAL = "usual"
_OPTIMUM = "optimum"


@styled
def decisions_figure(runs):
    """A bar per decision: reward relative to the optimum's; None without runs of learned graphs."""
    table = decisions_table(runs)
    if table.empty or table["reward_ratio"].isna().all():
        return None
    figure = new_figure(7, 1.2 + 0.3 * len(table))
    axes = figure.subplots()
    axes.barh(table["decision"], table["reward_ratio"], color=BLUE, height=0.7, capsize=3,
              xerr=np.nan_to_num(table[f"reward_ratio{HALF_WIDTH}"]))  # fmt: skip
    axes.axvline(table["reward_ratio"].iloc[0], color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlabel("local reward / that of the optimum")
    axes.grid(axis="x", visible=True)
    axes.grid(axis="y", visible=False)
    return figure


def decisions_table(runs) -> pd.DataFrame:
    """A row per decision, the usual ones first: reward over the optimum's, and less the usual ratio.

    A decision is what differs from the settings that most learned graphs have. The optimum is that of
    the same seed and decision, or of the usual ones if it does not depend on the decision.
    """
    learned = [run for run in runs_of(runs) if run.method == REFERENCE and has_graph(run)]
    best = [run for run in runs_of(runs) if run.method == _OPTIMUM and has_graph(run)]
    names = swept_names(learned)
    usual = {name: Counter(str(setting(run, name)) for run in learned).most_common(1)[0][0]
             for name in names}  # fmt: skip

    def decision(run):
        values = {name: str(setting(run, name)) for name in names}
        changed = [f"{short_name(name)}={value}" for name, value in values.items() if value != usual[name]]
        return ", ".join(changed) or USUAL

    optima = {(decision(run), run.pair): local_reward(run) for run in best}
    ratios = {}
    for run in learned:
        optimum = optima.get((decision(run), run.pair), optima.get((USUAL, run.pair), np.nan))
        ratios.setdefault(decision(run), {})[run.pair] = local_reward(run) / optimum
    rows = []
    for name in sorted(ratios, key=lambda name: (name != USUAL, name)):
        paired = [ratio - ratios.get(USUAL, {}).get(pair, np.nan) for pair, ratio in ratios[name].items()]
        rows.append({"decision": name, "seeds": len(ratios[name]),
                     **with_interval("reward_ratio", list(ratios[name].values())),
                     **with_interval("difference", paired)})  # fmt: skip
    return pd.DataFrame(rows)


def format_decisions(groups) -> str:
    """The same as text."""
    return as_text("Local reward over the optimum's by decision, 95 % intervals over seeds",
                   decisions_table(groups))  # fmt: skip
