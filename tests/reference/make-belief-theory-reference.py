#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/belief-consensus/theory, computed with numpy and scipy in float64.

Writes tests/belief-consensus/theory/belief-theory-reference.h. All inputs are formulas, so that the tests make the same
ones. Weights of N users: exp(2 sin(1 + 3 i + 5 j)) where (i + 2 j) % 3 != 0, j == (i + 1) % N or i == j is even, else
0, each row divided by its sum. Likelihoods of user j: softmax over three labels y of 1.5 sin(1 + 3 j + 5 x + 7 y + 11 theta), for
two inputs x of probabilities 0.3 and 0.7 and five hypotheses; the truth is hypothesis 2, or lies between them (theta =
2.2). Probabilities of loss: 0.1 + 0.3 ((i + j) % 3).
"""

import itertools
import pathlib

import numpy as np
from scipy.optimize import minimize_scalar

SIZES = (3, 5, 8)
USERS, INPUTS, LABELS, HYPOTHESES, TRUTH = 3, (0.3, 0.7), 3, 5, 2
DELTA = 0.05


def weights(users):
    i, j = np.meshgrid(np.arange(users), np.arange(users), indexing="ij")
    positive = ((i + 2 * j) % 3 != 0) | (j == (i + 1) % users) | ((i == j) & (i % 2 == 0))
    w = np.where(positive, np.exp(2 * np.sin(1 + 3 * i + 5 * j)), 0)
    return w / w.sum(axis=1, keepdims=True)


def losses(users):
    i, j = np.meshgrid(np.arange(users), np.arange(users), indexing="ij")
    return (0.1 + 0.3 * ((i + j) % 3)) * (i != j)


def stationary(w):
    """Left null vector of W - I, by least squares."""
    equations = np.vstack([w.T - np.eye(len(w)), np.ones(len(w))])
    return np.linalg.lstsq(equations, np.append(np.zeros(len(w)), 1), rcond=None)[0]


def others(w):
    values = np.linalg.eigvals(w)
    return np.delete(values, np.argmin(abs(values - 1)))


def mixing_sum(w, powers=100000):
    v, power, sums = stationary(w), np.eye(len(w)), np.zeros(len(w))
    for _ in range(powers):
        power = power @ w
        distance = abs(power - v).sum(axis=1)
        sums += distance
        if distance.max() < 1e-13:
            break
    return sums.max()


def likelihoods(theta):
    """By user, input and label."""
    j, x, y = np.meshgrid(np.arange(USERS), np.arange(2), np.arange(LABELS), indexing="ij")
    e = np.exp(1.5 * np.sin(1 + 3 * j + 5 * x + 7 * y + 11 * theta))
    return e / e.sum(axis=2, keepdims=True)


def divergences(truth, l):
    terms = truth[None] * np.log(truth[None] / l)
    return (terms.sum(axis=3) @ np.array(INPUTS)).T


def exponent(probabilities, z, weight):
    """Chernoff's exponent; z by user and outcome."""
    scale = 1 / weight.max()

    def negative(s):
        return sum(np.log((p * np.exp(-s * scale * w * r)).sum()) for p, r, w in zip(probabilities, z, weight))

    return -minimize_scalar(negative, bounds=(0, 60), method="bounded", options={"xatol": 1e-10}).fun


def renormalized(w, p):
    """E[W_t] by all that may be heard."""
    n = len(w)
    mean = np.zeros((n, n))
    for i in range(n):
        heard_by = [j for j in range(n) if j != i and w[i, j] > 0]
        for arrived in itertools.product((0, 1), repeat=len(heard_by)):
            probability = np.prod([1 - p[i, j] if a else p[i, j] for j, a in zip(heard_by, arrived)])
            row = np.zeros(n)
            row[i] = w[i, i]
            for j, a in zip(heard_by, arrived):
                row[j] = w[i, j] * a
            mean[i] += probability * (row / row.sum() if sum(arrived) else np.eye(n)[i])
    return mean


def present_weights(w, instants):
    """W_t of users of whom some are away, whose weights go to those who hear them."""
    users = np.arange(len(w))
    for t in range(instants):
        there = ((users + 2 * t) % 5 != 0) & (users != t)
        now = np.where(there[:, None] & there[None, :] & (users[:, None] != users), w, 0)
        yield there, now + np.diag(1 - now.sum(axis=1))


def chain_of_delays(users, leak):
    """Each hears the one before it; the first hears itself, and the last a very little."""
    w = np.eye(users, k=-1)
    w[0, 0], w[0, -1] = 1 - leak, leak
    return w


def linear_limits(power):
    """Limits of n times the excess error of Example 1, with explicit inverses."""
    moments = [np.diag([1, 1 / 3, 0]), np.diag([1, 0, 3 / 4])]
    test, noise = np.diag([1, 1 / 3, 3 / 4]), 0.8
    inverse = np.linalg.inv(sum(g * e for g, e in zip(power, moments)))
    return noise**2 * np.trace(test @ inverse @ sum(g**2 * e for g, e in zip(power, moments)) @ inverse)


