#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What mutants are found in C++ text, how they are woven in and drawn, and what results say."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import candidates
import mutate
import workshop

TEXT = """
#include <vector>
namespace
{
constexpr int LIMIT = 3; // a + b
int sum = 1 + 1;
}
int
Sum(const std::vector<int>& values, int a, int b)
{
    NS_LOG_FUNCTION(1 + 1);
    const int product = a * b;
    std::vector<int> list{1, 2};
    if (a < b && !values.empty())
    {
        Note(a,
             b);
    }
    for (int i = 0; i < product; ++i)
    {
        Apply([&](int x) { total += x; });
    }
    return product - 2;
}
"""
PROGRAM = """
int Combine(int a, int b)
{
    const int product = a * b;
    if (a < b)
    {
        return product + 1;
    }
    return product;
}
int main()
{
    return Combine(2, 3) == 7 ? 0 : 1;
}
"""


def found(text, operator=None):
    """(original, changed) of each mutant."""
    return [
        (mutate.words(m.original), mutate.words(m.changed))
        for m in candidates.mutants_of("f.cc", text)
        if operator in (None, m.operator)
    ]


class Finding(unittest.TestCase):
    """Mutants of a text."""

    def test_each_operator_finds_its_places(self):
        condition = "a < b && !values.empty()"
        rows = {
            "arithmetic": [("const int product = a * b;", "const int product = a / b;"),
                           ("return product - 2;", "return product + 2;")],
            "comparison": [(condition, "a <= b && !values.empty()"), ("i < product", "i <= product")],
            "logic": [(condition, "a < b || !values.empty()")],
            "turned": [(condition, f"!({condition})"), ("i < product", "!(i < product)")],
            "constant": [("return product - 2;", "return product - 3;")],
            "dropped": [("Note(a, b);", ""), ("total += x;", "")],
            "swapped": [("Note(a, b);", "Note(b, a);")],
            "assignment": [("total += x;", "total -= x;")],
        }  # fmt: skip
        for operator, expected in rows.items():
            with self.subTest(operator):
                self.assertCountEqual(found(TEXT, operator), expected)

    def test_the_same_way_round_is_no_change(self):
        self.assertEqual(found("void F() { x = std::max(a, b); }", "swapped"), [])

    def test_identities_do_not_depend_on_places(self):
        before = {m.identity for m in candidates.mutants_of("f.cc", TEXT)}
        moved = {m.identity for m in candidates.mutants_of("f.cc", "\n\n" + TEXT)}
        self.assertEqual(before, moved)
        self.assertEqual(len(before), len(found(TEXT)))


class Weaving(unittest.TestCase):
    """Text with mutants behind switches."""

    def test_lines_keep_their_numbers(self):
        every = candidates.apart(candidates.mutants_of("f.cc", TEXT))
        text = workshop.woven(TEXT, dict(enumerate(every)), "")
        lines = text.split("#line 1\n")[1].splitlines()
        self.assertEqual(len(lines), len(TEXT.splitlines()))
        self.assertIn("    for (int i = 0; collab_mutation::IsOn(", "\n".join(lines))

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_one_build_runs_each_mutant(self):
        chosen = list(candidates.apart(m for m in candidates.mutants_of("f.cc", PROGRAM)
                                       if m.operator in ("arithmetic", "turned")))  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "f.cc")
            text = workshop.woven(PROGRAM, dict(enumerate(chosen)), "")
            source.write_text(text.replace(workshop.SWITCH, str(workshop.HERE / "switch.h")))
            marks = Path(folder, "marks")
            marks.write_bytes(bytes(4096))
            subprocess.run(["g++", source, "-o", source.with_suffix("")], check=True)
            for number in range(-1, len(chosen)):
                variables = {"COLLAB_MUTANT": str(number), "COLLAB_MUTATION_MARKS": str(marks)}
                code = subprocess.run(source.with_suffix(""), env=variables, check=False).returncode
                self.assertEqual(code, int(number >= 0), number)
            self.assertEqual(len(chosen), 3)
            reached = [number for number, mark in enumerate(marks.read_bytes()) if mark]
            self.assertEqual(reached, [n for n, _ in enumerate(chosen)])


    def test_only_failed_steps_tell_what_does_not_compile(self):
        log = """[1/3] Building a
x/contrib-module/model/a/a.cc:3:1:   required from here
x.h: warning: w
[2/3] Building b
FAILED: b
c++ b
x/contrib-module/model/b/b.cc:4:1: error: no
[3/3] Building c
x/contrib-module/model/c/c.cc:5:1: warning: w
"""
        self.assertEqual(workshop.errors_of(log), {("model/b/b.cc", "4")})


class Drawing(unittest.TestCase):
    """Which mutants are taken."""

    def test_the_module_has_mutants_in_all_layers(self):
        known = workshop.read_candidates(workshop.PROJECT)
        drawn = candidates.draw(known, 1, 220, 6, set(), workshop.layer_of)
        folders = {p.name for p in (workshop.PROJECT / workshop.MODULE / "model").iterdir() if p.is_dir()}
        self.assertEqual({workshop.layer_of(m.file) for m in drawn}, folders | {"helper"})
        self.assertGreaterEqual(len(drawn), 200)
        self.assertEqual([m.identity for m in drawn],
                         [m.identity for m in candidates.draw(known[::-1], 1, 220, 6, set(),
                                                              workshop.layer_of)])  # fmt: skip
        again = candidates.draw(known, 1, 220, 6, {drawn[0].identity}, workshop.layer_of)
        self.assertEqual(len(set(m.identity for m in drawn) - set(m.identity for m in again)), 1)


class Comparing(unittest.TestCase):
    """Results beside older ones."""

    def test_what_was_killed_must_be(self):
        row = {"id": "1", "verdict": "killed by others", "by": "t", "file": "f", "line": 1,
               "original": "a", "changed": "b"}  # fmt: skip
        self.assertEqual(mutate.compare([row], [dict(row, verdict="killed by its layer")]), [])
        self.assertEqual(len(mutate.compare([row], [dict(row, verdict="survived")])), 1)
        self.assertEqual(len(mutate.compare([row], [])), 1)
        self.assertEqual(mutate.compare([dict(row, verdict="survived")], []), [])

    def test_committed_results_are_complete(self):
        files = sorted((workshop.HERE / "results").glob("*.csv"))
        for file in files:
            rows = mutate.read_table(file)
            self.assertEqual(tuple(rows[0]), mutate.COLUMNS, file)
            self.assertTrue(all(re.fullmatch(r"[0-9a-f]{12}", row["id"]) for row in rows), file)


if __name__ == "__main__":
    unittest.main()
