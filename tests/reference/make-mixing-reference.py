#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/learning: clipping and mixing before aggregation, by numpy in float64, as the papers write it.

Writes tests/learning/aggregation/mixing-reference.h. Element k of vector i is sin(1 + 3 i + 5 k) + k / 10, rounded to
float32; vectors 2 and 7 of 11 are far off (times 10, plus 20).
"""

import pathlib

import numpy as np

i, k = np.meshgrid(np.arange(11), np.arange(7), indexing="ij")
X = np.sin(1 + 3 * i + 5 * k) + k / 10
X[[2, 7]] = 10 * X[[2, 7]] + 20
X = X.astype(np.float32).astype(np.float64)


def nearest_neighbor_mixing(x, f):
    distances = np.linalg.norm(x[:, None, :] - x[None, :, :], axis=2)
    return np.array([x[np.argsort(row, kind="stable")[: len(x) - f]].mean(axis=0) for row in distances])


def clip(vector, radius):
    norm = np.linalg.norm(vector)
    return vector * min(1.0, radius / norm) if norm > 0 else vector


def adaptive_robust_clipping(x, f):
    clipped = int(np.floor(2 * f / len(x) * (len(x) - f)))
    radius = np.sort(np.linalg.norm(x, axis=1))[::-1][clipped]
    return np.array([clip(vector, radius) for vector in x])


def centered_clipping(x, radius, iterations, start):
    for _ in range(iterations):
        start = start + np.mean([clip(vector - start, radius) for vector in x], axis=0)
    return start


def cpp(name, array):
    return f"constexpr double {name}[] = {{{', '.join(f'{v:.17g}' for v in np.ravel(array))}}};\n"


text = (
    "// Made by tests/reference/make-mixing-reference.py; do not edit.\n\n#pragma once\n\n// clang-format off\n"
    + cpp("EXPECTED_NNM_2", nearest_neighbor_mixing(X, 2))
    + cpp("EXPECTED_ARC_2", adaptive_robust_clipping(X, 2))
    + cpp("EXPECTED_ARC_NNM_MEDIAN", np.median(nearest_neighbor_mixing(adaptive_robust_clipping(X, 2), 2), axis=0))
    + cpp("EXPECTED_CENTERED_1", centered_clipping(X, 2.0, 1, np.zeros(7)))
    + cpp("EXPECTED_CENTERED_3", centered_clipping(X, 2.0, 3, X[0]))
    + "// clang-format on\n"
)
(pathlib.Path(__file__).parents[1] / "learning" / "aggregation" / "mixing-reference.h").write_text(text, encoding="utf-8")