def cpp(name, values, kind="double"):
    spell = (lambda v: str(int(v))) if kind == "uint32_t" else (lambda v: f"{v:.17g}")
    return f"const std::vector<{kind}> {name} = {{{', '.join(spell(v) for v in np.ravel(values))}}};\n"


def scalar(name, value):
    return f"constexpr double {name} = {value:.17g};\n"


HEAD = """/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Made by tests/reference/make-belief-theory-reference.py; do not edit.

#ifndef BELIEF_THEORY_REFERENCE_H
#define BELIEF_THEORY_REFERENCE_H

#include <cstdint>
#include <vector>

namespace belief_theory_reference
{

// clang-format off
"""

text = HEAD
for n in SIZES:
    w = weights(n)
    rest = others(w)
    p = losses(n)
    text += cpp(f"INFLUENCE_{n}", stationary(w))
    text += scalar(f"LAMBDA_MAX_{n}", rest.real.max())
    text += scalar(f"SECOND_MODULUS_{n}", abs(rest).max())
    text += scalar(f"MIXING_SUM_{n}", mixing_sum(w))
    text += cpp(f"EXPECTED_RENORMALIZED_{n}", renormalized(w, p))
kept = w * (1 - p)
np.fill_diagonal(kept, 0)
text += cpp("EXPECTED_SELF_8", kept + np.diag(1 - kept.sum(axis=1)))
text += scalar("MEAN_AGE_8", (stationary(w)[:, None] * w * p / (1 - p)).sum())
present = list(present_weights(weights(5), 8))
mean = np.mean([w_t for _, w_t in present], axis=0)
center = np.eye(5) - 1 / 5
spread = center @ np.mean([w_t.T @ center @ w_t for _, w_t in present], axis=0) @ center
text += cpp("MEAN_OF_PRESENT", mean) + cpp("INFLUENCE_OF_PRESENT", stationary(mean))
text += cpp("PRESENCE", np.mean([there for there, _ in present], axis=0))
text += scalar("CONTRACTION", np.linalg.eigvalsh(spread).max())
chain = chain_of_delays(16, 1e-6)
text += scalar("DELAYS_MODULUS", abs(others(chain)).max()) + scalar("DELAYS_SUM", mixing_sum(chain))
lazy_ring = (np.eye(256) + np.roll(np.eye(256), 1, axis=1) + np.roll(np.eye(256), -1, axis=1)) / 3
row, ring_sum = np.eye(256)[0], 0.0
while True:  # all users are alike
    row = row @ lazy_ring if ring_sum == 0 else (row + np.roll(row, 1) + np.roll(row, -1)) / 3
    distance = abs(row - 1 / 256).sum()
    ring_sum += distance
    if distance < 1e-9:
        break
text += scalar("RING_256_SUM", ring_sum)

l = np.stack([likelihoods(theta) for theta in range(HYPOTHESES)])
truth, between = l[TRUTH], likelihoods(2.2)
w = weights(USERS)
v = stationary(w)
kl, kl_between = divergences(truth, l), divergences(between, l)
rates = v @ kl
rivals = [m for m in range(HYPOTHESES) if m != TRUTH]
k = rates[rivals].min()
logs = np.log(l)
r = (logs.max(axis=0) - logs.min(axis=0)).max()
c = l.max() / l.min()
s, modulus = mixing_sum(w), abs(others(w)).max()
text += cpp("DIVERGENCES", kl) + cpp("DIVERGENCES_BETWEEN", kl_between) + cpp("RATES", rates)
text += scalar("SPEED", k) + f"constexpr uint32_t SLOWEST = {rivals[int(rates[rivals].argmin())]};\n"
text += cpp("RANGE", [l.min(), l.max(), c, r])
text += f"constexpr uint32_t BEST_BETWEEN = {int((v @ kl_between).argmin())};\n"
n, m = USERS, HYPOTHESES
text += cpp("PAPER_BOUND", [16 * c * np.log(n) / (k * (1 - modulus)), 16 * c * np.log(n * m / DELTA) / k**2,
                            2 * np.log(2 * m) / k])  # fmt: skip
text += cpp("SHARPER_BOUND", [4 * s * r / k, 32 * r**2 * np.log((m - 1) / DELTA) / k**2, 2 * np.log(2 * m) / k])
outcomes = truth * np.array(INPUTS)[None, :, None]
for name, weight in (("COOPERATING", v), ("CENTRAL", np.ones(USERS))):
    values = [exponent(outcomes, np.log(truth / l[psi]), weight) if psi != TRUTH else 0 for psi in range(m)]
    text += cpp(f"EXPONENTS_{name}", values)
theta = rivals[0]
text += cpp("RISK_BOUNDS", [(abs(truth - l[theta]).sum(axis=2) @ np.array(INPUTS)).mean(),
                            np.sqrt(2 * kl[:, theta].mean())])  # fmt: skip
text += cpp("LINEAR_LIMITS", [linear_limits((6 / 7, 1 / 7)), linear_limits((1, 1))])
text += "// clang-format on\n\n} // namespace belief_theory_reference\n\n#endif /* BELIEF_THEORY_REFERENCE_H */\n"
out = pathlib.Path(__file__).resolve().parent.parent / "belief-consensus" / "theory" / "belief-theory-reference.h"
out.write_text(text)
