#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Time the learning of graph discovery in numpy, for comparison with collab-bench-graphs.

The same numbers of devices, labels and iterations, all devices at once by arrays; but without whole
datapoints: what a transmitter has too little of is divided in fractions. Writes results in the form
of Google Benchmark, which print_ratios.py reads.
"""

import argparse
import json
import re
import sys
import time

import numpy as np

DEVICES, LABELS, ITERATIONS, BUFFER = 25, 10, 5000, 256
DIVERSITY, RELIABILITY, BUDGET, BUDGET_POINTS, GLOBAL = 20, 10, 1e-3, 100, 0.5
REDUCTION, SLACK, LEAST_LABELS = 0.9, 0.8, 3


class Game:
    """What the outcome of a graph depends on."""

    def __init__(self, generator):
        held = np.zeros((DEVICES, LABELS))
        for row in held:
            row[generator.permutation(LABELS)[:3]] = 840, 240, 120
        trust = generator.random((DEVICES, DEVICES, LABELS)) < 0.5  # by receiver and transmitter
        radius = np.sqrt(generator.random(DEVICES)) / 2
        angle = 2 * np.pi * generator.random(DEVICES)
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        squares = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
        self.outage = 1 - 0.6**squares
        threshold = held.sum(axis=1, keepdims=True) / LABELS
        self.held, self.least = held, SLACK * threshold
        self.spare = np.maximum(held - threshold, 0)
        self.requests = trust * (self.spare > 0) * np.maximum(threshold - held, 0)[:, None]
        self.cumulated = np.cumsum(held / held.sum(axis=1, keepdims=True), axis=1)
        cluster = np.arange(DEVICES) // 5
        self.same = (cluster[:, None] == cluster).astype(float)


def play(game, peers):
    """Return rewards of all devices, by Algorithm 1, (13) and (14)."""
    rows = np.arange(DEVICES)
    requests = game.requests[rows, peers]
    total = np.zeros_like(game.held)
    np.add.at(total, peers, requests)
    share = np.minimum(1, game.spare / np.maximum(total, 1))
    allotted = requests * share[peers]
    outage = game.outage[rows, peers]
    after = game.held - total * share + (1 - outage)[:, None] * allotted
    change = np.cumsum(after / after.sum(axis=1, keepdims=True), axis=1) - game.cumulated
    reached = (after >= game.least).sum(axis=1) >= LEAST_LABELS
    local = DIVERSITY * reached * np.abs(change).sum(axis=1) - RELIABILITY * outage
    foreign = allotted.sum(axis=1) * (1 - game.same[rows, peers])
    shared = game.same @ (local / DEVICES - BUDGET * foreign) + BUDGET * BUDGET_POINTS
    return local + GLOBAL * shared


def rehearse(game, generator):
    """Learn, and return the most probable peers."""
    rows = np.arange(DEVICES)
    sums, counts = np.zeros((DEVICES, DEVICES)), np.zeros((DEVICES, DEVICES))
    buffer, kept = np.zeros((DEVICES, BUFFER)), np.zeros((BUFFER, DEVICES), dtype=int)
    mask = np.where(np.eye(DEVICES, dtype=bool), -np.inf, 0)
    values = mask
    for step in range(ITERATIONS):
        weights = np.exp(values - values.max(axis=1, keepdims=True))
        bounds = np.cumsum(weights, axis=1)
        drawn = generator.random((DEVICES, 1)) * bounds[:, -1:]
        peers = (bounds <= drawn).sum(axis=1)
        rewards = play(game, peers)
        place = step % BUFFER
        entries = min(step, BUFFER)
        mean = buffer.sum(axis=1) / max(entries, 1)
        weighted = np.where(rewards < mean, 1 - REDUCTION, 1) * rewards
        if step >= BUFFER:
            sums[rows, kept[place]] -= buffer[:, place]
            counts[rows, kept[place]] -= 1
        sums[rows, peers] += weighted
        counts[rows, peers] += 1
        buffer[:, place], kept[place] = weighted, peers
        mean = buffer.sum(axis=1, keepdims=True) / min(step + 1, BUFFER)
        values = np.where(counts > 0, sums / np.maximum(counts, 1), mean) + mask
    return values.argmax(axis=1)


def main():
    """Read arguments, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--filter", default=".", help="regular expression of names")
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    name = f"Numpy/GraphDiscoveryMathematics/{DEVICES}"
    results = []
    for repetition in range(arguments.repetitions if re.search(arguments.filter, name) else 0):
        generator = np.random.default_rng(1)
        game = Game(generator)
        wall, cpu = time.perf_counter(), time.process_time()
        rehearse(game, generator)
        results.append(
            {
                "name": name,
                "run_name": name,
                "run_type": "iteration",
                "repetition_index": repetition,
                "real_time": 1e3 * (time.perf_counter() - wall),
                "cpu_time": 1e3 * (time.process_time() - cpu),
                "time_unit": "ms",
            }
        )
    if results:
        print(f"{name:<40} {min(run['cpu_time'] for run in results):10.2f} ms")
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": results}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
