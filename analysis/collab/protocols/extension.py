# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Finds the extension module that simulates: _collab, made by ./collab build or by pip."""

import importlib
import importlib.util
from pathlib import Path

from ..setup.project import find_programs, find_root

_NAME = "_collab"
_module = None


def extension():
    """The module _collab: installed with this package, or in a build folder ($COLLAB_BUILD, or
    build/ of the checkout)."""
    global _module
    if _module is None:
        _module = _load()
    return _module


def _load():
    package = __package__.rpartition(".")[0]
    if importlib.util.find_spec(f"{package}.{_NAME}") is not None:
        return importlib.import_module(f"{package}.{_NAME}")
    for folder in _folders():
        for file in sorted(folder.glob(f"python/{_NAME}.*.so")):
            return _open(file)
    raise ImportError(
        "protocols in Python need the extension module, which is not built: install the Debian"
        " packages pybind11-dev and python3-dev, and call ./collab build"
    )


def _folders():
    programs = find_programs()
    if programs is not None:
        yield programs
    root = find_root()
    if root is not None:
        yield root / "build"


def _open(file: Path):
    spec = importlib.util.spec_from_file_location(_NAME, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
