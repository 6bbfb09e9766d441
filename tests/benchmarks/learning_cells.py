#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How fast clients train: learners through the LearnerPool beside a PyTorch loop and the processor's limit.

Usage: learning_cells.py BUILD [CLIENTS [REPEATS]]    as ./collab bench cells calls it

Three workloads, each with as many clients as take some seconds, or CLIENTS:
- consensus: an epoch of prediction consensus, NetCNN, Adam, 600 own images of 28 x 28, 64 and 256 of X* a step;
- blazefl: the CNN of FedLab with 62 006 weights, 500 images of CIFAR-10's shape, 5 epochs, batches of 50, SGD;
- pfl: NetCNN, 50 images of CIFAR-10's shape, one epoch, batches of 10, SGD.

Prints samples per second of our learners with 1 and 2 host threads and of PyTorch, one client after the other, with 1
and 2 threads: the median of REPEATS processes each, which alternate, and the range. PEAK is the share of the
multiply-adds that the processor does in registers, measured between these processes, by the operations that a learner
counts. Without PyTorch its rows are left out.
"""

import importlib.util
import statistics
import subprocess
import sys
import time
from pathlib import Path

CLIENTS = {"consensus": 4, "blazefl": 8, "pfl": 50}
THREADS = (1, 2)


def make_netcnn(channels: int, side: int):
    """The paper's network for images of so many channels."""
    from torch import nn

    left = ((side - 4) // 2 - 4) // 2
    return nn.Sequential(nn.Conv2d(channels, 32, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 5), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64 * left**2, 512), nn.ReLU(),
                         nn.Linear(512, 10))  # fmt: skip


def make_lenet():
    """FedLab's network for CIFAR-10."""
    from torch import nn

    return nn.Sequential(nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                         nn.Linear(84, 10))  # fmt: skip


def train(model, optimizer, batches, samples, labels, shared=None) -> int:
    """Takes a step a batch; returns the number of samples. Images are in tensors already."""
    import torch
    from torch.nn import functional

    taken = 0
    for batch in batches:
        optimizer.zero_grad()
        if shared is None:
            functional.cross_entropy(model(samples[batch]), labels[batch]).backward()
        else:
            some = torch.randperm(len(shared))[:256]
            taken += len(some)
            logits = model(torch.cat([samples[batch], shared[some]]))
            loss = functional.cross_entropy(logits[: len(batch)], labels[batch])
            pulled = (logits[len(batch) :].softmax(1) + 1e-8).log().mul(0.1).sum() / len(some)
            (loss - 0.5 * pulled).backward()
        optimizer.step()
        taken += len(batch)
    return taken


def play(work: str, threads: int, clients: int) -> float:
    """Trains clients in a PyTorch loop; returns samples per second."""
    import torch

    torch.set_num_threads(threads)
    makers = {"consensus": lambda: make_netcnn(1, 28), "blazefl": make_lenet, "pfl": lambda: make_netcnn(3, 32)}
    count, size, epochs = {"consensus": (600, 64, 1), "blazefl": (500, 50, 5), "pfl": (50, 10, 1)}[work]
    shape = (1, 28, 28) if work == "consensus" else (3, 32, 32)
    samples, labels = torch.randn(count, *shape), torch.arange(count) % 10
    shared = torch.randn(400, *shape) if work == "consensus" else None
    models = [makers[work]() for _ in range(clients)]
    taken, begin = 0, time.perf_counter()
    for model in models:
        make = torch.optim.Adam if work == "consensus" else torch.optim.SGD
        optimizer = make(model.parameters(), 0.001)
        for _ in range(epochs):
            taken += train(model, optimizer, torch.randperm(count).split(size), samples, labels, shared)
    return taken / (time.perf_counter() - begin)


def numbers_of(command: list) -> list:
    """The numbers that a program prints."""
    words = [str(word) for word in command]
    return [float(word) for word in subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()]


def measure(program: Path, work: str, clients: int, repeats: int, others: tuple) -> tuple:
    """Runs of all kinds alternate; returns samples and peak operations per second by kind, and a sample's."""
    rates: dict = {}
    for _ in range(repeats):
        for threads in THREADS:
            rates.setdefault(("peak", threads), []).extend(numbers_of([program, "peak", threads]))
            rate, operations = numbers_of([program, work, threads, clients])
            rates.setdefault(("ours", threads), []).append(rate)
            for other in others:
                command = [sys.executable, __file__, other, work, threads, clients]
                rates.setdefault((other, threads), []).extend(numbers_of(command))
    return rates, operations


def show(work: str, rates: dict, operations: float) -> None:
    """Prints the rows of a workload."""
    medians = {kind: statistics.median(values) for kind, values in rates.items()}
    best = max((rate for (name, _), rate in medians.items() if name == "PyTorch"), default=None)
    for (name, threads), values in sorted(rates.items()):
        if name == "peak":
            continue
        rate = medians[name, threads]
        ratio = f"{rate / best:.2f}" if best else ""
        share = rate * operations / medians["peak", threads]
        spread = f"{min(values):.0f} .. {max(values):.0f}"
        print(f"{work:<10} {name:<8} {threads:>7} {rate:>9.0f} {spread:>17} {ratio:>14} {share:>6.0%}", flush=True)


def main() -> None:
    """Prints the table, or the rate of one loop for it."""
    if sys.argv[1] == "PyTorch":
        print(play(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    others = ("PyTorch",) if importlib.util.find_spec("torch") else ()
    if not others:
        print("PyTorch is left out: it is not installed (Debian package python3-torch)")
    program = Path(sys.argv[1]) / "tests/benchmarks/collab-bench-cells"
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print(f"{'WORKLOAD':<10} {'BY':<8} {'THREADS':>7} {'SAMPLES/S':>9} {'RANGE':>17} {'/ BEST PYTORCH':>14} {'PEAK':>6}")
    peaks: dict = {threads: [] for threads in THREADS}
    for work, clients in CLIENTS.items():
        rates, operations = measure(program, work, int(sys.argv[2]) if len(sys.argv) > 2 else clients, repeats, others)
        show(work, rates, operations)
        print(f"{work:<10} {operations / 1e6:.1f} million operations per sample", flush=True)
        for threads, all_rates in peaks.items():
            all_rates += rates["peak", threads]
    for threads, all_rates in peaks.items():
        print(f"peak, threads {threads}: {statistics.median(all_rates) / 1e9:.0f} GFLOP/s")


if __name__ == "__main__":
    main()
