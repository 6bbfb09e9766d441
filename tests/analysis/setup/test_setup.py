# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the commands install and build: its parts that need neither."""

import json
import os
import re
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from folder_test_case import PROGRAMS, ROOT, FolderTestCase

from collab.setup import blas, machine, packages, presets, probes
from collab.setup.building import environment
from collab.setup.data_sets import TABLE, load_data_sets
from collab.setup.messages import CommandError
from collab.setup.project import free_folder, scenarios
from collab.setup.requirements import REQUIREMENTS, at_least


class DataSetsTest(unittest.TestCase):
    def setUp(self):
        self.sets = load_data_sets(ROOT)

    def test_every_row_is_read(self):
        rows = re.findall("^COLLAB_DATA_SET", (ROOT / TABLE).read_text(), re.MULTILINE)
        self.assertEqual(len(self.sets), len(rows))

    def test_programs_know_the_same_sets(self):
        program = Path(PROGRAMS) / "federated"
        if not program.is_file():
            self.skipTest("the scenario federated is not built")
        told = subprocess.run([program, "--PrintArguments=json"], stdout=subprocess.PIPE, check=True).stdout
        arguments = {one["name"]: one for one in json.loads(told)["arguments"]}
        listed = [name for name in arguments["dataSet"]["suggestions"] if ":" not in name]
        self.assertEqual(listed, list(self.sets))

    def test_what_is_published_has_a_checksum_and_an_address(self):
        for one in self.sets.values():
            for checksum, address in one.downloads():
                with self.subTest(name=one.name, address=address):
                    self.assertRegex(checksum, "^[0-9a-f]{32}$")
                    self.assertRegex(address, "^https?://")
            self.assertEqual(one.is_generated, not one.files)
            self.assertEqual(bool(one.originals), one.files == f"{one.name}.safetensors")
            self.assertEqual(bool(one.package), bool(one.packaged))

    def test_files_count_however_they_are_compressed(self):
        data = ROOT / "tests/data/sets"
        self.assertEqual(self.sets["usps"].missing(data), [])
        found = self.sets["femnist"].found_originals(data)
        self.assertEqual([len(files) for files in found.values()], [2, 1])
        self.assertEqual(self.sets["femnist"].missing(data), [])
        self.assertFalse(self.sets["femnist"].awaits_conversion(data))
        self.assertEqual(len(self.sets["cifar-10"].missing(Path("/nowhere"))), 6)


class VersionsTest(FolderTestCase):
    def test_versions_are_compared_by_their_numbers(self):
        for found, minimum, enough in (("1.10", "1.9", True), ("1.9", "1.10", False),
                                       ("3", "3.0", False), ("present", "any", True),
                                       ("12.2.0", "9", True), ("0.1", "optional", True)):  # fmt: skip
            self.assertEqual(at_least(found, minimum), enough, f"{found} {minimum}")

    def test_a_package_of_cmake_is_found_as_cmake_does(self):
        file = self.folder / "share/some/cmake/SomeConfigVersion.cmake"
        file.parent.mkdir(parents=True)
        file.write_text('set(PACKAGE_VERSION "4.5.6")\n')
        with mock.patch.dict(os.environ, CMAKE_PREFIX_PATH=str(self.folder)):
            self.assertEqual(probes.config("Some"), "4.5.6")
            self.assertEqual(probes.config("Other"), "")

    def test_every_requirement_tells_a_version_or_nothing(self):
        for one in REQUIREMENTS:
            with self.subTest(package=one.package):
                self.assertIsInstance(one.find(), str)


class MachineTest(FolderTestCase):
    def jobs(self, cores, megabytes, **given):
        (self.folder / "meminfo").write_text(f"MemTotal:  {megabytes * 1000} kB\n")
        with mock.patch.object(machine, "_MEMORY", self.folder / "meminfo"), \
             mock.patch.object(machine, "_LIMIT", self.folder / "max"), \
             mock.patch.object(machine, "cores", return_value=cores), \
             mock.patch.dict(os.environ, {"CMAKE_BUILD_PARALLEL_LEVEL": "", **given}):  # fmt: skip
            return machine.jobs_count()

    def test_jobs_fit_into_cores_and_memory(self):
        self.assertEqual(self.jobs(8, 9000), 4)
        self.assertEqual(self.jobs(2, 64000), 2)
        self.assertEqual(self.jobs(4, 500), 1)
        self.assertEqual(self.jobs(4, 500, CMAKE_BUILD_PARALLEL_LEVEL="7"), 7)
        (self.folder / "max").write_text("4500000000\n")
        self.assertEqual(self.jobs(8, 64000), 2)


