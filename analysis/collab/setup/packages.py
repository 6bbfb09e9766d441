# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Installing packages by apt-get, as few as a command needs."""

import importlib
import os
import shutil
import site
import subprocess
import sys

from . import probes
from .messages import CommandError, say, warn
from .requirements import OPTIONAL, REQUIREMENTS

_APT = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "Dpkg::Use-Pty=0"]
_INSTALL = ["install", "-y", "--no-install-recommends"]


def installed_packages() -> set:
    """Names of the packages that are installed."""
    lines = probes.output_of("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\\n")
    words = (line.split() for line in lines.splitlines())
    return {name for status, name in words if status == "installed"}


def missing_for(*commands: str) -> list:
    """What the commands need and is neither installed as a package nor found."""
    installed = installed_packages()
    return [
        one
        for one in REQUIREMENTS
        if one.is_for(commands) and one.package not in installed and not one.find()
    ]


def unavailable(packages: list) -> list:
    """Those that apt-get cannot install on this system, such as libtorch-dev on Ubuntu."""
    rows = probes.output_of("apt-cache", "madison", *packages).splitlines()
    known = {row.split()[0] for row in rows if row.strip()}
    return [name for name in packages if name not in known] if known else []


def listing(requirements: list) -> str:
    """A line for each requirement."""
    return "\n".join(f"  {one.package:<24} {one.why}" for one in requirements)


def apt_install(packages: list) -> bool:
    """Installs packages; false if that cannot be done, or if the user does not want it."""
    privileged = _privileged()
    if privileged is None:
        return False
    command = [*privileged, *_APT, "update"]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        warn("apt-get update failed; going on with its old lists")
    absent = unavailable(packages)
    if absent:
        warn(f"this system has no package {', '.join(absent)}")
    command = [*privileged, *_APT, *_INSTALL, *(one for one in packages if one not in absent)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0
    if done:
        _see_new_packages()
    return done


def _privileged():
    """What makes a command run as root: nothing, or sudo; None if that is not to be done."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    if not sys.stdin.isatty():
        return ["sudo", "-n"]
    return ["sudo"] if _agrees("install them by sudo apt-get?") else None


def _agrees(question: str) -> bool:
    try:
        return input(f"collab: {question} [Y/n] ").strip().lower() in ("", "y", "yes")
    except EOFError:
        return False


def _see_new_packages() -> None:
    """Lets this process import what was just installed."""
    site.main()
    importlib.invalidate_caches()


def install_first(package: str) -> None:
    """Installs one package, which a command needs before it can tell what else it needs."""
    (requirement,) = (one for one in REQUIREMENTS if one.package == package)
    if package in installed_packages() or requirement.find():
        return
    say("installing this package:")
    print(listing([requirement]), flush=True)
    if not apt_install([package]):
        raise CommandError(f"needed and not here (by the name of the Debian package): {package}")


def install_missing(command: str, *others: str) -> None:
    """Installs what is missing for commands, or goes on if all that the first of them needs is
    there in another way."""
    missing = missing_for(command, *others)
    if not missing:
        return
    say("installing these packages:")
    print(listing(missing), flush=True)
    if not apt_install([one.package for one in missing]):
        warn("the packages could not all be installed by apt-get")
        fewer = [one.package for one in missing_for(command)]
        if others and fewer:
            apt_install(fewer)
    needed = [one for one in missing_for(command) if one.minimum != OPTIONAL]
    if needed:
        told = "needed and not here (by the names of the Debian packages):"
        raise CommandError(f"{told}\n{listing(needed)}")
