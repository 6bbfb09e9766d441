# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that all headers compile by the C++ standards that newer versions of ns-3 ask of users.

Usage: test_standards.py BUILD_FOLDER
"""

import json
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "contrib-module"
STANDARDS = ("20", "23")  # ns-3.41 and newer, ns-3.46 and newer


def options_of_the_module(build):
    """How a source of the module that needs LibTorch is compiled: no files, no standard."""
    entries = json.loads((build / "compile_commands.json").read_text())
    (command,) = [e["command"] for e in entries if e["file"].endswith("/collab-torch-learner.cc")]
    words = shlex.split(command[: command.index(" -o ")])
    if "-include" in words:  # a precompiled header is of one standard
        at = words.index("-include")
        del words[at : at + 2]
    while words[0].endswith(("env", "ccache")) or "=" in words[0]:
        del words[0]
    return [word for word in words if not re.match("-std=|-Winvalid-pch", word)]


class StandardsTest(unittest.TestCase):
    def test_headers(self):
        folders = [MODULE / "model", MODULE / "helper"]
        names = sorted(header.name for folder in folders for header in folder.rglob("*.h"))
        self.assertGreater(len(names), 200)
        present = [name for name in names if (BUILD / "include/ns3" / name).is_file()]
        self.assertGreater(len(present), 200)
        source = "".join(f'#include "ns3/{name}"\n' for name in present)
        for standard in STANDARDS:
            with self.subTest(standard=standard):
                command = [*options_of_the_module(BUILD), f"-std=c++{standard}", "-fsyntax-only",
                           "-Werror", "-x", "c++", "-"]  # fmt: skip
                result = subprocess.run(command, input=source, capture_output=True, text=True,
                                        cwd=BUILD, check=False)  # fmt: skip
                self.assertEqual(result.returncode, 0, result.stderr[-4000:])


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
