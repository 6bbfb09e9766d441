# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What ends a conversion: one line for the user."""

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


def bad_data(place: object, problem: str) -> CommandError:
    """What was found in a file or given for it, and what was expected."""
    return CommandError(f"{place}: {problem}", USAGE)


def optional(module: str, purpose: str):
    """A library that only some formats need."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = _PACKAGES[module]
        source = f"Debian package {package}" if package else "not in Debian; pip install it"
        name = module.partition(".")[0]
        raise CommandError(f"{purpose} needs the Python module {name} ({source})") from None
