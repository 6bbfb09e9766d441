#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The tutorial shows all lines of its examples, in order, and its changes fit the first one; of each it
has the same in Python."""

import re
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
TUTORIAL = PROJECT / "contrib-module" / "doc" / "collab-tutorial.rst"
EXAMPLES = ("hello-algorithm", "decentralized-sgd")
IN_PYTHON = ("averaging", "decentralized_sgd")
PIECE = re.compile(r"^\.\. sourcecode:: cpp\n\n((?:   .*\n|\n)+)", re.MULTILINE)
PYTHON = re.compile(r"^\.\. sourcecode:: python\n\n((?:   .*\n|\n)+)", re.MULTILINE)
CHANGES = re.compile(r"^\.\. sourcecode:: diff\n\n((?:   .*\n|\n)+)", re.MULTILINE)


def lines_of(name):
    """All lines of an example but the comments at its begin."""
    lines = (PROJECT / "examples" / f"{name}.cc").read_text().splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith("#include")) :]


def protocol_of(name):
    """The lines of an example in Python from its imports to the end of its class."""
    lines = (PROJECT / "examples" / f"{name}.py").read_text().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(("import ", "from ")))
    return lines[begin : lines.index('if __name__ == "__main__":') - 2]


class TutorialTest(unittest.TestCase):
    def setUp(self):
        self.text = TUTORIAL.read_text()
        self.examples = [lines_of(name) for name in EXAMPLES]
        self.pieces = [
            [line[3:] for line in piece.rstrip().splitlines()]
            for piece in PIECE.findall(self.text)
        ]

    def test_all_lines_are_shown_in_order(self):
        shown = [line for piece in self.pieces for line in piece if line]
        self.assertEqual(shown, [line for lines in self.examples for line in lines if line])

    def test_pieces_begin_where_something_begins(self):
        rest = [line for lines in self.examples for line in ["", *lines]]
        for piece in self.pieces:
            with self.subTest(line=piece[0]):
                self.assertRegex(piece[0], r"\w")
                place = self.find(piece, rest)
                self.assertRegex(rest[place - 1], r"^$|[;}]")
                rest = rest[place:]

    def find(self, piece, lines):
        """The first place of a piece in lines, from 0; blank lines in it as they are there."""
        places = range(len(lines) - len(piece) + 1)
        return next(i for i in places if lines[i : i + len(piece)] == piece)

    def test_protocols_in_python_are_shown_as_they_are(self):
        pieces = [piece.rstrip().splitlines() for piece in PYTHON.findall(self.text)]
        shown = [[line[3:] for line in piece] for piece in pieces]
        self.assertEqual(shown, [protocol_of(name) for name in IN_PYTHON])

    def test_changes_fit_the_example(self):
        (changes,) = CHANGES.findall(self.text)
        example = "\n".join(self.examples[0])
        for change in changes.rstrip().split("\n\n"):
            lines = [line[3:] for line in change.splitlines()]
            old = "\n".join(line[1:] for line in lines if not line.startswith("+"))
            with self.subTest(change=old):
                self.assertEqual(example.count(old), 1)


if __name__ == "__main__":
    unittest.main()
