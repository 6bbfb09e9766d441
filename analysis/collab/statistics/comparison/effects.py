# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Effects that are switched on alone: paired differences from a baseline, and what a study may leave out."""

import re
from typing import Mapping

import pandas as pd

from ...runs.errors import RunError
from ...runs.groups import short_names
from ..intervals import HALF_WIDTH, of_all
from .views import ends_of

# What is measured, its unit, and the least difference that matters
MARGINS = {"accuracy": ("points", 1.0), "joules": ("%", 5.0), "seconds": ("%", 5.0)}

RULE = (
    "An effect has to be kept where, for one protocol or more, the 95 % interval of the paired difference is on one"
    f" side of 0 and the mean differs by at least {MARGINS['accuracy'][1]:g} point of accuracy or"
    f" {MARGINS['joules'][1]:g} % of the baseline's joules or seconds. It may be left out where the whole interval is"
    " within these margins for all protocols. Else the seeds do not tell. Intervals are not widened for their number."
)


def effect_names(points: Mapping[str, Mapping[str, str]]) -> dict:
    """The name of each place: the settings in which it differs from the baseline, which is "".

    The baseline has of each setting the value that most places have; settings that some protocols lack do not
    count. Raises RunError if no run is of the baseline.
    """
    table = pd.DataFrame(points.values(), index=list(points)).dropna(axis="columns")
    usual = table.mode().iloc[0]
    short = short_names(table.columns)
    names = {
        place: ", ".join(f"{short[name]}={_told(row[name])}" for name in table.columns if row[name] != usual[name])
        for place, row in table.iterrows()
    }
    if "" not in names.values():
        raise RunError(f"--effects: no run is of the baseline: {', '.join(f'{n}={v}' for n, v in usual.items())}")
    return names


def _told(value: str) -> str:
    """A value as a person reads it: ns-3 writes times such as 1s as +1e+09ns."""
    time = re.fullmatch(r"\+?(\d[\d.e+]*)ns", value)
    return f"{float(time[1]) / 1e9:g}s" if time else value


def effect_table(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """A row an effect and protocol at the ends of runs: what it changes against the baseline, over runs of the
    same seed.

    names: those of effect_names(). Columns: effect, protocol, pairs, and accuracy [points], joules and seconds
    [% of the baseline's of the same seed] with their half widths; NaN if a run has none.
    """
    ends = ends_of(frame).assign(effect=frame["place"].map(names))
    pairs = ends.pivot(index=["seed", "run"], columns=["effect", "protocol"])
    rows = []
    for effect, protocol in pairs["place"].sort_index(axis=1, level="effect", sort_remaining=False):
        if not effect or ("", protocol) not in pairs["place"]:
            continue
        both = pairs["place"][[("", protocol), (effect, protocol)]].dropna().index
        row = {"effect": effect, "protocol": protocol, "pairs": len(both)}
        for name, (unit, _) in MARGINS.items():
            base = pairs.loc[both, (name, "", protocol)]
            change = pairs.loc[both, (name, effect, protocol)] - base
            row.update(of_all(name, 100 * change / (1 if unit == "points" else base)))
        rows.append(row)
    return pd.DataFrame(rows)


def verdict_table(effects: pd.DataFrame) -> pd.DataFrame:
    """A row an effect: for each of MARGINS "keep" with the protocols and their differences, "leave out", or
    "open" with the protocols that the seeds do not settle; see RULE."""
    rows = []
    for effect, table in effects.groupby("effect", sort=False):
        rows.append({"effect": effect, **{name: _verdict(table, name) for name in MARGINS}})
    return pd.DataFrame(rows)


def matters(table: pd.DataFrame, name: str) -> pd.Series:
    """Whether each row's difference is sure, and at least the margin."""
    size = table[name].abs()
    return (size > table[f"{name}{HALF_WIDTH}"]) & (size >= MARGINS[name][1])


def _verdict(table: pd.DataFrame, name: str) -> str:
    kept = table[matters(table, name)]
    if len(kept):
        told = (f"{row['protocol']} {row[name]:+.{1 if abs(row[name]) < 10 else 0}f}" for _, row in kept.iterrows())
        return f"keep: {', '.join(told)}"
    unsettled = table[~(table[name].abs() + table[f"{name}{HALF_WIDTH}"] <= MARGINS[name][1])]
    return f"open: {', '.join(unsettled['protocol'])}" if len(unsettled) else "leave out"
