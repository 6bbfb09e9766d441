# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command doctor: what is needed, what is found, and what installs the rest."""

import os
import platform
import sys
from typing import Sequence

from ...setup import blas, probes
from ...setup.machine import MEGABYTES_PER_JOB, cores, jobs_count, memory_megabytes
from ...setup.messages import CommandError, say
from ...setup.packages import installed_packages, unavailable
from ...setup.requirements import OPTIONAL, REQUIREMENTS, at_least
from ..arguments import OneLineParser

_PYTHON = "3.9"


def parser() -> OneLineParser:
    """The parser of the command."""
    return OneLineParser(
        prog="collab doctor",
        description="Print what is needed, what is found, and the command that installs what is"
        " missing; installs nothing.",
    )


def main(arguments: Sequence[str]) -> int:
    """Prints it; 1 if something needed is missing or too old."""
    parser().parse_args(arguments)
    _row("ITEM", "FOUND", "NEEDED", "STATE", "DEBIAN PACKAGE, REMARK")
    absent, unmet = _requirements()
    _machine()
    _places()
    elsewhere = unavailable(absent) if absent else []
    if elsewhere:
        print(f"\nThis system has no package {', '.join(elsewhere)}: CMake finds what is below a folder"
              " of CMAKE_PREFIX_PATH")  # fmt: skip
    packages = [name for name in absent if name not in elsewhere]
    if packages:
        print(f"\nThis installs all that is missing:\n  {_remedy(packages)}")
    if unmet:
        raise CommandError(f"needed and missing or too old: {unmet}")
    say("all that is needed is here")
    return 0


def _row(*cells: str) -> None:
    print("{:<40} {:<20} {:<9} {:<9} {}".format(*cells).rstrip(), flush=True)


def _state(found: str, minimum: str) -> str:
    """The state of what was found as a version where another one is needed."""
    if not found:
        return "optional" if minimum == OPTIONAL else "missing"
    return "ok" if at_least(found, minimum) else "too old"


def _requirements() -> tuple:
    """Prints a row for each requirement; returns the packages that are absent, and how many
    requirements are not met. What only some commands need is installed by them."""
    absent, unmet = [], 0
    for one in REQUIREMENTS:
        found = one.find()
        state = _state(found, one.minimum)
        if state == "missing" and one.needs:
            state = "optional"
        needs = f" (for {', '.join(one.needs)})" if one.needs else ""
        _row(one.why, found or "-", one.minimum, state, one.package + needs)
        if state in ("missing", "optional"):
            absent.append(one.package)
        unmet += state in ("missing", "too old")
    return absent, unmet


def _machine() -> None:
    """Prints rows for what is no package."""
    memory = memory_megabytes()
    enough = "ok" if memory >= MEGABYTES_PER_JOB else "too little"
    version = platform.python_version()
    _row("Python interpreter", version, _PYTHON, _state(version, _PYTHON), sys.executable)
    _row("processor cores", str(cores()), "any", "ok", f"builds with {jobs_count()} job(s)")
    _row("memory", f"{memory} MB", f"{MEGABYTES_PER_JOB} MB", enough, "")
    kernels = os.environ.get(blas.KERNELS)
    if blas.missing_kernels():
        _row(blas.KERNELS, blas.missing_kernels(), "unset", "ok", "set by collab: OpenBLAS does not know this processor")
    if kernels:
        told = "halves the speed if it names older kernels than the processor has"
        told += " (Haswell on AVX-512)"
        _row(blas.KERNELS, kernels, "unset", "set", told)


def _places() -> None:
    """Prints where the libraries are that most often come from several places."""
    file = probes.config_file("ns3")
    if file:
        headers = str(file).partition("/lib/")[0]
        libraries = str(file).partition("/cmake/")[0]
        print(f"\nns-3 headers: {headers}/include/ns3, libraries: {libraries}")
    link = blas.link()
    if link:
        print(f"BLAS under LibTorch: {link.resolve()}")


def _remedy(absent: list) -> str:
    """The command that installs packages and makes OpenBLAS the BLAS in use."""
    installed = installed_packages()
    packages = [name for name in absent if name not in installed]
    commands = []
    if packages:
        install = f"apt-get install --no-install-recommends {' '.join(packages)}"
        commands.append(blas.as_root(install))
    link = blas.link()
    if link and not any("openblas" in name for name in packages) and not blas.is_openblas(link):
        commands.append(blas.remedy(link))
    return " && ".join(commands)
