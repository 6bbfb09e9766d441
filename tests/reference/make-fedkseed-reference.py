#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/federated/fedkseed-test.cc, computed with numpy in float64.

Writes tests/federated/fedkseed-reference.h. FedKSeed (Qin et al., ICML 2024, algorithm 1) as the paper writes it: SEEDS
candidate seeds; each round a device builds w_0 - sum_j a_j z_j anew, takes STEPS steps w -= eta g z_j along drawn
directions, with g = (l(w + eps z_j) - l(w - eps z_j)) / (2 eps), and sends its pairs (j, eta g); the server adds each to
a_j, weighted by samples. Losses are cross-entropies of a linear model on all samples of a device. Generators are written
down here once more: SplitMix64 and the method of Box and Muller for directions, and the Mersenne Twister of 64 bits
for the choice of seeds, behind the draws for an order of the samples that makes no difference here.
"""

import pathlib

import numpy as np

SEEDS, STEPS, ROUNDS, RATE, SMOOTHING, ORIGIN = 16, 5, 3, 0.05, 0.05, 77
SAMPLES, FEATURES, CLASSES = (6, 10), 4, 3
MASK = 2**64 - 1


def split_mix(state):
    mixed = (state + 0x9E3779B97F4A7C15) & MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
    return mixed ^ (mixed >> 31)


def direction(seed, size):
    state = split_mix(ORIGIN + seed)
    parts = [(split_mix(state + n * 0x9E3779B97F4A7C15 & MASK) >> 11) / 2**53 for n in range(size + size % 2)]
    radii = np.sqrt(-2 * np.log(1 - np.array(parts[::2])))
    angles = 2 * np.pi * np.array(parts[1::2])
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1).ravel()[:size]


class Twister:
    """The generator mt19937_64 (Nishimura and Matsumoto)."""

    def __init__(self, seed):
        self.state, self.place = [seed], 312
        for i in range(1, 312):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & MASK)

    def next(self):
        if self.place == 312:
            for i in range(312):
                x = (self.state[i] & 0xFFFFFFFF80000000) | (self.state[(i + 1) % 312] & 0x7FFFFFFF)
                self.state[i] = self.state[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
            self.place = 0
        x = self.state[self.place]
        self.place += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000
        x ^= (x << 37) & 0xFFF7EEE000000000
        return x ^ (x >> 43)


def loss(w, features, labels):
    scores = features @ w[: CLASSES * FEATURES].reshape(CLASSES, FEATURES).T + w[CLASSES * FEATURES :]
    scores -= scores.max(1, keepdims=True)
    return np.mean(np.log(np.exp(scores).sum(1)) - scores[np.arange(len(labels)), labels])


def build(first, scalars):
    return first - sum(a * direction(j, len(first)) for j, a in enumerate(scalars))


def fedkseed():
    first = 0.3 * np.sin(1 + 2 * np.arange(CLASSES * (FEATURES + 1)))
    scalars = np.zeros(SEEDS)
    generators = [Twister(device + 1) for device in range(len(SAMPLES))]
    own = []
    for device, count in enumerate(SAMPLES):
        i, j = np.meshgrid(np.arange(count), np.arange(FEATURES), indexing="ij")
        own.append((np.sin(3 * device + 2 * i + 5 * j), (np.arange(count) + device) % CLASSES))
    pairs = []
    for _ in range(ROUNDS):
        step = np.zeros(SEEDS)
        for device, count in enumerate(SAMPLES):
            w = build(first, scalars)
            for _ in range(STEPS):
                for _ in range(count - 1):
                    generators[device].next()
                seed = generators[device].next() >> 60  # one of 16
                z = direction(seed, len(first))
                above, below = (loss(w + s * SMOOTHING * z, *own[device]) for s in (1, -1))
                scalar = RATE * (above - below) / (2 * SMOOTHING)
                w = w - scalar * z
                step[seed] += scalar * count / sum(SAMPLES)
                pairs.append(seed)
        scalars = scalars + step
    return scalars, build(first, scalars), pairs


def main():
    scalars, weights, pairs = fedkseed()
    lines = [
        f"constexpr double EXPECTED_FEDKSEED_{name}[] = {{{', '.join(f'{value:.17g}' for value in values)}}};"
        for name, values in (
            ("DIRECTION", direction(3, 5)),
            ("SCALARS", scalars),
            ("WEIGHTS", weights),
            ("SEEDS", pairs),
        )
    ]
    text = "\n".join(
        [
            "// Made by tests/reference/make-fedkseed-reference.py; do not edit.",
            "",
            "// clang-format off",
            *lines,
            "// clang-format on",
            "",
        ]
    )
    (pathlib.Path(__file__).parents[1] / "federated" / "fedkseed-reference.h").write_text(text)


if __name__ == "__main__":
    main()
