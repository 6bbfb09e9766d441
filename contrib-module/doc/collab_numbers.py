# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of tables in running text, which change with the table.

    :number:`.1f 100 * committee-bound[tau=1 | ratio]`     12.3
    :interval:`.1f 100 * committee-bound[tau=1 | ratio]`   12.3 +- 0.4, of one cell, with its interval

In front is a format of Python's, then an expression of cells, TABLE[ROW | COLUMN], of tables in the folder results:
ROW is what a cell of the row says, with the name of its column if needed, as "members=10", or a part of that between
commas, or "A & B" for two of these, or "A & *" for a list of all such rows, and * of all; TABLE[ROW | COLUMN]+- is the
half width of the interval. min, max and abs may be used, and in comparisons above(A, B) and same(A, B): whether A is
above B, or A and B are the same, by their intervals.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path

RESULTS = Path(__file__).resolve().with_name("results")
CELL = re.compile(r"([a-z][a-z0-9-]*)\[([^\[\]|]+) \| ([^\[\]]+)\](\+-)?")
ROLE = re.compile(r":(number|interval):`([^`]+)`")


class Cell(float):
    """A number with the half width of its interval; None where there is none, or where it is computed of cells."""

    half = None

    @classmethod
    def parse(cls, text):
        """A cell of a table."""
        value, _, half = text.partition(" +- ")
        cell = cls(value.split(" ")[0])  # "0.61 (1 of 5 runs)", "0.61 +- 0.02 (1 missing)"
        cell.half = float(half.split(" ")[0]) if half else None
        return cell


def _without_interval(name):
    return lambda self, *others: Cell(getattr(float, name)(self, *others))


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "neg", "abs"):
    setattr(Cell, f"__{_name}__", _without_interval(f"__{_name}__"))


def half_width(value):
    """That of the interval of a cell; of a number that stands in the expression itself 0."""
    half = getattr(value, "half", 0.0)
    if half is None:
        raise ValueError(f"{float(value)} has no interval")
    return half


def above(one, other):
    """Whether all of one interval is above the other."""
    return float(one) - half_width(one) > float(other) + half_width(other)


def same(one, other):
    """Whether two intervals overlap."""
    return not above(one, other) and not above(other, one)


FUNCTIONS = {"min": min, "max": max, "abs": abs, "above": above, "same": same}


@lru_cache(maxsize=None)
def read_table(name):
    """Rows of a table, as dictionaries by the names in its first row."""
    lines = (RESULTS / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def parts_of(named):
    """What a row has to say."""
    return {part.strip() for part in named.split("&")}


def rows_of(rows, named):
    """The rows whose cells say all that is named, as VALUE or COLUMN=VALUE, or else those that say it in part."""
    wanted = parts_of(named) - {"*"}
    return [row for row in rows if wanted <= said_by(row)] or [
        row for row in rows
        if wanted <= said_by(row) | {part for value in row.values() for part in value.split(", ")}
    ]  # fmt: skip


def said_by(row):
    """Its cells, alone and with the names of their columns."""
    return {*row.values(), *map("=".join, row.items())}


def find(table, row, column):
    """The Cell, or a list of those of all such rows; raises KeyError if there is not one such cell."""
    found = rows_of(read_table(table), row)
    is_list = "*" in parts_of(row)
    if not found or (len(found) != 1 and not is_list) or column not in found[0]:
        columns = ", ".join(found[0]) if found else "none"
        raise KeyError(f"{table}: {len(found)} rows of {row}; columns: {columns}; not {column}")
    cells = [Cell.parse(one[column]) for one in found]
    return cells if is_list else cells[0]


def evaluate(expression):
    """An arithmetic expression of cells, or a comparison of such expressions."""
    return _evaluate(expression, find)


def _evaluate(expression, lookup):
    values = {}

    def name(match):
        cell = lookup(*match.groups()[:3])
        if match[4]:
            cell = [half_width(one) for one in cell] if isinstance(cell, list) else half_width(cell)
        values[f"c{len(values)}"] = cell
        return f"c{len(values) - 1}"

    text = CELL.sub(name, " ".join(str(expression).split()))
    return eval(text, {"__builtins__": {}, **FUNCTIONS}, values)


def evaluate_interval(expression):
    """The value of an expression of one cell, linear in it, and the half width of its interval."""
    cells = set(CELL.findall(" ".join(expression.split())))
    if len(cells) != 1:
        raise ValueError(f"'{expression}' is of {len(cells)} cells; an interval is of one")
    def at(end):
        return _evaluate(expression, lambda *names: find(*names) + half_width(find(*names)) * end)

    low, value, high = at(-1), at(0), at(1)
    if abs(high - value - (value - low)) > 1e-9 * abs(high - low):
        raise ValueError(f"'{expression}' is not linear, so it has no interval")
    return value, float(f"{abs(high - value):.12g}")  # the difference of a rounded number is no more so


def text_of(role, content):
    """What a role prints: role is number or interval, content a format and an expression."""
    form, _, expression = " ".join(content.split()).partition(" ")
    if role == "number":
        return format(evaluate(expression), form).replace(",", " ")  # a format ",.0f": 10 000
    value, half = evaluate_interval(expression)
    return f"{value:{form}} +- {half:{form.lstrip('+')}}"


def tables_of(content):
    """The names of the tables that an expression is of."""
    return {match[1] for match in CELL.finditer(" ".join(content.split()))}


def fill_in(text):
    """A page with numbers in the place of these roles."""
    return ROLE.sub(lambda match: text_of(match[1], match[2]), text)
