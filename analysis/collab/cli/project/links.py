# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command data links: traces of links for --links=file:PATH."""

import dataclasses
from pathlib import Path
from typing import Sequence

from ...setup.messages import USAGE, CommandError, say
from ..arguments import OneLineParser

_STREET = "street"
_DESCRIPTION = """
Write the path gains of links over time, which every scenario with a D2D network reads by
--links=file:OUTPUT. The input is a file of arrays (.npz, .npy, .mat, .h5, .pt), such as a ray tracer
exports; a .csv of square matrices below each other, a row per receiver and a column per sender; or
street:devices=20,seconds=60, devices that drive through made-up streets with corners.
"""


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab data links",
        usage="collab data links [-h] INPUT OUTPUT [OPTION ...]",
        description=_DESCRIPTION,
    )
    add = made.add_argument
    add("input", metavar="INPUT", help="file of arrays, or street:...")
    add("output", metavar="OUTPUT", type=Path, help="CSV to write")
    add("--array", default="", help="name of the array; the only one if not given")
    add("--axes", type=_names, default=(), help="its axes of time, from, to and path, with commas"
        " between; time,from,to if not given. Complex coefficients are summed up over paths by"
        " their powers; an axis of one device is the server")  # fmt: skip
    add("--scale", choices=["db", "linear"], default="db", help="of real numbers; db")
    add("--step", type=_seconds, default=1.0, help="seconds from one time to the next; 1")
    add("--times", default="", help="array of times in seconds instead")
    add("--rss", action="store_true", help="values are received powers [dBm]")
    add("--floor", type=float, default=float("-inf"), help="out of range below this value")
    return made


def main(arguments: Sequence[str]) -> int:
    """Converts or makes up links; returns the exit code."""
    given = vars(parser().parse_args(arguments))
    source, out = given.pop("input"), given.pop("output")
    try:
        from ...convert.links import LinkOptions, convert_links, write_links
        from ...convert.streets import street_gains
    except ModuleNotFoundError as error:
        raise CommandError(f"data links needs the Python module {error.name}") from None
    if source.partition(":")[0] == _STREET:
        town = _read_town(source)
        count, rows = len(town.times()), write_links(out, town.times(), street_gains(town))
    else:
        count, rows = convert_links(Path(source), LinkOptions(**given), out)
    say(f"{out}: {rows} rows at {count} times")
    return 0


def _read_town(given: str):
    """The streets that are described as street:NAME=VALUE,..."""
    from ...convert.streets import Streets

    types = {field.name: field.type for field in dataclasses.fields(Streets)}
    values = {}
    for item in filter(None, given.partition(":")[2].split(",")):
        name, _, value = item.partition("=")
        try:
            values[name] = types[name](value)
            if not values[name] > 0:
                raise ValueError
        except (KeyError, ValueError):
            allowed = ", ".join(f"{field}=NUMBER above 0" for field in types)
            raise CommandError(f"{given}: found '{item}'; allowed: {allowed}", USAGE) from None
    return Streets(**values)


def _names(text: str) -> tuple:
    return tuple(name for name in text.split(",") if name)


def _seconds(text: str) -> float:
    try:
        if float(text) > 0:
            return float(text)
    except ValueError:
        pass
    raise CommandError(f"--step {text} is not allowed; allowed: seconds above 0", USAGE)
