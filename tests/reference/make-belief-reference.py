#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/belief-consensus/beliefs/gaussian-test.cc, computed with numpy and scipy in float64.

Writes tests/belief-consensus/beliefs/belief-reference.h. There are four Gaussians of three parameters; everything is
computed from means and inverses, without Cholesky's decomposition, and by numerical integration and optimization.
"""

import pathlib

import numpy as np
from scipy import integrate, linalg, optimize, stats

P = 3
WEIGHTS = np.array([0.4, 0.3, 0.2, 0.1])
THETA, NOISE = np.array([-0.3, 0.5, 0.8]), 0.8
POINT = np.array([1, -0.7, 2.2])  # phi of a test input
INTERVAL = -1.5, 2.5  # of the last feature, where it is not constant

columns = [np.sin(1 + j + np.arange(P) ** 2 * (1 + j)) for j in range(4)]
precisions = [4 * np.outer(c, c) + np.diag(0.3 + 0.2 * np.arange(P)) for c in columns]
precisions = [2 * m / np.linalg.det(m) ** (1 / P) for m in precisions]  # so that the best weights are of several
precisions[3] = 0.2 * precisions[1] + 0.01 * np.eye(P)  # of no use to the intersection
means = [np.cos(2 + 3 * j + np.arange(P)) for j in range(4)]
covariances = [np.linalg.inv(m) for m in precisions]


def pack(mean, precision):
    return np.concatenate([precision @ mean, precision[np.tril_indices(P)]])


def divergence(a, b):
    difference = means[b] - means[a]
    return 0.5 * (np.trace(precisions[b] @ covariances[a]) - P + difference @ precisions[b] @ difference
                  + np.log(np.linalg.det(covariances[b]) / np.linalg.det(covariances[a])))  # fmt: skip


def mixture():
    mean = sum(w * m for w, m in zip(WEIGHTS, means))
    second = sum(w * (c + np.outer(m, m)) for w, c, m in zip(WEIGHTS, covariances, means))
    return pack(mean, np.linalg.inv(second - np.outer(mean, mean)))


def barycenter():
    """By its equation S = sum_j w_j (S^1/2 C_j S^1/2)^1/2 (Agueh and Carlier, 2011)."""
    s = np.eye(P)
    for _ in range(2000):
        root = linalg.sqrtm(s)
        s = sum(w * linalg.sqrtm(root @ c @ root) for w, c in zip(WEIGHTS, covariances))
    return pack(sum(w * m for w, m in zip(WEIGHTS, means)), np.linalg.inv(s))


def intersection():
    def loss(omega):
        return -np.linalg.slogdet(sum(w * m for w, m in zip(omega, precisions)))[1]

    best = optimize.minimize(loss, np.full(4, 0.25), method="SLSQP", bounds=[(0, 1)] * 4,
                             constraints={"type": "eq", "fun": lambda omega: omega.sum() - 1},
                             options={"ftol": 1e-15, "maxiter": 1000})  # fmt: skip
    assert best.success and best.x[3] < 1e-6 and (best.x > 0.05).sum() == 3, best
    return best.x, -best.fun


def predict(j, phi):
    """Expected negative log-likelihood of a label, and the probability that the 95 % interval has it."""
    predicted = stats.norm(means[j] @ phi, np.sqrt(phi @ covariances[j] @ phi + NOISE**2))
    true = stats.norm(THETA @ phi, NOISE)
    nll = integrate.quad(lambda y: -true.pdf(y) * predicted.logpdf(y), *true.interval(1 - 1e-15), epsabs=1e-13)[0]
    low, high = predicted.ppf([0.025, 0.975])
    return nll, integrate.quad(true.pdf, low, high, epsabs=1e-13)[0]


def average(j):
    """The same, and the squared error of noiseless labels, over the last feature's interval."""
    low, high = INTERVAL
    rows = []
    for x, weight in zip(*np.polynomial.legendre.leggauss(40)):
        phi = np.array([1, POINT[1], (low + high) / 2 + (high - low) / 2 * x])
        rows.append(weight / 2 * np.array([*predict(j, phi), ((means[j] - THETA) @ phi) ** 2]))
    return np.sum(rows, axis=0)


def cpp(name, array):
    numbers = ", ".join(f"{v:.17g}" for v in np.ravel(array))
    return f"const std::vector<double> {name} = {{{numbers}}};\n"


def scalar(name, value):
    return f"constexpr double {name} = {value:.17g};\n"


omega, log_determinant = intersection()
pairs = [(a, b) for a in range(4) for b in range(a)]
text = "/*\n * Copyright (c) 2026 ns-3 collab authors\n *\n * SPDX-License-" "Identifier: GPL-2.0-only\n */\n\n"
text += "// Made by tests/reference/make-belief-reference.py; do not edit.\n\n"
text += "#ifndef BELIEF_REFERENCE_H\n#define BELIEF_REFERENCE_H\n\n#include <vector>\n\n"
text += "namespace belief_reference\n{\n\n// clang-format off\n"
text += "const std::vector<std::vector<double>> GAUSSIANS = {\n"
text += "".join("    {" + ", ".join(f"{v:.17g}" for v in pack(*g)) + "},\n" for g in zip(means, precisions)) + "};\n"
text += cpp("WEIGHTS", WEIGHTS)
text += cpp("THETA", THETA)
text += cpp("POINT", POINT)
text += cpp("INTERVAL", INTERVAL)
text += scalar("NOISE", NOISE)
text += cpp("MEANS", means)
text += cpp("COVARIANCES", [c[np.tril_indices(P)] for c in covariances])
text += cpp("LOG_DETERMINANTS", [np.log(np.linalg.det(c)) for c in covariances])
text += cpp("JEFFREYS", [divergence(a, b) + divergence(b, a) for a, b in pairs])
text += cpp("MIXTURE", mixture())
text += cpp("BARYCENTER", barycenter())
text += cpp("OMEGA", omega)
text += scalar("INTERSECTION_LOG_DETERMINANT", -log_determinant)
text += cpp("NLLS", [predict(j, POINT)[0] for j in range(4)])
text += cpp("COVERAGES", [predict(j, POINT)[1] for j in range(4)])
text += cpp("AVERAGE_NLLS", [average(j)[0] for j in range(4)])
text += cpp("AVERAGE_COVERAGES", [average(j)[1] for j in range(4)])
text += cpp("AVERAGE_EXCESSES", [average(j)[2] for j in range(4)])
text += "// clang-format on\n\n} // namespace belief_reference\n\n#endif /* BELIEF_REFERENCE_H */\n"
out = pathlib.Path(__file__).resolve().parent.parent / "belief-consensus" / "beliefs" / "belief-reference.h"
out.write_text(text)
