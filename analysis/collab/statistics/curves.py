# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Columns of rounds against rounds, simulated time, energy and bytes."""

import re

from ..runs.errors import RunError
from .intervals import mean_and_half_width

_LATE = 0.1  # part of the rounds, the last ones, that late_mean() is over

# In names of columns of which less is better; short ones as whole words: "ece" is in "received"
_LOSS = re.compile(
    "loss|error|distance|mse|perplexity|outage"
    "|(?:^|_)(?:nll|ece|missing|stale|refused|assumed|diverged)(?:_|$)"
)

# What a measure is drawn against: the axis' label, and the value of a run, a row a round
AXES = {
    "rounds": ("rounds done", lambda run: run.when_measured(_round_numbers(run))),
    "time": ("simulated time [s]", lambda run: run.when_measured(run.round_ends())),
    "energy": ("energy per device [J]", lambda run: _spent(run, "energy_j")),
    "bytes": ("sent per device [kB]", lambda run: _spent(run, "bytes_sent") / 1000),
}


def measure_of(groups, column=None):
    """The column of rounds to compare runs by: the given one, or a measure that all of them have.

    Their own measure if it is the same, else one that is the own measure of some. Raises RunError
    if they have nothing in common.
    """
    if column:
        return column
    runs = [run for group in groups.values() for run in group]
    own = list(dict.fromkeys(run.measure for run in runs))
    if len(own) == 1:
        return own[0]
    shared = [name for name in [*own, *runs[0].metrics] if all(name in r.metrics for r in runs)]
    if not shared:
        told = ", ".join(own)
        raise RunError(f"the runs have no measure in common (theirs are {told}); name one by --column, "
                       "or in --y by an ending such as _of_accuracy_global")  # fmt: skip
    return shared[0]


def is_accuracy(column):
    """Whether a column of rounds is a share of right answers."""
    return column.startswith(("accuracy", "balanced_accuracy"))


def is_loss(column):
    """Whether less of a column of rounds is better."""
    return _LOSS.search(column) is not None


def name_of(column):
    """How a column of rounds is called in a figure."""
    names = {"reference": "X*", "local": "own samples", "global": "global test set"}
    kind, _, place = column.rpartition("_")
    if kind in ("accuracy", "balanced_accuracy") and place in names:
        return f"{kind.replace('_', ' ')} on {names[place]}"
    return column.replace("_", " ")


def mean_of_regular(run, column):
    """A column of rounds, mean over the regular devices, a row a round."""
    return run.by_round(column).reindex(columns=run.regular).mean(axis=1)


def band_over_devices(run, column, devices):
    """A column of rounds, mean over devices, and the ends of a band of one standard deviation, a
    row a round."""
    values = run.by_round(column).reindex(columns=devices)
    mean, deviation = values.mean(axis=1), values.std(axis=1, ddof=0)
    return mean, mean - deviation, mean + deviation


def band_over_runs(curves):
    """Mean of values by round, as far as all runs came, and the ends of its 95 % confidence
    interval."""
    rounds = min(map(len, curves))
    mean, half_width = mean_and_half_width([curve[:rounds] for curve in curves])
    return mean, mean - half_width, mean + half_width


def _spent(run, column):
    return run.when_measured(run.spent_by_round(column).mean(axis=1))


def _round_numbers(run):
    return run.by_round("end_s").index.to_series() + 1


def curve(run, column):
    """A column of rounds, mean over the regular devices that measured it in the round."""
    values = run.rounds[column].where(run.rounds["device"].isin(run.regular))
    return values.groupby(run.rounds["round"]).mean()


def differ_in_age(runs):
    """Whether some measure the model that a round begins with, others the one that it ends with."""
    return len({run.measures_before for run in runs}) > 1


def late_mean(run, column, equal_age=False):
    """Mean over the last tenth of the rounds: single rounds depend on who is aggregated.

    equal_age: for a comparison of runs that differ_in_age(). It is then without the last round where
    models are measured at the end, so that all of them have been trained for as many rounds.
    """
    values = curve(run, column)
    count = max(1, round(_LATE * len(values)))
    end = len(values) - (equal_age and not run.measures_before)
    return values.iloc[max(0, end - count) : end].mean()
