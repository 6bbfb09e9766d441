#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for the tests of metrics and of float16 in tests/learning, by numpy and scipy.

Writes tests/learning/metrics/metrics-reference.h. Inputs are formulas, so that the tests make the same ones. Sample i has
softmax probabilities (float32) of the logits 2 sin(1 + 3 i + 7 c) of 4 classes and the label (i^2 + i / 3) mod 4. The
samples of the Wasserstein distance are sin(i), i < 9, and 2 cos(3 i) + 0.1, i < 14; the distributions are
1 + sin(i) and 1 + cos(2 i), i < 6, with one 0 each.
"""

import pathlib

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

SAMPLES, CLASSES, BINS = 200, 4, 15


def probabilities():
    i, c = np.meshgrid(np.arange(SAMPLES), np.arange(CLASSES), indexing="ij")
    p = np.exp(2 * np.sin(1 + 3 * i + 7 * c))
    return (p / p.sum(axis=1, keepdims=True)).astype(np.float32).astype(np.float64)


def calibration_error(p, labels):
    confidence, right = p.max(axis=1), p.argmax(axis=1) == labels
    edges = np.linspace(0, 1, BINS + 1)
    error = 0
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            error += inside.mean() * abs(right[inside].mean() - confidence[inside].mean())
    return error


def cpp(name, array, kind="double"):
    numbers = ", ".join(f"{v:.17g}" if kind == "double" else str(v) for v in np.ravel(array))
    return f"constexpr {kind} {name}[] = {{{numbers}}};\n"


p = probabilities()
i = np.arange(SAMPLES)
labels = (i * i + i // 3) % CLASSES
guess = p.argmax(axis=1)
recall = [(guess[labels == c] == c).mean() for c in range(CLASSES)]
precision = [(labels[guess == c] == c).mean() for c in range(CLASSES)]
u, v = 1 + np.sin(np.arange(6)), 1 + np.cos(2 * np.arange(6))
u[2] = v[4] = 0
bits = np.concatenate([np.random.default_rng(1).integers(0x33000000, 0x47800000, 40), [0x477FEFFF, 0x38800000, 0x387FFFFF, 0x33000000, 1]])
floats = bits.astype(np.uint32).view(np.float32)
text = "// Made by tests/reference/make-metrics-reference.py; do not edit.\n\n#pragma once\n\n#include <cstdint>\n\n// clang-format off\n"
text += cpp("EXPECTED_RECALL", recall) + cpp("EXPECTED_PRECISION", precision)
text += cpp("EXPECTED_CALIBRATION_ERROR", [calibration_error(p, labels)])
text += cpp("EXPECTED_HISTOGRAM_WASSERSTEIN", [wasserstein_distance(np.arange(6), np.arange(6), u, v)])
text += cpp("EXPECTED_JENSEN_SHANNON", [jensenshannon(u, v, base=2) ** 2])
text += cpp("EXPECTED_TOTAL_VARIATION", [np.abs(u / u.sum() - v / v.sum()).sum() / 2])
text += cpp("FLOAT_BITS", bits, "uint32_t")
text += cpp("EXPECTED_HALF_BITS", floats.astype(np.float16).view(np.uint16), "uint16_t")
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "learning" / "metrics" / "metrics-reference.h"
out.write_text(text)
