#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A run of several processes that mpirun starts: the bytes of one process, and how it ends.
Usage: test_ranks.py FOLDER_OF_PROGRAMS"""

import filecmp
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAMS = Path("build/scenarios")
SMALL = ("--samples=60", "--testSamples=50", "--rounds=3", "--threads=2")
# As root in a container, and more processes than cores
MPIRUN = ("mpirun", "--allow-run-as-root", "--oversubscribe")
KEEPS_MOMENTS = "--ns3::collab::FederatedClientApplication::ResetsOptimizer=false"


def tree(folder):
    """The paths of all files below a folder."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


class RanksTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.environment = {n: v for n, v in os.environ.items() if not n.startswith("COLLAB_RANK")}

    def start(self, *command, **variables):
        command = [str(word) for word in command]
        return subprocess.Popen(command, cwd=self.folder, env={**self.environment, **variables}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def call(self, *command, **variables):
        """Exit code, standard output and standard error."""
        process = self.start(*command, **variables)
        output, errors = process.communicate(timeout=300)
        return process.returncode, output, errors

    def compare(self, ranks, scenario, *arguments):
        """Runs a scenario in one process and in several, with the same files and output."""
        program = (PROGRAMS / scenario, *arguments)
        alone, output, errors = self.call(*program, "--runDir=run")
        self.assertEqual((alone, errors), (0, ""))
        expected = (self.folder / "run").rename(self.folder / "alone")
        for count in ranks:
            with self.subTest(scenario=scenario, ranks=count):
                code, printed, errors = self.call(*MPIRUN, "-n", count, *program, "--runDir=run")
                self.assertEqual(code, 0, errors)
                self.assertEqual(printed, output)
                found = (self.folder / "run").rename(self.folder / f"of-{count}")
                self.assertEqual(tree(found), tree(expected))
                _, *differing = filecmp.cmpfiles(found, expected, tree(expected), shallow=False)
                self.assertEqual(differing, [[], []])

    def test_federated_averaging_with_moments_that_stay(self):
        self.compare((1, 2, 4), "federated", "--devices=5", *SMALL, KEEPS_MOMENTS, "--saveWeights=true")

    def test_scaffold_with_personal_layers(self):
        self.compare((3,), "federated", "--devices=4", *SMALL, "--algorithm=scaffold", "--personalLayers=1")

    def test_running_statistics(self):
        self.compare((2,), "federated", "--devices=3", "--samples=40", "--testSamples=20", "--rounds=2",
                     "--model=resnet20:bn")  # fmt: skip

    def test_gossip_with_private_steps(self):
        self.compare((2,), "gossip", "--devices=4", *SMALL, "--model=mlp:8", "--dpSgd=clip=1,noise=1")

    def test_prediction_consensus(self):
        self.compare((4,), "prediction-consensus", "--devices=4", *SMALL, "--referenceSamples=50",
                     "--pretrainingRounds=1", "--lowQuality=1", "--model=mlp:8")  # fmt: skip

    def test_beliefs_about_networks(self):
        self.compare((3,), "belief-consensus", "--family=mean-field", "--devices=3", "--instants=3",
                     "--interval=0", "--samples=60", "--testSamples=50", "--model=mlp:8")  # fmt: skip

    def test_mistakes_are_told_once(self):
        for arguments, told in (
            (["--devices=1"], "argument --devices=1 is not allowed"),
            (["--runs=1..2", *SMALL], "--runs plays each run in a process of its own"),
        ):
            with self.subTest(arguments=arguments):
                code, output, errors = self.call(
                    *MPIRUN, "-q", "-n", 3, PROGRAMS / "federated", *arguments, "--runDir=run")  # fmt: skip
                self.assertEqual((code, output), (2, ""))
                self.assertEqual(errors.count("federated: "), 1, errors)
                self.assertIn(told, errors)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_help_is_printed_once(self):
        code, output, errors = self.call(*MPIRUN, "-n", 3, PROGRAMS / "federated", "--help")
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(output.count("--devices:"), 1)

    def test_a_program_without_mpi(self):
        """The libraries of the program, but not the one that loads MPI"""
        (self.folder / "lib").mkdir()
        (self.folder / "bin").mkdir()
        for library in (PROGRAMS.parent / "lib").iterdir():
            if "mpi" not in library.name:
                (self.folder / "lib" / library.name).symlink_to(library)
        program = self.folder / "bin/gossip"
        program.write_bytes((PROGRAMS / "gossip").read_bytes())
        program.chmod(0o755)
        code, output, errors = self.call(*MPIRUN, "-q", "-n", 3, program, *SMALL)
        self.assertEqual((code, output), (2, ""))
        self.assertEqual(errors.count("gossip: "), 1, errors)
        self.assertIn("built without MPI", errors)
        code, output, errors = self.call(*MPIRUN, "-q", "-n", 2, "-x", "COLLAB_RANKS=off", program, "--help")
        self.assertEqual((code, output.count("--devices:")), (0, 2), errors)

    def test_processes_that_cannot_find_each_other(self):
        code, output, errors = self.call(PROGRAMS / "gossip", SLURM_STEP_NUM_TASKS="4", SLURM_PROCID="0")
        self.assertEqual((code, output), (2, ""))
        self.assertRegex(errors, r"^gossip: srun has started 4 processes .*--mpi=pmix.*\n$")
        code, output, errors = self.call(PROGRAMS / "gossip", SLURM_STEP_NUM_TASKS="4", SLURM_PROCID="3")
        self.assertEqual((code, output, errors), (2, "", ""))

    def kill_rank_1(self, process):
        """Kills a rank of a run that has begun to write rows."""
        partial = self.folder / "run.partial/rounds.csv"
        limit = time.monotonic() + 120
        while not partial.exists() or partial.read_bytes().count(b"\n") < 6:
            self.assertIsNone(process.poll(), "it has ended too early")
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.05)
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                variables = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"OMPI_COMM_WORLD_RANK=1" in variables and f"PWD={self.folder}".encode() in variables:
                os.kill(int(path.parent.name), signal.SIGKILL)
                return
        self.fail("no process is rank 1")

    def test_a_dead_rank_ends_the_run(self):
        # mpirun ends all by itself; when told to let the others live, rank 0 sees that one is silent
        for options, variables in (([], {}), (["--enable-recovery"], {"COLLAB_RANK_PATIENCE": "2"})):
            with self.subTest(options=options):
                process = self.start(
                    *MPIRUN, *options, "-n", 3, PROGRAMS / "gossip", "--devices=4", "--samples=60",
                    "--testSamples=50", "--rounds=100000", "--runDir=run",
                    PWD=str(self.folder), **variables)  # fmt: skip
                try:
                    self.kill_rank_1(process)
                    _, errors = process.communicate(timeout=120)
                finally:
                    process.kill()
                if not options:  # else mpirun takes any end for a right one
                    self.assertNotEqual(process.returncode, 0)
                self.assertRegex(errors, f"rank 1 .*on (node )?{socket.gethostname()}")
                if options:
                    self.assertEqual(errors.count("gossip: "), 1, errors)
                    self.assertIn(f"rank 1 on {socket.gethostname()} is gone", errors)
                rows = (self.folder / "run.partial/rounds.csv").read_text().splitlines()
                self.assertGreaterEqual(len(rows), 6)
                (self.folder / "run.partial").rename(self.folder / f"killed-{len(options)}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRAMS = Path(sys.argv.pop(1)).resolve()
    unittest.main()
