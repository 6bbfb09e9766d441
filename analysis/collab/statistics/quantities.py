# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of a whole run by name, for tables and figures over many runs."""

import re
from typing import List, Sequence

import numpy as np

from ..runs.errors import RunError
from ..runs.run import Run
from .curves import AXES, differ_in_age, is_accuracy, late_mean, measure_of, name_of
from .thresholds import reach
from .timing import times_of

# Name: what it is with its unit, and its value for a run
_TOTALS = {
    "time": ("simulated time [s]", lambda run: run.rounds["end_s"].max()),
    "energy": ("energy per device [J]", lambda run: run.total("energy_j").mean()),
    "bytes": ("sent per device [kB]", lambda run: run.total("bytes_sent").mean() / 1000),
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
_EQUAL_AGE = f"{_LATE}_at_equal_age"  # see late_mean()
# Ending of a column of rounds: whose mean it is, and how they are called
_GROUPS = {
    "_all": (lambda run: run.devices.index, "all devices"),
    "_low_quality": (lambda run: run.low_quality, "devices of low quality"),
    "_malicious": (lambda run: run.malicious, "malicious devices"),
}
_AFTER = re.compile(r"(.+)_after_([1-9][0-9]*)")
_REACH = re.compile(rf"({'|'.join(AXES)})_to_([0-9.]+)(?:_of_(.+))?")


def quantity(run: Run, name: str) -> float:
    """A number of a run: one of quantity_names(); NaN if there is none, e.g. not reached.

    A column of rounds is taken at each device's last round, mean over the regular devices; as
    COLUMN_late, over the last tenth of the rounds, mean over those of them that measured it; as
    COLUMN_all, COLUMN_low_quality or COLUMN_malicious, over these devices; as COLUMN_after_N, at the end of the Nth
    round in which devices collaborate. NAME_to_LEVEL is by the run's own measure, or by _of_COLUMN.
    TABLE.COLUMN is of another table, in its last round if it has any, mean over the regular devices if it tells of
    devices.
    """
    if name in _TOTALS:
        return float(_TOTALS[name][1](run))
    table, _, column = name.partition(".")
    if column and table in run.tables:
        return _in_table(run, table, column)
    match = _REACH.fullmatch(name)
    if match:
        if match[3] and match[3] not in run.rounds:
            raise RunError(f"'{name}': rounds of {run.path} has no column {match[3]}")
        return reach(run, _level(name, match), match[3])[match[1]]
    for ending in (_LATE, _EQUAL_AGE):
        if name.endswith(ending) and name[: -len(ending)] in run.rounds:
            return float(late_mean(run, name[: -len(ending)], ending == _EQUAL_AGE))
    column, devices, _ = _group(run, name)
    if devices is not None:
        return float(run.final(column, devices))
    match = _AFTER.fullmatch(name)
    if match and match[1] in run.rounds:
        return _after(run, match[1], int(match[2]))
    if name not in run.rounds:
        raise RunError(f"unknown quantity '{name}'; allowed: {', '.join(quantity_names(run))}")
    return float(run.final(name, run.regular))


def by_one_measure(runs: Sequence[Run], name: str) -> str:
    """The quantity that is to be compared over runs: of NAME_to_LEVEL, that of the column of rounds which
    all of them have, as NAME_to_LEVEL_of_COLUMN; RunError if there is none. Of COLUMN_late, that over models
    of equal age, as COLUMN_late_at_equal_age, if the runs differ in it."""
    if name.endswith(_LATE) and differ_in_age(runs):
        return name[: -len(_LATE)] + _EQUAL_AGE
    match = _REACH.fullmatch(name)
    return f"{name}_of_{measure_of({'': runs})}" if match and not match[3] else name


def quantity_label(run: Run, name: str) -> str:
    """How a quantity is called on an axis."""
    if name in _TOTALS:
        return _TOTALS[name][0]
    table, _, column = name.partition(".")
    if column and table in run.tables:
        return name_of(column)
    match = _REACH.fullmatch(name)
    if match:
        return f"{AXES[match[1]][0]} to reach {name_of(match[3] or run.measure)} {match[2]}"
    if name.endswith((_LATE, _EQUAL_AGE)):
        return f"{name_of(name[: name.rindex(_LATE)])}, last tenth of rounds"
    name, _, whose = _group(run, name)
    match = _AFTER.fullmatch(name)
    if match and match[1] in run.rounds:
        name, whose = match[1], f"{whose}, after {match[2]} rounds of collaboration"
    columns = run.columns[run.columns["table"] == "rounds"].set_index("column")["unit"]
    unit = columns.get(name, "")
    unit = "" if unit in ("", "1") else f" [{unit}]"
    return f"{name_of(name)}{unit}, {whose}"


def quantity_names(run: Run) -> List[str]:
    """The quantities that a run has."""
    columns = [c for c in run.rounds.columns if c not in ("round", "device", "start_s", "end_s")]
    late = [f"{name}{_LATE}" for name in run.metrics if is_accuracy(name) or name == run.measure]
    some = len(run.regular) < len(run.devices)
    groups = [f"COLUMN{ending}" for ending, (of, _) in _GROUPS.items() if some and len(of(run))]
    after = ["COLUMN_after_N"] if "collaborative" in run.rounds else []
    after.append("TABLE.COLUMN")
    return [*_TOTALS, *columns, *late, *groups, *after, *(f"{name}_to_LEVEL" for name in AXES)]


def _group(run: Run, name: str) -> tuple:
    """The column of rounds that a quantity is of, its devices if a group is named, and whose."""
    for ending, (devices, whose) in _GROUPS.items():
        column = name[: -len(ending)]
        if name.endswith(ending) and name not in run.rounds and column in run.rounds:
            return column, devices(run), whose
    return name, None, "regular devices"


def _in_table(run: Run, table: str, column: str) -> float:
    """A column of a table in its last round, if it has rounds."""
    if not run.has(table, column):
        raise RunError(f"'{table}.{column}': table {table} of {run.path} has no column {column}")
    rows = run.table(table)
    if "round" in rows:
        rows = rows[rows["round"] == rows["round"].max()]
    if "device" in rows:
        rows = rows[rows["device"].isin(run.regular)]
    return float(rows[column].mean())


def _after(run: Run, column: str, count: int) -> float:
    """A column at the end of the countth collaborative round; NaN if there were fewer."""
    flags = run.by_round("collaborative").reindex(columns=run.regular).max(axis=1)
    rounds = flags.index[flags > 0]
    if len(rounds) < count:
        return np.nan
    return float(run.by_round(column).loc[rounds[count - 1]].reindex(run.regular).mean())


def _level(name: str, match) -> float:
    try:
        return float(match[2])
    except ValueError:
        raise RunError(f"'{name}': {match[2]} is not a level of accuracy; e.g. 0.7") from None


def _lost(run: Run) -> float:
    return 1 - run.messages["delivered"].mean() if len(run.messages) else np.nan
