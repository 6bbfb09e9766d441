#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/learning/exchange/differential-privacy-test.cc, with 60 digits by mpmath.

Writes tests/learning/exchange/privacy-reference.h. Rows are sensitivity, sigma, epsilon, delta (Balle and Wang, theorem 8); and
sensitivity, sigma, delta, releases, epsilon, where the best order of Renyi differential privacy is searched for.
"""

import pathlib

from mpmath import erfc, exp, log, mp, mpf, sqrt

mp.dps = 60


def phi(x):
    return erfc(-x / sqrt(2)) / 2


def delta(d, s, e):
    d, s, e = mpf(d), mpf(s), mpf(e)
    return phi(d / (2 * s) - e * s / d) - exp(e) * phi(-d / (2 * s) - e * s / d)


def renyi_epsilon(d, s, target, releases):
    """Minimize over the order by golden-section search, not by the formula."""

    def epsilon(a):
        return a * releases * mpf(d) ** 2 / (2 * mpf(s) ** 2) + log(1 / mpf(target)) / (a - 1)

    low, high, ratio = mpf(1) + mpf("1e-9"), mpf("1e6"), (sqrt(mpf(5)) - 1) / 2
    for _ in range(300):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if epsilon(left) < epsilon(right) else (left, high)
    return epsilon(low)


def rows(name, table):
    lines = ",\n".join("    {" + ", ".join(mp.nstr(mpf(v), 17) for v in row) + "}" for row in table)
    return f"constexpr double {name}[][{len(table[0])}] = {{\n{lines}}};\n"


ONE = [(1, 1, 1), (1, 1, 0), (2, 0.5, 10), (2, 10, 0.5), (1, 5, 0.8), (1, 0.1, 60), (3, 40, 0.3), (2, 0.02, 5500)]
SEVERAL = [(2, 10, 1e-5, 1), (2, 10, 1e-5, 100), (1, 4, 1e-6, 1000), (2, 1, 1e-3, 3)]
text = "// Made by tests/reference/make-privacy-reference.py; do not edit.\n\n// clang-format off\n"
text += rows("EXPECTED_GAUSSIAN", [(*row, delta(*row)) for row in ONE])
text += rows("EXPECTED_COMPOSED", [(*row, renyi_epsilon(*row)) for row in SEVERAL])
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "learning" / "exchange" / "privacy-reference.h"
out.write_text(text)
