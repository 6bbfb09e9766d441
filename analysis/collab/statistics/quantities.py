# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of a whole run by name, for tables and figures over many runs."""

import re
from typing import List

import numpy as np

from ..runs.errors import RunError
from ..runs.run import Run
from .curves import AXES, is_accuracy, late_mean, name_of
from .thresholds import reach
from .timing import times_of

# Name: what it is with its unit, and its value for a run
_TOTALS = {
    "time": ("simulated time [s]", lambda run: run.rounds["end_s"].max()),
    "energy": ("energy a device [J]", lambda run: run.final("energy_j", run.devices.index)),
    "bytes": (
        "sent by a device [kB]",
        lambda run: run.final("bytes_sent", run.devices.index) / 1000,
    ),
    "communication": (
        "communication time of a round [s]",
        lambda run: times_of(run)["communication_s"],
    ),
    "computation": (
        "computation time of a round [s]",
        lambda run: times_of(run)["computation_s"],
    ),
    "lost": ("share of messages lost", lambda run: _lost(run)),
}
_LATE = "_late"
_REACH = re.compile(rf"({'|'.join(AXES)})_to_([0-9.]+)")


def quantity(run: Run, name: str) -> float:
    """A number of a run: one of quantity_names(); NaN if there is none, e.g. not reached.

    A column of rounds is taken at each device's last round, mean over the regular devices; as
    COLUMN_late, over the last tenth of the rounds, mean over the devices that measured it.
    """
    if name in _TOTALS:
        return float(_TOTALS[name][1](run))
    match = _REACH.fullmatch(name)
    if match:
        return reach(run, _level(name, match))[match[1]]
    if name.endswith(_LATE) and name[: -len(_LATE)] in run.rounds:
        return float(late_mean(run, name[: -len(_LATE)]))
    if name not in run.rounds:
        raise RunError(f"unknown quantity '{name}'; allowed: {', '.join(quantity_names(run))}")
    return float(run.final(name, run.regular))


def quantity_label(run: Run, name: str) -> str:
    """How a quantity is called on an axis."""
    if name in _TOTALS:
        return _TOTALS[name][0]
    match = _REACH.fullmatch(name)
    if match:
        what = "accuracy" if is_accuracy(run.measure) else name_of(run.measure)
        return f"{AXES[match[1]][0]} to reach {what} {match[2]}"
    if name.endswith(_LATE):
        return f"{name_of(name[: -len(_LATE)])}, last tenth of rounds"
    columns = run.columns[run.columns["table"] == "rounds"].set_index("column")["unit"]
    unit = columns.get(name, "")
    unit = "" if unit in ("", "1") else f" [{unit}]"
    return f"{name_of(name)}{unit}, regular devices"


def quantity_names(run: Run) -> List[str]:
    """The quantities that a run has."""
    columns = [c for c in run.rounds.columns if c not in ("round", "device", "start_s", "end_s")]
    late = [f"{name}{_LATE}" for name in run.metrics if is_accuracy(name) or name == run.measure]
    return [*_TOTALS, *columns, *late, *(f"{name}_to_LEVEL" for name in AXES)]


def _level(name: str, match) -> float:
    try:
        return float(match[2])
    except ValueError:
        raise RunError(f"'{name}': {match[2]} is not a level of accuracy; e.g. 0.7") from None


def _lost(run: Run) -> float:
    return 1 - run.messages["delivered"].mean() if len(run.messages) else np.nan
