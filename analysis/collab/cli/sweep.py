# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The commands sweep and reproduce."""

import argparse
import sys
from pathlib import Path
from typing import Callable, Sequence

from ..setup import blas
from ..setup.building import build_bridge, build_release
from ..setup.packages import install_missing
from ..setup.project import folder_of_program, root
from ..sweeps.call import run_all
from ..sweeps.definition import find_sweep_file, load_sweeps, override
from ..sweeps.document import SCALES, STANDARD
from ..sweeps.finished.archive import check_name
from ..sweeps.points import expand
from ..sweeps.protocol_file import is_protocol
from ..sweeps.reproduction import (
    list_reproductions,
    load_reproductions,
    reproduce,
    sweeps_of,
)
from ..sweeps.runner import ALLOW, REDO, REFUSE, Options, SweepRun
from ..sweeps.texts import SweepError, canonical
from .arguments import OneLineParser


def sweep_main(arguments: Sequence[str]) -> int:
    """Runs the command sweep; returns its exit code (2 for a mistake of the user)."""
    return _run(_sweep, sweep_parser(), arguments)


def reproduce_main(arguments: Sequence[str]) -> int:
    """Runs the command reproduce; returns its exit code (2 for a mistake of the user)."""
    return _run(_reproduce, reproduce_parser(), arguments)


def _run(command: Callable, parser: OneLineParser, arguments: Sequence[str]) -> int:
    options = parser.parse_args(arguments)
    try:
        return command(options)
    except SweepError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1


def _sweep(options) -> int:
    if options.dry_run and (options.unpack or options.pack):
        raise SweepError("--dry-run changes nothing; leave out --unpack and --pack")
    name, file = find_sweep_file(options.name, _scenarios(options) / "sweeps")
    sweeps = [
        override(sweep, _settings(options)) for sweep in load_sweeps(name, file, options.scale)
    ]
    how = _options(options, "sweep", sweeps)
    runs = [SweepRun(sweep, how) for sweep in sweeps]
    if not options.dry_run:
        return run_all(runs)
    for run in runs:
        run.print_plan()
    return 0


def _reproduce(options) -> int:
    folder = _scenarios(options)
    if options.list:
        list_reproductions(folder, options.out)
        return 0
    if options.name is None:
        raise SweepError("no name was given; reproduce --list prints the allowed ones")
    reproductions = load_reproductions(options.name, folder)
    sweeps = [sweeps_of(one, options.scale, folder) for one in reproductions]
    how = _options(options, "reproduce", [sweep for some in sweeps for sweep in some])
    if len(reproductions) > 1:
        if options.pack:
            raise SweepError(f"--pack is for one reproduction; '{options.name}' names {len(reproductions)}")
        _print_contents(reproductions, sweeps)
    for reproduction in reproductions:
        code = reproduce(
            reproduction, options.scale, folder, how, _settings(options), options.pages
        )
        if code != 0:
            return code
    return 0


def _print_contents(reproductions: list, sweeps: list) -> None:
    """Says which reproductions follow, and of how many points each is."""
    width = max(len(one.name) for one in reproductions)
    for reproduction, some in zip(reproductions, sweeps):
        points = sum(len(expand(sweep)) for sweep in some)
        print(f"{reproduction.name:<{width}}  {points:>5} points  {reproduction.title}")
    sys.stdout.flush()


def _scenarios(options) -> Path:
    return options.scenarios or root() / "scenarios"


def _built_programs(command: str, sweeps: list) -> Path:
    """The folder of the scenarios' programs, with those of some sweeps built, users' own ones too."""
    names = list(dict.fromkeys(sweep.scenario for sweep in sweeps))
    install_missing(command)
    project = root()
    for name in names:
        if not is_protocol(name):
            folder_of_program(project, name)  # ends the command if there is none
    blas.check()
    targets = [name for name in names if not is_protocol(name)]
    build = build_release if targets == names else build_bridge
    return build(project, *targets, output=sys.stderr) / "scenarios"


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


def _options(options, command: str, sweeps: list) -> Options:
    for archive in (options.unpack, options.pack):
        if archive:
            check_name(archive)
    programs = options.programs or _built_programs(command, sweeps)
    return Options(options.out, programs, options.jobs, options.profile, command, options.others,
                   unpack=options.unpack, pack=options.pack)  # fmt: skip


def sweep_parser() -> OneLineParser:
    """The parser of sweep."""
    parser = OneLineParser(prog="collab sweep", description="Run what is missing of a sweep.")
    parser.add_argument("name", metavar="NAME", help="of scenarios/sweeps/NAME.yaml, or a file")
    parser.add_argument("--dry-run", action="store_true", help="list the points, run none")
    _add_common(parser, "runs/sweeps", "where the sweep's folder is (default: %(default)s)")
    return parser


def reproduce_parser() -> OneLineParser:
    """The parser of reproduce."""
    parser = OneLineParser(prog="collab reproduce", description="Repeat an experiment of a paper.")
    parser.add_argument("name", metavar="NAME", nargs="?", help="of scenarios/reproductions, or FOLDER/all of them")
    parser.add_argument("--list", action="store_true", help="print names, scales, last results")
    parser.add_argument("--pages", type=Path, metavar="DIR",
                        help="copy what pages of the documentation include to their folder")  # fmt: skip
    _add_common(parser, "runs", "where runs and results are (default: %(default)s)")
    return parser


def _add_common(parser: OneLineParser, out: str, out_help: str) -> None:
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
    parser.add_argument("--unpack", type=Path, metavar="FILE", help="begin with the runs of an archive")
    parser.add_argument("--pack", type=Path, metavar="FILE",
                        help="write what is finished at the end into an archive, a .tar.xz")  # fmt: skip
    others = parser.add_mutually_exclusive_group()
    others.add_argument(
        "--allow-other-version",
        dest="others",
        action="store_const",
        const=ALLOW,
        default=REFUSE,
        help="put new points beside those of another version",
    )
    others.add_argument(
        "--redo-other-version",
        dest="others",
        action="store_const",
        const=REDO,
        help="run points of another version again, and keep the old ones aside",
    )
    # Other scenarios than the checkout's, and programs that are built already
    for name in ("--scenarios", "--programs"):
        parser.add_argument(name, type=Path, help=argparse.SUPPRESS)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"was given '{text}'; allowed: a whole number from 1")
    return int(text)

