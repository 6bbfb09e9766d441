#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/committee/score-test.cc and theory-test.cc, computed with numpy in float64.

Writes tests/committee/committee-reference.h. Element i of the gradient of client k is sin(1 + 3 k + 5 i) / (1 + k % 4),
rounded to float32; clients 0 to 8 train, 9 to 12 are the committee, and client k has 10 + 7 k samples.
"""

import pathlib

import numpy as np

CLIENTS, MEMBERS, DIMENSION = 9, 4, 7
ALPHA = 40
RATE = 0.25

k, i = np.meshgrid(np.arange(CLIENTS + MEMBERS), np.arange(DIMENSION), indexing="ij")
gradients = (np.sin(1 + 3 * k + 5 * i) / (1 + k % 4)).astype(np.float32).astype(np.float64)
training, committee = gradients[:CLIENTS], gradients[CLIENTS:]
squares = ((training[:, None, :] - committee[None, :, :]) ** 2).sum(axis=2)
scores = 1 / squares.mean(axis=1)
order = np.argsort(-scores)
m = max(1, int(np.floor(ALPHA * CLIENTS / 100 + 0.5)))
samples = 10.0 + 7 * np.arange(CLIENTS)


def apply(selected):
    mean = (samples[selected, None] * training[selected]).sum(axis=0) / samples[selected].sum()
    return np.linspace(-1, 1, DIMENSION) - RATE * mean


similar, different = np.sort(order[:m]), np.sort(order[-m:])
first = (CLIENTS - MEMBERS) // 2

# Theorem 1 by its three terms, apart
L, MU, TAU, G2, SIGMA2, KAPPA2, GAMMA, PHI_MIN, PHI_MAX, START2, T = 4.0, 0.5, 2, 3.0, 0.7, 0.2, 0.15, 0.8, 1.3, 6.0, 90
shift = 4 * L / MU
terms = [
    (4 * L * (32 * TAU**2 * G2 + SIGMA2) + 24 * L**2 * KAPPA2) / (3 * MU**2 * PHI_MIN),
    8 * L**2 * GAMMA / MU**2,
    L * shift * START2 / 2,
]
bound = sum(terms) / (T + shift) + 8 * L * GAMMA / (3 * MU) * (PHI_MAX / PHI_MIN - 1)


def cpp(name, array, kind="double"):
    numbers = ", ".join(f"{v:.17g}" if kind == "double" else str(v) for v in np.ravel(array))
    return f"const std::vector<{kind}> {name} = {{{numbers}}};\n"


text = "/*\n * Copyright (c) 2026 ns-3 collab authors\n *\n * SPDX-License-" "Identifier: GPL-2.0-only\n */\n\n"
text += "// Made by tests/reference/make-committee-reference.py; do not edit.\n\n"
text += "#ifndef COMMITTEE_REFERENCE_H\n#define COMMITTEE_REFERENCE_H\n\n#include <cstdint>\n#include <vector>\n\n"
text += "namespace committee_reference\n{\n\n// clang-format off\n"
text += cpp("MEMBER_SCORES", 1 / squares)
text += cpp("SCORES", scores)
text += cpp("RANKING", order, "uint32_t")
text += cpp("SIMILAR", similar, "uint32_t")
text += cpp("DIFFERENT", different, "uint32_t")
text += cpp("MIDDLE", np.sort(order[first : first + MEMBERS]), "uint32_t")
text += cpp("TOP", np.sort(order[:MEMBERS]), "uint32_t")
text += cpp("WEIGHTS_SIMILAR", apply(similar))
text += cpp("WEIGHTS_DIFFERENT", apply(different))
text += f"constexpr double BOUND = {bound:.17g};\n"
text += "// clang-format on\n\n} // namespace committee_reference\n\n#endif /* COMMITTEE_REFERENCE_H */\n"
out = pathlib.Path(__file__).resolve().parent.parent / "committee" / "committee-reference.h"
out.write_text(text)
