# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow bridge
"""The page on protocols in Python: its code runs, and it names what there is."""

import inspect
import os
import re
import shutil
import subprocess
import sys
import textwrap
import unittest

from folder_test_case import engine_path
from protocol_test_case import EXAMPLES, ROOT, ProtocolTestCase

import numpy as np

import collab
from collab.protocols.learner import Learner

PAGE = (ROOT / "contrib-module/doc/collab-python-protocols.rst").read_text(encoding="utf-8")
PIECE = re.compile(r"^\.\. sourcecode:: python\n\n((?:   .*\n|\n)+)", re.MULTILINE)
FIELD = re.compile(r'^   \* - ``"(\w+(?:\[.*\])?)"``', re.MULTILINE)


class PageTest(ProtocolTestCase):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.pieces = [textwrap.dedent(piece) for piece in PIECE.findall(PAGE)]

    def test_the_first_protocol_is_the_example(self):
        lines = (EXAMPLES / "averaging.py").read_text(encoding="utf-8").splitlines()
        begin, end = lines.index("import collab"), lines.index('if __name__ == "__main__":')
        self.assertEqual(self.pieces[0].rstrip().splitlines(), lines[begin : end - 2])

    def test_its_code_runs(self):
        shutil.copy(EXAMPLES / "averaging.py", self.folder)
        (self.folder / "page.py").write_text("\n".join(self.pieces))
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "analysis"),
                       "PATH": engine_path(self.folder)}  # fmt: skip
        done = subprocess.run([sys.executable, "-W", "error", "page.py"], capture_output=True, text=True,
                              check=False, env=environment, cwd=self.folder)  # fmt: skip
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)
        (told,) = re.findall(r"print\(error\)  # (.*)", PAGE)
        self.assertEqual(done.stdout, f"{told}\n")
        runs = collab.load(self.folder / "runs")
        self.assertGreater(len(runs), 8)
        self.assertTrue(all(run.finished for run in runs))

    def test_it_names_all_that_a_protocol_can_do(self):
        for kind in (collab.Protocol, Learner):
            for name, _ in inspect.getmembers(kind, inspect.isfunction):
                if not name.startswith("_") and name not in ("wire_size", "wire_bytes", "stop"):
                    with self.subTest(name=name):
                        self.assertTrue(re.search(rf"[`.]{name}\b", PAGE))
        for name in re.findall(r"``collab\.(\w+)", PAGE):
            self.assertTrue(hasattr(collab, name), name)

    def test_sizes_of_messages_are_those_of_the_page(self):
        number, rows, named = FIELD.findall(PAGE)
        sizes = []

        class Sized(collab.Protocol):
            one = collab.message(x=number)
            many = collab.message(x=rows)
            known = collab.message(x=named)
            metrics: list = []

            def setup(self, device, data):
                self.count = 7

            async def round(self):
                await self.sleep(1)
                values = self.one(x=1), self.many(x=np.ones((3, 10))), self.known(x=np.ones(7))
                sizes.append([self.wire_size(message) for message in values])

        self.simulate(Sized, rounds=1)
        self.assertEqual(sizes[0], [4, 4 + 3 * 40, 7 * 2])


if __name__ == "__main__":
    unittest.main()
