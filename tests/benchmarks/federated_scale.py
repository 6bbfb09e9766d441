#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How a run grows with the number of its devices.

Usage: federated_scale.py BUILD [ROUNDS]    as ./collab bench scale calls it

FedAvg with 1 % of the devices a round, softmax regression on 8 samples of Fashion-MNIST each, and
radios with outage and ARQ, batteries and processors. Prints a row a number of devices: seconds of its start
and of a round, microseconds a device and round, and kilobytes a device.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (2048, 8192, 32768, 131072)
ARGUMENTS = (
    "--samples=8 --minimumSamples=4 --partition=resampled --referenceSamples=40 --testSamples=1000"
    " --lowQuality=none --model=linear --algorithm=fedavg --optimizer=sgd --participation=0.01"
    " --localEpochs=1 --quiet --omit=messages,latency,energy"
    # Of a battery nothing is asked between the changes of its load
    " --ns3::BasicEnergySource::PeriodicEnergyUpdateInterval=1h"
).split()


def measure(program: Path, devices: int, rounds: int) -> tuple:
    """Seconds of a run, and the most memory that it or an earlier one had [bytes]."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, *ARGUMENTS, f"--devices={devices}", f"--rounds={rounds}"]
        begin = time.monotonic()
        subprocess.run([*command, f"--runDir={folder}/run"], check=True)
        seconds = time.monotonic() - begin
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def main() -> None:
    """Prints the table."""
    program = Path(sys.argv[1]) / "scenarios/federated"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    empty = measure(program, 2, 1)  # the program itself
    print(f"FedAvg, {rounds} rounds, 1 % of the devices a round")
    print(f"{'devices':>8} {'start [s]':>10} {'round [s]':>10} {'us/device':>10} {'kB/device':>10}")
    for devices in SIZES:
        first, _ = measure(program, devices, 1)
        whole, most = measure(program, devices, rounds)
        each = (whole - first) / (rounds - 1)
        time_each = (whole - empty[0]) / devices / rounds * 1e6
        memory = (most - empty[1]) / devices / 1e3
        print(f"{devices:8} {first - each:10.2f} {each:10.3f} {time_each:10.2f} {memory:10.1f}")


if __name__ == "__main__":
    main()
