#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints simulated rounds of federated learning beside measured ones, as a table of the documentation.

    ./collab reproduce federated/raspberry-pi-wifi
    tests/validation/measured_rounds_table.py runs/sweeps/federated/raspberry-pi-wifi-* > \\
        contrib-module/doc/results/measured-rounds.csv

Measured are means of the rounds in measured-rounds.csv. A download ends when the last device has its model; training
and upload are of the device that the server waits for; a round ends with its upload.
"""

import csv
import json
import sys
from pathlib import Path

MEASURED = Path(__file__).with_name("measured-rounds.csv")
NETWORKS = {  # numbers of a stub: the network that they stand for
    "44000": "small CNN",
    "731000": "SqueezeNet",
    "1279000": "ShuffleNet V2",
    "1540000": "MobileNetV3 small",
    "2270000": "MobileNetV2",
}
TIMES = ("download", "training", "upload", "round")
CALIBRATED = ("SqueezeNet", 3, "download")  # what the sweep's Bandwidth was chosen by
COLUMNS = ("Network", "Devices", "MB", "Time", "Is", "Measured seconds", "Simulated seconds", "Error in %")


def read(file):
    """Rows of a table, as dictionaries."""
    with file.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def measurements():
    """{(network, devices): its rounds}."""
    found = {}
    for row in read(MEASURED):
        found.setdefault((row["network"], int(row["devices"])), []).append(row)
    return found


def simulate(run):
    """{time: seconds} of the first round of a run, and the bytes of a model."""
    messages = [row for row in read(run / "messages.csv") if row["round"] == "0"]
    models = [row for row in messages if row["kind"] == "global-model"]
    last = max((row for row in messages if row["kind"] == "update"), key=lambda row: float(row["end_s"]))
    phases = {row["phase"]: row for row in read(run / "latency.csv")
              if row["round"] == "0" and row["device"] == last["sender"]}  # fmt: skip
    training = phases["train"]
    seconds = {
        "download": max(float(row["end_s"]) for row in models),
        "training": float(training["end_s"]) - float(training["start_s"]),
        "upload": float(last["end_s"]) - float(last["queued_s"]),
        "round": float(last["end_s"]),
    }
    return seconds, int(models[0]["bytes"])


def kind(network, devices, time):
    """What the number is in the simulation."""
    if (network, devices, time) == CALIBRATED:
        return "calibrated"
    return "input" if time == "training" else "predicted"


def main():
    rounds, table = measurements(), {}
    for file in (file for folder in sys.argv[1:] for file in Path(folder).glob("*/run.json")):
        parameters = json.loads(file.read_text(encoding="utf-8"))["parameters"]
        network = NETWORKS[parameters["model"].split(":")[1]]
        table[network, int(parameters["devices"])] = simulate(file.parent)
    if set(table) != set(rounds):
        sys.exit(f"runs of {sorted(table)}, measurements of {sorted(rounds)}")
    print(f"# measured_rounds_table.py: {len(table)} runs of federated/raspberry-pi-wifi, "
          f"{sum(map(len, rounds.values()))} measured rounds")  # fmt: skip
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    for (network, devices), (seconds, size) in sorted(table.items(), key=lambda item: (item[1][1], item[0])):
        own = rounds[network, devices]
        for time in TIMES:
            measured = sum(float(row[f"{time}_s"]) for row in own) / len(own)
            error = round(100 * (seconds[time] / measured - 1))
            out.writerow((network, devices, f"{size / 1e6:.2f}", time, kind(network, devices, time),
                          f"{measured:.2f}", f"{seconds[time]:.2f}", error))  # fmt: skip


if __name__ == "__main__":
    main()
