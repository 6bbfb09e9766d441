# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The checkout that the commands work on: its folder, its programs, and new folders of runs."""

import os
import re
from pathlib import Path
from typing import Optional, Sequence

from .messages import CommandError, usage_error

_MARK = "contrib-module"  # a folder that only a checkout has
_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = "ns3-collab"  # folder beside that of Python's packages: see cmake/InstalledNs3.cmake
_MAIN = re.compile(r"^(int )?main\(", re.MULTILINE)
_NO_RUN = re.compile(r"--(runDir=.*|help|Print.*|version)$", re.DOTALL)


def find_root() -> Optional[Path]:
    """The checkout: $COLLAB_ROOT (./collab sets it), the one that this package is in, or the one
    that the current folder is in; None if there is none."""
    given = os.environ.get("COLLAB_ROOT")
    if given:
        return Path(given).resolve()
    here = Path.cwd()
    for folder in (_PACKAGE.parents[1], here, *here.parents):
        if (folder / _MARK).is_dir() and (folder / "CMakePresets.json").is_file():
            return folder
    return None


def find_programs() -> Optional[Path]:
    """A folder with the folders of a build folder, whose programs are not built anew: $COLLAB_BUILD, or outside
    of a checkout what was installed with this package; None if there is none."""
    given = os.environ.get("COLLAB_BUILD")
    if given:
        return Path(given)
    installed = _PACKAGE.parents[2] / _INSTALLED
    return installed if find_root() is None and installed.is_dir() else None


def root() -> Path:
    """The checkout; CommandError if there is none."""
    found = find_root()
    if found is None:
        raise CommandError("no checkout of ns-3 collab is here; set COLLAB_ROOT to its folder")
    return found


def scenarios(project: Path) -> list:
    """Names of the scenarios: the sources with a main function."""
    files = sorted(project.glob("scenarios/*/*.cc"))
    return [file.stem for file in files if _MAIN.search(file.read_text(encoding="utf-8"))]


def scratch_programs(project: Path) -> list:
    """Users' own programs: scratch/NAME.cc, and the sources of scratch/NAME/ together."""
    folder = project / "scratch"
    own = [file.stem for file in folder.glob("*.cc")]
    own += [file.parent.name for file in folder.glob("*/*.cc")]
    return sorted(set(own))


def check_program(kind: str, name: str, known: Sequence[str]) -> None:
    """Ends the command if a program is not known."""
    if name not in known:
        raise usage_error(f"unknown {kind} '{name}'; allowed: {' '.join(known)}")


def folder_of_program(project: Path, name: str) -> str:
    """scenarios or scratch, in the checkout and in its build folder; ends the command for a program
    that is in neither."""
    own = scratch_programs(project)
    if name in own:
        return "scratch"
    check_program("program", name, [*scenarios(project), *own])
    return "scenarios"


def free_folder(name: str) -> Path:
    """The first folder runs/NAME-<n> that is free, also of a run that goes on or was killed."""
    number = 1
    while any(os.path.lexists(f"runs/{name}-{number}{end}") for end in ("", ".partial")):
        number += 1
    return Path(f"runs/{name}-{number}")


def new_run_folder(project: Path, name: str, kind: str, words: Sequence[str]) -> Optional[Path]:
    """A new folder for a run of a program; None if it writes none or was given one."""
    if kind == "scratch" and not _takes_folder(project, name):
        return None
    return new_folder(name, words)


def new_folder(name: str, words: Sequence[str]) -> Optional[Path]:
    """A new folder for a run of a program that writes one; None if its words name one or ask for
    no run."""
    return None if any(_NO_RUN.match(word) for word in words) else free_folder(name)


def _takes_folder(project: Path, name: str) -> bool:
    """Whether a user's own program has the argument runDir."""
    single = project / "scratch" / f"{name}.cc"
    sources = [*(project / "scratch" / name).rglob("*.cc"), *([single] if single.is_file() else [])]
    return any('"runDir"' in file.read_text(encoding="utf-8") for file in sources)
