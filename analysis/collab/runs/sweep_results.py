# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Many runs together: of a sweep's folder, or of the database that collects them."""

from dataclasses import dataclass, field
from typing import Iterable, List, Optional

import pandas as pd

from .errors import RunError
from .groups import Groups, group_runs, select, short_name, swept_names
from .run import Run, find_runs, load_run


@dataclass(frozen=True)
class Sweep:
    """Runs that differ in what they were given."""

    runs: List[Run]
    left_out: List[str] = field(default_factory=list)  # a line for each run that is not in it

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def swept(self) -> List[str]:
        """The settings that differ among the runs, but for seed and run number."""
        return swept_names(self.runs)

    @property
    def parameters(self) -> pd.DataFrame:
        """A row a run (index: its folder's name), a column a setting; seed and run among them."""
        names = [run.path.name for run in self.runs]
        return pd.DataFrame([run.settings for run in self.runs], index=pd.Index(names, name="name"))

    @property
    def columns(self) -> pd.DataFrame:
        """What the columns of the tables mean: table, column, type, unit, meaning."""
        return pd.concat([run.columns for run in self.runs]).drop_duplicates(["table", "column"])

    def table(self, name: str) -> pd.DataFrame:
        """A table of all runs: first its run's name, seed and run number and what was swept."""
        frames = []
        for run in self.runs:
            settings = {short_name(key): run.settings.get(key) for key in self.swept}
            settings = {"name": run.path.name, "seed": run.seed, "run": run.run, **settings}
            rows = run.table(name)
            taken = {key: value for key, value in settings.items() if key not in rows}
            frames.append(rows.assign(**taken)[[*taken, *rows.columns]])
        return pd.concat(frames, ignore_index=True)

    def select(self, **where) -> "Sweep":
        """The runs whose settings have these values, each one value or several."""
        return Sweep(select(self.runs, where))

    def group(self, *by: str) -> Groups:
        """Runs that differ in the seed only, by label; see group_runs()."""
        return group_runs(self.runs, by or None)


def load_folders(paths: Iterable, unfinished: bool = False) -> Sweep:
    """The runs in and below folders, those that have not finished too if told so."""
    runs, left_out = [], []
    for path in find_runs(paths):
        reason: Optional[str] = None
        if not unfinished and path.name.endswith(".partial"):
            reason = f"{path} is left out: it has not finished"
        else:
            try:
                runs.append(load_run(path))
            except RunError as error:
                reason = f"{path} is left out: {error}"
        left_out += [reason] if reason else []
    if not runs:
        others = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
        raise RunError(f"no run is left: {left_out[0]}{others}")
    return Sweep(runs, left_out)
