# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Several runs together, as tables for pandas and xarray."""

from pathlib import Path
from typing import Callable, Iterable, Optional, Union

import pandas as pd

from ..runs.errors import RunError
from ..runs.groups import as_numbers, short_names
from ..runs.run import Run, load_run
from ..runs.sources import load_sweep
from ..runs.sweep_results import Sweep
from ..statistics.quantities import by_one_measure, quantity, quantity_label
from ..statistics.relation import relation_table

_REPETITION = ("seed", "run")


class Results(Sweep):
    """The runs of a sweep."""

    def __repr__(self) -> str:
        swept = ", ".join(short_names(self.swept).values()) or "nothing"
        return f"<{len(self)} runs, swept: {swept}>"

    def __iter__(self):
        return iter(self.runs)

    def __getitem__(self, index) -> Run:
        return self.runs[index]

    def to_frame(self, *quantities: str, **functions: Callable) -> pd.DataFrame:
        """A row a run: what was swept, seed and run number, and numbers of the run.

        quantities: their names, as ./collab plot --y takes them (default: the runs' own measure,
        simulated time and joules); functions: numbers of your own, NAME=function of a run. Units
        and meanings are in the frame's attrs.
        """
        if not quantities and not functions:
            quantities = self._usual()
        swept = self._headings([*quantities, *functions])
        taken = {name: by_one_measure(self.runs, name) for name in quantities}
        frame = pd.DataFrame([_row(run, swept, taken, functions) for run in self.runs])
        for heading in swept.values():
            frame[heading] = as_numbers(frame[heading])
        frame.attrs = _described({name: quantity_label(self.runs[0], full) for name, full in taken.items()})
        return frame

    def to_xarray(self, *quantities: str, **functions: Callable):
        """The frame of to_frame() as a Dataset of xarray: a dimension for each swept setting, and
        for seed and run number where these differ."""
        try:
            import xarray  # noqa: F401, which pandas needs for it
        except ImportError:
            raise RunError("to_xarray() needs xarray (Debian package python3-xarray)") from None
        frame = self.to_frame(*quantities, **functions)
        measured = quantities or (() if functions else self._usual())
        swept = list(self._headings([*measured, *functions]).values())
        axes = swept + [name for name in _REPETITION if frame[name].nunique() > 1]
        axes = axes or ["run"]
        if frame.duplicated(axes).any():
            raise RunError(f"several runs have the same {', '.join(axes)}: select() some first")
        left = [name for name in _REPETITION if name not in axes]
        data = frame.drop(columns=left).set_index(axes).to_xarray()
        for name, unit in frame.attrs["units"].items():
            data[name].attrs = {"units": unit, "long_name": frame.attrs["meanings"][name]}
        return data

    def relation(
        self, x: str, y: str, hue: Optional[str] = None, paired: bool = False
    ) -> pd.DataFrame:
        """A quantity against a setting: mean and half width of the 95 % confidence interval over
        seeds, a row a value of x and hue; see relation_table()."""
        return relation_table(self.runs, x, y, hue, paired)

    def select(self, **where) -> "Results":
        """The runs whose settings have these values, each one value or several."""
        return Results(super().select(**where).runs)

    def _usual(self) -> Iterable[str]:
        has_rounds = all(run.has("rounds") for run in self.runs)
        return (self.runs[0].measure, "time", "energy") if has_rounds else ()


def load(path) -> Union[Run, Results]:
    """The run of a run folder, or the finished runs below a folder or in a database of them."""
    path = Path(path)
    if (path / "run.json").is_file():
        return load_run(path)
    found = load_sweep(path)
    return Results(found.runs, found.left_out)


def _row(run: Run, swept: dict, quantities: dict, functions: dict) -> dict:
    row = {short: run.asked.get(name) for name, short in swept.items()}
    row.update(seed=run.seed, run=run.run)
    row.update({name: quantity(run, full) for name, full in quantities.items()})
    row.update({name: function(run) for name, function in functions.items()})
    return row


def _described(labels: dict) -> dict:
    """Units and meanings, of labels that end with [unit]."""
    units, meanings = {}, {}
    for name, label in labels.items():
        meaning, _, unit = label.partition(" [")
        units[name] = unit.partition("]")[0]
        meanings[name] = meaning + unit.partition("]")[2]
    return {"units": units, "meanings": meanings}
