#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for the tests of chase combining in tests/wireless, computed with scipy.

Writes tests/wireless/link-models/combining-reference.h: for fading of a gamma distribution, and links of which one transmission is lost with a
given probability, the probability that k transmissions combined are not decoded, and what comes of it within MAX_ATTEMPTS, if acknowledgments
are lost or not. The sum of k gains is integrated over the density of one gain and the distribution of k - 1, so not taken for gamma-distributed.
"""

import pathlib

import numpy as np
from scipy import interpolate, stats

SHAPES = [1, 2.5]
OUTAGES = [0.1, 0.5, 0.9]  # of one transmission
ACKNOWLEDGMENT_OUTAGES = [0, 0.3]
MAX_ATTEMPTS = 4
POINTS = 1001
NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)


def combined(shape, outage):
    """Probabilities that 1, 2, ... transmissions combined are not decoded."""
    gain = stats.gamma(shape, scale=1 / shape)
    needed = gain.ppf(outage)  # gain at which one transmission is decoded
    grid = np.linspace(0, needed, POINTS)
    gains = np.outer(grid, (NODES + 1) / 2)  # of the last transmission, up to each sum
    below = gain.cdf(grid)  # of the sum so far
    result = [below[-1]]
    for _ in range(1, MAX_ATTEMPTS):
        before = interpolate.CubicSpline(grid, below)
        below = (gain.pdf(gains) * before(grid[:, None] - gains)) @ WEIGHTS * grid / 2
        result.append(below[-1])
    return result


def attempts_and_losses(undecoded, lost):
    """Of a fragment whose acknowledgment is lost with a probability: mean attempts, and whether it is never decoded, or never acknowledged."""
    before = [1.0, *undecoded]
    # Not acknowledged after k attempts: not decoded, or decoded at the i-th and all answers since then lost
    waiting = [before[k] + sum((before[i - 1] - before[i]) * lost ** (k - i + 1) for i in range(1, k + 1)) for k in range(MAX_ATTEMPTS + 1)]
    return sum(waiting[:-1]), before[-1], waiting[-1]


def cpp(name, values):
    numbers = ", ".join(f"{v:.12g}" for v in np.asarray(values, dtype=float).ravel())
    return f"constexpr double {name}[] = {{{numbers}}};\n"


tables = [[combined(m, p) for p in OUTAGES] for m in SHAPES]
text = "// Made by tests/reference/make-combining-reference.py; do not edit.\n\n// clang-format off\n"
text += cpp("COMBINING_SHAPES", SHAPES)
text += cpp("COMBINING_OUTAGES", OUTAGES)
text += cpp("COMBINING_ACKNOWLEDGMENT_OUTAGES", ACKNOWLEDGMENT_OUTAGES)
text += f"constexpr int COMBINING_MAX_ATTEMPTS = {MAX_ATTEMPTS};\n"
text += cpp("EXPECTED_COMBINED_OUTAGES", tables)
text += "// By outage and acknowledgment outage, shape 1: mean attempts, never decoded, never acknowledged\n"
text += cpp("EXPECTED_COMBINED_ATTEMPTS", [attempts_and_losses(u, lost) for u in tables[0] for lost in ACKNOWLEDGMENT_OUTAGES])
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "wireless" / "link-models" / "combining-reference.h"
out.write_text(text)
