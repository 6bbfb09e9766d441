# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What protocols keep of their accuracy at the worst value of a setting, such as an attack."""

from typing import Mapping

import pandas as pd

from ...runs.errors import RunError
from ...runs.groups import as_number
from ..intervals import of_all
from .views import ends_of

_WORST = "worst_at"


def worst_table(frame: pd.DataFrame, points: Mapping[str, Mapping[str, str]], setting: str) -> pd.DataFrame:
    """A row a protocol and place, but for the setting: accuracy at the ends of runs at its worst value for each seed,
    over seeds, with the half width of the 95 % interval; NaN if a run has none.

    points: the settings of each place. Columns: those settings but the one, protocol, runs, accuracy, worst_at (the
    value that is the worst for most seeds). Raises RunError if no place has the setting, or nothing else is swept.
    """
    settings = pd.DataFrame(points.values(), index=list(points))
    others = [name for name in settings.columns if name != setting]
    if setting not in settings or not others:
        allowed = ", ".join(settings.columns) or "none, as nothing is swept"
        raise RunError(f"--worst was given '{setting}'; allowed: one of several settings that are swept: {allowed}")
    ends = ends_of(frame).join(settings, on="place")
    rows = []
    for (*place, protocol), group in ends.groupby([*others, "protocol"], sort=False, dropna=False):
        by_run = group.set_index(setting).groupby(["seed", "run"])["accuracy"]
        row = {**dict(zip(others, place)), "protocol": protocol, "runs": by_run.ngroups}
        row.update(of_all("accuracy", by_run.min().where(by_run.count() == by_run.size())))
        is_known = group["accuracy"].notna().all()
        rows.append({**row, _WORST: by_run.idxmin().mode().iloc[0] if is_known else ""})
    return pd.DataFrame(rows)


def axis_of(table: pd.DataFrame) -> str:
    """The setting of a worst_table() that a figure has as its axis: of those with numbers the one with most values."""
    names = list(table.columns[: table.columns.get_loc("protocol")])
    numbers = [name for name in names if all(as_number(value) is not None for value in table[name])]
    return max(numbers or names, key=lambda name: table[name].nunique())
