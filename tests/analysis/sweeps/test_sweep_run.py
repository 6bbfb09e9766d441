# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow nightly-all
"""Tests of running sweeps, with a stand-in for the scenario that logs its calls."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from folder_test_case import FolderTestCase, engine_path

from collab.cli.main import main
from collab.runs.contents import is_outdated
from collab.runs.run import find_runs
from collab.sweeps import expand, load_sweeps
from collab.sweeps.folder import SweepFolder
from collab.sweeps.progress import SweepProgress
from collab.sweeps.watch import Watch

TESTS = Path(__file__).resolve().parent
HEAD = "schema: 1\nscenario: stand-in\n"
ENDS_SECONDS = 60  # after which a test gives up


class ForkedCommand:
    """A command of ./collab in a process forked from this one, which saves its imports."""

    def __init__(self, words, path):
        reader, writer = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            code = 1
            try:
                os.setsid()
                for number in (1, 2):
                    os.dup2(writer, number)
                sys.stdout, sys.stderr = open(1, "w"), open(2, "w", buffering=1)
                os.environ["PATH"] = path
                code = main(words)
            except SystemExit as end:
                code = end.code
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                sys.stdout.flush()
                os._exit(code)
        os.close(writer)
        self.stdout = open(reader)
        self.returncode = None

    def wait(self):
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def communicate(self):
        """What it has printed until its end."""
        output = self.stdout.read()
        self.wait()
        return output

    def send_signal(self, number):
        if self.returncode is None:
            os.kill(self.pid, number)


class SweepTestCase(FolderTestCase):
    """Gives each test a program, a sweep file and a folder for the runs."""

    def setUp(self):
        super().setUp()
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        shutil.copy(TESTS / "stand_in.py", self.programs / "stand-in")
        self.out = self.folder / "out"
        self.runs = self.out / "small"
        self.processes = []
        self.addCleanup(self.end_processes)

    def end_processes(self):
        """Leaves no process behind, whatever a test has seen."""
        (self.programs / "go").touch()
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdout.close()

    def write(self, text):
        """Writes the sweep; returns its points by digest."""
        file = self.folder / "small.yaml"
        file.write_text(HEAD + text, encoding="utf-8")
        return expand(load_sweeps("small", file)[0])

    def start(self, *options, file=None):
        """Begins a sweep, small.yaml by default, in a process group of its own."""
        words = ["sweep", file or self.folder / "small.yaml", "--out", self.out]
        words += ["--programs", self.programs, "--jobs", "2", *options]
        process = ForkedCommand(list(map(str, words)), engine_path(self.folder))
        self.processes.append(process)
        return process

    def sweep(self, *options, code=0, file=None):
        """Runs a sweep to its end; returns what it printed."""
        process = self.start(*options, file=file)
        output = process.communicate()
        self.assertEqual(process.returncode, code, output)
        return output

    def calls(self):
        """What the program was called with since the last time, sorted."""
        file = self.programs / "calls"
        lines = sorted(file.read_text().splitlines()) if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def wait_for(self, condition):
        """Waits until a condition holds."""
        end = time.monotonic() + ENDS_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, "in vain")
            time.sleep(0.02)

    def wait_for_calls(self, count):
        """Waits until the program has been called so many times."""
        file = self.programs / "calls"
        self.wait_for(lambda: file.exists() and file.read_text().count("\n") >= count)

    def contents(self, points):
        """The bytes of all files of all runs."""
        return {
            (digest, file.name): file.read_bytes()
            for digest in points
            for file in (self.runs / digest).iterdir()
        }

    def engine_of(self, process):
        """The process, and process group, of Snakemake."""
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return int(children.read_text().split()[0])

    def running_program(self):
        """The process of a program that runs a point."""
        option = f"\0--runDir={self.runs}/".encode()
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if option in file.read_bytes():
                    return int(file.parent.name)
        self.fail("no point runs")

    def parent_of(self, process):
        """The process that has started another one."""
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])

    def state_of(self, process):
        """The letter of a process, with those of none if it is gone."""
        try:
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return "ZX"

    def is_waited_for(self):
        """Whether a process waits for the lock of a point."""
        logs = [f":{file.stat().st_ino} " for file in self.runs.glob("logs/*.log")]
        locks = Path("/proc/locks").read_text().splitlines()
        return any("->" in lock and log in lock for lock in locks for log in logs)

    def is_unlocked(self):
        """Whether no process keeps others out of the sweep's folder."""
        with (self.runs / "sweep.lock").open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    def assert_all_done(self, points):
        """All points have whole run folders, and nothing is left of their making."""
        for digest in points:
            self.assertTrue((self.runs / digest / "rounds.csv").exists())
        self.assertEqual(list(self.runs.glob("*.partial")), [])


