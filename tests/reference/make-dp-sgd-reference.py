#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/learning/training/dp-sgd-test.cc, by numerical integration with mpmath.

Writes tests/learning/training/dp-sgd-reference.h. Rows are order, rate, noise, Renyi divergence of the sampled Gaussian
mechanism, integrated from its definition; and rate, noise, steps, delta, epsilon, the least over orders 2 to 256 by
proposition 12 of Canonne, Kamath and Steinke (NeurIPS 2020).
"""

import pathlib

from mpmath import exp, inf, log, mp, mpf, quad, sqrt, pi

mp.dps = 30


def divergence(order, rate, noise):
    """log E[((1 - q) + q exp((2 z - 1) / (2 s^2)))^a] / (a - 1) with z from N(0, s^2)"""
    q, s = mpf(rate), mpf(noise)

    def integrand(z):
        ratio = 1 - q + q * exp((2 * z - 1) / (2 * s**2))
        return exp(-(z**2) / (2 * s**2) + order * log(ratio)) / (s * sqrt(2 * pi))

    # The mass is around z = k for the sums' terms k = 0 to the order
    points = [-inf, -4 * s, 0] + [mpf(order) * i / 8 for i in range(1, 9)] + [order + 4 * s, order + 12 * s, inf]
    return log(quad(integrand, points)) / (order - 1)


def epsilon(rate, noise, steps, delta):
    def of(a):
        return steps * divergence(a, rate, noise) + log((a - 1) / mpf(a)) - (log(mpf(delta)) + log(a)) / (a - 1)

    # Convex in the order: walk down to the least
    a = 2
    while a < 256 and of(a + 1) < of(a):
        a += 1
    return of(a)


def rows(name, table):
    lines = ",\n".join("    {" + ", ".join(mp.nstr(mpf(v), 17) for v in row) + "}" for row in table)
    return f"constexpr double {name}[][{len(table[0])}] = {{\n{lines}}};\n"


divergences = [
    (a, q, s, divergence(a, q, s))
    for a, q, s in [(2, 0.01, 1), (2, 1, 2), (5, 0.1, 1.5), (8, 0.004, 0.7), (32, 0.02, 4), (64, 0.25, 8), (256, 0.001, 10)]
]
epsilons = [
    (q, s, n, d, epsilon(q, s, n, d))
    for q, s, n, d in [(0.01, 1.1, 1000, 1e-5), (0.004267, 1.3, 14062, 1e-5), (0.25, 2, 40, 1e-5), (1, 4, 10, 1e-6), (0.1, 0.8, 1, 1e-3)]
]
target = pathlib.Path(__file__).parents[1] / "learning" / "training" / "dp-sgd-reference.h"
target.write_text(
    "// Made by tests/reference/make-dp-sgd-reference.py; do not edit.\n\n#pragma once\n\n// clang-format off\n"
    + rows("EXPECTED_DIVERGENCES", divergences)
    + rows("EXPECTED_EPSILONS", epsilons)
    + "// clang-format on\n"
)
