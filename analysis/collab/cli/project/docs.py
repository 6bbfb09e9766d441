# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command docs: the documentation as HTML pages, with the appendices that programs print and
Doxygen's pages of the C++ interface."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Sequence

from ...setup.building import build_release
from ...setup.messages import CommandError, say
from ...setup.packages import install_missing
from ...setup.probes import MATHJAX
from ...setup.project import root
from ..arguments import OneLineParser

_OPTIONS = ("-q", "-n", "-W", "--keep-going", "-j", "auto")


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab docs",
        description="Build the documentation as HTML pages, and the programs that print its"
        " appendices.",
        allowed="--out DIR --no-appendices",
    )
    made.add_argument(
        "--out", type=Path, metavar="DIR", help="where the pages go (default: build/docs)"
    )
    made.add_argument(
        "--no-appendices",
        action="store_true",
        help="build no program: leave out the tables of attributes, arguments, columns, figures,"
        " models and reproductions",
    )
    return made


def main(arguments: Sequence[str]) -> int:
    """Builds the pages; returns the exit code."""
    options = parser().parse_args(arguments)
    project = root()
    out = options.out or project / "build/docs"
    install_missing("docs")
    if importlib.util.find_spec("sphinx") is None:
        raise CommandError("docs needs Sphinx (Debian package python3-sphinx)")
    settings = []
    if MATHJAX.is_file():  # without it formulas are drawn by a script from the network
        settings += ["-D", f"mathjax_path=file://{MATHJAX}?config=TeX-AMS_HTML"]
    if not options.no_appendices:
        appendices = build_release(project, "appendices") / "appendices"
        settings += ["-D", f"collab_appendices={appendices}"]
    command = [sys.executable, "-m", "sphinx", *_OPTIONS, *settings]
    command += [str(project / "contrib-module/doc"), str(out)]
    if subprocess.run(command, check=False).returncode != 0:
        raise CommandError("the documentation has errors")
    _document_interface(project / "contrib-module", out)
    say(f"wrote {out}/index.html")
    return 0


def _document_interface(module: Path, out: Path) -> None:
    """Lets Doxygen write its pages into the folder api of the pages, which link them."""
    if shutil.which("doxygen") is None:
        say("no pages of the C++ interface: Doxygen is not installed")
        return
    environment = {**os.environ, "COLLAB_MODULE": str(module)}
    command = ["doxygen", str(module / "doc/Doxyfile")]
    if subprocess.run(command, cwd=out, env=environment, check=False).returncode != 0:
        raise CommandError("Doxygen could not write the pages of the C++ interface")
