# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What pip needs beside pyproject.toml: the extension module of protocols in Python, which CMake builds.

    pip install .                             builds it as ./collab build does, in build/
    COLLAB_BUILD=FOLDER pip install .         takes it from this build folder
    COLLAB_EXTENSION=OFF pip install .        installs the package without it, and compiles nothing
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "analysis"))

from collab.setup.building import build_bridge  # noqa: E402
from collab.setup.messages import CommandError  # noqa: E402

_LIBRARY = re.compile(r"=> (/.+) \(0x[0-9a-f]+\)$", re.MULTILINE)  # as ldd prints it


class BuildExtension(build_ext):
    """Lets CMake build the extension module, and puts the project's libraries beside it."""

    def build_extension(self, extension):
        folder = self._built()
        module = folder / "python" / f"_collab{sysconfig.get_config_var('EXT_SUFFIX')}"
        if not module.is_file():
            sys.exit(f"{module} is not there: it was built for another Python, or not at all")
        into = Path(self.get_ext_fullpath(extension.name)).parent
        into.mkdir(parents=True, exist_ok=True)
        for file in (module, *_libraries(module, folder)):
            shutil.copy2(file, into)

    def copy_extensions_to_source(self):
        """Leaves it where it is for pip install -e: the package finds build/ of its checkout."""

    @staticmethod
    def _built():
        if os.environ.get("COLLAB_BUILD"):
            return Path(os.environ["COLLAB_BUILD"]).resolve()
        try:
            return build_bridge(ROOT)
        except (CommandError, OSError) as error:
            sys.exit(
                f"{error}; ./collab doctor says what is missing, and COLLAB_EXTENSION=OFF installs the"
                " package without protocols in Python"
            )


def _libraries(module, folder):
    """Libraries of a build folder that a module of it needs."""
    told = subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout
    files = [Path(name).resolve() for name in _LIBRARY.findall(told)]
    return [file for file in files if folder in file.parents]


MADE = ROOT / "build" / "pip"  # not build/ itself, where CMake's files are
MADE.mkdir(parents=True, exist_ok=True)
has_extension = os.environ.get("COLLAB_EXTENSION", "ON") != "OFF"
setup(
    ext_modules=[Extension("collab._collab", [])] if has_extension else [],
    cmdclass={"build_ext": BuildExtension},
    options={"build": {"build_base": str(MADE)}, "egg_info": {"egg_base": str(MADE)}},
)
