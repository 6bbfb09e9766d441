# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that numbers in running text are those of the tables that programs print.

The files of the folder claims have the sentences. A claim is

  says: the text of the pages, with a format of Python's for each number
  pages: where it is said, README.md or of contrib-module/doc
  of: for each number an expression of cells, TABLE[ROW | COLUMN], of tables in contrib-module/doc/results:
      ROW is what a cell of the row says, or a part of that between commas, or "A & B" for two of these, or
      * for a list of all rows; TABLE[ROW | COLUMN]+- is the half width of the interval
  holds: comparisons of such expressions that have to be true, for what the sentence says in words

Either of the last two may be left out.

After a table was made again, the test tells which sentences have to change.
"""

import csv
import re
import unittest
from functools import lru_cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "contrib-module" / "doc"
CLAIMS = sorted(Path(__file__).resolve().with_name("claims").glob("*.yaml"))

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C takes a tenth of the time
CELL = re.compile(r"([a-z][a-z0-9-]*)\[([^\[\]|]+) \| ([^\[\]]+)\](\+-)?")


@lru_cache(maxsize=None)
def read_table(name):
    """Rows of a table, as dictionaries by the names in its first row."""
    lines = (DOC / "results" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def rows_of(rows, named):
    """The rows whose cells say all that is named, or else those that say it in part."""
    if named == "*":
        return rows
    wanted = {part.strip() for part in named.split("&")}
    return [row for row in rows if wanted <= set(row.values())] or [
        row for row in rows
        if wanted <= {part for value in row.values() for part in [value, *value.split(", ")]}
    ]  # fmt: skip


def cell(table, row, column, half_width):
    """The number of a cell, or the half width of its interval, or those of all rows; raises KeyError if there
    is not one such cell."""
    found = rows_of(read_table(table), row)
    if (row != "*" and len(found) != 1) or column not in found[0]:
        columns = ", ".join(found[0]) if found else "none"
        raise KeyError(f"{table}: {len(found)} rows of {row}; columns: {columns}; not {column}")
    numbers = [float(one[column].split(" +- ")[half_width]) for one in found]
    return numbers if row == "*" else numbers[0]


def evaluate(expression):
    """An arithmetic expression of cells, or a comparison of such expressions."""
    values = {}

    def name(match):
        values[f"c{len(values)}"] = cell(match[1], match[2], match[3], match[4] is not None)
        return f"c{len(values) - 1}"

    text = CELL.sub(name, str(expression))
    return eval(text, {"__builtins__": {}, "min": min, "max": max, "abs": abs}, values)


def as_one_line(text):
    """The text without line breaks, marks of lists and emphasis."""
    return re.sub(r"\s+", " ", text.replace("**", ""))


def told(claim):
    """The sentence, with the numbers of the tables."""
    return as_one_line(claim["says"]).format(*map(evaluate, claim.get("of", [])))


def not_true(claim):
    """Those of the claim's comparisons that do not hold; a number is not a comparison."""
    return [expression for expression in claim.get("holds", []) if evaluate(expression) is not True]


class ClaimsTest(unittest.TestCase):
    PAGES = {}

    def page(self, name):
        if name not in self.PAGES:
            file = ROOT / name if name == "README.md" else DOC / name
            self.PAGES[name] = as_one_line(file.read_text(encoding="utf-8"))
        return self.PAGES[name]

    def test_numbers_are_those_of_the_tables(self):
        claims = [claim for file in CLAIMS for claim in yaml.load(file.read_text(encoding="utf-8"), LOADER)]
        self.assertGreater(len(claims), 0)
        for claim in claims:
            with self.subTest(says=claim["says"]):
                self.assertIn(set(claim) - {"says", "pages"}, ({"of"}, {"holds"}, {"of", "holds"}))
                for page in claim["pages"]:
                    self.assertTrue(told(claim) in self.page(page), f"{page} does not say: {told(claim)}")
                self.assertEqual(not_true(claim), [])


class CellTest(unittest.TestCase):
    def test_cells_and_arithmetic(self):
        table = "consensus-methods"
        rows = read_table(table)
        column = list(rows[0])[1]
        row = list(rows[0].values())[0]
        value, width = map(float, rows[0][column].split(" +- "))
        self.assertEqual(evaluate(f"{table}[{row} | {column}]"), value)
        self.assertEqual(evaluate(f"100 * {table}[{row} | {column}]+-"), 100 * width)
        self.assertEqual(evaluate(f"{table}[* | {column}]")[0], value)
        with self.assertRaises(KeyError):
            evaluate(f"{table}[no such row | {column}]")
        with self.assertRaises(KeyError):
            evaluate(f"{table}[{row} | no such column]")
        with self.assertRaises(KeyError):
            evaluate(f"{table}[* | no such column]")

    def test_what_does_not_hold_is_told(self):
        cell = "consensus-methods[none | method dynamic]"
        true, false = f"0 < {cell}+- < {cell}", f"{cell} < {cell}+-"
        self.assertEqual(not_true({"holds": [true, false, cell]}), [false, cell])
        self.assertEqual(not_true({"of": [cell]}), [])


if __name__ == "__main__":
    unittest.main()
