# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes a scenario of any ns-3 program that reads its arguments by CommandLine.

Usage: python3 -m collab.sweeps.adapter PROGRAM [--PrintArguments=json] [--runDir=FOLDER] ...

The program runs in a folder of its own, which keeps what it prints (output.txt, errors.txt), the
files that it writes, and run.json with its arguments.
"""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Optional

from .texts import canonical
from .versions import LIBRARIES, PROGRAM, libraries_digest, program_digest

OUTPUT, ERRORS = "output.txt", "errors.txt"
OPEN = "openAttributes"  # said by a program whose attributes nobody has listed
_ARGUMENT = re.compile(r"^    --([^:= ]+):\s+(.*?)(?: \[(.*)\])?$", re.MULTILINE)
_GLOBAL = re.compile(r"^    --([^:= ]+)=", re.MULTILINE)
_HELP_SECONDS = 60
_PRINT, _FOLDER = "PrintArguments", "runDir"
_SEED, _RUN = "RngSeed", "RngRun"


def main(words: Optional[list] = None) -> int:
    """Runs a program, or prints what it can be given; returns the exit code."""
    program, *options = sys.argv[1:] if words is None else words
    given = dict(option[2:].partition("=")[::2] for option in options)
    if given.pop(_PRINT, None) is not None:
        return _print_arguments(Path(program))
    folder = Path(given.pop(_FOLDER))
    return _run(Path(program), given, folder)


def describe(program: Path) -> dict:
    """What a program says that it can be given, as scenarios say it."""
    own = _printed(program, "--PrintHelp").partition("General Arguments:")[0]
    arguments = [
        {"name": name, "help": text, "default": default or ""}
        for name, text, default in _ARGUMENT.findall(own)
    ]
    names = _GLOBAL.findall(_printed(program, "--PrintGlobals"))
    return {
        "schema": 1,
        "program": program.name,
        "versions": _versions(program),
        "arguments": [*arguments, {"name": _FOLDER, "help": "where it runs", "default": ""}],
        "globals": [{"name": name} for name in dict.fromkeys([*names, _SEED, _RUN])],
        "attributes": [],
        OPEN: True,
    }


def _print_arguments(program: Path) -> int:
    try:
        print(json.dumps(describe(program)))
    except (OSError, subprocess.SubprocessError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1
    return 0


def _printed(program: Path, option: str) -> str:
    """What a program prints for an option of CommandLine."""
    result = subprocess.run(
        [program, option],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_HELP_SECONDS,
        check=False,
    )
    return result.stdout + result.stderr


def _run(program: Path, given: dict, folder: Path) -> int:
    versions = _versions(program)  # of what is loaded below
    partial = folder.with_name(f"{folder.name}.partial")
    partial.mkdir(parents=True)
    options = [f"--{name}={value}" for name, value in given.items()]
    with (partial / OUTPUT).open("wb") as output, (partial / ERRORS).open("wb") as errors:
        process = subprocess.Popen(
            [program.resolve(), *options],
            cwd=partial,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
        )
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        code = process.wait()
    if code != 0:
        print(_reason(partial, code), file=sys.stderr)
        return code if code > 0 else 128 - code
    metadata = _metadata(program, given, versions)
    (partial / "run.json").write_text(json.dumps(metadata, indent=1) + "\n")
    partial.rename(folder)
    return 0


def _reason(partial: Path, code: int) -> str:
    """The line that says best why a program failed."""
    lines = [
        line.strip()
        for name in (ERRORS, OUTPUT)
        for line in (partial / name).read_text(encoding="utf-8", errors="replace").splitlines()
        if line.strip()
    ]
    telling = [line for line in lines if re.search("invalid|error|fail|assert|abort", line, re.I)]
    if telling or lines:
        return (telling or lines[-1:])[0]
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _metadata(program: Path, given: dict, versions: dict) -> dict:
    """run.json of a program that writes none."""
    names = [name for name in given if name not in (_SEED, _RUN)]
    return {
        "schema": 1,
        "scenario": program.name,
        "parameters": {name: _value(given[name]) for name in names if "::" not in name},
        "attributes": {name: given[name] for name in names if "::" in name},
        "seed": int(given.get(_SEED, 1)),
        "run": int(given.get(_RUN, 1)),
        "versions": versions,
        "devices": [],
        "adapted": True,
    }


def _versions(program: Path) -> dict:
    return {PROGRAM: program_digest(program), LIBRARIES: libraries_digest(program)}


def _value(text: str):
    """A number or truth value in its usual spelling as JSON has it, and any other text as it is."""
    if text != canonical(text):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, (int, float)) else text


if __name__ == "__main__":
    sys.exit(main())
