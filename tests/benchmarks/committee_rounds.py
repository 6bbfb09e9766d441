#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the committee mechanism costs at the sizes of Che et al.: 600 rounds with models that are sizes
only, of 1080 devices of which a tenth is active and of 108 that all are, and five rounds of 3550 devices
that learn. Prints what contrib-module/doc/results/committee-rounds.txt has.

Usage: committee_rounds.py BUILD [ROUNDS]; ROUNDS in the place of 600, to try it
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
TIMEOUTS = ("gradientTimeout", "scoreTimeout", "attemptTimeout", "modelTimeout")
FULL_DUPLEX = "--ns3::collab::D2dPhy::Duplex=Full"
STUB = ["--model=stub:50000000", "--samples=40", "--minimumSamples=10", "--partition=iid",
        "--referenceSamples=10", "--testSamples=10", "--battery=1e12", "--maxOutage=1e-9",
        "--loss=best-effort", *(f"--{name}=999999" for name in TIMEOUTS), FULL_DUPLEX,
        "--ns3::collab::D2dPhy::FragmentSize=1000000000",
        "--ns3::BasicEnergySource::PeriodicEnergyUpdateInterval=1e6s"]  # fmt: skip
LEARNERS = ["--model=mlp:32", "--devices=3550", "--activePercent=10", "--samples=16", "--minimumSamples=8",
            "--partition=writers", "--alpha=0.5", "--referenceSamples=0", "--testSamples=10000",
            "--lowQuality=none", "--batchSize=128", "--localSteps=1", "--localRate=0.05", "--globalRate=0.05",
            "--maxOutage=0.1", "--gradientTimeout=600", *(f"--{name}=300" for name in TIMEOUTS[1:]),
            "--ns3::collab::D2dPriorityQueue::MaxSize=10000p", FULL_DUPLEX]  # fmt: skip


def main(build, rounds=600):
    version = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, text=True, check=True,
                             stdout=subprocess.PIPE).stdout.strip()  # fmt: skip
    print(f"commit {version}, {os.cpu_count()} cores, each run on one thread")
    measure("1080 devices, a tenth of them active", build, [*STUB, "--devices=1080", "--activePercent=10"], rounds)
    measure("108 devices, all active", build, [*STUB, "--devices=108", "--activePercent=100"], rounds)
    measure("3550 devices that learn, a tenth of them active", build, LEARNERS, min(5, rounds))


def measure(title, build, options, rounds):
    """Runs the scenario and prints what it took."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        words = [*options, f"--rounds={rounds}", "--committeePercent=40", "--acceptPercent=40", "--threads=1"]
        command = [build / "scenarios" / "committee", *words, f"--runDir={run}"]
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        if status:
            raise SystemExit(f"{' '.join(map(str, command))} failed")
        with (run / "committee.csv").open(encoding="utf-8") as table:
            outcomes = [row["outcome"] for row in csv.DictReader(table)]
        size = sum(file.stat().st_size for file in run.iterdir())
        print(f"\ncommittee {' '.join(words)}")
        print(f"{title}, {rounds} rounds: {seconds:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processor time,"
              f" {used.ru_maxrss / 1024:.0f} MB resident, {size / 1e6:.0f} MB of tables;"
              f" {outcomes.count('agreed')} of {len(outcomes)} rounds of members agreed", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:]))
