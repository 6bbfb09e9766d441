#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/learning: aggregation rules and the factor of ALIE, by numpy and scipy in float64.

Writes tests/learning/aggregation/aggregation-reference.h. The vectors are a formula, so that the test makes the same ones: element
k of vector i is sin(1 + 3 i + 5 k) + k / 10 in float64, rounded to float32; vector 2 and vector 7 are far off (times
10, plus 20). Weights are 1 + (i mod 3).
"""

import pathlib

import numpy as np
from scipy.optimize import minimize, root
from scipy.stats import norm, trim_mean

ODD, EVEN, DIMENSION = 11, 10, 7


def vectors(n):
    i, k = np.meshgrid(np.arange(n), np.arange(DIMENSION), indexing="ij")
    x = np.sin(1 + 3 * i + 5 * k) + k / 10
    x[[2, 7]] = 10 * x[[2, 7]] + 20
    return x.astype(np.float32).astype(np.float64)


def krum_scores(x, f):
    n = len(x)
    squares = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)
    return np.array([np.sort(np.delete(squares[i], i))[: n - f - 2].sum() for i in range(n)])


def multi_krum(x, f, m):
    return np.sort(np.argsort(krum_scores(x, f), kind="stable")[:m])


def geometric_median(x, weights):
    def objective(z):
        return (weights * np.linalg.norm(x - z, axis=1)).sum() / weights.sum()

    def gradient(z):
        difference = z - x
        return (weights[:, None] * difference / np.linalg.norm(difference, axis=1)[:, None]).sum(axis=0) / weights.sum()

    near = minimize(objective, np.median(x, axis=0), jac=gradient, method="BFGS").x
    point = root(gradient, near, tol=1e-14).x
    assert np.abs(gradient(point)).max() < 1e-12
    return point, objective(point)


def alie(n, f):
    s = n // 2 + 1 - f
    return norm.ppf((n - f - s) / (n - f))


def cpp(name, array, kind="double"):
    numbers = ", ".join(f"{v:.17g}" for v in np.ravel(array))
    return f"constexpr {kind} {name}[] = {{{numbers}}};\n"


odd, even = vectors(ODD), vectors(EVEN)
weights = 1 + np.arange(ODD) % 3.0
median, objective = geometric_median(odd, weights)
chosen = multi_krum(odd, 2, 5)
text = "// Made by tests/reference/make-aggregation-reference.py; do not edit.\n\n#pragma once\n\n// clang-format off\n"
text += cpp("EXPECTED_WEIGHTED_MEAN", np.average(odd, axis=0, weights=weights))
text += cpp("EXPECTED_MEDIAN_ODD", np.median(odd, axis=0))
text += cpp("EXPECTED_MEDIAN_EVEN", np.median(even, axis=0))
text += cpp("EXPECTED_TRIMMED_MEAN_3", trim_mean(odd, 3.5 / ODD, axis=0))
text += cpp("EXPECTED_KRUM_SCORES_4", krum_scores(odd, 4))
text += cpp("EXPECTED_KRUM_4", [krum_scores(odd, 4).argmin()], "unsigned")
text += cpp("EXPECTED_MULTI_KRUM_2_5", chosen, "unsigned")
text += cpp("EXPECTED_MULTI_KRUM_MEAN", odd[chosen].mean(axis=0))
text += cpp("EXPECTED_GEOMETRIC_MEDIAN", median)
text += cpp("EXPECTED_GEOMETRIC_MEDIAN_OBJECTIVE", [objective])
text += cpp("EXPECTED_ALIE_50_24", [alie(50, 24)])
text += cpp("EXPECTED_ALIE_51_12", [alie(51, 12)])
text += cpp("EXPECTED_ALIE_25_5", [alie(25, 5)])
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "learning" / "aggregation" / "aggregation-reference.h"
out.write_text(text)
