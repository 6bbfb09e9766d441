# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what try_system.py reads off a system's logs; no system is tried."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import try_system
from try_system import COLUMNS, Failure, Log, outcome, place_module, standard, table, tests_passed

CTEST = """ 50/104 Test  #50: analysis-plot ....***Failed    1.21 sec
99% tests passed, 2 tests failed out of 104

Label Time Summary:
fast    =  30.00 sec*proc (70 tests)

The following tests did not run:
\t 12 - pages (Skipped)

The following tests FAILED:
\t 50 - analysis-plot (Failed)                         slow
\t 61 - wireless (Timeout)                             fast
Errors while running CTest
"""
TEST_PY = """[1/3] PASS: TestSuite collab-radio
[2/3] CRASH: TestSuite collab-prediction-consensus
FAIL: Example contrib/collab/examples/d2d-energy --fast
1 of 3 tests passed (1 passed, 0 skipped, 1 failed, 1 crashed, 0 valgrind errors)
"""


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

    def test_tests_that_failed_are_named(self):
        self.assertEqual(outcome(CTEST, "demo"), "102 of 104 tests: analysis-plot, wireless failed; demo")
        self.assertEqual(outcome(TEST_PY, "a scenario"),
                         "1 of 3 tests: collab-prediction-consensus,"
                         " contrib/collab/examples/d2d-energy --fast failed; a scenario")  # fmt: skip
        passed = "100% tests passed, 0 tests failed out of 7\n"
        self.assertEqual(outcome(passed, "demo"), "7 of 7 tests, demo")

    def test_a_copy_takes_the_place_of_ours_only(self):
        source, module = self.folder / "source", self.folder / "contrib-collab"
        source.mkdir()
        (source / "file").touch()
        for is_copied in (True, True, False, False, True):
            place_module(source, module, is_copied)
            self.assertEqual(module.is_symlink(), not is_copied)
            self.assertTrue((module / "file").is_file())
        self.assertEqual([file.name for file in source.iterdir()], ["file"])
        (module / try_system.MARK).unlink()  # now it is somebody's own
        for is_copied in (True, False):
            with self.assertRaisesRegex(Failure, "none of our copies"):
                place_module(source, module, is_copied)
        self.assertTrue((module / "file").is_file())

    def test_torch_is_for_this_system_and_must_be_there(self):
        for words, told in ((["debian-13", f"--torch={self.folder}"], "--torch is for here"),
                            (["here", f"--torch={self.folder}"], "has no TorchConfig.cmake")):
            result = subprocess.run([sys.executable, try_system.__file__, *words],
                                    capture_output=True, text=True, check=False)  # fmt: skip
            self.assertEqual(result.returncode, 2)
            self.assertIn(told, result.stderr)

    def test_no_test_is_a_failure(self):
        with self.assertRaises(Failure):
            tests_passed("the build failed\n")

    def test_standards_of_a_compilation_database(self):
        file = self.folder / "compile_commands.json"
        for option, name in (("c++17", "C++17"), ("gnu++2a", "C++20"), ("c++2b", "C++23"), ("c++20", "C++20")):
            file.write_text(json.dumps([{"command": f"c++ -O3 -std={option} -c a.cc"}] * 2))
            self.assertEqual(standard(file), name)

    def test_the_torch_of_a_cache(self):
        (self.folder / "TorchConfigVersion.cmake").write_text('set(PACKAGE_VERSION "2.6.0+cpu")\n')
        cache = self.folder / "CMakeCache.txt"
        cache.write_text(f"TORCH_LIBRARY:FILEPATH=/libtorch.so\nTorch_DIR:PATH={self.folder}\n")
        self.assertEqual(try_system.torch_version(cache), "2.6.0")

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
