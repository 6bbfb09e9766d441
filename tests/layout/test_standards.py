# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that all headers, and a part of the sources, compile by the C++ standards that newer versions
of ns-3 ask of users, from the one on that this version asks for.

The part is fixed: every EACHth source of model/, others by each standard, but for those that include
LibTorch. It takes 50 s of a processor; all sources would take 5 minutes.

Usage: test_standards.py BUILD_FOLDER
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "contrib-module"
STANDARDS = ("20", "23")  # ns-3.41 and newer, ns-3.46 and newer
EACH = 7
BUILT_ELSEWHERE = "collab-build-versions.cc"  # with a header that the build writes


def compiled(build):
    """The compilation database of a build folder."""
    return json.loads((build / "compile_commands.json").read_text())


def sample(build, first):
    """Every EACHth source that is compiled here, from one on."""
    known = {entry["file"] for entry in compiled(build)}
    sources = [source for source in sorted((MODULE / "model").rglob("*.cc")) if str(source) in known
               and not source.name.startswith(("collab-torch-", BUILT_ELSEWHERE))]  # fmt: skip
    return sources[first::EACH]


def options_of_the_module(build):
    """How a source of the module that needs LibTorch is compiled: no files, no standard."""
    entries = compiled(build)
    (command,) = [e["command"] for e in entries if e["file"].endswith("/collab-torch-learner.cc")]
    words = shlex.split(command[: command.index(" -o ")])
    if "-include" in words:  # a precompiled header is of one standard
        at = words.index("-include")
        del words[at : at + 2]
    while words[0].endswith(("env", "ccache")) or "=" in words[0]:
        del words[0]
    return [word for word in words if not re.match("-std=|-Winvalid-pch", word)]


def standards(build):
    """Those of STANDARDS by which the headers of this ns-3 compile."""
    needed = {found[1] for entry in compiled(build)
              if (found := re.search(r"-std=(?:c|gnu)\+\+(\d+)", entry["command"]))}  # fmt: skip
    return [standard for standard in STANDARDS if standard >= min(needed)]


class StandardsTest(unittest.TestCase):
    def compile(self, standard, *words, source=None):
        """Compiles something by a standard, and as quickly as can be."""
        options = [word for word in options_of_the_module(BUILD) if not word.startswith("-O")]
        result = subprocess.run([*options, f"-std=c++{standard}", "-Werror", *words], input=source,
                                capture_output=True, text=True, cwd=BUILD, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr[-4000:])

    def test_sources(self):
        common = BUILD / "contrib-module/CMakeFiles/collab.dir/cmake_pch.hxx"
        for number, standard in enumerate(standards(BUILD)):
            sources = sample(BUILD, number)
            self.assertGreater(len(sources), 30)
            with tempfile.TemporaryDirectory() as folder:
                header = Path(folder) / "common.h"  # compiled once, which halves the time
                lines = common.read_text().splitlines() if common.is_file() else []
                header.write_text("\n".join(line for line in lines if "pragma" not in line) + "\n")
                self.compile(standard, "-x", "c++-header", header, "-o", f"{header}.gch")
                for source in sources:
                    with self.subTest(standard=standard, source=source.name):
                        self.compile(standard, "-include", header, "-fsyntax-only", source)

    def test_headers(self):
        folders = [MODULE / "model", MODULE / "helper"]
        names = sorted(header.name for folder in folders for header in folder.rglob("*.h"))
        self.assertGreater(len(names), 200)
        present = [name for name in names if (BUILD / "include/ns3" / name).is_file()]
        self.assertGreater(len(present), 200)
        source = "".join(f'#include "ns3/{name}"\n' for name in present)
        for standard in standards(BUILD):
            with self.subTest(standard=standard):
                self.compile(standard, "-fsyntax-only", "-x", "c++", "-", source=source)


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