class BlasTest(FolderTestCase):
    def kernels(self, version, flags, **given):
        """OPENBLAS_CORETYPE that programs are started with"""
        (self.folder / "cpuinfo").write_text(f"processor : 0\nflags\t\t: {flags}\nbugs :\n")
        blas.missing_kernels.cache_clear()
        self.addCleanup(blas.missing_kernels.cache_clear)
        with mock.patch.dict(os.environ, given), mock.patch.object(
            blas, "openblas_version", lambda: version
        ), mock.patch.object(machine, "_PROCESSOR", self.folder / "cpuinfo"):
            if blas.KERNELS not in given:
                os.environ.pop(blas.KERNELS, None)
            return environment(ROOT).get(blas.KERNELS)

    def test_a_processor_that_openblas_does_not_know_has_kernels_of_avx2(self):
        self.assertEqual(self.kernels("0.3.21 Prescott", "fpu avx avx2 fma"), "Haswell")
        self.assertIsNone(self.kernels("0.3.21 Prescott", "fpu avx2 sse3"))
        self.assertIsNone(self.kernels("0.3.21 SkylakeX", "fpu avx2 fma"))
        self.assertEqual(self.kernels("0.3.21 Prescott", "avx2 fma", OPENBLAS_CORETYPE="Prescott"), "Prescott")


class InstallingTest(unittest.TestCase):
    """Who is root, and who agrees."""

    def apt(self, user, terminal, answer, wanted=("a", "b")):
        """The commands that are called."""
        calls = []

        def call(command, **_):
            calls.append(" ".join(command))
            known = "a | 1.0 | a mirror\nb | 2.0 | a mirror\n" if "madison" in command else ""
            return mock.Mock(returncode=0, stdout=known)

        with mock.patch("os.geteuid", return_value=user), \
             mock.patch("shutil.which", return_value="/bin/it"), \
             mock.patch("sys.stdin") as stdin, mock.patch("builtins.input", return_value=answer), \
             mock.patch("site.main"), mock.patch("subprocess.run", side_effect=call):  # fmt: skip
            stdin.isatty.return_value = terminal
            return packages.apt_install(wanted), calls

    def test_a_user_at_a_terminal_is_asked_before_sudo(self):
        done, calls = self.apt(1000, True, "n")
        self.assertEqual((done, calls), (False, []))
        done, calls = self.apt(1000, True, "")
        self.assertTrue(done)
        self.assertTrue(calls[-1].startswith("sudo env DEBIAN_FRONTEND"), calls)

    def test_nobody_else_is(self):
        for user, start in ((0, "env "), (1000, "sudo -n env ")):
            done, calls = self.apt(user, False, "n")
            self.assertTrue(done)
            self.assertTrue(calls[-1].startswith(start), calls)
            self.assertTrue(calls[-1].endswith("install -y --no-install-recommends a b"), calls)

    def test_what_the_system_has_no_package_of_is_left_out(self):
        with mock.patch("collab.setup.packages.warn") as warn:
            done, calls = self.apt(0, False, "", ("a", "c", "b"))
        self.assertTrue(done)
        self.assertTrue(calls[-1].endswith("install -y --no-install-recommends a b"), calls)
        warn.assert_called_once_with("this system has no package c")


class PresetsTest(FolderTestCase):
    def write(self, text):
        (self.folder / "CMakePresets.json").write_text(text)

    def test_folders_are_inherited_and_expanded(self):
        self.write("""{"configurePresets": [
            {"name": "base", "hidden": true, "binaryDir": "${sourceDir}/b-$env{KIND}-${presetName}"},
            {"name": "one", "inherits": "base"}, {"name": "two", "inherits": ["one"]},
            {"name": "own", "binaryDir": "out"}, {"name": "none"}],
            "testPresets": [{"name": "two", "configurePreset": "two"}]}""")
        self.assertEqual(presets.preset_names(self.folder), ["one", "two", "own", "none"])
        with mock.patch.dict(os.environ, KIND="k"):
            two = presets.find_preset(self.folder, "two")
        self.assertEqual((two.folder, two.has_tests), (self.folder / "b-k-two", True))
        own = presets.find_preset(self.folder, "own")
        self.assertEqual((own.folder, own.has_tests), (self.folder / "out", False))
        with self.assertRaisesRegex(CommandError, "has no binaryDir"):
            presets.find_preset(self.folder, "none")

    def test_a_damaged_file_is_one_line(self):
        self.write("{")
        with self.assertRaisesRegex(CommandError, "CMakePresets.json: "):
            presets.preset_names(self.folder)


class ProjectTest(FolderTestCase):
    def test_scenarios_have_a_main_function(self):
        names = scenarios(ROOT)
        self.assertIn("prediction-consensus", names)
        self.assertEqual(len(set(names)), len(names))

    def test_free_folders(self):
        old = Path.cwd()
        self.addCleanup(os.chdir, old)
        os.chdir(self.folder)
        for name in ("runs/a-1", "runs/a-2.partial", "runs/a-4"):
            Path(name).mkdir(parents=True)
        self.assertEqual(free_folder("a"), Path("runs/a-3"))
        self.assertEqual(free_folder("b"), Path("runs/b-1"))
