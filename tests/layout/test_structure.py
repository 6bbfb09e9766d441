#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Units of the module do not include each other in circles, and no class is larger than one can read."""

import re
import unittest
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "contrib-module"
INCLUDE = re.compile(r'^#include [<"](?:ns3/)?([\w-]+)\.h[>"]', re.MULTILINE)
CLASS = re.compile(r"^(?:class|struct) (\w+)(?! *;)[^;]*?\n\{.*?^\};", re.MULTILINE | re.DOTALL)
# A function outside of its class, which may be a template, and whose return type has the line before it
FUNCTION = re.compile(r"^((?:\w+(?:<\w+>)?::)+)~?\w[^;\n]*\(.*?^\}", re.MULTILINE | re.DOTALL)

MOST_LINES = 700  # of a class, with all of its functions

# A channel and its devices know each other, as ns-3 has it.
CIRCLES = [{"d2d-channel", "d2d-net-device"}]


def find_circles(includes):
    """Groups of units that include each other, all of a group; `includes` says which ones each includes."""
    index, low, stack, circles = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(includes[unit]):
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            circle = set(stack[stack.index(unit) :])
            del stack[stack.index(unit) :]
            if len(circle) > 1:
                circles.append(circle)

    for unit in sorted(includes):
        if unit not in index:
            visit(unit)
    return circles


def count_lines(headers, sources):
    """Lines of each class: those of its declaration, and of its functions outside of that."""
    lines = {}
    for text in headers + sources:
        for found in CLASS.finditer(text):
            lines[found[1]] = lines.get(found[1], 0) + found[0].count("\n") + 1
    for text in headers + sources:
        for found in FUNCTION.finditer(text):
            owners = [name for name in re.sub("<\\w+>", "", found[1]).split("::") if name in lines]
            if owners:
                lines[owners[-1]] += found[0].count("\n") + 3  # with its return type and an empty line
    return lines


def files(suffix):
    return sorted(p for folder in ("helper", "model") for p in (MODULE / folder).rglob(f"*{suffix}"))


class StructureTest(unittest.TestCase):
    def test_units_do_not_include_each_other_in_circles(self):
        # A unit is a header and its source
        paths = files(".h") + files(".cc")
        includes = {path.stem: set() for path in paths}
        for path in paths:
            includes[path.stem] |= set(INCLUDE.findall(path.read_text())) & set(includes) - {path.stem}
        self.assertCountEqual(find_circles(includes), CIRCLES)

    def test_circles_are_found(self):
        includes = {"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": {"e"}, "e": set(), "f": {"a", "g"}, "g": {"f"}}
        self.assertCountEqual(find_circles(includes), [{"a", "b", "c"}, {"f", "g"}])
        includes["c"] = set()
        includes["g"] = set()
        self.assertEqual(find_circles(includes), [])

    def test_no_class_is_larger_than_one_can_read(self):
        lines = count_lines([p.read_text() for p in files(".h")], [p.read_text() for p in files(".cc")])
        self.assertGreater(len(lines), 500)
        for name, count in lines.items():
            with self.subTest(name=name):
                self.assertLessEqual(count, MOST_LINES)

    def test_lines_of_a_class_are_counted(self):
        header = "class A : public B\n{\n  public:\n    A();\n};\n\nclass C;\n\nstruct D\n{\n};\n"
        source = "A::A()\n    : B({1})\n{\n}\n\nint\nA::Get(int a) const\n{\n    if (a)\n    {\n    }\n}\n\nvoid\nF()\n{\n}\n"
        self.assertEqual(count_lines([header], [source]), {"A": 5 + 4 + 2 + 6 + 2, "D": 3})
        template = header + "\ntemplate <typename T>\nvoid\nD<T>::Set()\n{\n}\n"
        self.assertEqual(count_lines([template], []), {"A": 5, "D": 3 + 3 + 2})


if __name__ == "__main__":
    unittest.main()
