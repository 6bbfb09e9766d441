# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What ends a conversion: one line for the user."""

import contextlib
import errno
import importlib

from ..setup.messages import USAGE, CommandError

# Debian's packages of the optional libraries, by the modules that are imported
_PACKAGES = {
    "h5py": "python3-h5py",
    "pandas": "python3-pandas",
    "PIL.Image": "python3-pil",
    "pyarrow": "",
    "scipy.io": "python3-scipy",
    "torch": "python3-torch",
}

# Errors of writing that no other argument would avoid
_OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def bad_data(place: object, problem: str) -> CommandError:
    """What was found in a file or given for it, and what was expected."""
    return CommandError(f"{place}: {' '.join(problem.split())}", USAGE)


@contextlib.contextmanager
def reading(place: object, problem: str = "cannot be read"):
    """Turns whatever a library raises at a damaged file into a line for the user."""
    try:
        yield
    except CommandError:
        raise
    except Exception as error:  # libraries raise nearly anything
        raise bad_data(place, f"{problem}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    if any(word in str(error) for word in ("pickle", "Python objects")):  # as numpy says it
        return (
            "it is no array of numbers or text; pickled objects are not read, since they could run"
            " any code (of words save array.astype(str))"
        )
    return str(error) or type(error).__name__


@contextlib.contextmanager
def writing(path: object):
    """Turns an error of writing into a line for the user; of a full disk the exit code is 1."""
    try:
        yield
    except OSError as error:
        code = 1 if error.errno in _OF_THE_MACHINE else USAGE
        raise CommandError(f"{path}: cannot be written: {error.strerror}", code) from None


def optional(module: str, purpose: str):
    """A library that only some formats need."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = _PACKAGES[module]
        source = f"Debian package {package}" if package else "not in Debian; pip install it"
        name = module.partition(".")[0]
        raise CommandError(f"{purpose} needs the Python module {name} ({source})") from None
