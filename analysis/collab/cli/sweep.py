# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The commands sweep and reproduce."""

import argparse
import sys
from pathlib import Path
from typing import Optional

from ..sweep.definition import find_sweep_file, load_sweeps, override
from ..sweep.document import SCALES, STANDARD
from ..sweep.reproduction import (
    list_reproductions,
    load_reproduction,
    reproduce,
    sweeps_of,
)
from ..sweep.runner import ALLOW, REDO, REFUSE, Options, SweepRun, run_all
from ..sweep.texts import SweepError, canonical

_ROOT = Path(__file__).resolve().parents[3]


class _Parser(argparse.ArgumentParser):
    """Tells a mistake in one line."""

    def error(self, message):
        raise SweepError(message)


def main(arguments: Optional[list] = None) -> int:
    """Runs a command; returns its exit code (2 for a mistake of the user).

    With the word scenarios in front it only prints whose programs the command needs, one a line.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    only_scenarios = words[:1] == ["scenarios"]
    words = words[1:] if only_scenarios else words
    command = words[0] if words[:1] and words[0] in _PARSERS else "sweep"
    try:
        options = _PARSERS[command]().parse_args(words[1:])
        return _COMMANDS[command](options, only_scenarios)
    except SweepError as error:
        print(f"collab {command}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"collab {command}: {error}", file=sys.stderr)
        return 1


def _sweep(options, only_scenarios: bool) -> int:
    name, file = find_sweep_file(options.name, options.scenarios / "sweeps")
    sweeps = [
        override(sweep, _settings(options)) for sweep in load_sweeps(name, file, options.scale)
    ]
    if only_scenarios:
        _print_scenarios(sweeps)
        return 0
    runs = [SweepRun(sweep, _options(options, "sweep")) for sweep in sweeps]
    if not options.dry_run:
        return run_all(runs)
    for run in runs:
        run.print_plan()
    return 0


def _reproduce(options, only_scenarios: bool) -> int:
    if options.list:
        if not only_scenarios:
            list_reproductions(options.scenarios, options.out)
        return 0
    if options.name is None:
        raise SweepError("no name was given; reproduce --list prints the allowed ones")
    reproduction = load_reproduction(options.name, options.scenarios)
    if only_scenarios:
        _print_scenarios(sweeps_of(reproduction, options.scale, options.scenarios))
        return 0
    how = _options(options, "reproduce")
    return reproduce(reproduction, options.scale, options.scenarios, how, _settings(options))


def _print_scenarios(sweeps: list) -> None:
    """Each once."""
    print("\n".join(dict.fromkeys(sweep.scenario for sweep in sweeps)))


def _settings(options) -> dict:
    """What --set was given: {name: text}."""
    settings = {}
    for given in options.set:
        name, sign, value = given.partition("=")
        if not (name and sign and value):
            raise SweepError(f"--set was given '{given}'; allowed: NAME=VALUE")
        if name in settings:
            raise SweepError(f"--set was given {name} twice")
        settings[name] = canonical(value)
    return settings


def _options(options, command: str) -> Options:
    return Options(
        options.out, options.programs, options.jobs, options.profile, command, options.others
    )


def _sweep_parser() -> _Parser:
    parser = _Parser(prog="collab sweep", description="Run what is missing of a sweep.")
    parser.add_argument("name", metavar="NAME", help="of scenarios/sweeps/NAME.yaml, or a file")
    parser.add_argument("--dry-run", action="store_true", help="list the points, run none")
    _add_common(parser, "runs/sweeps", "where the sweep's folder is (default: %(default)s)")
    return parser


def _reproduce_parser() -> _Parser:
    parser = _Parser(prog="collab reproduce", description="Repeat an experiment of a paper.")
    parser.add_argument("name", metavar="NAME", nargs="?", help="of scenarios/reproductions")
    parser.add_argument("--list", action="store_true", help="print names, scales, last results")
    _add_common(parser, "runs", "where runs and results are (default: %(default)s)")
    return parser


def _add_common(parser: _Parser, out: str, out_help: str) -> None:
    scales = ", ".join(SCALES)
    parser.add_argument("--scale", default=STANDARD, help=f"{scales} (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="give an argument another value; may be repeated")  # fmt: skip
    parser.add_argument("--jobs", type=_positive, metavar="N", help="points at a time")
    parser.add_argument("--out", type=Path, metavar="DIR", default=Path(out), help=out_help)
    parser.add_argument(
        "--profile",
        help="of Snakemake: slurm, or a folder with config.yaml (default: run on this machine)",
    )
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--allow-other-version", dest="others", action="store_const", const=ALLOW,
                        default=REFUSE, help="put new points beside those of another version")  # fmt: skip
    others.add_argument("--redo-other-version", dest="others", action="store_const", const=REDO,
                        help="run points of another version again, and keep the old ones aside")  # fmt: skip
    # What ./collab and the tests say
    for name, default in (("--scenarios", "scenarios"), ("--programs", "build/scenarios")):
        parser.add_argument(name, type=Path, default=_ROOT / default, help=argparse.SUPPRESS)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"was given '{text}'; allowed: a whole number from 1")
    return int(text)


_PARSERS = {"sweep": _sweep_parser, "reproduce": _reproduce_parser}
_COMMANDS = {"sweep": _sweep, "reproduce": _reproduce}
