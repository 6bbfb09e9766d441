#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Starts scenarios with their own waits where these bind, and demands that nobody comes too late.

    random_waits.py FOLDER_OF_PROGRAMS [--runs N] [--seed S] [--scenario NAME]

What decides how long messages and computing take is random: bandwidth, rate, duplex, access, model,
samples, devices, slow devices, and the algorithm. Links lose nothing. A scenario that computes its
waits from these must hear all that it waits for: a run in which messages missed a deadline or found
a full queue, or that warns of anything, is printed as a command.
"""

import math
import re
import sys

from random_runs import call, try_all

SECONDS = 200
# What a run may always be, by the scenario's own arguments; 'log' draws its logarithm evenly
SIZES = {
    "battery": [1e9],
    "channel": ["static"],
    "devices": [2, 3, 5, 8, 13, 21],
    "iterations": [40],
    "localEpochs": [1, 3],
    "localSteps": [1, 10],
    "maxOutage": [1e-9],
    "minimumSamples": [4],
    "mobility": ["static", "random-walk", "random-waypoint"],
    "model": ["linear", "mlp:20", "mlp:400", "mlp:300-300"],
    "pretrainingRounds": [1],
    "referenceSamples": [20, 200, 2000],
    "rounds": [3],
    "samples": [40, 100],
    "serverOutage": [1e-9],
    "slowDevices": ["none", "0", "1"],
    "slowdown": [2, 30],
    "speed": [1, 30],
    "testSamples": [20],
}
# The same for a scenario alone
OTHERWISE = {"committee": {"activePercent": [100], "devices": [10, 13, 21]}}
ATTRIBUTES = {
    "D2dPhy::Bandwidth": ("log", 2e4, 1e8),
    "D2dPhy::SpectralEfficiency": [0.5, 1, 4],
    "D2dPhy::Duplex": ["Half", "Full"],
    "D2dMac::Arq": ["StopAndWait", "SelectiveRepeat"],
    "D2dMac::ReceiverSensing": ["true"],
    "D2dChannel::Access": ["Ofdma", "Ofdma", "Tdma"],
    "D2dChannel::Fidelity": ["Burst", "Packet"],
    "Processor::Frequency": ("log", 1e7, 1e10),
}
# Arguments of which any choice may be drawn
CHOSEN = ["algorithm", "trust", "upload", "control", "paradigm", "downstream"]
SCENARIOS = ["prediction-consensus", "committee", "federated", "gossip", "graph-discovery"]
# What a run says of messages or devices that were late
LATE = re.compile(r"warning: .*|hint: \d+ % not heard for (?:deadline|queue-full)\b")


def pick(generator, values):
    """One of a list, or a number between two whose logarithm is drawn evenly."""
    if values[0] != "log":
        return generator.choice(values)
    return f"{math.exp(generator.uniform(*map(math.log, values[1:]))):.3g}"


def draw(generator, name, told):
    """Arguments of one run of a program."""
    entries = {entry["name"]: entry for entry in told["arguments"]}
    sizes = {**SIZES, **OTHERWISE.get(name, {})}
    given = [(name, pick(generator, values)) for name, values in sizes.items() if name in entries]
    for name in CHOSEN:
        if choices := entries.get(name, {}).get("choices"):
            given.append((name, generator.choice(choices)))
    for name, values in ATTRIBUTES.items():
        if generator.random() < 0.5:
            given.append((f"ns3::collab::{name}", pick(generator, values)))
    return [f"--{name}={value}" for name, value in given]


def judge(command, folder):
    """Why a run is wrong, and what it said; nothing of what takes long to simulate."""
    done = call(command, folder, SECONDS)
    if done is None or done.returncode == 2:
        return "", done.stderr if done else ""
    said = done.stdout + done.stderr
    if done.returncode != 0:
        return f"exit code {done.returncode}", said
    return "; ".join(line for line in said.splitlines() if LATE.match(line)), said


if __name__ == "__main__":
    sys.exit(try_all(__doc__.partition("\n")[0], draw, judge, SCENARIOS))
