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
EXAMPLE = PROJECT / "examples" / "hello-algorithm.cc"
PIECE = re.compile(r"^\.\. sourcecode:: cpp\n\n((?:   .*\n|\n)+)", re.MULTILINE)
CHANGES = re.compile(r"^\.\. sourcecode:: diff\n\n((?:   .*\n|\n)+)", re.MULTILINE)


class TutorialTest(unittest.TestCase):
    def setUp(self):
        self.text = TUTORIAL.read_text()
        self.lines = EXAMPLE.read_text().splitlines()
        self.pieces = [
            [line[3:] for line in piece.rstrip().splitlines()]
            for piece in PIECE.findall(self.text)
        ]

    def test_all_lines_are_shown_in_order(self):
        first = next(i for i, line in enumerate(self.lines) if line.startswith("#include"))
        shown = [line for piece in self.pieces for line in piece if line]
        self.assertEqual(shown, [line for line in self.lines[first:] if line])

    def test_pieces_begin_where_something_begins(self):
        for piece in self.pieces:
            with self.subTest(line=piece[0]):
                self.assertRegex(piece[0], r"\w")
                self.assertRegex(self.lines[self.find(piece) - 1], r"^$|[;}]")

    def find(self, piece):
        """The place of a piece in the example, from 0; blank lines in it as they are there."""
        places = range(len(self.lines) - len(piece) + 1)
        return next(i for i in places if self.lines[i : i + len(piece)] == piece)

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
