#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A program of a user's own for the tests of comparisons: devices whose accuracy rises by a formula.

It knows the arguments that the tutorial says, and writes what a RecordedRun writes.
"""

import json
import sys
from pathlib import Path

NAME = "mine"
ARGUMENTS = (
    "alpha", "batchSize", "battery", "dataSet", "devices", "learningRate", "localSteps", "maxOutage",
    "minimumSamples", "model", "omit", "partition", "referenceSamples", "runDir", "samples",
    "slowDevices", "slowdown", "testSamples", "turns",
)  # fmt: skip
ATTRIBUTES = ("ns3::collab::D2dMac::MaxAttempts", "ns3::collab::D2dPhy::Bandwidth",
              "ns3::collab::D2dPhy::Duplex", "ns3::collab::D2dPhy::RxSensitivity",
              "ns3::collab::D2dPriorityQueue::MaxSize")  # fmt: skip
VERSIONS = {"collab": "0.1.0", "commit": "0123456789ab", "sources": "ab12", "ns3": "3.37"}
COLUMNS = ("round", "device", "start_s", "end_s", "accuracy_global", "energy_j", "bytes_sent")
ROUND_S, ROUND_J, ROUND_BYTES = 2.0, 5.0, 1000


def main():
    given = dict(word[2:].split("=", 1) for word in sys.argv[1:])
    if "PrintArguments" in given:
        print(json.dumps({
            "schema": 1, "versions": VERSIONS,
            "arguments": [{"name": name, "type": "text"} for name in ARGUMENTS],
            "attributes": [{"name": name} for name in ATTRIBUTES],
            "globals": [{"name": "RngSeed"}, {"name": "RngRun"}],
        }))  # fmt: skip
        return
    unknown = set(given) - {*ARGUMENTS, *ATTRIBUTES, "RngSeed", "RngRun"}
    if unknown:
        sys.exit(f"{NAME}: unknown argument {min(unknown)}")
    folder = Path(given["runDir"])
    partial = folder.with_name(f"{folder.name}.partial")
    partial.mkdir(parents=True)
    devices, samples = int(given["devices"]), int(given["samples"])
    run = {
        "schema": 1,
        "scenario": NAME,
        "display": {"measure": "accuracy_global"},
        "parameters": {"localSteps": int(given["localSteps"]), "batchSize": int(given["batchSize"])},
        "seed": int(given["RngSeed"]),
        "run": int(given["RngRun"]),
        "versions": VERSIONS,
        "devices": [{"device": n, "train_samples": samples} for n in range(devices)],
    }
    (partial / "run.json").write_text(json.dumps(run) + "\n")
    with (partial / "rounds.csv").open("w") as rounds:
        rounds.write(",".join(COLUMNS) + "\n")
        for n in range(int(given["turns"])):
            for device in range(devices):
                done = n + 1
                rounds.write(f"{n},{device},{ROUND_S * n},{ROUND_S * done},{1 - 0.5**done},"
                             f"{ROUND_J * done},{ROUND_BYTES * done}\n")  # fmt: skip
    rows = [f"rounds,{column},real,,\n" for column in COLUMNS]
    (partial / "columns.csv").write_text("table,column,type,unit,meaning\n" + "".join(rows))
    partial.rename(folder)


if __name__ == "__main__":
    main()