class RemarksTest(SweepTestCase):
    def test_warnings_of_programs_are_not_lost(self):
        self.write("axes: {grid: {rate: [1, 6, 7]}}")
        output = self.sweep()
        self.assertIn("small: warnings by 2 of 3 points, such as: warning: a rate of 6\n", output)
        self.assertIn("small: hints by 2 of 3 points, such as: hint: less\n", output)

    def test_nothing_is_said_of_programs_that_warn_of_nothing(self):
        self.write("axes: {grid: {rate: [1, 2]}}")
        self.assertNotIn("warning", self.sweep())


class ResumeTest(SweepTestCase):
    def test_runs_only_what_is_missing(self):
        points = self.write("axes: {grid: {rate: [0.5, 1]}}\nseeds: 1..2")
        output = self.sweep()
        self.assertIn("small: 4 points: 4 to run", output)
        self.assertIn("small: 4 of 4 points done", output)
        self.assert_all_done(points)
        calls = self.calls()
        self.assertEqual(len(calls), 4)
        self.assertEqual(calls[0], f"--rate=0.5 --RngSeed=1 --RngRun=1 --threads={self.threads()}")
        self.assertIn("small: 4 points: 4 done", self.sweep())
        self.assertEqual(self.calls(), [])

    def test_changed_files_are_run_again_and_told_apart(self):
        file = self.folder / "links.csv"
        text = 'arguments: {trust: "ns3::Matrix[FileName=links.csv]"}'
        for contents in ("0,1", "1,0"):
            file.write_text(contents)
            (digest,) = self.write(text)
            self.assertIn("1 points: 1 to run", self.sweep())
            mark = json.loads((self.runs / "points" / f"{digest}.json").read_text())
            told = hashlib.sha256(contents.encode()).hexdigest()[:16]
            self.assertEqual(mark["contents"], {"trust": told})
        self.assertEqual([is_outdated(run) for run in find_runs([self.runs]) if run.name != digest],
                         [True])  # fmt: skip

    def test_adding_values_and_seeds_runs_only_the_new_ones(self):
        before = self.write("axes: {grid: {rate: [0.5]}}\nseeds: 1..2")
        self.sweep()
        self.calls()
        times = {digest: (self.runs / digest).stat().st_mtime_ns for digest in before}
        points = self.write("axes: {grid: {rate: [0.5, 0.25]}}\nseeds: 1..3")
        self.assertIn("6 points: 2 done, 4 to run", self.sweep())
        self.assert_all_done(points)
        seen = [call.split()[0:3:2] for call in self.calls()]
        self.assertEqual(seen, [["--rate=0.25", f"--RngRun={run}"] for run in (1, 2, 3)]
                         + [["--rate=0.5", "--RngRun=3"]])  # fmt: skip
        self.assertEqual(times, {digest: (self.runs / digest).stat().st_mtime_ns
                                 for digest in before})  # fmt: skip

    def test_same_bytes_wherever_and_however_many_at_a_time(self):
        points = self.write("axes: {grid: {rate: [0.5, 1]}}")
        self.sweep()
        first = self.contents(points)
        shutil.rmtree(self.out)
        self.out = self.folder / "elsewhere"
        self.runs = self.out / "small"
        self.sweep("--jobs", "1")
        self.assertEqual(self.contents(points), first)

    def test_begun_and_damaged_runs_are_run_again(self):
        points = list(self.write("axes: {grid: {rate: [1, 2, 3, 4, 5, 6]}}"))
        self.sweep()
        self.calls()
        cut, old, other, begun, gone, _ = (self.runs / digest for digest in points)
        (cut / "rounds.csv").write_text("round,loss\n0,1")
        self.edit(old / "run.json", schema=0)
        self.edit(other / "run.json", seed=2)
        begun.rename(f"{begun}.partial")
        shutil.rmtree(gone)
        output = self.sweep("--dry-run")
        self.assertIn("1 done, 1 to run, 1 begun and not finished, 3 damaged", output)
        self.assertIn(f"{cut}: rounds.csv has 14 B of 23 B", output)
        self.assertIn(f"{old}: run.json is of another version (schema 0)", output)
        self.assertIn(f"{other}: run.json is of another run: seed is 2, not 1", output)
        self.assertIn("6 of 6 points done", self.sweep())
        self.assert_all_done(points)
        called = [call.split()[0] for call in self.calls()]
        self.assertEqual(called, [f"--rate={rate}" for rate in range(1, 6)])
        kept = self.runs / "failed" / f"{points[0]}-1" / f"{points[0]}.partial" / "rounds.csv"
        self.assertEqual(kept.read_text(), "round,loss\n0,1")
        self.assertIn("6 points: 6 done", self.sweep())

    def test_runs_of_other_arguments_are_run_again(self):
        first, second = self.write("axes: {grid: {rate: [1, 2]}}")
        self.sweep()
        self.calls()
        shutil.rmtree(self.runs / first)
        shutil.copytree(self.runs / second, self.runs / first)
        for file in ("points/{}.json", "logs/{}.log"):
            shutil.copy(self.runs / file.format(second), self.runs / file.format(first))
        output = self.sweep()
        self.assertIn(f"{self.runs / first}: run.json is of another run: rate is 2.0, not 1", output)
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=1"])

    def test_damage_is_seen_by_sizes_and_the_log_is_that_of_the_new_run(self):
        (digest,) = self.write("arguments: {rate: 6}")
        self.sweep()
        rounds = self.runs / digest / "rounds.csv"
        whole = rounds.read_text()
        for damage in ("round,loss\n", "round,loss\n0,"):
            rounds.write_text(damage)
            self.assertIn("warnings by 1 of 1 points", self.sweep())
            self.assertEqual(rounds.read_text(), whole)
        for number, damage in ((1, "round,loss\n"), (2, "round,loss\n0,")):
            aside = self.runs / "failed" / f"{digest}-{number}"
            self.assertEqual((aside / f"{digest}.partial" / "rounds.csv").read_text(), damage)
            self.assertIn("warning: a rate of 6", (aside / "log.txt").read_text())

    def test_runs_whose_marks_are_lost_are_not_run_again(self):
        points = list(self.write("axes: {grid: {rate: [1, 2, 3]}}"))
        self.sweep()
        self.calls()
        shutil.rmtree(self.runs / "points")
        (self.runs / points[0] / "rounds.csv").write_text("round,loss\n0,1")
        (self.runs / points[1] / "run.json").write_text("{")
        output = self.sweep()
        self.assertIn("rounds.csv is cut", output)
        self.assertIn("run.json is damaged", output)
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=1", "--rate=2"])

    def threads(self):
        """The cores of each of two points."""
        return max(1, len(os.sched_getaffinity(0)) // 2)

    @staticmethod
    def edit(file, **values):
        """Changes values of a JSON file but not its size, so that only they tell."""
        text = file.read_text()
        changed = json.dumps({**json.loads(text), **values}) + "\n"
        file.write_text(changed)
        assert len(changed) == len(text)


class PartsTest(SweepTestCase):
    def test_runs_all_parts_of_a_scale(self):
        (self.folder / "small.yaml").write_text("""{schema: 1, arguments: {rate: 2}, parts: [
            {scenario: stand-in, axes: {grid: {rounds: [3, 4]}}, scales: {smoke: {seeds: 5}}},
            {name: second, scenario: stand-in, scales: {smoke: {arguments: {rate: 1}}}}]}""")
        self.assertIn("small-second-smoke: 1 points", self.sweep("--scale", "smoke", "--dry-run"))
        output = self.sweep("--scale", "smoke")
        self.assertIn("small-smoke: 2 of 2 points done", output)
        self.assertIn("small-second-smoke: 1 of 1 points done", output)
        self.assertEqual([call.split("--RngSeed")[0] for call in self.calls()],
                         ["--rate=1 ", "--rate=2 --rounds=3 ", "--rate=2 --rounds=4 "])  # fmt: skip
        self.assertEqual(len(list((self.out / "small-smoke").glob("*/run.json"))), 2)
        output = self.sweep("--scale", "paper", code=2)
        self.assertIn("scale 'paper' is unknown; allowed: smoke, standard", output)


class VersionTest(SweepTestCase):
    """Points of a program that has changed since."""

    OLD = "ns-3 collab 0.1.0, commit 0123456789ab, sources ab12, program "
    FEW = "axes: {grid: {rate: [1, 2]}}"
    MORE = "axes: {grid: {rate: [1, 2, 3]}}"

    def setUp(self):
        super().setUp()
        self.old = self.write(self.FEW)
        self.sweep()
        self.calls()

    def build_anew(self, **versions):
        """Changes what the program says that it was built from."""
        known = {"collab": "0.1.0", "commit": "0123456789ab", "sources": "ab12", "ns3": "3.37"}
        (self.programs / "versions").write_text(json.dumps({**known, **versions}))

    def change_program(self):
        """Changes the program itself, and nothing that it says."""
        with (self.programs / "stand-in").open("a") as program:
            program.write("# Another one\n")

    def test_marks_tell_what_made_a_run(self):
        program = hashlib.sha256((self.programs / "stand-in").read_bytes()).hexdigest()[:16]
        mark = json.loads((self.runs / "points" / f"{list(self.old)[0]}.json").read_text())
        self.assertEqual(mark["versions"], {"collab": "0.1.0", "commit": "0123456789ab",
                                            "sources": "ab12", "ns3": "3.37",
                                            "program": program})  # fmt: skip

    def test_refuses_new_points_beside_those_of_another_version(self):
        self.write(self.MORE)
        for change in (
            lambda: self.build_anew(commit="ba9876543210-dirty", sources="cd34"),
            lambda: self.build_anew(ns3="3.38"),
            lambda: (self.build_anew(), self.change_program()),
        ):
            change()
            output = self.sweep(code=2)
            self.assertRegex(output, f"^collab sweep: 2 of 3 points were done by another version "
                             f"[(]2 by {self.OLD}[0-9a-f]{{8}}[)] than the present one [(]ns-3 "
                             "collab 0.1.0, commit .*[)]; allowed: --redo-other-version .*\n$")  # fmt: skip
            self.assertIn("1 to run, 2 done by another version", self.sweep("--dry-run"))
        self.assertEqual(self.calls(), [])
        self.assertTrue(all((self.runs / digest / "run.json").exists() for digest in self.old))
        self.assertFalse((self.runs / "replaced").exists())

    def test_a_commit_that_leaves_the_program_as_it_is_changes_nothing(self):
        self.write(self.MORE)
        self.build_anew(commit="ba9876543210", collab="0.2.0")
        self.assertIn("2 done, 1 to run", self.sweep())
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=3"])

    def test_nothing_is_refused_where_nothing_is_to_run(self):
        self.build_anew(sources="cd34")
        output = self.sweep()
        self.assertIn("2 of 2 points were done by another version", output)
        self.assertIn("2 points: 2 done by another version", output)
        self.assertEqual(self.calls(), [])

    def test_allowing_puts_new_points_beside_them(self):
        points = self.write(self.MORE)
        self.build_anew(sources="cd34")
        self.assertIn("3 of 3 points done", self.sweep("--allow-other-version"))
        self.assert_all_done(points)
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=3"])
        self.sweep(code=2)

    def test_redoing_keeps_the_old_runs_aside(self):
        points = self.write(self.MORE)
        old = [(self.runs / digest / "run.json").read_bytes() for digest in self.old]
        self.build_anew(sources="cd34")
        self.assertIn("3 of 3 points done", self.sweep("--redo-other-version"))
        self.assert_all_done(points)
        self.assertEqual(len(self.calls()), 3)
        aside = [self.runs / "replaced" / f"{digest}-1" for digest in self.old]
        kept = [(path / f"{path.name[:-2]}.partial" / "run.json").read_bytes() for path in aside]
        self.assertEqual(kept, old)
        told = json.loads((aside[0] / "point.json").read_text())
        self.assertIn(f"made by {self.OLD}", told["reason"])
        self.assertIn("3 points: 3 done\n", self.sweep())
        self.assertEqual([run.parent for run in find_runs([self.runs])], [self.runs] * 3)

    def test_runs_that_say_nothing_are_of_another_version(self):
        first = list(self.old)[0]
        for file in (self.runs / first / "run.json", self.runs / "points" / f"{first}.json"):
            content = json.loads(file.read_text())
            del content["versions"]
            file.write_text(json.dumps(content) + "\n")
        (self.runs / "points" / f"{first}.json").unlink()
        (self.runs / "logs" / f"{first}.log").unlink()
        self.assertIn("(1 by an unknown version)", self.sweep(code=2))

    def test_without_marks_runs_and_logs_tell(self):
        shutil.rmtree(self.runs / "points")
        self.assertIn("2 points: 2 done\n", self.sweep())
        self.build_anew(sources="cd34")
        self.assertIn("2 done by another version", self.sweep())
        self.build_anew()
        self.assertIn("2 points: 2 done\n", self.sweep())
        self.change_program()
        self.assertIn("2 done by another version", self.sweep())

    def test_without_marks_and_logs_the_program_is_unknown(self):
        shutil.rmtree(self.runs / "points")
        shutil.rmtree(self.runs / "logs")
        self.write(self.MORE)
        told = "2 by ns-3 collab 0.1.0, commit 0123456789ab, sources ab12, program unknown"
        self.assertIn(told, self.sweep(code=2))

    def test_program_that_is_built_anew_meanwhile(self):
        self.write("arguments: {wait: true}\naxes: {grid: {rate: [3, 4]}}")
        process = self.start("--jobs", "1")
        self.wait_for_calls(1)
        self.change_program()
        (self.programs / "go").touch()
        output = process.communicate()
        self.assertEqual(process.returncode, 1, output)
        later = r"rate=[34] run 1\) failed: the program was built anew since the sweep"  # in any order
        self.assertRegex(output, later)
        self.assertIn("1 of 2 points done", output)


class FailureTest(SweepTestCase):
    def test_failed_point_is_kept_aside_and_the_rest_goes_on(self):
        points = self.write("axes: {list: [{rate: 1, weak: false}, {rate: 2, weak: true}, "
                            "{rate: 3, weak: false}]}")  # fmt: skip
        (self.programs / "break").touch()
        weak = list(points)[1]
        failed = self.runs / "failed"
        output = self.sweep(code=1)
        self.assertIn(f"{failed}/{weak}-1 (rate=2 weak=true run 1) failed: killed by SIGABRT", output)
        self.assertIn("2 of 3 points done", output)
        self.assertIn("1 failed, see", output)
        self.assertIn("it broke", (failed / f"{weak}-1" / "log.txt").read_text())
        self.assertTrue((failed / f"{weak}-1" / f"{weak}.partial" / "run.json").exists())
        self.assertIn("2 done, 1 to run again after a failure", self.sweep(code=1))
        self.assertEqual(len(list(failed.iterdir())), 2)
        (self.programs / "break").unlink()
        self.calls()
        self.assertIn("3 of 3 points done", self.sweep())
        self.assert_all_done(points)
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=2"])

    def test_program_that_writes_nothing(self):
        self.write("arguments: {rate: 1}")
        program = self.programs / "stand-in"
        text = program.read_text().replace("    write_run(values)\n", "")
        program.write_text(text)
        self.assertIn("ended well but has written no run folder", self.sweep(code=1))

    def test_mistakes_are_found_before_anything_runs(self):
        for text, told in (
            ("axes: {grid: {rat: [1]}}", "unknown axis 'rat'; the nearest known one is 'rate'"),
            ("axes: {grid: {rate: []}}", "rate has no value, so the sweep has no point"),
        ):
            (self.folder / "small.yaml").write_text(HEAD + text)
            output = self.sweep(code=2)
            self.assertRegex(output, f"^collab sweep: .*{told}\n$")
        self.write("arguments: {rate: 1}")
        output = self.sweep("--profile", "fast", code=2)
        self.assertIn("--profile was given 'fast'; allowed: slurm, or a folder with", output)
        self.assertEqual(self.calls(), [])
        self.assertFalse(self.out.exists())

    def test_full_disk(self):
        self.out.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", self.out]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            self.skipTest("a small disk cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.out], check=True)
        points = self.write("arguments: {kilobytes: 2500}\naxes: {grid: {rate: [1, 2, 3, 4]}}")
        output = self.sweep("--jobs", "1", code=1)
        self.assertIn("the disk is full; make room, and the next call goes on", output)
        done = [digest for digest in points if (self.runs / digest).exists()]
        self.assertIn(len(done), (1, 2))
        self.assertEqual(list(self.runs.glob("*.partial")), [])
        self.calls()
        subprocess.run(["mount", "-o", "remount,size=60m", self.out], check=True)
        self.assertIn("4 of 4 points done", self.sweep())
        self.assert_all_done(points)
        self.assertEqual(len(self.calls()), 4 - len(done))

    def test_file_that_may_not_grow(self):
        points = self.write("axes: {grid: {kilobytes: [1, 3000]}}")
        program = self.programs / "stand-in"
        limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\n"
        program.write_text(program.read_text().replace("import time\n", f"import time\n{limit}"))
        output = self.sweep(code=1)
        self.assertRegex(output, "kilobytes=3000 run 1.* failed: exit code 1: OSError: .*File too la")
        self.assertTrue((self.runs / list(points)[0] / "run.json").exists())


