# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Choosing runs by their settings, and putting those together that differ in the seed only."""

import difflib
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Union

import pandas as pd

from .display import scenario_key
from .errors import RunError
from .run import Run

Groups = Dict[str, List[Run]]

METHOD = "method"  # stands for the settings that name the method of a run

# Value of settings that are a list of something
_NOTHING = "none"

# Parameters of the host or of the folder, which do not change what is simulated
WITHOUT_EFFECT = {"runDir", "threads", "quiet", "recorder"}

# What tells apart the runs of a group
_REPETITION = {"seed", "run"}

_SCOPE = "::"  # in names of ns-3's attributes


def group_runs(runs: Iterable[Run], by: Optional[Sequence[str]] = None) -> Groups:
    """Runs by method: {label: [run, ...]}, in the order of methods, then of the settings.

    The label is the method and whatever other settings differ among the runs; with "by" it is
    these settings, and RunError if others, or scenario or method, differ within a group. Raises
    RunError too if two runs of a group share seed and run number: they say the same twice.
    """
    runs = list(runs)
    methods = method_order(runs)
    if by is None:
        names = swept_names(runs)
        labels = labels_of(runs, names)
    else:
        names = [full_name(runs, name) for name in by]
        labels = {id(run): _label_of(run, names) for run in runs}
    keys = {
        id(run): (
            _place(run.method, methods),
            run.method,
            [sort_key(setting(run, name), methods) for name in names],
            run.pair,
        )
        for run in runs
    }
    groups: Groups = {}
    for run in sorted(runs, key=lambda run: keys[id(run)]):
        group = groups.setdefault(labels[id(run)], [])
        if by is not None:
            _require_same(group[:1] + [run], labels[id(run)])
        if group and group[-1].pair == run.pair:
            raise RunError(f"{group[-1].path} and {run.path} share method, seed and run number")
        group.append(run)
    return groups


def select(runs: Iterable[Run], where: Mapping[str, Union[str, Sequence[str]]]) -> List[Run]:
    """The runs whose settings have these values (one, or one of several); RunError if none has."""
    chosen = list(runs)
    for given, value in where.items():
        name = full_name(chosen, given)
        values = [value] if isinstance(value, (str, int, float)) else list(value)
        kept = [run for run in chosen if any(_equal(setting(run, name), v) for v in values)]
        if not kept:
            present = sorted({str(setting(run, name)) for run in chosen})
            asked = ", ".join(map(str, values))
            raise RunError(f"no run has {name}={asked}; allowed: {', '.join(present)}")
        chosen = kept
    return chosen


def meeting(runs: Sequence[Run], conditions: Iterable[str]) -> List[Run]:
    """The runs that meet conditions as read_condition() reads them; RunError if none meets one."""
    for text in conditions:
        runs = select(runs, dict([read_condition(text, runs)]))
    return list(runs)


def read_condition(text: str, runs: Sequence[Run]) -> tuple:
    """Name and values of SETTING=VALUE or SETTING=A,B,...; a value that a run has as it stands may have
    commas in it."""
    name, sign, values = text.partition("=")
    if not (name and sign and values):
        raise RunError(f"--where was given '{text}'; allowed: SETTING=VALUE or SETTING=A,B,...")
    known = full_name(runs, name)
    if any(str(setting(run, known)) == values for run in runs):
        return known, [values]
    return known, values.split(",")


def swept_names(runs: Sequence[Run]) -> List[str]:
    """The settings that differ among runs, without what only repeats a run, by name.

    A parameter is compared among the runs of the scenarios that have it.
    """
    names = {name for run in runs for name in run.asked} - WITHOUT_EFFECT - _REPETITION
    return sorted(name for name in names if _differs(runs, name))


def _differs(runs: Sequence[Run], name: str) -> bool:
    having = {run.scenario for run in runs if name in run.asked}
    values = {
        str(run.asked.get(name))
        for run in runs
        if run.scenario in having or _SCOPE in name
    }
    return len(values) > 1


def full_name(runs: Sequence[Run], name: str) -> str:
    """The setting that is called so, METHOD, or the attribute whose full name ends so.

    Raises RunError, with what is similar, if there is none or several.
    """
    known = {key for run in runs for key in run.asked}
    if name in known or name == METHOD:
        return name
    ending = [key for key in known if key.endswith(_SCOPE + name)]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise RunError(f"'{name}' is not one setting: {', '.join(sorted(ending))}")
    near = difflib.get_close_matches(name, known, 1, 0.5)
    allowed = f"the nearest is {near[0]}" if near else f"allowed: {', '.join(sorted(known))}"
    raise RunError(f"no run has a setting '{name}'; {allowed}")


