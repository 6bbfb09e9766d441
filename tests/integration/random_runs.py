# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Starts scenarios with random arguments and prints those runs as commands that are wrong."""

import argparse
import json
import os
import random
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def describe(program):
    """What a program says of its arguments; None if it writes no run folder."""
    if not (program.is_file() and os.access(program, os.X_OK)):
        return None
    command = [program, "--PrintArguments=json"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    names = {entry["name"] for entry in told["arguments"]}
    return told if "runDir" in names else None


def call(command, folder, seconds):
    """What came of a command in a folder; None if it did not end in time."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False,
                              stdin=subprocess.DEVNULL, cwd=folder)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None


def try_all(title, draw, judge, scenarios=None):
    """Tries some scenarios, or all there are; 1 if a run is wrong, else 0.

    draw(GENERATOR, NAME, TOLD) gives the arguments of a run, by what describe() says; judge(COMMAND,
    FOLDER), after it has called it, why the run is wrong, '' if it is not, and what it said.
    """
    options = _parser(title).parse_args()
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    folder = options.programs.resolve()
    found = sorted(program.name for program in folder.iterdir())
    seeds = range(options.seed, options.seed + options.runs)
    wrong = 0
    for name in options.scenario or scenarios or found:
        told = describe(folder / name)
        if not told:
            continue
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            tries = [pool.submit(_try, title, folder / name, told, seed, draw, judge) for seed in seeds]
        wrong += _tell(name, [one.result() for one in tries], options.refusals)
    return 1 if wrong else 0


def _parser(title):
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--runs", type=int, default=20, help="of each scenario")
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--scenario", action="append", help="only this one, or these")
    parser.add_argument("--refusals", action="store_true", help="print what was refused, and why")
    return parser


def _try(title, program, told, seed, draw, judge):
    generator = random.Random(f"{title} {program.name} {seed}")
    with tempfile.TemporaryDirectory() as folder:
        arguments = draw(generator, program.name, told)
        command = [str(program), *arguments, "--runDir=run", f"--RngRun={seed}"]
        return command, *judge(command, Path(folder))


def _tell(name, results, shows_refusals):
    """Prints what came of a scenario's runs; how many were wrong."""
    refused = [said for _, why, said in results if not why and "allowed" in said]
    print(f"{name}: {len(results)} runs, {len(refused)} refused", flush=True)
    if shows_refusals:
        print("".join(f"  {said.splitlines()[-1][:200]}\n" for said in refused), end="", flush=True)
    wrong = [result for result in results if result[1]]
    for command, why, said in wrong:
        print(f"\n{why}:\n  {shlex.join(command)}\n{said[-1500:]}\n", flush=True)
    if len(refused) == len(results) > 3:
        print("\nall were refused, so that nothing was tried\n", flush=True)
        return 1
    return len(wrong)
