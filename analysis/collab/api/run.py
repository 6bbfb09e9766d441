# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""One run of a program from Python."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Optional

from ..runs.run import Run, load_run
from ..setup.project import free_folder
from ..sweeps.program import PRINT, Executable
from .arguments import as_text, named
from .programs import ProgramError, find_executable, variables
from .progress import bar

_POLL_SECONDS = 0.2
_TAIL_BYTES = 4096  # of rounds.csv, where the last round stands


def run(program, into=None, progress: Optional[bool] = None, **arguments) -> Run:
    """Runs a program and loads what it has written.

    program: name of a scenario, an example or a program in scratch/, which is built first if need
    be, the path of any ns-3 program, or a protocol in Python: its file, or its class in a file; into:
    a new folder (default: runs/NAME-<n>); progress: whether to show a bar (default: in terminals and
    notebooks); arguments: the program's own ones, ns-3's attributes as **{"ns3::Type::Attribute":
    value}, and seed and run for RngSeed and RngRun.

    Raises ProgramError with the program's own line if it refuses an argument or fails.
    """
    executable = find_executable(program)
    folder = Path(into) if into is not None else free_folder(executable.name)
    options = {name: as_text(value) for name, value in named(arguments).items()}
    if folder.exists():
        raise ProgramError(f"{folder} is there already; allowed: a new folder")
    words = [f"--{name}={value}" for name, value in options.items()]
    words.append(f"--runDir={folder.resolve()}")
    with bar(_rounds(executable, options), executable.name, "round", progress) as tell:
        _call([*executable.command, *words], folder, tell)
    return load_run(folder)


def _rounds(executable: Executable, options: dict) -> Optional[int]:
    """How many rounds a run will have, if the program says so."""
    command = [*executable.command, *(f"--{n}={v}" for n, v in options.items()), PRINT]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=variables())
    if result.returncode != 0:
        raise ProgramError(_last_line(result.stderr) or _last_line(result.stdout),
                           result.returncode)  # fmt: skip
    defaults = {one["name"]: one.get("default", "")
                for one in json.loads(result.stdout)["arguments"]}  # fmt: skip
    rounds = options.get("rounds", defaults.get("rounds", ""))
    return int(rounds) if rounds.isdecimal() else None


def _call(command: list, folder: Path, tell) -> None:
    """Runs a program to its end; raises ProgramError if it fails."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=variables()
        )
        try:
            while _is_running(process):
                tell(_last_round(folder.with_name(f"{folder.name}.partial")))
        except BaseException:
            process.terminate()
            process.wait()
            raise
        tell(_last_round(folder))
        if process.returncode != 0:
            said = _last_line(_text(errors)) or _last_line(_text(output))
            raise ProgramError(said or f"exit code {process.returncode}", process.returncode)


def _is_running(process: subprocess.Popen) -> bool:
    try:
        process.wait(_POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return False


def _last_round(folder: Path) -> int:
    """How many rounds have been written."""
    try:
        with (folder / "rounds.csv").open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return 0
    first = lines[-1].partition(",")[0] if lines else ""
    return int(first) + 1 if first.isdecimal() else 0


def _text(file) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]
