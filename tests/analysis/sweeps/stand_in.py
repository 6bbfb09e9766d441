#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A scenario for the tests of sweeps: it simulates nothing, and does as the files beside it say.

In its own folder, "calls" gets a line a run, once its partial folder is there. A run then waits until "go" is there if its
argument wait is true, and fails while "break" is there if its argument weak is true; one of a rate over 5 warns. "versions" is
the JSON of what it says that it was built from. With "many" it knows --runs=-; "processes" gets a line for each that
plays so.
"""

import ctypes
import json
import os
import signal
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DEFAULTS = {
    "rate": ("number", "1"),
    "rounds": ("unsigned integer", "2"),
    "trust": ("text", "dynamic"),
    "wait": ("flag", "false"),
    "weak": ("flag", "false"),
    "kilobytes": ("unsigned integer", "0"),
    "threads": ("unsigned integer", "0"),
    "runDir": ("text", "runs/stand-in"),
}
VERSIONS = {"collab": "0.1.0", "commit": "0123456789ab", "sources": "ab12", "ns3": "3.37"}
ATTRIBUTES = ("ns3::collab::D2dChannel::NoiseFigure", "ns3::collab::D2dPhy::Bandwidth")
OLD_ATTRIBUTE = "ns3::D2dPhy::Bandwidth"  # known, and not listed, as ns-3's deprecated names


def main():
    if sys.argv[1:] == ["--runs=-"]:
        return play_lines()
    given = dict(word[2:].split("=", 1) for word in sys.argv[1:])
    if "PrintArguments" in given:
        print_arguments(given)
        return 0
    values = {name: default for name, (_, default) in DEFAULTS.items()}
    values.update(given)
    if float(values["rate"]) > 5:
        print(f"0 s\nwarning: a rate of {values['rate']}\nhint: less\nwarning: once more")
    write_run(values)
    return 0


def play_lines():
    with (FOLDER / "processes").open("a") as processes:
        processes.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        told = json.loads(line)
        child = os.fork()
        if not child:
            os.dup(1)  # open as long as a run lives
            for number in (1, 2):
                os.dup2(os.open(told["output"], os.O_WRONLY | os.O_APPEND), number)
            sys.argv[1:] = told["arguments"]
            die_with_parent()
            code = main()
            sys.stdout.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps({"code": code}), flush=True)
    return 0


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def print_arguments(given):
    if given.get("rounds") == "many":
        print("stand-in: argument '--rounds=many' is not allowed", file=sys.stderr)
        sys.exit(2)
    unknown = {name for name in given if "::" in name} - {*ATTRIBUTES, OLD_ATTRIBUTE}
    if unknown:
        print(f"stand-in: unknown type in attribute '{min(unknown)}'", file=sys.stderr)
        sys.exit(2)
    names = [{"name": name, "type": kind} for name, (kind, _) in DEFAULTS.items()]
    if (FOLDER / "many").exists():
        names.append({"name": "runs", "type": "text", "suggestions": ["-"]})
    for flag in (entry for entry in names if entry["type"] == "flag"):
        flag["choices"] = ["true", "false"]
    attributes = [{"name": name} for name in ATTRIBUTES]
    globals_ = [{"name": "SimulatorImplementationType"}, {"name": "RngRun"}, {"name": "RngSeed"}]
    content = {"schema": 1, "versions": versions(), "arguments": names, "attributes": attributes,
               "globals": globals_}  # fmt: skip
    print(json.dumps(content))


def versions():
    file = FOLDER / "versions"
    return json.loads(file.read_text()) if file.exists() else VERSIONS


def write_run(values):
    folder = Path(values["runDir"])
    partial = folder.with_name(folder.name + ".partial")
    partial.mkdir(parents=True)
    run = {
        "schema": 1,
        "scenario": "stand-in",
        "parameters": {
            "rate": float(values["rate"]),
            "rounds": int(values["rounds"]),
            "trust": values["trust"],
        },
        "seed": int(values["RngSeed"]),
        "run": int(values["RngRun"]),
        "versions": versions(),
    }
    (partial / "run.json").write_text(json.dumps(run) + "\n")
    with (FOLDER / "calls").open("a") as calls:
        calls.write(" ".join(word for word in sys.argv[1:] if "runDir" not in word) + "\n")
    while values["wait"] == "true" and not (FOLDER / "go").exists():
        time.sleep(0.02)
    if values["weak"] == "true" and (FOLDER / "break").exists():
        print("it broke", flush=True)
        os.abort()
    with (partial / "rounds.csv").open("w") as rounds:
        rounds.write("round,loss\n")
        for number in range(int(values["rounds"])):
            rounds.write(f"{number},{float(values['rate']) / (1 + number)}\n")
        rounds.write(("0" * 1023 + "\n") * int(values["kilobytes"]))
    partial.rename(folder)


if __name__ == "__main__":
    sys.exit(main())
