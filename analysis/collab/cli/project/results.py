# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command results: what made the documentation's tables, and whether it still does."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import List, Sequence

from ...setup.building import build_release
from ...setup.machine import cores
from ...setup.messages import CommandError
from ...setup.packages import install_missing
from ...setup.project import root
from ...sweeps.finished.kept import Result, find_changes, list_results, sample
from ...sweeps.points import Point
from ...sweeps.texts import SweepError
from ..arguments import OneLineParser


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab results",
        usage="collab results [-h] [--check] [NAME...]",
        description="For each reproduction whose tables are in the documentation: the commits of the"
        " programs that made them, how many commits of the program came since, whether the"
        " repository keeps its runs, and the hours that these took one after the other. With"
        " --check also play one kept run of each part again, and compare.",
        allowed="--check, NAME of a reproduction",
    )
    made.add_argument("--check", action="store_true", help="play a sample of the kept runs again")
    made.add_argument("names", nargs="*", metavar="NAME", help="of scenarios/reproductions (default: all)")
    return made


def main(arguments: Sequence[str]) -> int:
    """Prints a line for each reproduction; returns 1 if a kept run is another one now."""
    options = parser().parse_args(arguments)
    project = root()
    try:
        results = list(list_results(project, options.names))
        print_results(results)
        kept = [result for result in results if result.archive]
        return _check(project, kept) if options.check else 0
    except SweepError as error:
        raise CommandError(str(error)) from None


def print_results(results: Sequence[Result]) -> None:
    """A line for each, and one of all."""
    width = max((len(result.name) for result in results), default=0)
    for result in results:
        age = "unknown" if result.behind is None else result.behind
        kept = f"kept, {result.hours:.2f} h" if result.archive else "runs not kept"
        print(f"{result.name:<{width}}  {age:>7} behind  {kept:<13}  {' '.join(result.commits) or 'no commit told'}")
    if len(results) > 1:
        archived = [result for result in results if result.archive]
        current = [result for result in results if result.behind == 0]
        print(f"{len(archived)} of {len(results)} keep their runs, of {sum(one.hours for one in archived):.1f} h;"
              f" {len(current)} are 0 behind")  # fmt: skip
    sys.stdout.flush()


def _check(project: Path, results: Sequence[Result]) -> int:
    """Plays runs again; 1 if one is not what is kept."""
    install_missing("results")
    points = [(result, list(sample(result.name, project / "scenarios"))) for result in results]
    names = dict.fromkeys(point.scenario for _, some in points for point in some)
    if not names:
        raise CommandError("the repository keeps no run of them; leave out --check")
    programs = build_release(project, *names, output=sys.stderr) / "scenarios"
    pairs = [(result, point) for result, some in points for point in some]
    code = 0
    with ThreadPoolExecutor(cores()) as pool:
        found = pool.map(lambda pair: _find(*pair, programs), pairs)
        try:
            for (result, point), changes in zip(pairs, found):
                print(f"{result.name} {point.digest}: {', '.join(changes) or 'the same'}", flush=True)
                code = 1 if changes else code
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return code


def _find(result: Result, point: Point, programs: Path) -> List[str]:
    """What find_changes() finds, or why the run failed, such as data that are not here: others go on."""
    try:
        return find_changes(result, point, programs)
    except SweepError as error:
        return [str(error)]
