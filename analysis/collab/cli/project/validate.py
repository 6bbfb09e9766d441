# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command validate: the radio against closed forms, or against a recorded run."""

import subprocess
import sys
from pathlib import Path
from typing import Sequence

from ...setup import blas
from ...setup.building import build_release, environment
from ...setup.messages import CommandError
from ...setup.packages import install_missing
from ...setup.project import root
from ..arguments import OneLineParser
from .analysis import analyze
from .run import become

_REPLAY = "replay-prediction-consensus"
# Program, options, table and what has failed if the program says so
_PROOFS = (
    ("fidelity-proof", [], "fidelity", "the fidelities disagree"),
    ("fidelity-proof", ["--cuts=1", "--largest=100000"], "cuts",
     "the fidelities disagree where something happens in between"),
    ("fidelity-proof", ["--disturbed=1", "--largest=10000"], "disturbed",
     "the fidelities disagree where others send"),
    ("link-chain", ["--messages=2000"], "chain", "the links disagree with the closed form"),
)  # fmt: skip


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab validate",
        usage="collab validate [-h] [--out DIR] | --replay FOLDER [OPTIONS]",
        description="Play the radio in both fidelities over sizes, policies and outages, and link"
        " by link against the closed form, and draw both; minutes. Or play a run of prediction"
        " consensus again that another program has recorded, and compare trust and accuracies.",
        epilog=f"OPTIONS are those of build/tests/{_REPLAY}.",
        allowed="--out DIR, --replay FOLDER",
    )
    made.add_argument("--out", type=Path, metavar="DIR",
                      help="where tables and figures go (default: runs/validation)")  # fmt: skip
    made.add_argument("--replay", metavar="FOLDER", help="of the recorded run")
    return made


def main(arguments: Sequence[str]) -> int:
    """Validates; returns the exit code."""
    words = list(arguments)
    if words[:1] == ["--replay"] and len(words) == 1:
        parser().error("--replay needs a value")
    options, others = parser().parse_known_args(words)
    if others and options.replay is None:
        parser().refuse(others)
    project = root()
    install_missing("validate")
    if options.replay is not None:
        blas.check()
        build = build_release(project, _REPLAY, output=sys.stderr)
        given = [f"--folder={options.replay}", *others]
        become([build / "tests" / _REPLAY, *given], environment(project))
    return _prove(project, options.out or project / "runs/validation")


def _prove(project: Path, out: Path) -> int:
    """Runs the programs that compare, and draws their tables; returns the exit code."""
    programs = list(dict.fromkeys(program for program, *_ in _PROOFS))
    build = build_release(project, *programs)
    out.mkdir(parents=True, exist_ok=True)
    for program, options, table, fault in _PROOFS:
        file = out / f"{table}.csv"
        command = [build / "tests" / program, *options, f"--csv={file}"]
        if subprocess.run(command, env=environment(project), check=False).returncode != 0:
            raise CommandError(f"{fault}: {file}")
    return analyze("validation", out)
