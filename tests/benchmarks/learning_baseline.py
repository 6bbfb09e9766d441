#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Time numpy's way of the aggregation rules, and PyTorch's of a step of each model, by one thread, for
comparison with collab-bench-learning.

Writes results in the form of Google Benchmark, which print_ratios.py reads; without PyTorch only
those of numpy.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import sys
import time

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402  # pylint: disable=wrong-import-position

REFERENCE = pathlib.Path(__file__).parents[1] / "reference" / "make-model-reference.py"
SAMPLES = 8  # of a step
STEPS = 20
SHAPES = [(n, d) for n in (25, 100) for d in (100_000, 1_000_000)]


def krum(x, f=5):
    """Select by distances from the matrix of inner products, which is the fast way in numpy."""
    products = x @ x.T
    squares = products.diagonal()
    distances = squares[:, None] + squares[None, :] - 2 * products
    np.fill_diagonal(distances, np.inf)
    scores = np.sort(distances, axis=1)[:, : len(x) - f - 2].sum(axis=1)
    return x[scores.argmin()].copy()


def trimmed_mean(x):
    """Sort columns and average the middle three fifths."""
    b = len(x) // 5
    return np.sort(x, axis=0)[b : len(x) - b].mean(axis=0)


RULES = {
    "mean": lambda x: x.mean(axis=0),
    "median": lambda x: np.median(x, axis=0),
    "trimmed_mean": trimmed_mean,
    "krum": krum,
}


def measure(name, call, repetitions, calls=1):
    """Yield one result a repetition: the mean time of so many calls."""
    for repetition in range(repetitions):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(calls):
            call()
        yield {
            "name": name,
            "run_name": name,
            "run_type": "iteration",
            "repetition_index": repetition,
            "real_time": 1e3 * (time.perf_counter() - wall) / calls,
            "cpu_time": 1e3 * (time.process_time() - cpu) / calls,
            "time_unit": "ms",
        }


def load_reference():
    """Load the modules that the models are compared with, in single precision."""
    spec = importlib.util.spec_from_file_location("make_model_reference", REFERENCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.torch.set_default_dtype(module.torch.float32)
    module.Dropout = module.nn.Dropout  # the reference draws masks as learners do
    return module


def list_models(reference):
    """Return modules, shapes of samples and numbers of tokens by the names of models."""
    torch, nn = reference.torch, reference.nn
    rows = torch.sin(torch.arange(80 * 50.0)).reshape(80, 50)
    tree = [(node // 2, node) for node in range(1, 80)]
    gray, color = (1, 28, 28), (3, 32, 32)
    return {
        "linear": (lambda: reference.linear(784, 10), gray, 0),
        "polynomial": (lambda: nn.Sequential(reference.Polynomial(3), nn.Linear(55, 4)), (5,), 0),
        "mlp": (lambda: reference.mlp(784, 200, 10), gray, 0),
        "netcnn": (reference.netcnn, gray, 0),
        "lenet": (lambda: reference.lenet(1, 2), gray, 0),
        "alexnet": (lambda: reference.alexnet(3, 1024), color, 0),
        "resnet20": (lambda: reference.ResNet20(nn.BatchNorm2d), color, 0),
        "resnet20:gn": (lambda: reference.ResNet20(lambda c: nn.GroupNorm(8, c)), color, 0),
        "conv4": (lambda: reference.conv4(1, 64), gray, 0),
        "fc3": (lambda: reference.mlp(784, 256, 128, 8), gray, 0),
        "char-lstm": (lambda: reference.CharacterLstm(80), (20,), 80),
        "sentiment-lstm": (lambda: reference.SentimentLstm(rows), (20,), 80),
        "efficientnet-b0": (lambda: reference.EfficientNetB0(10), color, 0),
        "gcn": (lambda: reference.GraphConvolution(rows, tree), (1,), 80),
    }


def make_step(reference, make, shape, vocabulary):
    """Return a function that takes a step of SGD on random samples."""
    torch = reference.torch
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), 0.001)
    sizes = (SAMPLES, *shape)
    samples = torch.randint(vocabulary, sizes) if vocabulary else torch.randn(sizes)
    labels = torch.arange(SAMPLES) % 2

    def step():
        optimizer.zero_grad()
        reference.functional.cross_entropy(model(samples), labels).backward()
        optimizer.step()

    return step


def measure_models(pattern, repetitions):
    """Return results of a step of each model; none without PyTorch."""
    try:
        reference = load_reference()
    except ImportError:
        print("PyTorch is left out: it is not installed (Debian package python3-torch)")
        return []
    results = []
    for model, (make, shape, vocabulary) in list_models(reference).items():
        name = f"PyTorch/TrainModel/{model}"
        if re.search(pattern, name):
            step = make_step(reference, make, shape, vocabulary)
            step()
            results += measure(name, step, repetitions, STEPS)
            print(f"{name:<40} {min(run['cpu_time'] for run in results[-repetitions:]):10.3f} ms")
    return results


def main():
    """Read arguments, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--filter", default=".", help="regular expression of names")
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    generator = np.random.default_rng(0)
    results = measure_models(arguments.filter, arguments.repetitions)
    for n, d in SHAPES:
        names = {f"Numpy/{rule}/{n}/{d}": rule for rule in RULES}
        names = {name: rule for name, rule in names.items() if re.search(arguments.filter, name)}
        if not names:
            continue
        x = generator.random((n, d), dtype=np.float32)
        for name, rule in names.items():
            RULES[rule](x[:, :1000])
            runs = list(measure(name, lambda: RULES[rule](x), arguments.repetitions))
            print(f"{name:<40} {min(run['cpu_time'] for run in runs):10.2f} ms")
            results += runs
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": results}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
