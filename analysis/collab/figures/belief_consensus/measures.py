# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What figures of belief consensus read of a run: metrics over its users, costs, and theory."""

import numpy as np
import pandas as pd

from ...runs.groups import as_number, short_name, swept_names
from ...statistics.costs import accounts_by_round

TABLE = "network"  # a row a round and metric, over the users that tell the truth
_COLUMNS = ("round", "time_s", "metric", "users", "mean", "least", "greatest")
_LENGTHS = ("instants", "evaluationInterval", "beliefInterval", "weightsInterval")


def has_metrics(run) -> bool:
    """Whether a run tells metrics over its users."""
    return run.has(TABLE, *_COLUMNS)


def measured(run, metric) -> pd.DataFrame:
    """A metric by round: time_s, users, mean, least, greatest; without a row if it has none."""
    return run.once(("measured", metric), lambda: _measured(run, metric))


def _measured(run, metric):
    if not has_metrics(run):
        return pd.DataFrame(columns=_COLUMNS).set_index("round")
    table = run.table(TABLE)
    return table[table["metric"] == metric].set_index("round").sort_index()


def split_by_others(runs, known) -> dict:
    """Runs that differ in nothing that changes what is measured: {what was varied besides: runs}.

    known are the settings that tell the runs apart already; how long they are, and how often they
    are measured, changes nothing.
    """
    names = [name for name in swept_names(runs) if name not in (*known, *_LENGTHS)]
    groups = {}
    for run in runs:
        label = ", ".join(f"{short_name(name)} {run.asked.get(name)}" for name in names)
        groups.setdefault(label, []).append(run)
    return groups


def having(groups, *metrics) -> dict:
    """The groups all whose runs have measured these metrics."""
    return {
        label: runs
        for label, runs in groups.items()
        if all(len(measured(run, metric)) for run in runs for metric in metrics)
    }


def joules(run) -> pd.Series:
    """Joules of a device up to each round, mean over devices."""
    return run.once("joules", lambda: run.spent_by_round("energy_j").mean(axis=1))


def radio_joules(run) -> pd.Series:
    """The same of sending and receiving only."""
    table = accounts_by_round(run)
    table = table.assign(radio_j=table["tx_j"] + table["rx_j"])
    return table.pivot(index="round", columns="device", values="radio_j").ffill().mean(axis=1)


def outage_of(run) -> float:
    """The outage that was chosen: of all links, or of the radio's longest one."""
    name = "maxOutage" if run.settings.get("links") == "radio" else "outage"
    return as_number(run.settings.get(name)) or 0.0


def last(run, metric) -> float:
    """The last value of a metric, mean over users; NaN without any."""
    values = measured(run, metric)["mean"].dropna()
    return float(values.iloc[-1]) if len(values) else np.nan


def theory(run, quantity) -> pd.DataFrame:
    """Rows of the table theory about a quantity: user, other, value, unit."""
    if not run.has("theory", "quantity", "value"):
        return pd.DataFrame(columns=["user", "other", "value", "unit"])
    table = run.table("theory")
    return table[table["quantity"] == quantity]


def theory_value(runs, quantity) -> float:
    """A number of the table theory, mean over the runs that have it; NaN if none has."""
    values = [value for run in runs for value in theory(run, quantity)["value"].iloc[:1]]
    present = [value for value in values if not np.isnan(value)]
    return float(np.mean(present)) if present else np.nan
