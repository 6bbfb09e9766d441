# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The commands build and test."""

import subprocess
from typing import Optional, Sequence

from ...setup import blas
from ...setup.building import build, environment
from ...setup.machine import jobs_count
from ...setup.messages import usage_error
from ...setup.packages import install_missing
from ...setup.presets import DEFAULT, Preset, find_preset
from ...setup.project import root
from ..arguments import OneLineParser

_DEFAULT = ("tests/sweeps",)  # left out where what they need is missing
_NIGHTLY = ("test --all",)


def build_parser() -> OneLineParser:
    """The parser of build."""
    parser = OneLineParser(
        prog="collab build",
        description="Install what is missing, configure and build everything.",
    )
    _add_preset(parser)
    return parser


def test_parser() -> OneLineParser:
    """The parser of test."""
    parser = OneLineParser(
        prog="collab test",
        usage="collab test [-h] [--all] [--preset P] [-- CTEST_OPTIONS]",
        description="Install what is missing, build, run the tests.",
        epilog="Options of CTest follow --, e.g. ./collab test -- -L fast.",
    )
    parser.add_argument(
        "--all", action="store_true", help="the nightly tests too, which take hours"
    )
    _add_preset(parser)
    return parser


def _add_preset(parser: OneLineParser) -> None:
    parser.add_argument(
        "--preset",
        default=DEFAULT,
        metavar="P",
        help="a preset of CMakePresets.json or CMakeUserPresets.json (default: %(default)s)",
    )


def build_main(arguments: Sequence[str]) -> int:
    """Installs what is missing, configures and builds everything."""
    own, others = _split(arguments)
    options = build_parser().parse_args(own)
    if others:
        raise usage_error(f"build takes nothing after --, was given: {' '.join(others)}")
    project = root()
    preset = find_preset(project, options.preset)
    install_missing("build")
    build(project, preset)
    return 0


def test_main(arguments: Sequence[str]) -> int:
    """Installs what is missing, builds, runs tests; returns CTest's exit code."""
    own, others = _split(arguments)
    options = test_parser().parse_args(own)
    project = root()
    preset = find_preset(project, options.preset)
    install_missing("test", *_DEFAULT, *(_NIGHTLY if options.all else ()))
    blas.check()
    build(project, preset, *(("all", "nightly") if options.all else ()))
    return _call([*_ctest(preset, options.all), *others], project)


def _ctest(preset: Preset, with_nightly: bool) -> list:
    """CTest with what selects the tests; presets of the user may have no test preset."""
    parallel = ["--parallel", str(jobs_count())]
    if preset.has_tests:
        return ["ctest", "--preset", preset.name + ("-all" if with_nightly else ""), *parallel]
    command = ["ctest", "--test-dir", str(preset.folder), "--output-on-failure", *parallel]
    return command if with_nightly else [*command, "-L", "^(fast|slow)$"]


def _split(arguments: Sequence[str]) -> tuple:
    """What is before the first --, and what is after it."""
    words = list(arguments)
    place = words.index("--") if "--" in words else len(words)
    return words[:place], words[place + 1 :]


def _call(command: list, project) -> Optional[int]:
    return subprocess.run(command, cwd=project, env=environment(project), check=False).returncode
