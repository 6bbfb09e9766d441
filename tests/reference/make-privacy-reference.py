#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/learning/exchange/differential-privacy-test.cc, with 60 digits by mpmath.

Writes tests/learning/exchange/privacy-reference.h. Rows are sensitivity, sigma, epsilon, delta (Balle and Wang, theorem 8); and
sensitivity, sigma, delta, releases, epsilon, found by integrating over the sum of the releases' privacy losses.
"""

import pathlib

from mpmath import erfc, exp, linspace, mp, mpf, pi, quad, sqrt

mp.dps = 60


def phi(x):
    return erfc(-x / sqrt(2)) / 2


def delta(d, s, e):
    d, s, e = mpf(d), mpf(s), mpf(e)
    return phi(d / (2 * s) - e * s / d) - exp(e) * phi(-d / (2 * s) - e * s / d)


def composed_epsilon(d, s, target, releases):
    """A release loses h + sqrt(2 h) z of privacy, z being normal and h = d^2 / 2 s^2; what all lose is the sum."""
    mean = releases * mpf(d) ** 2 / (2 * mpf(s) ** 2)
    deviation = sqrt(2 * mean)

    def composed_delta(e):
        least = (e - mean) / deviation
        return quad(
            lambda z: (1 - exp(e - mean - deviation * z)) * exp(-z * z / 2) / sqrt(2 * pi),
            linspace(least, max(least, mpf(0)) + 40, 40),
        )

    low, high = mpf(0), mean + 20 * deviation
    while high - low > mpf("1e-20") * high:
        middle = (low + high) / 2
        low, high = (middle, high) if composed_delta(middle) > target else (low, middle)
    return high


def rows(name, table):
    lines = ",\n".join("    {" + ", ".join(mp.nstr(mpf(v), 17) for v in row) + "}" for row in table)
    return f"constexpr double {name}[][{len(table[0])}] = {{\n{lines}}};\n"


ONE = [(1, 1, 1), (1, 1, 0), (2, 0.5, 10), (2, 10, 0.5), (1, 5, 0.8), (1, 0.1, 60), (3, 40, 0.3), (2, 0.02, 5500)]
SEVERAL = [(2, 10, 1e-5, 1), (2, 10, 1e-5, 100), (1, 4, 1e-6, 1000), (2, 1, 1e-3, 3), (2, 0.5, 1e-5, 2)]
text = "// Made by tests/reference/make-privacy-reference.py; do not edit.\n\n#pragma once\n\n// clang-format off\n"
text += rows("EXPECTED_GAUSSIAN", [(*row, delta(*row)) for row in ONE])
text += rows("EXPECTED_COMPOSED", [(*row, composed_epsilon(*row)) for row in SEVERAL])
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "learning" / "exchange" / "privacy-reference.h"
out.write_text(text)
