#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for the tests of the link budget in tests/wireless, computed with scipy.

Writes tests/wireless/link-models/link-reference.h: outage under Nakagami-m fading, and the truncated normal distribution of the
dynamic received power.
"""

import pathlib

import numpy as np
from scipy import special, stats

SHAPES = [0.5, 0.75, 1, 2, 3.5, 8, 50, 1000]
SNRS = [1e-3, 0.1, 0.5, 1, 3, 10, 100, 1e4, 1e8]  # W / sigma^2, linear
RATE = 0.8  # bit/s/Hz
QUANTILES = [1e-9, 0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1 - 1e-9]
# mean, standard deviation, minimum, maximum [W]: the paper's; cut on one side; in the upper tail; in the lower tail
NORMALS = [(0.3, 0.1, 0.05, 0.55), (0.3, 0.1, 0.35, 2.0), (0.0, 0.1, 0.9, 1.5), (2.0, 0.1, 0.5, 0.9)]


def cpp(name, values):
    numbers = ", ".join(f"{v:.17g}" for v in np.asarray(values, dtype=float).ravel())
    return f"constexpr double {name}[] = {{{numbers}}};\n"


threshold = 2**RATE - 1
outages = [[special.gammainc(m, m * threshold / snr) for snr in SNRS] for m in SHAPES]
normals = [stats.truncnorm((lo - mu) / sd, (hi - mu) / sd, loc=mu, scale=sd) for mu, sd, lo, hi in NORMALS]
paper = normals[0]

text = "// Made by tests/reference/make-link-reference.py; do not edit.\n\n// clang-format off\n"
text += cpp("NAKAGAMI_SHAPES", SHAPES)
text += cpp("NAKAGAMI_SNRS", SNRS)
text += f"constexpr double NAKAGAMI_RATE = {RATE};\n"
text += cpp("EXPECTED_NAKAGAMI_OUTAGES", outages)
text += cpp("TRUNCATED_NORMALS", NORMALS)
text += cpp("TRUNCATED_NORMAL_PROBABILITIES", QUANTILES)
text += cpp("EXPECTED_TRUNCATED_NORMAL_QUANTILES", [d.ppf(QUANTILES) for d in normals])
text += cpp("EXPECTED_DYNAMIC_RSS_MOMENTS", [paper.mean(), paper.std()])
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "wireless" / "link-models" / "link-reference.h"
out.write_text(text)
