# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command demo: one scenario with three kinds of trust, side by side."""

import argparse
import subprocess
from pathlib import Path
from typing import Sequence

from ...setup import blas
from ...setup.building import build_release, environment
from ...setup.messages import CommandError, say, usage_error
from ...setup.packages import install_missing
from ...setup.project import free_folder, root
from ..arguments import OneLineParser
from .analysis import analyze

SCENARIO = "prediction-consensus"
TRUSTS = ("dynamic", "naive", "local")
_SET = ("--trust", "--runDir")  # by the demo itself
_MOST_SEEDS = 9999


def parser() -> OneLineParser:
    """The parser of the demo's own arguments; all others are the scenario's."""
    made = OneLineParser(
        prog="collab demo",
        usage="collab demo [-h] [--out DIR] [--seeds N] [OPTIONS]",
        description=f"Install what is missing, build, run the scenario {SCENARIO} with dynamic,"
        " naive and local trust, print the results side by side and draw them.",
        epilog=f"OPTIONS go to the scenario: ./collab run {SCENARIO} --help",
    )
    made.add_argument(
        "--out", type=_new_folder, metavar="DIR", help="where the runs go (default: runs/demo-<n>)"
    )
    made.add_argument("--seeds", type=_seeds, default=1, metavar="N", help="N paired runs")
    return made


def main(arguments: Sequence[str]) -> int:
    """Runs the demo; returns its exit code."""
    options, others = parser().parse_known_args(arguments)
    for word in others:
        if word.partition("=")[0] in _SET:
            name = word.partition("=")[0]
            told = f"the demo sets {name} itself; use: ./collab run {SCENARIO} {word}"
            raise usage_error(told)
    project = root()
    install_missing("demo")
    blas.check()
    program = build_release(project, SCENARIO) / "scenarios" / SCENARIO
    out = options.out or free_folder("demo")
    out.mkdir(parents=True, exist_ok=True)
    for run in range(1, options.seeds + 1):
        for trust in TRUSTS:
            pair = [] if options.seeds == 1 else [f"--RngRun={run}"]
            folder = out / trust if options.seeds == 1 else out / f"run-{run}" / trust
            _run(program, trust, folder, [*others, *pair], environment(project))
    return analyze("plot", out)


def _run(program: Path, trust: str, folder: Path, options: list, variables: dict) -> None:
    say(f"trust {trust}, into {folder}")
    command = [program, f"--trust={trust}", f"--runDir={folder}", *options]
    code = subprocess.run(command, env=variables, check=False).returncode
    if code != 0:
        raise CommandError(f"the scenario failed with trust {trust} (exit code {code})", abs(code))


def _seeds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_SEEDS:
        told = f"was given '{text}'; allowed: a whole number from 1 to {_MOST_SEEDS}"
        raise argparse.ArgumentTypeError(told)
    return int(text)


def _new_folder(text: str) -> Path:
    folder = Path(text)
    if not text or (folder.is_dir() and any(folder.iterdir())) or folder.is_file():
        told = f"was given '{text}', which is not empty; allowed: a new or an empty folder"
        raise argparse.ArgumentTypeError(told)
    return folder
