# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Configuring and building, as little as is left to do."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Optional

from . import blas, presets, probes
from .machine import jobs_count
from .messages import CommandError, warn
from .presets import Preset

_BRIDGE = "collab-bridge"  # the target without which no protocol in Python runs
_MADE = ("build.ninja", "Makefile")  # what configuring makes last
_PACKAGES = Path("/var/lib/dpkg/status")  # changes with each package that is installed


def environment(project: Path) -> dict:
    """What programs of the project are started with."""
    chosen = dict(os.environ)
    # Learners run in parallel, one thread each; threads inside a learner only get in their way.
    chosen.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    if blas.missing_kernels():
        chosen[blas.KERNELS] = blas.missing_kernels()
    chosen["COLLAB_DATA"] = os.environ.get("COLLAB_DATA") or str(project / "data")
    return chosen


def build(project: Path, preset: Preset, *targets: str, output: Optional[object] = None) -> None:
    """Builds what is left of some targets, or of all; output is where programs print."""
    _choose_compiler_cache(project)
    _configure(project, preset, output)
    if _is_up_to_date(preset.folder, targets):
        return
    command = ["cmake", "--build", preset.folder, "--parallel", str(jobs_count())]
    if targets:
        command += ["--target", *targets]
    if subprocess.run(command, stdout=output, check=False).returncode != 0:
        raise CommandError("the build failed")


def build_release(project: Path, *targets: str, output: Optional[object] = None) -> Path:
    """Builds targets of the default preset; returns its folder."""
    preset = presets.find_preset(project, presets.DEFAULT)
    build(project, preset, *targets, output=output)
    return preset.folder


def build_bridge(project: Path, *others: str, output: Optional[object] = None) -> Path:
    """Builds what protocols in Python need, and other targets; returns the folder."""
    needs = {"pybind11-dev": probes.config("pybind11"), "python3-dev": probes.python_headers()}
    missing = [package for package, version in needs.items() if not version]
    if missing:
        told = "protocols in Python need these Debian packages, which are not here:"
        raise CommandError(f"{told} {', '.join(missing)}")
    return build_release(project, _BRIDGE, *others, output=output)


def _is_up_to_date(folder: Path, targets: tuple) -> bool:
    if not (folder / "build.ninja").is_file():
        return False
    return "no work to do" in probes.output_of("ninja", "-C", folder, "-n", *targets)


def _choose_compiler_cache(project: Path) -> None:
    """Keeps ccache's files here if its own folder cannot be written."""
    if not shutil.which("ccache"):
        return
    folder = Path(probes.output_of("ccache", "--get-config", "cache_dir").strip() or "/") / "tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass
    if not os.access(folder, os.W_OK) or not folder.is_dir():
        os.environ["CCACHE_DIR"] = str(project / ".ccache")


def _configure(project: Path, preset: Preset, output: Optional[object]) -> None:
    """Configures a preset if that was not done, or was done elsewhere or before presets or
    packages changed; all other changes are found by the build itself."""
    options = []
    if _is_of_another_folder(project, preset.folder):
        warn(f"{preset.folder} belongs to another source folder: configuring it anew")
        options.append("--fresh")
    elif _is_configured(project, preset.folder):
        return
    if not shutil.which("ccache"):
        options += ["-D", "CMAKE_CXX_COMPILER_LAUNCHER="]
    command = ["cmake", "--preset", preset.name, *options]
    if subprocess.run(command, cwd=project, stdout=output, check=False).returncode != 0:
        raise CommandError("the build could not be configured")


def _is_of_another_folder(project: Path, folder: Path) -> bool:
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return False
    lines = cache.read_text(encoding="utf-8", errors="replace").splitlines()
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={project}" not in lines


def _is_configured(project: Path, folder: Path) -> bool:
    """Whether it is, since presets and packages changed last."""
    made = [folder / name for name in _MADE if (folder / name).is_file()]
    if not made or not (folder / "CMakeCache.txt").is_file():
        return False
    packages = [_PACKAGES] if _PACKAGES.is_file() else []
    since = max(file.stat().st_mtime for file in [*presets.files(project), *packages])
    return made[0].stat().st_mtime >= since
