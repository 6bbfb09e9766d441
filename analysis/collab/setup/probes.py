# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What versions there are of what the project needs; an empty text for what is not here."""

import functools
import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Iterable, List, Optional

MATHJAX = Path("/usr/share/javascript/mathjax/MathJax.js")
_FASHION_MNIST = Path("/usr/share/datasets/fashion-mnist")
_CHART_JS = (
    "/usr/share/javascript/chart.js/chart.min.js",
    "/usr/share/nodejs/chart.js/dist/chart.min.js",
)


def output_of(*command: object) -> str:
    """What a program prints; empty if it cannot be called or fails."""
    try:
        result = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError:
        return ""
    return result.stdout if result.returncode == 0 else ""


def first_version(text: str) -> str:
    """The first number with dots in a text."""
    match = re.search(r"\d+(\.\d+)+", text)
    return match[0] if match else ""


def program(name: str) -> str:
    """Version of a program."""
    return first_version(output_of(name, "--version")) if shutil.which(name) else ""


def compiler() -> str:
    """Version of the compiler that CMake takes."""
    command = os.environ.get("CXX", "c++").split()  # it may name a launcher or options too
    return output_of(*command, "-dumpfullversion", "-dumpversion").strip()


def prefixes() -> List[Path]:
    """Where CMake searches too."""
    given = re.split("[:;]", os.environ.get("CMAKE_PREFIX_PATH", ""))
    return [Path(folder) for folder in [*given, "/usr/local", "/usr"] if folder]


def config_file(package: str) -> Optional[Path]:
    """The file in which a CMake package states its version."""
    # As CMake does: letters of the folder, not those of the file, may be small or capital
    own = "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in package) + "*"
    folders = (f"lib/cmake/{own}", f"lib/*/cmake/{own}", f"share/cmake/{own}", f"share/{own}/cmake")
    for prefix in prefixes():
        for folder in folders:
            for end in ("Config[Vv]ersion", "-config-[Vv]ersion"):
                for file in sorted(prefix.glob(f"{folder}/{package}{end}.cmake")):
                    return file
    return None


def config(package: str) -> str:
    """Version of a CMake package."""
    file = config_file(package)
    pattern = r'^ *set\(PACKAGE_VERSION "?(\d[\d.]*)'
    return _first_match(pattern, [file]) if file else ""


def ns3_programs() -> str:
    """Only the distribution's ns-3 is split so that its CMake files name programs of another
    package."""
    file = config_file("ns3")
    if file is None:
        return ""
    if not str(file).startswith("/usr/lib/"):
        return "not needed"
    return "present" if any(Path("/usr/libexec/ns3").glob("*")) else ""


def boost() -> str:
    """Version of Boost's headers."""
    headers = (prefix / "include/boost/version.hpp" for prefix in prefixes())
    return _first_match(r'^#define BOOST_LIB_VERSION "(.*)"', headers).replace("_", ".")


def header(name: str, macro: str) -> str:
    """The version in the line of a header that defines a macro."""
    headers = (prefix / "include" / name for prefix in prefixes())
    return first_version(_first_match(rf'^#define {macro} *"(.*)"', headers))


def nettle() -> str:
    """Version of Nettle's headers."""
    for prefix in prefixes():
        file = prefix / "include/nettle/version.h"
        if file.is_file():
            pattern = r"^#define NETTLE_VERSION_M(?:AJOR|INOR) *(\d+)"
            return ".".join(re.findall(pattern, file.read_text(), re.MULTILINE))
    return ""


def gmock() -> str:
    """Version of GoogleTest, if GoogleMock is with it."""
    file = config_file("GTest")
    beside = sorted(file.parent.glob("*.cmake")) if file else []
    has_mock = any("GTest::gmock" in one.read_text(errors="replace") for one in beside)
    return config("GTest") if has_mock else ""


def fashion_mnist() -> str:
    """Whether all files of the package's data set are there."""
    parts = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
    files = [_FASHION_MNIST / f"{part}-ubyte.gz" for part in parts]
    return "4 files" if all(os.access(file, os.R_OK) for file in files) else ""


def chart_file() -> str:
    """The file of Chart.js that reports are made of: what COLLAB_CHART_JS names, or a package's."""
    given = os.environ.get("COLLAB_CHART_JS")
    return next(filter(os.path.isfile, [given] if given else _CHART_JS), "")


def chart_library() -> str:
    """Version of Chart.js."""
    file = chart_file()
    return _first_match(r"Chart\.js v([\d.]*)", [Path(file)]) if file else ""


def mathjax() -> str:
    """Version of MathJax."""
    return _first_match(r'MathJax\.version="([\d.]*)"', [MATHJAX])


def slurm() -> str:
    """Version of Slurm with its daemons: a machine that only submits jobs has the client alone."""
    daemons = all(shutil.which(name) for name in ("slurmctld", "slurmd"))
    return first_version(output_of("slurmctld", "-V")) if daemons else ""


def python_package(name: str) -> str:
    """Version of a Python package by the name it is published under."""
    metadata = importlib.import_module("importlib.metadata")
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def python_headers() -> str:
    """Version of the headers of this interpreter."""
    return _first_match(r'^#define PY_VERSION +"([^"]*)"', [Path(sysconfig.get_path("include")) / "patchlevel.h"])


def python_module(name: str) -> str:
    """Version that a module tells: some packages of Debian hide their names."""
    code = "import importlib, sys; print(importlib.import_module(sys.argv[1]).__version__)"
    isolated = ["-S"] if sys.flags.no_site else []  # as this interpreter was started
    return output_of(sys.executable, *isolated, "-c", code, name).strip()


def probe(function, *arguments: str) -> functools.partial:
    """A probe with what it is given."""
    return functools.partial(function, *arguments)


def _first_match(pattern: str, files: Iterable[Path]) -> str:
    """What a pattern finds in the first file that is there."""
    for file in files:
        if file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            match = re.search(pattern, text, re.MULTILINE)
            return match[1] if match else ""
    return ""
