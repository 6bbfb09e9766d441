# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes a program of the protocol in a file, for runs and sweeps; the file is imported for it.

Usage: python3 -m collab.protocols.program FILE.py[:CLASS] [--devices=20] ... or --PrintFiles=json
"""

import importlib.util
import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import List, Optional, Type

from ..sweeps.program import PRINT_FILES
from ..sweeps.protocol_file import MODULE, file_of
from .extension import extension
from .protocol import Protocol
from .simulate import describe, main as run

_INSTALLED = {"site-packages", "dist-packages"}  # folders that may be below the file's


class NoProtocol(Exception):
    """A file has no protocol, or several of which none was named."""


def main(words: Optional[List[str]] = None) -> int:
    """Runs the protocol as simulate.main() does, or says what it is made of; returns the exit code."""
    place, *options = sys.argv[1:] if words is None else words
    try:
        protocol = find(place)
    except (NoProtocol, OSError) as error:
        print(f"{place}: {error}", file=sys.stderr)
        return 2
    if PRINT_FILES not in options:
        return run(protocol, options)
    name = describe(protocol, protocol.data_set is not None)["name"]
    print(json.dumps({"name": name, "files": list(map(str, files_of(file_of(place))))}))
    return 0


def find(place: str) -> Type[Protocol]:
    """The protocol of a file: the class that was named, or the only one that it has for others."""
    file = file_of(place)
    module = _imported(file)
    own = {
        name: one
        for name, one in vars(module).items()
        if inspect.isclass(one) and issubclass(one, Protocol) and one.__module__ == MODULE
    }
    name = place[len(str(file)) + 1 :]
    if name and name not in own:
        raise NoProtocol(f"it has no protocol {name}; allowed: {', '.join(own) or 'none'}")
    known = [name] if name else [one for one in own if not one.startswith("_")]
    if len(known) != 1:
        told = f"it has the protocols {', '.join(known)}; give FILE.py:CLASS" if known else "no protocol is in it"
        raise NoProtocol(told)
    return own[known[0]]


def files_of(file: Path) -> List[Path]:
    """What the results of an imported file depend on: itself, the modules of its folder that it has
    imported, and what simulates."""
    file = file.resolve()
    places = [getattr(one, "__file__", None) for one in sys.modules.values()]
    imported = {Path(place).resolve() for place in places if place}
    near = [one for one in imported if file.parent in one.parents and _INSTALLED.isdisjoint(one.parts)]
    simulating = [*Path(__file__).resolve().parent.glob("*.py"), Path(extension().__file__).resolve()]
    return sorted({file, *near, *simulating})


def _imported(file: Path) -> ModuleType:
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(MODULE, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
