# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a run came to, as one object for other programs."""

import math
import subprocess
import time
from pathlib import Path
from typing import List

from ..runs.run import Run, load_run
from ..statistics.quantities import quantity
from .programs import ProgramError, find_executable, variables
from .words import check_single, value_of, without

_STANDARD_ERROR = 2


def run_described(program: str, words: List[str], folder: Path) -> dict:
    """Runs a program with the words of a command line into a folder, unless they name one; what it prints
    goes to standard error. Returns describe() of the run; raises ProgramError if it fails."""
    check_single(words)
    folder = Path(value_of("runDir", words) or folder)
    command = [*find_executable(program).command, *without(words, "runDir"), f"--runDir={folder}"]
    begin = time.monotonic()
    code = subprocess.run(command, stdout=_STANDARD_ERROR, check=False, env=variables()).returncode
    if code != 0:
        raise ProgramError(f"{program} ended with exit code {code}", code)
    return describe(load_run(folder), time.monotonic() - begin)


def describe(run: Run, seconds: float) -> dict:
    """The folder of a run, seconds of the host that it took, and its final numbers; None is no number.

    Of final each is the mean over regular devices at their last round.
    """
    joules, sent = run.total("energy_j"), run.total("bytes_sent")
    numbers = {
        "host_s": seconds,
        "simulated_s": quantity(run, "time"),
        "joules": joules.sum(),
        "joules_per_device": joules.mean(),
        "bytes_per_device": sent.mean(),
        "lost": quantity(run, "lost"),
    }
    final = {name: _number(quantity(run, name)) for name in run.metrics}
    known = {"folder": str(run.path), "scenario": run.scenario, "seed": run.seed, "run": run.run,
             "versions": run.versions, "devices": len(run.devices)}  # fmt: skip
    return {**known, **{name: _number(value) for name, value in numbers.items()}, "final": final}


def _number(value) -> object:
    return float(f"{value:.6g}") if math.isfinite(value) else None
