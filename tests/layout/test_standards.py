# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that the module compiles by the C++ standards that newer versions of ns-3 ask of users.

By default all headers by the newest standard, in one translation unit. With COLLAB_NIGHTLY set all
headers and all sources by each standard, but for sources that include LibTorch: ten minutes.

Usage: test_standards.py BUILD_FOLDER
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "contrib-module"
STANDARDS = ("20", "23")  # ns-3.41 and newer, ns-3.46 and newer
BUILT_ELSEWHERE = ("collab-build-versions.cc", "collab-mpi-")  # with a header that the build writes, with MPI
OF_THE_MODULE = re.compile(r" -o contrib-module/CMakeFiles/(?!\S*-separately\.dir/)")
NIGHTLY = bool(os.environ.get("COLLAB_NIGHTLY"))


def compiled():
    """The entries of the build's compilation database that are of the module."""
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    return [entry for entry in entries
            if OF_THE_MODULE.search(entry["command"]) and "c++-header" not in entry["command"]]  # fmt: skip


def sources():
    """The module's sources that are compiled here, on their own or in one with others."""
    found = set()
    for entry in compiled():
        file = Path(entry["file"])
        included = re.findall(r'^#include "(.*\.cc)"', file.read_text(), re.M)  # below the project
        found |= {MODULE.parent / name for name in included} or {file}
    return [source for source in sorted(found) if MODULE / "model" in source.parents
            and not source.name.startswith(("collab-torch-", *BUILT_ELSEWHERE))]  # fmt: skip


def options_of_the_module():
    """How a source of the module is compiled: no files, no standard, no precompiled header."""
    command = compiled()[0]["command"]
    words = shlex.split(command[: command.index(" -o ")])
    if "-include" in words:
        at = words.index("-include")
        del words[at : at + 2]
    while words[0].endswith(("env", "ccache")) or "=" in words[0]:
        del words[0]
    return [word for word in words if not re.match("-std=|-Winvalid-pch|-O", word)]


def standards():
    """Those of STANDARDS by which the headers of this ns-3 compile; by default the newest one."""
    needed = {found[1] for entry in compiled()
              if (found := re.search(r"-std=(?:c|gnu)\+\+(\d+)", entry["command"]))}  # fmt: skip
    newer = [standard for standard in STANDARDS if standard >= min(needed)]
    return newer if NIGHTLY else newer[-1:]


class StandardsTest(unittest.TestCase):
    def compile(self, standard, *words, source=None):
        command = [*options_of_the_module(), f"-std=c++{standard}", "-Werror", *words]
        result = subprocess.run(
            command, input=source, capture_output=True, text=True, cwd=BUILD, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr[-4000:])

    @unittest.skipUnless(NIGHTLY, "nightly")
    def test_sources(self):
        common = next(BUILD.glob("contrib-module/CMakeFiles/*collab*.dir/cmake_pch.hxx"), Path())
        self.assertGreater(len(sources()), 200)
        for standard in standards():
            with tempfile.TemporaryDirectory() as folder:
                header = Path(folder) / "common.h"  # compiled once, which halves the time
                lines = common.read_text().splitlines() if common.is_file() else []
                header.write_text("\n".join(line for line in lines if "pragma" not in line) + "\n")
                self.compile(standard, "-x", "c++-header", header, "-o", f"{header}.gch")
                for source in sources():
                    with self.subTest(standard=standard, source=source.name):
                        self.compile(standard, "-include", header, "-fsyntax-only", source)

    def test_headers(self):
        names = sorted(header.name for folder in ("model", "helper") for header in (MODULE / folder).rglob("*.h"))
        present = [name for name in names if (BUILD / "include/ns3" / name).is_file()]
        self.assertGreater(len(present), 200)
        source = "".join(f'#include "ns3/{name}"\n' for name in present)
        for standard in standards():
            with self.subTest(standard=standard):
                self.compile(standard, "-fsyntax-only", "-x", "c++", "-", source=source)


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
