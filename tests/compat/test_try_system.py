# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what try_system.py reads off a system's logs; no system is tried."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import try_system
from try_system import COLUMNS, Failure, Log, standard, table, tests_passed


class ReadingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_counts_of_ctest(self):
        self.assertEqual(tests_passed("99% tests passed, 1 tests failed out of 104\n"), "103 of 104 tests")
        self.assertEqual(tests_passed("100% tests passed, 0 tests failed out of 7\n"), "7 of 7 tests")

    def test_counts_of_ns3_are_summed(self):
        text = "5 of 5 tests passed (5 passed, 0 skipped)\n0 of 1 tests passed (0 passed, 1 failed)\n"
        self.assertEqual(tests_passed(text), "5 of 6 tests")

    def test_no_test_is_a_failure(self):
        with self.assertRaises(Failure):
            tests_passed("the build failed\n")

    def test_standards_of_a_compilation_database(self):
        file = self.folder / "compile_commands.json"
        for option, name in (("c++17", "C++17"), ("gnu++2a", "C++20"), ("c++2b", "C++23"), ("c++20", "C++20")):
            file.write_text(json.dumps([{"command": f"c++ -O3 -std={option} -c a.cc"}] * 2))
            self.assertEqual(standard(file), name)

    def test_a_command_that_fails_where_it_must_not(self):
        log = Log(self.folder / "log", folder=self.folder)
        self.assertEqual(log.call("echo", "told"), "told\n")
        self.assertEqual(log.call("false", must=False), "")
        with self.assertRaisesRegex(Failure, "^false ended with 1; see "):
            log.call("false")
        self.assertEqual((self.folder / "log").read_text(), "$ echo told\ntold\n$ false\n$ false\n")

    def test_table(self):
        seen = {"b": ["two"] * len(COLUMNS), "a": ["one"] * len(COLUMNS)}
        lines = table(seen).splitlines()
        self.assertEqual(lines[0], f"| {' | '.join(COLUMNS)} |")
        self.assertTrue(lines[2].startswith("| one | one"))
        self.assertTrue(lines[3].startswith("| two | two"))

    def test_the_present_system_has_a_name(self):
        self.assertRegex(try_system.this_system(), r"^[A-Z]\w+( \S+)?$")


if __name__ == "__main__":
    unittest.main()
