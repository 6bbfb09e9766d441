# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios nightly-all
"""Runs and sweeps from Python: of a scenario, and of other ns-3 programs."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from unittest import mock

from folder_test_case import PROGRAMS, FolderTestCase, engine_path, nightly

import numpy as np

import collab
from collab.api import progress
from collab.api.programs import find_executable
from collab.setup.project import find_root

OTHER = Path(__file__).resolve().parent / "command_line_program.py"
STAND_IN = OTHER.parents[1] / "sweeps" / "stand_in.py"  # a scenario that takes no time
SCENARIO = "prediction-consensus"
SMALL = {
    "dataSet": "gaussian-classes", "devices": 4, "lowQuality": 1, "minimumSamples": 4,
    "model": "linear", "pretrainingRounds": 1, "referenceSamples": 20, "rounds": 2, "samples": 15,
    "testSamples": 30,
}  # fmt: skip


class PythonTestCase(FolderTestCase):
    """Has the folder of the test as the current one, and programs that are built."""

    def setUp(self):
        super().setUp()
        old = Path.cwd()
        self.addCleanup(os.chdir, old)
        os.chdir(self.folder)
        build = {"COLLAB_BUILD": str(PROGRAMS.parent), "COLLAB_ROOT": "",
                 "PATH": engine_path(self.folder)}  # fmt: skip
        patch = mock.patch.dict(os.environ, build)
        patch.start()
        self.addCleanup(patch.stop)
        self.program = self.folder / "other-program"
        shutil.copy(OTHER, self.program)

    def assert_fails(self, error, pattern, function, *arguments, **options):
        with self.assertRaisesRegex(error, pattern) as caught:
            function(*arguments, **options)
        self.assertNotIn("\n", str(caught.exception))
        return caught.exception


class RunTest(PythonTestCase):
    def test_a_scenario_writes_a_numbered_folder(self):
        run = collab.run(SCENARIO, trust="static", **SMALL)
        again = collab.run(SCENARIO, trust="static", **{**SMALL, "pretrainingRounds": 0})
        self.assertEqual([one.path.as_posix() for one in (run, again)],
                         [f"runs/{SCENARIO}-1", f"runs/{SCENARIO}-2"])  # fmt: skip
        self.assertEqual(run.parameters["trust"], "static")
        self.assertEqual(len(run.rounds), 2 * 4)
        self.assertEqual(repr(run), f"<run of {SCENARIO}, seed 1, run 1: runs/{SCENARIO}-1>")

    def test_arguments_of_every_kind_reach_it(self):
        attribute = "ns3::collab::D2dChannel::Fidelity"
        given = {attribute: "Packet", "quiet": True, "alpha": 5e-1, "seed": 3, "run": 4}
        run = collab.run(SCENARIO, into=self.folder / "my run", **SMALL, **given)
        self.assertEqual((run.path, run.seed, run.run), (self.folder / "my run", 3, 4))
        self.assertEqual(run.attributes, {attribute: "Packet"})
        self.assertEqual(run.parameters["alpha"], 0.5)

        self.check_columns(run)

    def check_columns(self, run):
        """They have units and meanings."""
        attrs = run.energy.attrs
        self.assertEqual(attrs["units"]["tx_j"], "J")
        columns = run.columns.set_index(["table", "column"])["meaning"]
        for name, table in run.tables.items():
            described = run.table(name).attrs["meanings"]
            self.assertEqual(set(described), set(table.columns), name)
            for column, meaning in described.items():
                self.assertEqual(meaning, columns[name, column])
                self.assertTrue(meaning, f"{name}.{column}")

    def test_a_refusal_is_the_programs_own_line(self):
        error = self.assert_fails(
            collab.ProgramError, "^prediction-consensus: argument '--rounds=many'",
            collab.run, SCENARIO, rounds="many")  # fmt: skip
        self.assertEqual(error.code, 2)
        self.assert_fails(collab.ProgramError, "unknown argument '--round=1'",
                          collab.run, SCENARIO, round=1)  # fmt: skip
        self.assertFalse(Path("runs").exists())
        Path("taken").mkdir()
        self.assert_fails(collab.ProgramError, "taken is there already",
                          collab.run, SCENARIO, into="taken")  # fmt: skip

    def test_unknown_programs(self):
        self.assert_fails(collab.ProgramError, "has no program 'no-such'", collab.run, "no-such")
        self.assert_fails(collab.ProgramError, "no-such is no program", collab.run, "./no-such")
        del os.environ["COLLAB_BUILD"]
        self.assert_fails(collab.ProgramError, "unknown program 'no-such'; allowed: .*federated",
                          collab.run, "no-such")  # fmt: skip

    def test_builds_what_is_not_built(self):
        del os.environ["COLLAB_BUILD"]
        with mock.patch("collab.api.programs.build_release", return_value=PROGRAMS.parent) as build:
            executable = find_executable(SCENARIO)
        self.assertEqual(executable.file, (PROGRAMS / SCENARIO).resolve())
        self.assertEqual(build.call_args.args, (find_root(), SCENARIO))

    def test_progress_counts_rounds(self):
        told = []
        with mock.patch.object(progress, "_make", side_effect=lambda *_: Bar(told)) as make:
            collab.run(SCENARIO, progress=True, **{**SMALL, "rounds": 3})
        self.assertEqual(make.call_args.args, (3, SCENARIO, "round"))
        self.assertEqual(told[-1], 3)


class Bar:
    """In the place of tqdm's."""

    def __init__(self, told):
        self.n = 0
        self._told = told

    def update(self, count):
        self.n += count
        self._told.append(self.n)

    def close(self):
        pass