def setting(run: Run, name: str):
    """What a run was given, by a name of full_name(); None if it has no such setting.

    Runs tell the attributes that were given, and no others.
    """
    if name == METHOD:
        return run.method
    value = run.asked.get(name, "default" if _SCOPE in name else None)
    return str(value) if isinstance(value, (dict, list)) else value  # of other programs


def short_name(name: str) -> str:
    """The name of a setting without the scope of an attribute."""
    return name.rsplit(_SCOPE, 1)[-1]


def short_names(names: Iterable[str]) -> Dict[str, str]:
    """Names of settings, each with as much of an attribute's scope as tells it from the others."""
    names = list(names)
    short = {}
    for name in names:
        parts = name.split(_SCOPE)
        endings = [_SCOPE.join(parts[place:]) for place in reversed(range(len(parts)))]
        short[name] = next(ending for ending in endings
                           if sum(f"{_SCOPE}{other}".endswith(f"{_SCOPE}{ending}")
                                  for other in names) == 1)  # fmt: skip
    return short


def method_order(runs: Iterable[Run]) -> List[str]:
    """Names of methods in the order that the runs ask for, scenario by scenario."""
    ordered = sorted(runs, key=lambda run: scenario_key(run.scenario))
    return list(dict.fromkeys(name for run in ordered for name in run.display.order))


def sort_key(value, methods: Sequence[str] = ()) -> tuple:
    """Numbers before text, each in their own order, and methods in theirs; none first."""
    number = as_number(value)
    if number is not None:
        return (0, number, "")
    if value == _NOTHING:
        return (0, -float("inf"), "")
    if value in methods:
        return (1, methods.index(value), "")
    return (2, 0, str(value))


def as_number(value) -> Optional[float]:
    """A setting as a number, if it is one; attributes are text in run.json."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def as_numbers(values: pd.Series) -> pd.Series:
    """Values of a setting as numbers if all are; attributes are text in run.json."""
    numbers = values.map(as_number)
    is_flag = values.map(lambda value: isinstance(value, bool)).any()
    return values if is_flag or numbers.isna().any() else pd.to_numeric(values)


def labels_of(runs: Iterable[Run], names: Optional[Sequence[str]] = None) -> Dict[int, str]:
    """Method and settings (by default all that differ) of each run, by its id; with the scenario where
    methods share a name."""
    runs = list(runs)
    names = swept_names(runs) if names is None else names
    scenarios: Dict[str, set] = {}
    for run in runs:
        scenarios.setdefault(run.method, set()).add(run.scenario)
    labels = {}
    short = short_names(names)
    for run in runs:
        shared = len(scenarios[run.method]) > 1 and run.method != run.scenario
        method = f"{run.scenario}: {run.method}" if shared else run.method
        known = [name for name in names if name in run.asked or _SCOPE in name]
        parts = [f"{short[name]}={setting(run, name)}" for name in known
                 if name not in run.display.parameters]  # fmt: skip
        labels[id(run)] = ", ".join([method, *parts])
    return labels


def _label_of(run: Run, names: Sequence[str]) -> str:
    if len(names) == 1 and names[0] in (METHOD, *run.display.parameters):
        return str(setting(run, names[0]))
    short = short_names(names)
    return ", ".join(f"{short[name]}={setting(run, name)}" for name in names) or "all runs"


def _place(method: str, methods: Sequence[str]) -> int:
    return methods.index(method) if method in methods else len(methods)


def _require_same(runs: Sequence[Run], label: str) -> None:
    names = swept_names(runs)
    if not names:  # runs of two scenarios may differ in nothing that both have
        names = [name for name in ("scenario", METHOD) if len({getattr(run, name) for run in runs}) > 1]
    if names:
        listed = ", ".join(names)
        raise RunError(f"runs of {label} differ in {listed} too: choose a value by --where")


def _equal(value, given) -> bool:
    numbers = as_number(value), as_number(given)
    if isinstance(value, bool):  # programs and sweeps write them in small letters
        return str(value).lower() == str(given).lower()
    return str(value) == str(given) or (None not in numbers and numbers[0] == numbers[1])
