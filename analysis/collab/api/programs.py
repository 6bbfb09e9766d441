# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Finds the program that a user names, and builds it if it is one of the checkout's."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

from ..setup.building import build_release, environment
from ..setup.messages import CommandError
from ..setup.project import find_programs, find_root, scenarios, scratch_programs
from ..sweeps.program import Executable, tells_arguments
from ..sweeps.protocol_file import MODULE, is_protocol
from ..sweeps.texts import SweepError

_FOLDERS = ("scenarios", "scratch", "examples")  # of a build folder


class ProgramError(Exception):
    """A program that is not there, cannot be built, or has refused its arguments or failed."""

    def __init__(self, text: str, code: int = 2):
        super().__init__(text)
        self.code = code  # the exit code


def find_executable(program) -> Executable:
    """The program of a name (a scenario, an example, or one in scratch/) or of a path, or of a
    protocol in Python: FILE.py, FILE.py:CLASS, or the class itself.

    A program by its name is built first, unless $COLLAB_BUILD is a folder that has it, or it was installed. Any program
    that reads its arguments by ns-3's CommandLine will do.
    """
    if inspect.isclass(program):
        return _protocol(_place_of(program))
    text = os.fspath(program)
    if is_protocol(text):
        return _protocol(text)
    is_path = os.sep in text or isinstance(program, os.PathLike)
    file = _by_path(Path(text)) if is_path else _by_name(text)
    return Executable(file) if tells_arguments(file) else Executable.adapted(file)


def variables() -> dict:
    """What programs are started with."""
    project = find_root()
    return environment(project) if project else dict(os.environ)


def _protocol(place: str) -> Executable:
    if MODULE in sys.modules:
        raise ProgramError(
            f"{place} is imported to be run, and begins runs itself: let it do so only if __name__"
            ' is "__main__"'
        )
    try:
        return Executable.protocol(place)
    except SweepError as error:
        raise ProgramError(str(error)) from None


def _place_of(protocol: type) -> str:
    """FILE.py:CLASS of a class."""
    try:
        file = inspect.getsourcefile(protocol)
    except (TypeError, OSError):
        file = None
    if not file or not Path(file).is_file() or "." in protocol.__qualname__:
        raise ProgramError(
            f"{protocol.__qualname__} is no class of a file that other processes can import; write it"
            " into a file, and give its name"
        )
    return f"{file}:{protocol.__name__}"


def _by_path(file: Path) -> Path:
    file = file.expanduser().resolve()
    if not file.is_file() or not os.access(file, os.X_OK):
        raise ProgramError(f"{file} is no program")
    return file


def _by_name(name: str) -> Path:
    given = find_programs()
    if given:
        return _built(given, name)
    project = find_root()
    if project is None:
        raise ProgramError(
            f"'{name}' is to be built, but no checkout of ns-3 collab is here; set COLLAB_ROOT to"
            " its folder, COLLAB_BUILD to a build folder, or give the path of a program"
        )
    examples = [file.stem for file in sorted((project / "examples").glob("*.cc"))]
    known = [*scenarios(project), *scratch_programs(project), *examples]
    if name not in known:
        raise ProgramError(f"unknown program '{name}'; allowed: {' '.join(known)}, or a path")
    try:
        return _built(build_release(project, name, output=subprocess.DEVNULL), name)
    except CommandError as error:
        raise ProgramError(f"{name}: {error}", error.code) from None


def _built(folder: Path, name: str) -> Path:
    for kind in _FOLDERS:
        if os.access(folder / kind / name, os.X_OK):
            return (folder / kind / name).resolve()
    raise ProgramError(f"{folder} has no program '{name}'")
