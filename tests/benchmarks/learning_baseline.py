#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Time numpy's way of the aggregation rules, by one thread, for comparison with collab-bench-learning.

Writes results in the form of Google Benchmark, which print_ratios.py reads.
"""

import argparse
import json
import os
import re
import sys
import time

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402  # pylint: disable=wrong-import-position

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


def measure(name, rule, x, repetitions):
    """Yield one result a repetition, after one call that is not counted."""
    rule(x[:, :1000])
    for repetition in range(repetitions):
        wall, cpu = time.perf_counter(), time.process_time()
        rule(x)
        yield {
            "name": name,
            "run_name": name,
            "run_type": "iteration",
            "repetition_index": repetition,
            "real_time": 1e3 * (time.perf_counter() - wall),
            "cpu_time": 1e3 * (time.process_time() - cpu),
            "time_unit": "ms",
        }


def main():
    """Read arguments, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--filter", default=".", help="regular expression of names")
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    generator = np.random.default_rng(0)
    results = []
    for n, d in SHAPES:
        names = {f"Numpy/{rule}/{n}/{d}": rule for rule in RULES}
        names = {name: rule for name, rule in names.items() if re.search(arguments.filter, name)}
        if not names:
            continue
        x = generator.random((n, d), dtype=np.float32)
        for name, rule in names.items():
            runs = list(measure(name, RULES[rule], x, arguments.repetitions))
            print(f"{name:<40} {min(run['cpu_time'] for run in runs):10.2f} ms")
            results += runs
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": results}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
