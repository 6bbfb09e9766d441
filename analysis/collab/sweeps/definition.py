# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The sweeps that a file stands for, at a scale."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Optional

from .document import SCALES, STANDARD, Document, Values, read_document, without
from .texts import SweepError, require_known

# What a sweep gives each run by itself
OWN_ARGUMENTS = {
    "RngSeed": "use seeds",
    "RngRun": "use seeds",
    "runDir": "each run has its folder",
    "threads": "use --jobs",
    "runs": "use seeds",
}

_PARTS = "parts"  # folders of files that only make sense where they are included


@dataclass
class Sweep:
    """What a sweep file, or a part of one, says at a scale, with all that it includes."""

    name: str
    file: Path
    scenario: str = ""
    arguments: dict = field(default_factory=dict)  # name: text
    grid: Values = field(default_factory=dict)
    zips: list = field(default_factory=list)  # of Values of equal lengths
    rows: list = field(default_factory=list)  # of {name: text}
    called: dict = field(default_factory=dict)  # name: what the scenario calls it, maybe nothing
    seeds: list = field(default_factory=lambda: [1])  # values of RngSeed
    runs: list = field(default_factory=lambda: [1])  # values of RngRun

    def axes(self) -> list:
        """Names of all arguments that differ among the points, in their order."""
        names = [*self.grid, *(name for group in self.zips for name in group)]
        return names + (list(self.rows[0]) if self.rows else [])


def find_sweep_file(name: str, folder: Path) -> tuple:
    """(name, file) of a sweep in the folder of sweeps, or of a file given by its path."""
    if name.endswith((".yaml", ".yml")) and Path(name).is_file():
        return Path(name).stem, Path(name).resolve()
    files = [file for file in sorted(folder.rglob("*.yaml")) if file.parent.name != _PARTS]
    known = {str(file.relative_to(folder))[:-5]: file for file in files}
    if name not in known and "/" in name and name.endswith((".yaml", ".yml")):
        raise SweepError(f"{name}: there is no such file")
    require_known(name, known, "sweep")
    return name, known[name].resolve()


def load_sweeps(name: str, file: Path, scale: str = STANDARD) -> list:
    """Reads the sweeps of a file at a scale: one, or one a part of it that has the scale, and
    whose scenario has names for all axes.

    Their names end with the part's and the scale's, unless the scale changes nothing. Raises
    SweepError at the first mistake in the file's form.
    """
    documents = _parts(read_document(file))
    require_known(scale, _scales_of(documents), f"{file}: scale")
    sweeps = [
        _at_scale(name, file, part, document, scale)
        for part, document in documents.items()
        if scale in (STANDARD, *document.scales)
    ]
    known = [sweep for sweep in sweeps if sweep is not None]
    if not known:
        raise SweepError(f"{file}: no part has a name for every axis")
    return known


def scales_of(file: Path) -> list:
    """The scales of a sweep file, from small to large."""
    return _scales_of(_parts(read_document(file)))


def _scales_of(documents: dict) -> list:
    known = {STANDARD, *(scale for document in documents.values() for scale in document.scales)}
    return [scale for scale in SCALES if scale in known]


def _parts(document: Document) -> dict:
    """What the file says of each of its parts, by name; with no name if it has none."""
    whole = replace(document, parts=[])
    return {part.name: whole.merge(part) for part in document.parts or [Document()]}


def _at_scale(
    name: str, file: Path, part: str, document: Document, scale: str
) -> Optional[Sweep]:
    """The sweep of a part; None if its scenario has no name for an axis."""
    change = document.scales.get(scale, Document())
    if not document.scenario:
        raise SweepError(f"{file}: scenario is not given")
    ends = [part] if part else []
    if change != Document():
        ends.append(scale)
        document = document.merge(change)
    axes = [document.grid, *(document.zips or []), *(document.rows or [])]
    if any(document.called.get(name) == [] for group in axes for name in group):
        return None
    sweep = Sweep("-".join([name, *ends]), file, document.scenario, called=document.called)
    sweep.arguments = _call(document.arguments, sweep)
    sweep.zips = [_call(group, sweep) for group in document.zips or []]
    for argument, values in document.grid.items():
        group = _call({argument: values}, sweep)
        if len(group) == 1:
            sweep.grid.update(group)
        else:  # one axis of several arguments
            sweep.zips.append(group)
    sweep.rows = [_call(row, sweep) for row in document.rows or []]
    sweep.seeds, sweep.runs = document.seeds or ([1], [1])
    _check_names(sweep)
    return sweep


def _call(group: dict, sweep: Sweep) -> dict:
    """A group with the names that the scenario has for what is in it."""
    return {
        own: value
        for name, value in group.items()
        for own in sweep.called.get(name, [name])
    }


def override(sweep: Sweep, settings: dict) -> Sweep:
    """The sweep with other values of some arguments; its name tells them.

    An axis of that name vanishes. Raises SweepError for what the sweep sets itself, or if an axis
    of that name goes with others.
    """
    if not settings:
        return sweep
    own = _call(settings, sweep)
    for name in own:
        if name in OWN_ARGUMENTS:
            raise SweepError(f"--set: '{name}' is set by the sweep itself; {OWN_ARGUMENTS[name]}")
        if any(name in group for group in [*sweep.zips, *sweep.rows]):
            raise SweepError(f"--set: '{name}' goes with others in {sweep.file}")
    return replace(
        sweep,
        name=sweep.name + suffix(settings),
        arguments={**sweep.arguments, **own},
        grid=without(sweep.grid, set(own)),
    )


def suffix(settings: dict) -> str:
    """What names of folders end with, for some values of arguments."""
    return "".join(
        f",{name}={re.sub('[^-+.,:=A-Za-z0-9_]', '_', value)}"
        for name, value in sorted(settings.items())
    )


def _check_names(sweep: Sweep) -> None:
    names = [*sweep.arguments, *sweep.axes()]
    for name in names:
        if name in OWN_ARGUMENTS:
            told = OWN_ARGUMENTS[name]
            raise SweepError(f"{sweep.file}: '{name}' is set by the sweep itself; {told}")
        if names.count(name) > 1:
            raise SweepError(f"{sweep.file}: '{name}' is given twice, as argument or axis")
