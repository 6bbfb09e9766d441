# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The BLAS under LibTorch: with the reference one matrix products are 30 times slower."""

import functools
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Optional

from . import machine, probes
from .messages import warn

KERNELS = "OPENBLAS_CORETYPE"
_OLDEST = "Prescott"  # what OpenBLAS takes for processors that are newer than itself
_OF_AVX2 = "Haswell"  # those of most recorded runs; another node of a cluster has them, too
_DESCRIBE = """import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
for name in ("openblas_get_config", "openblas_get_corename"):
    getattr(library, name).restype = ctypes.c_char_p
version = library.openblas_get_config().decode().split()[1]
print(version, library.openblas_get_corename().decode())
"""


def link() -> Optional[Path]:
    """The libblas.so.3 that the loader gives to LibTorch; None if LibTorch brings its own."""
    file = probes.config_file("Torch")
    if file is None:
        return None
    for folder in (str(file).rpartition("/cmake/")[0], str(file).rpartition("/share/cmake/")[0]):
        for library in (Path(folder) / "libtorch_cpu.so", Path(folder) / "lib/libtorch_cpu.so"):
            if folder and library.is_file():
                loaded = probes.output_of("ldd", library)
                match = re.search(r"libblas\.so\.3 => (/\S*)", loaded)
                return Path(match[1]) if match else None
    return None


def is_openblas(library: Path) -> bool:
    """Whether a library, or what it is a link to, is OpenBLAS."""
    return "openblas" in str(library.resolve())


def openblas_version() -> str:
    """Version and kernels of the OpenBLAS in use."""
    library = link()
    if library is None:
        return "LibTorch's own" if probes.config_file("Torch") else ""
    if not is_openblas(library):
        return ""
    return probes.output_of(sys.executable, "-c", _DESCRIBE, library).strip() or "present"


@functools.lru_cache(maxsize=None)
def missing_kernels() -> str:
    """Kernels for a processor that OpenBLAS does not know; empty if it does, or the user has named some."""
    if KERNELS in os.environ or not openblas_version().endswith(_OLDEST):
        return ""
    return _OF_AVX2 if {"avx2", "fma"} <= machine.features() else ""


def as_root(command: str) -> str:
    """A command as a user has to call it who may not be root."""
    return command if os.geteuid() == 0 else f"sudo {command}"


def remedy(library: Path) -> str:
    """The command that makes OpenBLAS, if it is installed, the library behind a link."""
    name = f"libblas.so.3-{library.parent.name}"
    listed = probes.output_of("update-alternatives", "--list", name).splitlines()
    openblas = next((line for line in listed if "openblas" in line), None)
    if openblas:
        return as_root(f"update-alternatives --set {name} {openblas}")
    if str(library.parent) in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        return "unset LD_LIBRARY_PATH"
    if shutil.which("apt-get"):
        return as_root("apt-get install libopenblas0-pthread")
    return f"install OpenBLAS in the place of {library}"


def check() -> None:
    """Warns of another BLAS than OpenBLAS."""
    library = link()
    if library and not is_openblas(library):
        warn(
            f"LibTorch would use {library.resolve()}, which is not OpenBLAS: with the reference"
            f" BLAS matrix products are 30 times slower. Mend it by: {remedy(library)}"
        )
