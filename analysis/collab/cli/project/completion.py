# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command completion: what lets a shell complete the commands, and what it offers."""

import importlib
import json
from typing import Callable, List, Sequence

from ...setup import probes
from ...setup.data_sets import load_data_sets
from ...setup.presets import DEFAULT, find_preset, preset_names
from ...setup.project import root, scenarios, scratch_programs
from .. import main as commands
from ..arguments import OneLineParser
from . import data
from .bench import BENCHMARKS

_WORDS = "words"  # what the scripts call
_BASH = """\
_collab() {
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" completion words \\
        "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # A name that ends with = waits for its value
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null || true
}
complete -o default -F _collab collab
"""
_ZSH = """\
_collab() {
    local -a offered
    offered=("${(@f)$("${words[1]}" completion words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -S '' -- ${(M)offered:#*=}
    compadd -- ${offered:#(*=|)} || _files
}
compdef _collab collab
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH}


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab completion",
        description='Print what lets a shell complete the commands: eval "$(./collab completion'
        ' bash)", or zsh (after compinit).',
    )
    made.add_argument("shell", metavar="SHELL", choices=list(_SCRIPTS), help="bash or zsh")
    return made


def main(arguments: Sequence[str]) -> int:
    """Prints a script, or what it offers; returns the exit code."""
    if list(arguments[:1]) == [_WORDS]:
        print("\n".join(offers(arguments[1:])))
        return 0
    print(_SCRIPTS[parser().parse_args(arguments).shell], end="")
    return 0


def offers(words: Sequence[str]) -> List[str]:
    """What may stand in the place of the last word, which may have begun."""
    *before, current = list(words) or [""]
    if not before:
        return _beginning([*commands.COMMANDS, "help"], current)
    name, *before = before
    if name not in commands.COMMANDS:
        return []
    # bash takes --name=value apart, zsh does not
    if current == "=" and before:
        return _values(name, before, before[-1])
    if before[-1:] == ["="]:
        return _beginning(_values(name, before, before[-2]), current)
    option, sign, begun = current.partition("=")
    if sign:
        values = _beginning(_values(name, before, option), begun)
        return [f"{option}={value}" for value in values]
    if current.startswith("-"):
        return _beginning(_options(name, before), current)
    if before and before[-1].startswith("--"):
        values = _values(name, before, before[-1])
        if values:
            return _beginning(values, current)
    return _beginning(_words(name, before), current)


def _beginning(known: Sequence[str], start: str) -> List[str]:
    return [one for one in known if one.startswith(start)]


def _parser(name: str, before: List[str]) -> OneLineParser:
    if name == "data" and before and before[0] in data.COMMANDS:
        return data.COMMANDS[before[0]].parser()
    command = commands.COMMANDS[name]
    module = importlib.import_module(f"..{command.module}", __package__)
    return getattr(module, command.parser)()


def _options(name: str, before: List[str]) -> List[str]:
    """The options of a command; those of its program too, if one is called."""
    own = [
        option
        for action in _parser(name, before)._actions
        for option in action.option_strings
        if option.startswith("--") and action.help != "==SUPPRESS=="
    ]
    return own + [f"--{argument}=" for argument in _arguments(name, before)]


def _arguments(name: str, before: List[str]) -> dict:
    """The arguments of the program that is called, by name; nothing if it is not built."""
    called = before[:1] if name == "run" else ["prediction-consensus"] if name == "demo" else []
    project = root()
    build = find_preset(project, DEFAULT).folder
    for program in (build / kind / one for one in called for kind in ("scenarios", "scratch")):
        if program.is_file():
            listed = json.loads(probes.output_of(program, "--PrintArguments=json") or "{}")
            return {one["name"]: one for one in listed.get("arguments", [])}
    return {}


def _values(name: str, before: List[str], option: str) -> List[str]:
    """The values that an option may have, if these are known."""
    known = _NAMES.get(option)
    if known:
        return known()
    for action in _parser(name, before)._actions:
        if option in action.option_strings:
            return [str(choice) for choice in action.choices or []]
    argument = _arguments(name, before).get(option[2:], {})
    flags = ["true", "false"] if argument.get("type") == "flag" else []
    return argument.get("choices") or flags


def _words(name: str, before: List[str]) -> List[str]:
    """What may stand in a command's place without a name."""
    if name == "data" and before in (["get"], ["convert"]):
        sets = load_data_sets(root()).values()
        return [one.name for one in sets if before == ["get"] or one.originals]
    positional = [word for word in before if not word.startswith("-")]
    return _PLACES[name]() if name in _PLACES and not positional else []


def _files_below(folder: str) -> Callable[[], List[str]]:
    """Names of the YAML files below a folder of scenarios."""

    def names():
        place = root() / "scenarios" / folder
        return [str(file.relative_to(place))[:-5] for file in sorted(place.rglob("*.yaml"))]

    return names


def _scales() -> List[str]:
    return list(importlib.import_module("...sweeps.document", __package__).SCALES)


_NAMES = {"--preset": lambda: preset_names(root()), "--scale": _scales}
_PLACES = {
    "run": lambda: [*scenarios(root()), *scratch_programs(root())],
    "sweep": _files_below("sweeps"),
    "reproduce": _files_below("reproductions"),
    "results": _files_below("reproductions"),
    "data": lambda: ["get", *data.COMMANDS, *load_data_sets(root())],
    "bench": lambda: list(BENCHMARKS),
    "completion": lambda: list(_SCRIPTS),
}
