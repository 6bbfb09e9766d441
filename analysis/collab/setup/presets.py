# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The presets of CMake, those of the project and the user's own ones."""

import json
import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from .messages import CommandError, usage_error

FILES = ("CMakePresets.json", "CMakeUserPresets.json")
DEFAULT = "release"
_MACRO = re.compile(r"\$(p?env)?\{([^}]*)\}")


@dataclass(frozen=True)
class Preset:
    """A preset that can be configured."""

    name: str
    folder: Path  # where it builds
    has_tests: bool  # whether there is a preset of its name for ctest


def preset_names(project: Path) -> list:
    """Names of the presets that can be configured, in the order of the files."""
    return [one["name"] for one in _read(project)["configurePresets"] if not one.get("hidden")]


def find_preset(project: Path, name: str) -> Preset:
    """A preset by its name; ends the command if there is none."""
    known = preset_names(project)
    if name not in known:
        raise usage_error(f"unknown preset '{name}'; allowed: {' '.join(known)}")
    content = _read(project)
    presets = {one["name"]: one for one in content["configurePresets"]}
    folder = _inherited(presets, name, "binaryDir")
    if not folder:
        raise CommandError(f"preset '{name}' has no binaryDir")
    tests = {one["name"] for one in content["testPresets"]}
    return Preset(name, project / _expanded(folder, project, name), name in tests)


def files(project: Path) -> list:
    """The files of presets that there are, with those that they include."""
    found = []
    for name in FILES:
        _add_with_includes(project / name, found)
    return found


def _add_with_includes(file: Path, found: list) -> None:
    if file in found or not file.is_file():
        return
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CommandError(f"{file}: {error}") from None
    for name in content.get("include", []):
        _add_with_includes((file.parent / name).resolve(), found)
    found.append(file)


def _read(project: Path) -> dict:
    """Presets of all files together."""
    together: dict = {"configurePresets": [], "testPresets": []}
    for file in files(project):
        content = json.loads(file.read_text(encoding="utf-8"))
        for kind, presets in together.items():
            presets.extend(content.get(kind, []))
    return together


def _inherited(presets: dict, name: str, key: str) -> Optional[str]:
    """What a preset says, or else the first of those that it inherits from."""
    preset = presets.get(name, {})
    if key in preset:
        return preset[key]
    parents = preset.get("inherits", [])
    for parent in [parents] if isinstance(parents, str) else parents:
        value = _inherited(presets, parent, key)
        if value:
            return value
    return None


def _expanded(text: str, project: Path, name: str) -> str:
    """A text with what stands for its macros."""
    known = {
        "sourceDir": str(project),
        "sourceParentDir": str(project.parent),
        "sourceDirName": project.name,
        "presetName": name,
        "hostSystemName": platform.system(),
        "dollar": "$",
    }

    def value(match):
        if match[1]:
            return os.environ.get(match[2], "")
        return known.get(match[2], match[0])

    return _MACRO.sub(value, text)
