# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Many runs together: of a sweep's folder, or of the database that collects them."""

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Sequence, Set

import pandas as pd

from .contents import OUTDATED, is_outdated, older_calls
from .definition import definition_of
from .errors import RunError
from .groups import Groups, group_runs, meeting, select, short_names, swept_names
from .run import Run, find_runs, load_head, load_run


@dataclass(frozen=True)
class Sweep:
    """Runs that differ in what they were given."""

    runs: List[Run]
    left_out: List[str] = field(default_factory=list)  # lines on runs that are not in it, or should not be

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
            rows = run.table(name)
            swept = self._headings(rows.columns)
            settings = {short: run.asked.get(key) for key, short in swept.items()}
            settings = {"name": run.path.name, "seed": run.seed, "run": run.run, **settings}
            taken = {key: value for key, value in settings.items() if key not in rows}
            frames.append(rows.assign(**taken)[[*taken, *rows.columns]])
        return pd.concat(frames, ignore_index=True)

    def _headings(self, taken: Iterable[str]) -> dict:
        """Short names of the settings that differ, by name; "NAME (setting)" where a column is called so."""
        return {name: f"{short} (setting)" if short in taken else short
                for name, short in short_names(self.swept).items()}  # fmt: skip

    def select(self, **where) -> "Sweep":
        """The runs whose settings have these values, each one value or several."""
        return Sweep(select(self.runs, where))

    def group(self, *by: str) -> Groups:
        """Runs that differ in the seed only, by label; see group_runs()."""
        return group_runs(self.runs, by or None)


def load_folders(paths: Iterable, begun: bool = False, where: Sequence[str] = ()) -> Sweep:
    """The finished runs in and below folders; if told so, those that have only begun and are named
    by their own folders too, or all that have begun if none has finished; of these such as meet
    conditions as read_condition() reads them."""
    paths = [Path(path) for path in paths]
    left_out: List[str] = []
    runs = list(each_run(paths, left_out, begun, where))
    if not runs:
        others = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
        raise RunError(f"no run is left: {left_out[0]}{others}")
    return Sweep(runs, left_out)


def _choose(paths: Set[Path], where: Sequence[str]) -> Set[Path]:
    """The runs that meet conditions, of whose tables nothing need be read, and those of which nobody can
    say so; all without conditions."""
    if not where:
        return paths
    heads = {}
    for path in paths:
        with contextlib.suppress(RunError):  # which load_run() raises again
            heads[path] = load_head(path)
    return {*(paths - heads.keys()), *(run.path for run in meeting(list(heads.values()), where))}


def each_run(
    paths: List[Path], left_out: List[str], begun: bool = False, where: Sequence[str] = ()
) -> Iterator[Run]:
    """The runs of load_folders(), one after another, which do not fill the memory together, each once;
    says in left_out which others there are."""
    found = find_runs(paths)
    taken: Dict[str, Path] = {}  # finished runs, by definition
    again = []
    finished = [path for path in found if not path.name.endswith(".partial")]
    wanted = {*(found if begun and not finished else [*finished, *(paths if begun else [])])}
    chosen = _choose(wanted, where)
    for path in found:
        if path not in wanted:
            left_out.append(f"{path} is left out: it has not finished")
        elif path not in chosen:
            continue
        elif path not in paths and is_outdated(path):
            left_out.append(f"{path} is left out: {OUTDATED}")
        else:
            try:
                run = load_run(path)
            except RunError as error:
                left_out.append(f"{path} is left out: {error}")
                continue
            first = taken.setdefault(definition_of(run), path) if run.finished else path
            if first == path:
                yield run
            else:
                again.append(f"{first} and {path}")
    if again:  # sweeps take over runs of one another
        left_out.append(f"runs that are there twice and count once: {len(again)}, such as {again[0]}")
    left_out += older_calls(path for path in taken.values() if path not in paths)
