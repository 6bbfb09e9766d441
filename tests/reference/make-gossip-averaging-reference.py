#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/gossip: gossip that averages models, by numpy in float64, as the papers write it.

Writes tests/gossip/averaging-reference.h. Five devices that all hear each other and lose nothing; the loss of device k
is |w - t_k|^2 / 2 with t_k,i = k + 1 + sin(1 + 3 k + 5 i), steps of gradient descent have the rate 0.1, and a round
two of them. W has 1/5 everywhere. Models are those after the rounds 0, 1, ..., of device 0, device 1, ...
"""

import pathlib

import numpy as np

DEVICES, DIMENSION, ROUNDS, STEPS, RATE, MOMENTUM, GAMMA, KEPT = 5, 6, 7, 2, 0.1, 0.9, 0.6, 2
k, i = np.meshgrid(np.arange(DEVICES), np.arange(DIMENSION), indexing="ij")
TARGETS = k + 1 + np.sin(1 + 3 * k + 5 * i)
W = np.full((DEVICES, DEVICES), 1 / DEVICES)


def descend(z, momentum=0.0):
    """The models after the local steps: y_(k+1) = y_k - eta g(y_k) + theta (y_k - y_(k-1))."""
    before, y = z, z
    for _ in range(STEPS):
        before, y = y, y - RATE * (y - TARGETS) + momentum * (y - before)
    return y


def top_k(vector):
    kept = np.argsort(-np.abs(vector), kind="stable")[:KEPT]
    encoded = np.zeros_like(vector)
    encoded[kept] = vector[kept]
    return encoded


def int8(vector):
    scale = np.abs(vector).max() / 127
    return scale * np.rint(vector / scale)


def choco_sgd():
    x, replicas, rounds = np.zeros_like(TARGETS), np.zeros_like(TARGETS), []
    for _ in range(ROUNDS):
        half = descend(x)
        replicas = replicas + np.array([top_k(difference) for difference in half - replicas])
        x = half + GAMMA * (W @ replicas - replicas)  # as rows of W have the sum 1
        rounds.append(x)
    return rounds


def clipped(own, others, radius=None):
    """Self-centered clipping; by default to the second largest distance, as the authors' program does."""
    changes = [other - own for other in others]
    norms = [np.linalg.norm(change) for change in changes]
    radius = sorted(norms)[-2] if radius is None else radius
    return own + sum(change * min(1, radius / norm) for change, norm in zip(changes, norms)) / DEVICES


def nearest(own, others):
    """The mean of all models but the one that is farthest from the own one."""
    models = sorted([own, *others], key=lambda model: np.linalg.norm(model - own))
    return np.mean(models[:-1], axis=0)


def defended(mix, momentum, forging=None):
    """Device 4 may broadcast x - (z - x) in the place of z."""
    x, rounds = np.zeros_like(TARGETS), []
    for _ in range(ROUNDS):
        z = descend(x, momentum)
        told = z.copy()
        if forging is not None:
            told[forging] = 2 * x[forging] - z[forging]
        x = np.array([mix(z[k], np.delete(told, k, axis=0)) for k in range(DEVICES)])
        rounds.append(x)
    return rounds


def stochastic_gradient_push():
    x, w, rounds = np.zeros_like(TARGETS), np.ones(DEVICES), []
    for number in range(ROUNDS):
        z = x / w[:, None]
        x = x + descend(z) - z
        hop = 2 ** (number % int(1 + np.floor(np.log2(DEVICES - 1))))
        p = (np.eye(DEVICES) + np.roll(np.eye(DEVICES), hop, axis=0)) / 2  # column j sends to row j + hop
        x, w = p @ x, p @ w
        rounds.append(x / w[:, None])
    return rounds


def epidemic_learning():
    """With s = n - 1, where draws do not matter."""
    x, rounds = np.zeros_like(TARGETS), []
    for _ in range(ROUNDS):
        x = np.tile(descend(x).mean(axis=0), (DEVICES, 1))
        rounds.append(x)
    return rounds


def dfedavgm(encode=None):
    x, rounds = np.zeros_like(TARGETS), []
    for _ in range(ROUNDS):
        z = descend(x, MOMENTUM)
        x = W @ z if encode is None else x + W @ np.array([encode(change) for change in z - x])
        rounds.append(x)
    return rounds


def cpp(name, rounds):
    numbers = ", ".join(f"{v:.9g}" for v in np.ravel(rounds))
    return f"constexpr double {name}[] = {{{numbers}}};\n"


text = (
    "/*\n * Copyright (c) 2026 ns-3 collab authors\n *\n * SPDX-License-" "Identifier: GPL-2.0-only\n */\n\n"
    "// Made by tests/reference/make-gossip-averaging-reference.py\n\n"
    "#ifndef GOSSIP_AVERAGING_REFERENCE_H\n#define GOSSIP_AVERAGING_REFERENCE_H\n\n"
    "// clang-format off\nnamespace reference\n{\n\n"
    + cpp("TARGETS", TARGETS)
    + cpp("CHOCO_SGD", choco_sgd())
    + cpp("STOCHASTIC_GRADIENT_PUSH", stochastic_gradient_push())
    + cpp("EPIDEMIC_LEARNING", epidemic_learning())
    + cpp("DFEDAVGM", dfedavgm())
    + cpp("QUANTIZED_DFEDAVGM", dfedavgm(int8))
    + cpp("CLIPPED_GOSSIP", defended(clipped, 0))
    + cpp("CLIPPED_TO_HALF", defended(lambda own, others: clipped(own, others, 0.5), 0, forging=4))
    + cpp("MONNA", defended(nearest, MOMENTUM))
    + cpp("ATTACKED_MONNA", defended(nearest, MOMENTUM, forging=4))
    + "\n} // namespace reference\n// clang-format on\n\n#endif /* GOSSIP_AVERAGING_REFERENCE_H */\n"
)
(pathlib.Path(__file__).parents[1] / "gossip" / "averaging-reference.h").write_text(text, encoding="utf-8")
