#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Compares learning on a device with learning on the host, and times both and PyTorch.

Usage: check.py DEVICE BUILD    as check.sh calls it; exit code 1 if anything differs more than stated
"""

import csv
import importlib.util
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Small runs of each scenario that learns with LibTorch
COMMON = "--samples=100 --referenceSamples=50 --testSamples=200 --quiet --threads=1"
SCENARIOS = {
    "federated": "--rounds=1 --devices=4 --algorithm=fedavg --localSteps=5",
    "gossip": "--rounds=1 --devices=4 --algorithm=dfedavgm --optimizer=sgd --localSteps=5",
    "prediction-consensus": "--devices=4 --localEpochs=1 --rounds=2 --pretrainingRounds=1",
    "distillation": "--devices=4 --algorithm=ds-fl --localEpochs=1 --rounds=2 --pretrainingRounds=1",
    "committee": "--devices=20 --rounds=1",
}
MODELS = ("mlp", "netcnn", "resnet20:gn")
LOSS_BOUND = 1e-3  # maximum difference of a loss, relative to 1 + loss: other sums of the same numbers
# What is timed: a round of federated learning
TIMED = {
    "NetCNN, 10 devices": "--model=netcnn --devices=10 --samples=640 --batchSize=64 --localSteps=10",
    "ResNet20, 10 devices": "--model=resnet20:gn --devices=10 --samples=640 --batchSize=64 --localSteps=10",
    "NetCNN, 100 devices": "--model=netcnn --devices=100 --samples=200 --batchSize=50 --localSteps=4",
}
TIMED_COMMON = (
    "--algorithm=fedavg --optimizer=sgd --referenceSamples=50 --testSamples=50 --quiet --omit=messages,latency"
)


def play(build: Path, scenario: str, arguments: str, folder: str) -> list:
    """The rows of the table rounds of a run."""
    run = Path(folder) / f"{time.monotonic_ns()}"
    command = [str(build / "scenarios" / scenario), *arguments.split(), f"--runDir={run}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with (run / "rounds.csv").open(encoding="utf-8") as table:
        return list(csv.DictReader(table))


def difference(host: list, device: list) -> float:
    """The maximum relative difference of a loss."""
    worst = 0.0
    for one, other in zip(host, device, strict=True):
        for name, value in one.items():
            if "loss" in name and value not in ("", "nan"):
                worst = max(worst, abs(float(value) - float(other[name])) / (1 + abs(float(value))))
    return worst


def compare(build: Path, device: str, folder: str) -> bool:
    """Prints how far runs on the device are from those on the host; whether all are within the bound."""
    print(f"{'short runs':<40} {'maximum difference':>21} {'at most':>9}")
    is_good = True
    for scenario, arguments in SCENARIOS.items():
        for model in MODELS:
            given = f"{COMMON} {arguments} --model={model}"
            host = play(build, scenario, f"{given} --device=cpu", folder)
            found = difference(host, play(build, scenario, f"{given} --device={device}", folder))
            print(f"{scenario + ', ' + model:<40} {found:>21.2g} {LOSS_BOUND:>9.2g}", flush=True)
            is_good = is_good and found <= LOSS_BOUND
    return is_good


def seconds_per_round(build: Path, arguments: str, folder: str) -> float:
    """Of the second and third round: the first one copies data."""
    times = []
    for rounds in (1, 3):
        begin = time.monotonic()
        play(build, "federated", f"{TIMED_COMMON} {arguments} --rounds={rounds}", folder)
        times.append(time.monotonic() - begin)
    return (times[1] - times[0]) / 2


def seconds_of_torch(arguments: str, device: str) -> float:
    """The same steps in a loop of PyTorch; NaN without it or for a model that it does not have here."""
    if importlib.util.find_spec("torch") is None:
        return math.nan
    import torch  # pylint: disable=import-outside-toplevel

    given = dict(word.lstrip("-").split("=") for word in arguments.split())
    if given["model"] != "netcnn":
        return math.nan
    path = Path(__file__).parents[1] / "reference" / "make-model-reference.py"
    spec = importlib.util.spec_from_file_location("models", path)
    models = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(models)
    model = models.netcnn().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    images = torch.rand(int(given["batchSize"]), 1, 28, 28, device=device)
    labels = torch.zeros(len(images), dtype=torch.long, device=device)
    steps = int(given["devices"]) * int(given["localSteps"])
    begin = 0.0
    for step in range(steps + 5):
        if step == 5:  # the first ones choose kernels
            begin = time.monotonic()
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
        float(next(model.parameters()).view(-1)[0])  # waits for the device
    return time.monotonic() - begin


def main() -> int:
    """Prints the table."""
    device, build = sys.argv[1], Path(sys.argv[2]).resolve()
    tests = [str(build / "tests" / "test-learning"), "--gtest_filter=-*Nightly*", "--gtest_brief=1"]
    passed = subprocess.run(tests, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    print(f"device {device}; tests of learning {'passed' if passed else 'FAILED'}")
    with tempfile.TemporaryDirectory() as folder:
        is_good = compare(build, device, folder) and passed
        print(f"{'seconds per round':<40} {'host':>8} {device:>8} {'PyTorch ' + device:>15}")
        for title, arguments in TIMED.items():
            host = seconds_per_round(build, f"{arguments} --device=host", folder)
            there = seconds_per_round(build, f"{arguments} --device={device}", folder)
            torch_s = seconds_of_torch(arguments, device)
            print(f"{title:<40} {host:>8.3f} {there:>8.3f} {torch_s:>15.3f}", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