class SweepTest(PythonTestCase):
    def test_a_grid_is_a_frame_and_a_dataset(self):
        results = collab.sweep(SCENARIO, jobs=2, run=[1, 2], maxOutage=[0.1, 0.4], **SMALL)
        frame = results.to_frame("time", rounds=lambda run: len(run.rounds))
        self.assertEqual(list(frame), ["maxOutage", "seed", "run", "time", "rounds"])
        self.assertEqual(list(zip(frame["maxOutage"], frame["run"])),
                         [(0.1, 1), (0.1, 2), (0.4, 1), (0.4, 2)])  # fmt: skip
        self.assertEqual(list(frame["rounds"]), [8] * 4)
        self.assertEqual(frame.attrs["units"], {"time": "s"})
        first = results.select(maxOutage=0.4, run=2)[0]
        self.assertEqual(frame["time"][3], first.rounds["end_s"].max())
        relation = results.relation("maxOutage", "time")
        self.assertEqual(list(relation["runs"]), [2, 2])
        self.check_dataset(results, frame)

    def check_dataset(self, results, frame):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.assert_fails(collab.RunError, "python3-xarray", results.to_xarray)
            return
        data = results.to_xarray("time")
        self.assertEqual(dict(data.sizes), {"maxOutage": 2, "run": 2})
        self.assertEqual(float(data["time"].sel(maxOutage=0.4, run=1)), frame["time"][2])
        self.assertEqual(data["time"].attrs["units"], "s")

    def test_only_what_is_missing_is_run(self):
        collab.sweep(self.program, length=[2])
        folder = Path("runs/sweeps/of-other-program")
        (old,) = folder.glob("*/run.json")
        since = old.stat().st_mtime_ns
        results = collab.sweep(self.program, length=[2, 3])
        self.assertEqual(len(results), 2)
        self.assertEqual(old.stat().st_mtime_ns, since)
        self.assertEqual(len(collab.sweep(self.program, length=2)), 1)
        self.assertEqual(len(collab.load(folder)), 2)

    def test_mistakes_are_found_before_anything_runs(self):
        for arguments, pattern in (
            ({"trusts": ["static"]}, "unknown axis 'trusts'; the nearest known one is 'trust'"),
            ({"wait": ["true", "none"]}, "wait is 'none'; allowed: true, false"),
            ({"trust": []}, "trust has no value"),
            ({"run": ["a"]}, "RngRun is 'a'; allowed: whole numbers"),
            ({"seed": [1, 0]}, "RngSeed is 0; allowed: 1 to 4294944442"),
            ({"threads": 2}, "'threads' is set by the sweep itself"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_fails(collab.SweepError, pattern, collab.sweep, STAND_IN, **arguments)
        self.assertFalse(Path("runs").exists())

    def test_progress_counts_runs(self):
        told = []
        with mock.patch.object(progress, "_make", side_effect=lambda *_: Bar(told)) as make:
            collab.sweep(self.program, run=range(1, 4), progress=True)
        self.assertEqual(make.call_args.args, (3, "other-program", "run"))
        self.assertEqual(told[-1], 3)


class OtherProgramTest(PythonTestCase):
    """Of a program that knows nothing of this project."""

    def test_it_runs_in_a_folder_of_its_own(self):
        run = collab.run(self.program, length=2, run=3, step=0.25)
        self.assertEqual(run.path.as_posix(), "runs/other-program-1")
        self.assertEqual(run.output, "throughput 6 Mbit/s\n")
        self.assertEqual(list(run.table("numbers")["value"]), [0, 0.75])
        self.assertEqual(run.settings, {"length": 2, "step": 0.25, "seed": 1, "run": 3})
        self.assertEqual(collab.load(run.path).output, run.output)

    def test_texts_stay_as_they_are(self):
        run = collab.run(self.program, mode="007", length=2)
        self.assertEqual(run.settings["mode"], "007")
        given = {"mode": ["007", "1e3"], "step": [np.float64(1e-1), 2.0]}
        results = collab.sweep(self.program, **given)
        self.assertEqual([(run.settings["mode"], run.settings["step"]) for run in results],
                         [("007", 0.1), ("007", 2), ("1e3", 0.1), ("1e3", 2)])  # fmt: skip
        self.assertEqual(len(collab.sweep(self.program, mode=["007", 7])), 2)

    def test_it_is_swept(self):
        results = collab.sweep(
            self.program, length=[2, 4], run=[1, 2], **{"ns3::Some::Attribute": "a"})  # fmt: skip
        frame = results.to_frame(mbps=lambda run: int(re.search(r"\d+", run.output)[0]))
        self.assertEqual(list(frame["mbps"]), [2, 4, 4, 8])
        self.assertEqual(results[0].attributes, {"ns3::Some::Attribute": "a"})

    def test_a_changed_program_is_noticed(self):
        collab.sweep(self.program, length=[2])
        with self.program.open("a") as text:
            text.write("\n")
        self.assert_fails(collab.SweepError, "were done by another version",
                          collab.sweep, self.program, length=[2, 3])  # fmt: skip
        results = collab.sweep(self.program, length=[2, 3], other_version="redo")
        self.assertEqual(len(results), 2)

    def test_a_changed_library_is_noticed(self):
        library, program = self.folder / "libmodel.so", self.folder / "linked"
        self.compile("int Value() { return 1; }", library, "-shared", "-fPIC")
        text = '#include <cstdio>\nint Value();\nint main() { std::printf("%d\\n", Value()); }'
        self.compile(text, program, library, f"-Wl,-rpath,{self.folder}")
        (run,) = collab.sweep(program, run=[1])
        self.assertEqual(run.output, "1\n")
        self.compile("int Value() { return 2; }", library, "-shared", "-fPIC")
        self.assert_fails(collab.SweepError, "1 of 2 points were done by another version .*libraries",
                          collab.sweep, program, run=[1, 2])  # fmt: skip
        results = collab.sweep(program, run=[1, 2], other_version="redo")
        self.assertEqual([run.output for run in results], ["2\n"] * 2)

    def compile(self, text, file, *options):
        """Makes a program or library of a text in C++."""
        compiler = shutil.which("c++")
        if not compiler:
            self.skipTest("no compiler is here")
        command = [compiler, "-x", "c++", "-", "-o", file, "-x", "none", *options]
        subprocess.run(command, input=text, text=True, check=True)

    def test_failures_are_one_line(self):
        for mode, pattern in (("fail", "assert failed"), ("crash", "SIGABRT")):
            self.assert_fails(collab.ProgramError, pattern, collab.run, self.program, mode=mode)
            self.assert_fails(collab.SweepError, f"1 of 2 runs are not done: .*{pattern}",
                              collab.sweep, self.program, mode=["well", mode])  # fmt: skip
        self.assert_fails(collab.ProgramError, "Invalid command-line argument: --size=1",
                          collab.run, self.program, size=1)  # fmt: skip
        self.assert_fails(collab.SweepError, "unknown axis 'size'; known are length, mode",
                          collab.sweep, self.program, size=[1])  # fmt: skip

    @nightly
    def test_an_example_of_this_project(self):
        program = PROGRAMS.parent / "examples" / "any-radio"
        if not program.exists():
            self.skipTest("any-radio is not built")
        told = re.compile(r"mean accuracy \[1\] (\S+)\n.*drawn from batteries \[J\] (\S+)", re.DOTALL)
        runs = collab.sweep(program, rounds=1, network=["d2d", "csma"], run=[1, 2])
        ends = [tuple(map(float, told.search(run.output).groups())) for run in runs]
        # Another run has other samples, whatever the network; computing takes energy on any
        self.assertNotEqual(ends[0][0], ends[1][0])
        self.assertEqual([end[0] for end in ends[:2]], [end[0] for end in ends[2:]])
        self.assertGreater(min(joules for _, joules in ends), 0.1)
        self.assert_fails(collab.ProgramError, "any-radio: unknown argument '--round=1'",
                          collab.run, program, round=1)  # fmt: skip
        self.assert_fails(collab.ProgramError, "rounds=0", collab.run, program, rounds=0)

    def test_a_program_of_ns3_alone(self):
        program = PROGRAMS.parent / "tests" / "analysis" / "random-walk"
        results = collab.sweep(program, steps=[0, 100], run=[1, 2])
        ends = results.to_frame(x=lambda run: float(run.output.split()[-1]))["x"]
        self.assertEqual(list(ends[:2]), [0, 0])
        self.assertNotEqual(ends[2], ends[3])
        wider = {"ns3::UniformRandomVariable::Max": 3}
        run = collab.run(program, steps=100, **wider)
        self.assertNotEqual(float(run.output.split()[-1]), ends[2])
        self.assertEqual(len(run.table("walk")), 100)
        for name, pattern in (("step", "Invalid command-line argument: --step=1"),
                              ("ns3::No::Such", "Invalid .*--ns3::No::Such=1")):  # fmt: skip
            self.assert_fails(collab.ProgramError, pattern, collab.run, program, **{name: 1})