class InterruptionTest(SweepTestCase):
    """Ctrl-C, kill -9, and two sweeps at once."""

    def setUp(self):
        super().setUp()
        self.points = self.write("arguments: {wait: true}\naxes: {grid: {rate: [1, 2, 3, 4]}}")

    def test_first_interrupt_lets_running_points_finish(self):
        process = self.start()
        self.wait_for_calls(2)
        os.killpg(process.pid, signal.SIGINT)
        self.wait_for(lambda: "waits for the running points" in process.stdout.readline())
        self.wait_for(lambda: "finishing currently running" in (self.runs / "engine.log").read_text())
        (self.programs / "go").touch()
        output = process.communicate()
        self.assertEqual(process.returncode, 130, output)
        self.assertIn("2 of 4 points done", output)
        self.assertIn("stopped; the next call goes on", output)
        self.assertEqual(len(self.calls()), 2)
        self.assertIn("4 points: 2 done, 2 to run", self.sweep())
        self.assertEqual(len(self.calls()), 2)
        self.assert_all_done(self.points)

    def test_second_interrupt_ends_running_points(self):
        process = self.start()
        self.wait_for_calls(2)
        os.killpg(process.pid, signal.SIGINT)
        self.wait_for(lambda: "waits for the running points" in process.stdout.readline())
        os.killpg(process.pid, signal.SIGINT)
        self.check_ended(process)

    def test_termination_ends_running_points(self):
        process = self.start()
        self.wait_for_calls(2)
        process.send_signal(signal.SIGTERM)
        self.check_ended(process)

    def test_canceled_point_is_no_failure_if_its_program_ends_first(self):
        process = self.start()
        self.wait_for_calls(2)
        program = self.running_program()
        parent = self.parent_of(program)
        os.kill(program, signal.SIGTERM)
        self.wait_for(lambda: "Z" in self.state_of(program))
        os.kill(parent, signal.SIGTERM)
        (self.programs / "go").touch()
        output = process.communicate()
        self.assertEqual(process.returncode, 1, output)
        self.assertFalse((self.runs / "failed").exists())
        self.assertIn("4 points: 3 done, 1 to run", self.sweep())
        self.assert_all_done(self.points)

    def check_ended(self, process):
        """The sweep ends at once, without a trace of the points that ran; the next call goes on."""
        output = process.communicate()
        self.assertEqual(process.returncode, 130, output)
        self.assertIn("0 of 4 points done", output)
        self.assertEqual(list(self.runs.glob("*.partial")), [])
        self.assertFalse((self.runs / "failed").exists())
        (self.programs / "go").touch()
        self.assertIn("4 points: 4 to run", self.sweep())
        self.assert_all_done(self.points)

    def test_second_sweep_in_the_same_folder_is_refused(self):
        process = self.start()
        self.wait_for_calls(2)
        output = self.sweep(code=2)
        self.assertIn(f"collab sweep: {self.runs} is in use by another sweep (process", output)
        self.assertIn(f"(process {process.pid} on", output)
        (self.programs / "go").touch()
        output = process.communicate()
        self.assertEqual(process.returncode, 0, output)
        self.assertEqual(len(self.calls()), 4)

    def test_after_kill_9_of_the_sweep_its_engine_keeps_others_out(self):
        process = self.start()
        self.wait_for_calls(2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertIn("is in use by another sweep", self.sweep(code=2))
        (self.programs / "go").touch()
        self.wait_for(self.is_unlocked)
        self.assertIn("4 points: 4 done", self.sweep())
        self.assertEqual(len(self.calls()), 4)

    def test_after_kill_9_of_all_but_the_points_they_are_waited_for(self):
        process = self.start()
        self.wait_for_calls(2)
        engine = self.engine_of(process)
        process.send_signal(signal.SIGKILL)
        os.kill(engine, signal.SIGKILL)
        self.wait_for(self.is_unlocked)
        second = self.start()
        self.wait_for(self.is_waited_for)
        (self.programs / "go").touch()
        output = second.communicate()
        self.assertEqual(second.returncode, 0, output)
        self.assert_all_done(self.points)
        self.assertEqual(len(self.calls()), 4)

    def test_after_kill_9_of_all_but_a_program_its_mark_is_whole(self):
        process = self.start("--jobs", "1")
        self.wait_for_calls(1)
        parent = self.parent_of(self.running_program())
        engine = self.engine_of(process)
        process.send_signal(signal.SIGKILL)
        os.kill(engine, signal.SIGKILL)
        os.kill(parent, signal.SIGKILL)
        self.wait_for(self.is_unlocked)
        second = self.start("--jobs", "1")
        self.wait_for(self.is_waited_for)
        (self.programs / "go").touch()
        output = second.communicate()
        self.assertEqual(second.returncode, 0, output)
        self.assertEqual(len(self.calls()), 4)
        for file in self.runs.glob("points/*.json"):
            mark = json.loads(file.read_text())
            self.assertGreater(mark["seconds"], 0)
            self.assertIn("program", mark["versions"])

    def test_after_kill_9_of_the_program_and_all_else(self):
        process = self.start()
        self.wait_for_calls(2)
        engine = self.engine_of(process)
        process.send_signal(signal.SIGKILL)
        os.killpg(engine, signal.SIGKILL)
        self.wait_for(self.is_unlocked)
        (self.programs / "go").touch()
        self.assertIn("2 to run, 2 begun and not finished", self.sweep())
        self.assert_all_done(self.points)
        told = [json.loads(file.read_text()) for file in self.runs.glob("failed/*/point.json")]
        self.assertEqual([one["reason"] for one in told], ["its process was killed"] * 2)


class InterruptedEngine:
    """An engine during whose answer to the first Ctrl-C the second one comes."""

    def __init__(self):
        self.called = []
        self.looks = 0

    def is_running(self):
        self.looks += 1
        if self.looks == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return "kill" not in self.called and self.looks < 10

    def finish(self):
        self.called.append("finish")
        os.kill(os.getpid(), signal.SIGINT)

    def kill(self):
        self.called.append("kill")


class WatchTest(FolderTestCase):
    def test_second_interrupt_counts_while_the_first_is_answered(self):
        engine = InterruptedEngine()
        sweep = SweepProgress(SweepFolder(self.folder), {}, [], [])
        Watch([sweep], 1, lambda *_, **__: None).watch(engine)
        self.assertEqual(engine.called, ["finish", "kill"])


class PlanTest(SweepTestCase):
    def test_lists_points_and_estimates(self):
        points = self.write("axes: {grid: {rate: [1, 2]}}")
        output = self.sweep("--dry-run")
        first, second = points
        self.assertIn(f"{first}  missing  rate=1 run 1\n{second}  missing  rate=2 run 1\n", output)
        self.assertIn("no estimate of the time", output)
        self.assertFalse(self.out.exists())
        self.sweep()
        for digest, seconds in ((first, 90), (second, 150)):
            mark = self.runs / "points" / f"{digest}.json"
            mark.write_text(json.dumps({**json.loads(mark.read_text()), "seconds": seconds}))
        self.write("axes: {grid: {rate: [1, 2]}}\nseeds: 1..3")
        output = self.sweep("--dry-run")
        # 2 x 90 s + 2 x 150 s by two at a time
        self.assertIn("6 points: 2 done, 4 to run", output)
        self.assertIn("about 4 min for 4 points, 2 at a time", output)
        self.assertIn(f"{first}  done     rate=1 run 1", output)
