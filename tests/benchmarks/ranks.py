#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Times FedAvg in one process and as several ranks that mpirun starts on this machine, and prints what
contrib-module/doc/results/ranks.txt has: the shortest of some runs each, and the bytes of a training job.
Usage: ranks.py FOLDER_OF_THE_BUILD [RUNS]"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = ["--devices=12", "--rounds=4", "--lowQuality=none", "--partition=iid", "--testSamples=200", "--quiet=true"]
CELLS = {
    "long jobs": ["--model=netcnn", "--samples=250", "--localEpochs=2"],
    "short jobs": ["--model=mlp", "--samples=50", "--localEpochs=1"],
}
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
WAYS = {
    "1 thread": ([], ["--threads=1"]),
    "2 threads": ([], ["--threads=2"]),
    "2 ranks": ([*MPIRUN, "2"], []),
    "3 ranks": ([*MPIRUN, "3"], []),
}
ROW = "{:<11} {:<10} {:>6} {:>7} {:>16} {:>16} {:>16}"


def seconds(command, folder):
    """How long a run takes, on the clock and of all cores together, and what it logs."""
    environment = {**os.environ, "NS_LOG": "CollabRanks=level_info"}
    begin, before = time.perf_counter(), os.times()
    done = subprocess.run([*command, f"--runDir={folder}/run"], env=environment, capture_output=True, text=True)
    spent, after = time.perf_counter() - begin, os.times()
    computed = after.children_user + after.children_system - before.children_user - before.children_system
    if done.returncode != 0:
        sys.exit(done.stderr)
    return spent, computed, done.stderr


def traffic(log):
    """Bytes of a training job to a rank and back, and of data sets, of all ranks."""
    found = re.findall(r": (\d+) bytes of data sets; (\d+) training jobs .* with (\d+) bytes .* and (\d+) back", log)
    data, jobs, sent, received = (sum(int(one[i]) for one in found) for i in range(4))
    return [sent // jobs, received // jobs, data // len(found)] if jobs else ["-", "-", "-"]


def main():
    build, runs = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    here = Path(__file__).parent
    commit = subprocess.check_output(["git", "-C", here, "rev-parse", "--short", "HEAD"], text=True).strip()
    print(f"commit {commit}, {os.cpu_count()} cores of one machine, load {os.getloadavg()[0]:.1f} before")
    print("build/scenarios/federated", *BASE)
    for name, arguments in CELLS.items():
        print(f"{name}:", *arguments)
    print()
    print(ROW.format("", "", "s", "core s", "B to, per job", "B back, per job", "B of data sets"))
    for name, arguments in CELLS.items():
        for way, (prefix, own) in WAYS.items():
            times = []
            for _ in range(runs):
                with tempfile.TemporaryDirectory() as folder:
                    *spent, log = seconds([*prefix, build / "scenarios/federated", *BASE, *arguments, *own], folder)
                times.append(spent)
            print(ROW.format(name, way, *(f"{one:.1f}" for one in min(times)), *traffic(log)), flush=True)


main()
