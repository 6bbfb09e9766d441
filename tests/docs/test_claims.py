# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that what running text says of the tables that programs print is so.

Numbers of pages are of the roles in contrib-module/doc/collab_numbers.py, which fail where there is no such cell.
The files of the folder claims have what is said in words, and numbers of the README, which has no roles. A claim is

  says: the text of the pages, with a format of Python's for each number
  pages: where it is said, README.md or of contrib-module/doc
  of: for each number an expression of cells, as in those roles
  holds: comparisons of such expressions that have to be true

Either of the last two may be left out.

After a table was made again, the test says which sentences have to change.
"""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import yaml

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "contrib-module" / "doc"
sys.path.insert(0, str(DOC))

import collab_numbers
from collab_numbers import evaluate, fill_in, text_of

CLAIMS = sorted(Path(__file__).resolve().with_name("claims").glob("*.yaml"))
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C takes a tenth of the time
TABLE = """# made up
method,attack,accuracy,seconds
"learned, edges=2",none,0.82 +- 0.01,20 (1 of 5 runs)
none,none,0.81 +- 0.03,15
closest,none,0.7 +- 0.02 (1 missing),10
"""


def as_one_line(text):
    """The text without line breaks, marks of lists and emphasis."""
    return " ".join(text.replace("**", "").split())


def told(claim):
    """The sentence, with the numbers of the tables."""
    return as_one_line(claim["says"]).format(*map(evaluate, claim.get("of", [])))


def not_true(claim):
    """Those of the claim's comparisons that do not hold; a number is not a comparison."""
    return [expression for expression in claim.get("holds", []) if evaluate(expression) is not True]


def pages():
    """{name: text in one line, with the numbers of the tables} of all pages."""
    files = [ROOT / "README.md", *sorted(DOC.glob("*.rst"))]
    return {file.name: as_one_line(fill_in(file.read_text(encoding="utf-8"))) for file in files}


class ClaimsTest(unittest.TestCase):
    def test_what_is_said_is_so(self):
        texts = pages()
        claims = [claim for file in CLAIMS for claim in yaml.load(file.read_text(encoding="utf-8"), LOADER)]
        self.assertGreater(len(claims), 0)
        for claim in claims:
            with self.subTest(says=claim["says"]):
                self.assertIn(set(claim) - {"says", "pages"}, ({"of"}, {"holds"}, {"of", "holds"}))
                for page in claim["pages"]:
                    self.assertTrue(told(claim) in texts[page], f"{page} does not say: {told(claim)}")
                self.assertEqual(not_true(claim), [])


class NumbersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "table.csv").write_text(TABLE, encoding="utf-8")
        patched = mock.patch.object(collab_numbers, "RESULTS", Path(folder.name))
        patched.start()
        self.addCleanup(patched.stop)
        collab_numbers.read_table.cache_clear()
        self.addCleanup(collab_numbers.read_table.cache_clear)

    def test_cells_and_arithmetic(self):
        self.assertEqual(evaluate("table[none & 15 | accuracy]"), 0.81)
        self.assertEqual(evaluate("table[edges=2 | accuracy] - table[learned | accuracy]+-"), 0.82 - 0.01)
        self.assertEqual(evaluate("max(table[* | seconds]) / 2"), 10)
        self.assertEqual(evaluate("table[method=none | accuracy]"), 0.81)
        self.assertEqual(evaluate("table[none & * | seconds] + table[closest & * | seconds]"), [20, 15, 10, 10])
        for wrong in ("table[none | accuracy]", "table[no such row | accuracy]", "table[* | no such column]",
                      "table[no such row & * | accuracy]"):  # fmt: skip
            with self.assertRaises(KeyError):
                evaluate(wrong)

    def test_intervals_are_compared_of_cells_alone(self):
        self.assertTrue(evaluate("above(table[learned | accuracy], table[closest | accuracy])"))
        self.assertTrue(evaluate("not above(table[learned | accuracy], table[15 | accuracy])"))
        self.assertTrue(evaluate("same(table[learned | accuracy], table[15 | accuracy])"))
        self.assertTrue(evaluate("not same(table[closest | accuracy], table[15 | accuracy])"))
        self.assertTrue(evaluate("above(table[closest | accuracy], 0.67)"))
        self.assertFalse(evaluate("above(table[closest | accuracy], 0.69)"))
        for wrong in ("above(table[learned | seconds], 0)", "above(-table[learned | accuracy], 0)",
                      "above(1 - table[learned | accuracy], 0)", "table[learned | seconds]+-"):  # fmt: skip
            with self.assertRaises(ValueError):
                evaluate(wrong)

    def test_roles_print_numbers_with_their_intervals(self):
        self.assertEqual(text_of("number", ".1f table[closest\n  | accuracy]"), "0.7")
        self.assertEqual(text_of("number", ",.0f 1000 * table[closest | seconds]"), "10 000")
        self.assertEqual(text_of("interval", "+.1f -100 * (table[closest | accuracy] - 1)"), "+30.0 +- 2.0")
        self.assertEqual(fill_in("It is :interval:`.2f table[learned\n| accuracy]`."), "It is 0.82 +- 0.01.")
        for wrong in (".1f table[learned | accuracy] - table[closest | accuracy]", ".1f table[learned | seconds]",
                      ".1f 1 / table[learned | accuracy]"):  # fmt: skip
            with self.assertRaises(ValueError):
                text_of("interval", wrong)

    def test_what_does_not_hold_is_found(self):
        cell = "table[learned | accuracy]"
        true, false = f"0 < {cell}+- < {cell}", f"{cell} < {cell}+-"
        self.assertEqual(not_true({"holds": [true, false, cell]}), [false, cell])
        self.assertEqual(not_true({"of": [cell]}), [])


if __name__ == "__main__":
    unittest.main()
