#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/prediction-consensus/trust-test.cc, computed with numpy in float64.

Writes tests/prediction-consensus/trust-reference.h. The predictions are a formula, so that the test makes the same
ones: agent j's logit for sample x and class c is 2 sin(1 + 3 j + 5 x + 7 c), in float64, softmax rounded to float32.
"""

import pathlib

import numpy as np

AGENTS, SAMPLES, CLASSES = 4, 6, 5


def predictions():
    j, x, c = np.meshgrid(np.arange(AGENTS), np.arange(SAMPLES), np.arange(CLASSES), indexing="ij")
    logits = 2 * np.sin(1 + 3 * j + 5 * x + 7 * c)
    p = np.exp(logits)
    return (p / p.sum(axis=2, keepdims=True)).astype(np.float32).astype(np.float64)


def trust(p, beta):
    norms = np.linalg.norm(p, axis=2)
    cosine = np.einsum("ixc,jxc->ijx", p, p) / (norms[:, None, :] * norms[None, :, :])
    gamma = (beta[:, None, :] * cosine).mean(axis=2)
    return gamma / gamma.sum(axis=1, keepdims=True)


def entropy(p):
    return -(p * np.log(p)).sum(axis=2)


def cpp(name, array):
    numbers = ", ".join(f"{v:.17g}" for v in array.ravel())
    return f"constexpr double {name}[] = {{{numbers}}};\n"


p = predictions()
h = entropy(p)
psi = np.einsum("ij,jxc->ixc", trust(p, 1 / (h + 1)), p)
text = "// Made by tests/reference/make-trust-reference.py; do not edit.\n\n// clang-format off\n"
text += cpp("EXPECTED_CONFIDENCE_OFFSET_1", 1 / (h + 1))
text += cpp("EXPECTED_TRUST_OFFSET_1", trust(p, 1 / (h + 1)))
text += cpp("EXPECTED_TRUST_OFFSET_0", trust(p, 1 / h))
text += cpp("EXPECTED_TRUST_NO_CONFIDENCE", trust(p, np.ones_like(h)))
text += cpp("EXPECTED_PSEUDO_LABELS", psi)
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "prediction-consensus" / "trust-reference.h"
out.write_text(text)
