#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The tutorial shows all lines of its example, in order, and its changes fit the example."""

import re
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
TUTORIAL = PROJECT / "contrib-module" / "doc" / "collab-tutorial.rst"
PIECE = re.compile(r"^\.\. literalinclude:: (\S+)\n   :lines: (\d+)-(\d+)$", re.MULTILINE)
CHANGES = re.compile(r"^\.\. sourcecode:: diff\n\n((?:   .*\n|\n)+)", re.MULTILINE)


class TutorialTest(unittest.TestCase):
    def setUp(self):
        self.text = TUTORIAL.read_text()
        pieces = PIECE.findall(self.text)
        self.pieces = [(int(first), int(last)) for _, first, last in pieces]
        (name,) = {name for name, _, _ in pieces}
        self.lines = (TUTORIAL.parent / name).resolve().read_text().splitlines()

    def test_all_lines_are_shown_in_order(self):
        first = next(i for i, line in enumerate(self.lines, 1) if line.startswith("#include"))
        shown = [number for piece in self.pieces for number in range(piece[0], piece[1] + 1)]
        self.assertEqual(shown, list(range(first, len(self.lines) + 1)))

    def test_pieces_begin_where_something_begins(self):
        for first, _ in self.pieces:
            with self.subTest(line=self.lines[first - 1]):
                self.assertRegex(self.lines[first - 1], r"\w")
                self.assertRegex(self.lines[first - 2], r"^$|[;}]")

    def test_changes_fit_the_example(self):
        (changes,) = CHANGES.findall(self.text)
        example = "\n".join(self.lines)
        for change in changes.rstrip().split("\n\n"):
            lines = [line[3:] for line in change.splitlines()]
            old = "\n".join(line[1:] for line in lines if not line.startswith("+"))
            with self.subTest(change=old):
                self.assertEqual(example.count(old), 1)


if __name__ == "__main__":
    unittest.main()
