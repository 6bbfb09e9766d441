#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Starts scenarios with random values of random arguments, by what the programs say of them.

    random_settings.py FOLDER_OF_PROGRAMS [--runs N] [--seed S] [--scenario NAME]

A program must end with 0 and a finished run, or with 2 and at most a few lines that say what was
given and what is allowed. A crash, an exception that nobody caught, a run that does not end or an
unfinished one fails; what did so is printed as a command.
"""

import json
import re
import sys

from random_runs import call, try_all

# What keeps a run small, where the scenario has it; never drawn
SMALL = {
    "activePercent": 100,
    "dataSet": "gaussian-classes",
    "devices": 6,
    "instants": 6,
    "iterations": 5,
    "localEpochs": 1,
    "minimumSamples": 4,
    "pretrainingRounds": 1,
    "referenceSamples": 20,
    "rounds": 2,
    "samples": 12,
    "testSamples": 20,
}
# The same for some scenarios alone
OTHERWISE = {
    "committee": {"committeePercent": 50, "referenceSamples": 12},
    "graph-discovery-agreement": {"clusters": 2, "components": 2, "alphas": "1,10"},
}
FIXED = {"runDir", "runs", "dataDir", "name", "progress", "recorder", "threads", "netAnim", "animation"}
SLOW_MODELS = {"alexnet", "efficientnet", "resnet", "netcnn", "vgg", "lstm"}
EDGES = ("0", "1", "2", "3", "0.5", "1e-9", "7", "-1", "1e3", "nan", "inf", "", "many")
MANY = 1000  # the greatest number that is given where a program names a greater maximum
SECONDS = 120
LINES = 6


def values_of(entry):
    """Values that an argument may be given, of which a few are not allowed."""
    listed = entry.get("choices", []) + entry.get("suggestions", [])
    examples = re.findall(r"(?:e\.g\.|such as|as) ([^\s;]+[^\s;,.)])", entry["help"])
    if "number" in entry["type"] or "integer" in entry["type"]:
        bounds = [entry[bound] for bound in ("minimum", "maximum") if bound in entry]
        near = [entry["default"], *(f"{min(bound, MANY):g}" for bound in bounds)]
        return near * 12 + list(EDGES)
    if entry["type"] == "flag":
        return ["true", "false"]
    listed = [one for one in listed if not any(slow in one for slow in SLOW_MODELS)]
    return [*listed, *examples, entry["default"]] * 12 + ["many", "1", ""]


def draw(generator, name, told):
    """Arguments of one run of a program."""
    entries = {entry["name"]: entry for entry in told["arguments"]}
    small = {**SMALL, **OTHERWISE.get(name, {})}
    given = {name: str(value) for name, value in small.items() if name in entries}
    free = sorted(set(entries) - set(given) - FIXED)
    for name in generator.sample(free, min(len(free), generator.choice((1, 2, 2, 3, 4, 6)))):
        given[name] = generator.choice(values_of(entries[name]))
    return [f"--{name}={value}" for name, value in given.items() if "PATH" not in value]


def judge(command, folder):
    """Why a run is wrong; nothing if it is not."""
    done = call(command, folder, SECONDS)
    if done is None:
        return f"did not end in {SECONDS} s", ""
    said = done.stderr.strip()
    if done.returncode == 2:
        return ("" if 0 < len(said.splitlines()) <= LINES else "no clear error"), said
    if done.returncode != 0:
        return f"exit code {done.returncode}", said
    run = json.loads((folder / "run/run.json").read_text())
    return ("" if run.get("finished", True) else "run.json says that it did not end"), said


if __name__ == "__main__":
    sys.exit(try_all(__doc__.partition("\n")[0], draw, judge))
