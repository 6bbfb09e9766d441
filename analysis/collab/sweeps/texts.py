# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""YAML whose scalars are the texts that a program is given, with one text for each number."""

import difflib
import re
from pathlib import Path
from typing import Iterable, Union

Content = Union[str, None, list, dict]

_INTEGER = re.compile(r"[-+]?\d+")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
LARGEST_SEED = 4294944442  # RngSeed below the modulus of ns-3's generator
_EXACT = 2**53  # up to here every whole number is a double


class SweepError(Exception):
    """A mistake of the user, told in one line."""


def read_yaml(file: Path) -> Content:
    """The content of a file: lists, dictionaries and texts; None for nothing.

    Numbers and truth values without quotes become their canonical text; what has quotes stays as it
    is. Raises SweepError if the file cannot be read, is no YAML or gives a key twice.
    """
    import yaml  # a command may have installed it just before

    try:
        text = file.read_text(encoding="utf-8")
        return _convert(yaml.compose(text, Loader=yaml.SafeLoader), file)
    except OSError as error:
        raise SweepError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SweepError(f"{file}: is no text in UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" line {mark.line + 1}:" if mark else ""
        raise SweepError(f"{file}:{where} {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise SweepError(f"{file}: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise SweepError(f"{file}: an alias stands for what it is in") from None


def canonical(text: str) -> str:
    """One text for all spellings of a number or truth value, such as 5e6 and 5000000.0."""
    if _INTEGER.fullmatch(text):
        return str(int(text))
    if _NUMBER.fullmatch(text):
        value = float(text)
        if abs(value) < _EXACT and value.is_integer():
            return str(int(value))
        return repr(value) if abs(value) != float("inf") else text
    return text.lower() if text.lower() in ("true", "false") else text


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that a user may have meant; empty if none resembles it."""
    known = list(known)
    folded = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name.lower(), folded, n=1)
    return folded[found[0]] if found else ""


def require_known(name: str, known: Iterable[str], what: str) -> None:
    """Raises SweepError for a name that is not known, with the nearest and all known ones."""
    known = list(known)
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean '{near}'? " if near else ""
        raise SweepError(f"{what} '{name}' is unknown; {hint}allowed: {', '.join(known) or 'none'}")


def require_seed(number: int, what: str) -> None:
    """Raises SweepError for a value of RngSeed that ns-3's generator refuses."""
    if not 1 <= number <= LARGEST_SEED:
        raise SweepError(f"{what} is {number}; allowed: 1 to {LARGEST_SEED}, as ns-3 has it")


def _convert(node, file: Path) -> Content:
    if node is None:
        return None
    if node.id == "scalar":
        if node.style is not None:
            return node.value
        return None if node.value in ("", "~", "null") else canonical(node.value)
    if node.id == "sequence":
        return [_convert(item, file) for item in node.value]
    result = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if key.id != "scalar":
            raise SweepError(f"{file}: line {line}: a key must be a text")
        if key.value in result:
            raise SweepError(f"{file}: line {line}: '{key.value}' is given twice")
        result[key.value] = _convert(value, file)
    return result
