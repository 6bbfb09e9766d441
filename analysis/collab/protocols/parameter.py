# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Parameters, metrics and tables that a protocol declares in its class."""

import ast
import inspect
import re
import textwrap
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

_UNIT = re.compile(r"\s*\[([^\]]*)\]$")


class Parameter:
    """What parameter() declares; an instance of the protocol has its value in its place."""

    def __init__(self, default, meaning, minimum, maximum, choices):
        self.default = default
        self.meaning, self.unit = split_unit(meaning)
        self.minimum, self.maximum, self.choices = minimum, maximum, choices

    def describe(self, name: str) -> dict:
        """What the program says of it."""
        return {
            "name": name,
            "default": self.default,
            "help": self.meaning or f"{name} of the protocol",
            "unit": self.unit,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "choices": list(self.choices),
        }


def parameter(
    default: Any,
    meaning: str = "",
    minimum: Optional[float] = None,
    maximum: Optional[float] = None,
    choices: Sequence[str] = (),
) -> Any:
    """Declares a parameter of a protocol, in its class, that simulate() and sweeps set:

        patience = collab.parameter(5.0, "longest wait for all neighbors [s]", minimum=0)

    default: a bool, int, float or text, whose type it keeps; meaning: in one line, the unit in
    brackets at its end; minimum, maximum: of a number; choices: of a text.
    """
    if not isinstance(default, (bool, int, float, str)):
        raise TypeError("a parameter is a bool, an int, a float or a text")
    return Parameter(default, meaning, minimum, maximum, choices)


class Table:
    """What table() declares."""

    def __init__(self, meaning: str, columns: Dict[str, Tuple[type, str]]):
        self.meaning = meaning
        self.columns = columns

    def describe(self, name: str) -> dict:
        """What the run folder says of it; its first columns are round and device."""
        described = [
            ("round", "int", "", "number of the round, from 0"),
            ("device", "int", "", "the device"),
        ]
        for column, (kind, meaning) in self.columns.items():
            text, unit = split_unit(meaning)
            described.append((column, kind.__name__, unit, text))
        return {"name": name, "meaning": self.meaning, "columns": described}


def table(meaning: str, **columns: Tuple[type, str]) -> Table:
    """Declares a table of a protocol, in its class; self.write(name, ...) adds a row.

        trust = collab.table("a neighbor's weight", peer=(int, "the neighbor"),
                             weight=(float, "its weight [1]"))

    meaning: what a row is; columns: type (int, float or str), and meaning with the unit in brackets.
    Round and device of a row are written by themselves.
    """
    for name, (kind, _) in columns.items():
        if kind not in (int, float, str):
            raise TypeError(f"column {name} has type {kind}; allowed: int, float, str")
    return Table(meaning, columns)


def split_unit(text: str) -> Tuple[str, str]:
    """A meaning, and the unit in brackets at its end."""
    found = _UNIT.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def declared(protocol: type, kind: type) -> Dict[str, Any]:
    """What a protocol's class and its bases declare of a kind, in their order."""
    found: Dict[str, Any] = {}
    for base in reversed(protocol.__mro__):
        found.update({n: v for n, v in vars(base).items() if isinstance(v, kind)})
    return found


def metrics_of(protocol: type) -> List[Tuple[str, str, str]]:
    """Name, unit and meaning of what report() is given: as the class says (metrics = {...}, or a
    list of names), or by the calls of self.report() in its source."""
    given = getattr(protocol, "metrics", None)
    if given is None:
        given = _reported(protocol)
    if not isinstance(given, dict):
        given = {name: name.replace("_", " ") for name in given}
    return [(name, split_unit(text)[1], split_unit(text)[0]) for name, text in given.items()]


def _reported(protocol: type) -> List[str]:
    names: Dict[str, None] = {}
    for base in reversed(protocol.__mro__):
        if base.__module__.startswith(__package__.partition(".")[0] + ".") or base is object:
            continue
        for method in filter(inspect.isfunction, vars(base).values()):
            names.update(dict.fromkeys(_reported_by(method)))
    if not names and not _has_source(protocol.round):
        raise TypeError(
            f"{protocol.__name__} has no source to be found; say metrics = [...] in its class"
        )
    return list(names)


def _has_source(method) -> bool:
    try:
        return bool(inspect.getsource(method))
    except (OSError, TypeError):
        return False


def _reported_by(method) -> Iterable[str]:
    """Keywords of calls of self.report() in a method: of a class in a notebook, only methods have a
    source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, TypeError, SyntaxError):  # nobody has written it, or it is part of a line
        return
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "report":
            yield from (one.arg for one in call.keywords if one.arg)
