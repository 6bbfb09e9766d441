# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A sweep of a program from Python."""

import contextlib
import json
import os
from pathlib import Path
from typing import Optional

from ..runs.run import load_run
from ..sweeps.call import INTERRUPTED, run_all
from ..sweeps.definition import OWN_ARGUMENTS, Sweep
from ..sweeps.runner import REFUSE, Options, SweepRun
from ..sweeps.texts import SweepError, require_seed
from .arguments import as_text, is_list, named
from .programs import find_executable, variables
from .progress import bar
from .results import Results

_WHERE = "collab.sweep()"  # in messages, in the place of a file
_SEEDS = ("RngSeed", "RngRun")


def sweep(
    program,
    into=None,
    jobs: Optional[int] = None,
    progress: Optional[bool] = None,
    other_version: str = REFUSE,
    **arguments,
) -> Results:
    """Runs a program at every combination of the values of its arguments; runs that are in the
    folder already are kept.

    program, progress, arguments: as in run(), but an argument may have a list of values; into: the
    folder (default: runs/sweeps/of-NAME); jobs: runs at a time (default: one a core);
    other_version: what is done about runs by another version of the program, "refuse", "allow" or
    "redo".

    Raises SweepError for a mistake, or if a run fails; those that have ended stay.
    """
    executable = find_executable(program)
    definition = _definition(executable.name, named(arguments))
    place = Path(into) if into is not None else Path("runs/sweeps") / f"of-{executable.name}"
    definition.name = place.name
    options = Options(place.parent, executable.file.parent, jobs, others=other_version,
                      executable=executable, quiet=True)  # fmt: skip
    with _environment(), contextlib.ExitStack() as stack:
        planned = SweepRun(definition, options)
        total = len(planned.points)
        options.progress = stack.enter_context(bar(total, executable.name, "run", progress))
        code = run_all([planned])
        options.progress(planned.done())
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code != 0:
        raise SweepError(_failure(planned))
    return Results([load_run(planned.folder.run(digest)) for digest in planned.points])


def _definition(name: str, arguments: dict) -> Sweep:
    made = Sweep(name, Path(_WHERE), name)
    for argument, value in arguments.items():
        values = [as_text(one) for one in value] if is_list(value) else [as_text(value)]
        if not values:
            raise SweepError(f"{_WHERE}: {argument} has no value, so the sweep has no point")
        if argument in _SEEDS:
            _set_seeds(made, argument, values)
        elif argument in OWN_ARGUMENTS:
            raise SweepError(f"{_WHERE}: '{argument}' is set by the sweep itself")
        elif is_list(value):
            made.grid[argument] = values
        else:
            made.arguments[argument] = values[0]
    return made


def _set_seeds(made: Sweep, argument: str, values: list) -> None:
    wrong = [value for value in values if not value.isdecimal()]
    if wrong:
        raise SweepError(f"{_WHERE}: {argument} is '{wrong[0]}'; allowed: whole numbers")
    numbers = [int(value) for value in values]
    if argument == "RngRun":
        made.runs = numbers
        return
    for number in numbers:
        require_seed(number, f"{_WHERE}: {argument}")
    made.seeds = numbers


@contextlib.contextmanager
def _environment():
    """Has the environment of the project's programs for a while."""
    old = dict(os.environ)
    os.environ.update(variables())
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(old)


def _failure(planned: SweepRun) -> str:
    """Why a sweep is not whole, in a line."""
    left = [digest for digest in planned.points if not planned.is_done(digest)]
    told = f"{len(left)} of {len(planned.points)} runs are not done"
    failures = [folder for digest in left for folder in planned.folder.failures(digest)]
    if not failures:
        return f"{told}; see {planned.folder.path / 'engine.log'}"
    last = max(failures, key=lambda folder: (folder / "point.json").stat().st_mtime)
    reason = json.loads((last / "point.json").read_text(encoding="utf-8"))["reason"]
    return f"{told}: {reason}; see {last}"
