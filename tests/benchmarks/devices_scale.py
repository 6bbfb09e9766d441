#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How runs grow with the number of their devices, and where time and memory go.

Usage: devices_scale.py BUILD [MOST]    as ./collab bench scale calls it; MOST devices if given

Softmax regression on 8 samples of Fashion-MNIST each, radios with outage and ARQ, batteries and processors: FedAvg with
1 % of the devices a round, and decentralized SGD, whose devices stand in a grid and hear their 24 neighbors. Tables
have rows of 1 % of the devices. Prints a
row per number of devices: seconds of the start and of a round, microseconds per device and round of the whole run, the
same of processor time (user), and kilobytes per device. Then, of a run with 2048 devices: the functions that take most
of the time, if perf is installed, and those that allocate what is held at the peak of memory, if heaptrack is.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

COMMON = (
    "--samples=8 --minimumSamples=4 --partition=resampled --lowQuality=none --model=linear --optimizer=sgd --quiet"
    # Of a battery nothing is asked between the changes of its load
    " --ns3::BasicEnergySource::PeriodicEnergyUpdateInterval=1h"
)
PROFILED = 2048  # devices
LINES = 10  # of a profile


@dataclass(frozen=True)
class Workload:
    """Runs of one scenario."""

    title: str
    scenario: str
    arguments: str
    rounds: int
    side: float = 0  # of the square that a device has, if devices stand in a grid [m]


WORKLOADS = (
    Workload("FedAvg, 20 rounds, 1 % of the devices a round", "federated",
             "--algorithm=fedavg --participation=0.01 --localEpochs=1 --referenceSamples=40 --testSamples=1000"
             " --omit=messages,latency,energy", 20),
    Workload("Decentralized SGD, 3 rounds, all devices, 24 neighbors each", "gossip",
             "--algorithm=dfedavgm --localSteps=1 --referenceSamples=10 --testSamples=50 --positions=grid"
             " --omit=messages,latency,energy,exchanges --ns3::collab::D2dPhy::RxSensitivity=-70.5", 3, 10),
)  # fmt: skip


@dataclass(frozen=True)
class Usage:
    """What a run has taken."""

    wall: float  # seconds
    user: float  # seconds of processor time
    memory: int  # the most that it had [bytes]


def make_command(build: Path, work: Workload, devices: int, rounds: int, folder: str) -> list:
    """The command line of a run."""
    command = [build / "scenarios" / work.scenario, *COMMON.split(), *work.arguments.split()]
    command += [f"--devices={devices}", f"--rounds={rounds}", f"--runDir={folder}/run"]
    command += ["--tableSample=0.01"] if devices >= PROFILED else []
    command += [f"--area={work.side * sqrt(devices)}"] if work.side else []
    return [str(word) for word in command]


def measure(build: Path, work: Workload, devices: int, rounds: int) -> Usage:
    """Runs it."""
    with tempfile.TemporaryDirectory() as folder:
        command = make_command(build, work, devices, rounds, folder)
        begin = time.monotonic()
        # Waited for by itself, as getrusage() tells the most that any run has had
        _, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, command[0], command), 0)
        if status:
            sys.exit(f"{command[0]} ended with {status}")
        return Usage(time.monotonic() - begin, usage.ru_utime, usage.ru_maxrss * 1024)


def show(build: Path, work: Workload, most: int) -> None:
    """Prints the table of a workload."""
    program = measure(build, work, 2, 1)  # the program itself
    print(work.title)
    print(f"{'devices':>8} {'start [s]':>10} {'round [s]':>10} {'us/device':>10} {'(user)':>10} {'kB/device':>10}")
    for devices in (2048, 8192, 32768, 131072):
        if devices > most:
            break
        first = measure(build, work, devices, 1)
        whole = measure(build, work, devices, work.rounds)
        each = (whole.wall - first.wall) / (work.rounds - 1)
        steps = devices * work.rounds / 1e6
        print(f"{devices:8} {first.wall - each:10.2f} {each:10.3f} {(whole.wall - program.wall) / steps:10.2f}"
              f" {(whole.user - program.user) / steps:10.2f} {(whole.memory - program.memory) / devices / 1e3:10.1f}",
              flush=True)  # fmt: skip


def shorten(name: str) -> str:
    """A function's name that fits a line, without what its parameters are."""
    name = re.sub(r"\(anonymous namespace\)::|ns3::collab::|std::__cxx11::|\[clone [^]]*\]", "", name).strip()
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return name.split("(")[0][:90] or "?"


def show_time(command: list, folder: str) -> None:
    """Prints what takes most of the time."""
    data = f"{folder}/perf.data"
    record = ["perf", "record", "--quiet", "-F", "199", "-o", data, "--", *command]
    subprocess.run(record, check=True, stderr=subprocess.DEVNULL)
    report = ["perf", "report", "-i", data, "--stdio", "--no-children", "-F", "overhead,dso,symbol", "-w", "0,24,200"]
    lines = subprocess.run(report, check=True, capture_output=True, text=True).stdout.splitlines()
    print("   time  where")
    for line in [line for line in lines if re.match(r" +[0-9.]+%", line)][:LINES]:
        share, library, _, symbol = line.split(None, 3)
        print(f"{share:>7}  {library}: {shorten(symbol)}")


def show_memory(command: list, folder: str, devices: int) -> None:
    """Prints what is held when memory is at its peak."""
    data = f"{folder}/heap"
    record = ["heaptrack", "-o", data, *command]
    subprocess.run(record, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    written = next(Path(folder).glob("heap*"))
    report = ["heaptrack_print", "-f", written, "-a", "0", "-T", "0", "-l", "0", "-p", "1", "-n", "30", "-s", "0"]
    text = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    pattern = r"^([0-9.]+)([KMG]?)B? peak memory consumed over .* calls from\n *(.*)$"
    print(f"{'kB':>8}  per device, allocated by")
    factor = {"": 1e-3, "K": 1, "M": 1e3, "G": 1e6}
    for size, unit, function in re.findall(pattern, text, re.MULTILINE)[:LINES]:
        print(f"{float(size) * factor[unit] / devices:8.2f}  {shorten(function)}")


def show_profile(build: Path, work: Workload) -> None:
    """Prints where time and memory of a run go, as far as there are programs that say so."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"{PROFILED} devices:")
        if shutil.which("perf"):
            show_time(make_command(build, work, PROFILED, work.rounds, folder), folder)
        shutil.rmtree(f"{folder}/run", ignore_errors=True)
        if shutil.which("heaptrack"):
            show_memory(make_command(build, work, PROFILED, 2, folder), folder, PROFILED)
    print(flush=True)


def main() -> None:
    """Prints the tables."""
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 131072
    for work in WORKLOADS:
        show(Path(sys.argv[1]), work, most)
        show_profile(Path(sys.argv[1]), work)


if __name__ == "__main__":
    main()
