#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How runs grow with the number of their devices.

Usage: devices_scale.py BUILD [MOST]    as ./collab bench scale calls it; MOST devices if given

Softmax regression on 8 samples of Fashion-MNIST each, radios with outage and ARQ, batteries and processors: FedAvg with
1 % of the devices a round, and decentralized SGD, whose devices stand in a grid and hear their 24 neighbors. Prints a row
a number of devices: seconds of the start and of a round, microseconds a device and round, and kilobytes a device.
"""

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

COMMON = (
    "--samples=8 --minimumSamples=4 --partition=resampled --lowQuality=none --model=linear --optimizer=sgd --quiet"
    " --omit=messages,latency,energy"
    # Of a battery nothing is asked between the changes of its load
    " --ns3::BasicEnergySource::PeriodicEnergyUpdateInterval=1h"
)


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
             "--algorithm=fedavg --participation=0.01 --localEpochs=1 --referenceSamples=40 --testSamples=1000", 20),
    Workload("Decentralized SGD, 3 rounds, all devices, 24 neighbors each", "gossip",
             "--algorithm=dfedavgm --localSteps=1 --referenceSamples=10 --testSamples=50 --positions=grid"
             " --ns3::collab::D2dPhy::RxSensitivity=-70.5", 3, 10),
)  # fmt: skip


def measure(build: Path, work: Workload, devices: int, rounds: int) -> tuple:
    """Seconds of a run, and the most memory that it had [bytes]."""
    with tempfile.TemporaryDirectory() as folder:
        command = [build / "scenarios" / work.scenario, *COMMON.split(), *work.arguments.split()]
        command += [f"--devices={devices}", f"--rounds={rounds}", f"--runDir={folder}/run"]
        command += [f"--area={work.side * sqrt(devices)}"] if work.side else []
        begin = time.monotonic()
        # Waited for by itself, as getrusage() tells the most that any run has had
        _, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, command[0], list(map(str, command))), 0)
        if status:
            sys.exit(f"{command[0]} ended with {status}")
        return time.monotonic() - begin, usage.ru_maxrss * 1024


def show(build: Path, work: Workload, most: int) -> None:
    """Prints the table of a workload."""
    seconds, memory = measure(build, work, 2, 1)  # the program itself
    print(work.title)
    print(f"{'devices':>8} {'start [s]':>10} {'round [s]':>10} {'us/device':>10} {'kB/device':>10}")
    for devices in (2048, 8192, 32768, 131072):
        if devices > most:
            break
        first, _ = measure(build, work, devices, 1)
        whole, used = measure(build, work, devices, work.rounds)
        each = (whole - first) / (work.rounds - 1)
        time_each = (whole - seconds) / devices / work.rounds * 1e6
        print(f"{devices:8} {first - each:10.2f} {each:10.3f} {time_each:10.2f} {(used - memory) / devices / 1e3:10.1f}",
              flush=True)  # fmt: skip


def main() -> None:
    """Prints the tables."""
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 131072
    for work in WORKLOADS:
        show(Path(sys.argv[1]), work, most)


if __name__ == "__main__":
    main()
