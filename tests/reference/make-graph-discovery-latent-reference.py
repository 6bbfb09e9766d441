#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/graph-discovery/latent, computed with numpy and scipy in float64.

Writes tests/graph-discovery/latent/latent-reference.h. Covariances are those of numpy.cov, divergences come from
determinants and inverses without Cholesky's decomposition, and (15) from scipy's distances.
"""

import pathlib
from fractions import Fraction

import numpy as np
from scipy.spatial.distance import cdist

RIDGE = 1e-6
D, L, POINTS = 3, 2, 40
DEVICES = 4
REQUESTED = 1200


def wave(*shape, shift=0.0):
    """Numbers that look random and are the same in float32 and float64."""
    index = np.arange(np.prod(shape)).reshape(shape)
    return (3 * np.sin(1 + shift + index**1.3)).astype(np.float32).astype(float)


points = wave(POINTS, D) * [1, 2, 0.5] + [4, -1, 0]
points = points.astype(np.float32).astype(float)
labels = np.array([i * i % 3 % L for i in range(POINTS)])
added = (wave(10, D, shift=0.7) + [5, 0, 1]).astype(np.float32).astype(float)


def describe(rows):
    return rows.mean(axis=0), np.cov(rows.T, bias=True) + RIDGE * np.eye(D)


before = [points[labels == k] for k in range(L)]
nearest = cdist(added, [rows.mean(axis=0) for rows in before]).argmin(axis=1)
after = [np.vstack([before[k], added[nearest == k]]) for k in range(L)]
score = sum(np.trace(describe(a)[1]) / np.trace(describe(b)[1]) for a, b in zip(after, before))


def split(own, remote):
    """(15) in whole datapoints, by largest remainders of exact fractions."""
    weights = [Fraction(float(w)) for w in cdist(own, remote).sum(axis=1)]
    shares = [REQUESTED * w / sum(weights) for w in weights]
    parts = [int(s) for s in shares]
    for k in sorted(range(len(parts)), key=lambda k: parts[k] - shares[k])[: REQUESTED - sum(parts)]:
        parts[k] += 1
    return parts


own, remote = wave(5, D, shift=2), wave(4, D, shift=3)


def cluster(number):
    column = np.sin(1 + number + np.arange(D) ** 2 * (1 + number))
    mean = 2 * np.cos(2 + 3 * number + np.arange(D))
    return mean, np.outer(column, column) + np.diag(0.3 + 0.2 * np.arange(D))


def divergence(p, q):
    precision, difference = np.linalg.inv(q[1]), q[0] - p[0]
    return 0.5 * (np.trace(precision @ p[1]) - D + difference @ precision @ difference
                  + np.log(np.linalg.det(q[1]) / np.linalg.det(p[1])))  # fmt: skip


def agreement(system_before, system_after):
    pairs = [(i, j) for i in system_before for j in system_before if i != j]
    before, after = (np.array([divergence(p, q) for i, j in pairs for p in s[i] for q in s[j]])
                     for s in (system_before, system_after))  # fmt: skip
    ratios = before / after
    return [before.mean() / after.mean() - 1, ratios.sum(), ratios.mean()]


systems = [{i: [cluster(start + L * i + k) for k in range(L)] for i in range(DEVICES)} for start in (0, 20)]
changed = {i: systems[1 if i in (0, 2) else 0][i] for i in range(DEVICES)}
three = [{i: s[i] for i in (0, 1, 3)} for s in systems]


def number(value):
    return str(value) if isinstance(value, (int, np.integer)) else repr(float(value))


def array(kind, name, comment, values):
    text = ", ".join(number(v) for v in np.ravel(values))
    return f"const std::vector<{kind}> {name} = {{{text}}}; //!< {comment}\n"


def clusters(system):
    return [np.concatenate([m, c.ravel()]) for device in system.values() for m, c in device]


text = f"""/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Made by tests/reference/make-graph-discovery-latent-reference.py; do not edit.

#ifndef LATENT_REFERENCE_H
#define LATENT_REFERENCE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace latent_reference
{{

// clang-format off
constexpr std::size_t WIDTH = {D}; //!< d
constexpr std::size_t CLUSTERS = {L}; //!< L
constexpr uint32_t DEVICES = {DEVICES}; //!< N
constexpr uint32_t REQUESTED = {REQUESTED}; //!< Q

"""
text += array("float", "POINTS", "n x d", points)
text += array("uint32_t", "LABELS", "cluster of each point", labels)
text += array("float", "ADDED", "points that come later", added)
text += array("uint32_t", "NEAREST", "cluster of each of them", nearest)
text += array("double", "MEANS", "of the clusters before", [describe(b)[0] for b in before])
text += array("double", "COVARIANCES", "of the clusters before", [describe(b)[1] for b in before])
text += array("double", "MEANS_AFTER", "with the added points", [describe(a)[0] for a in after])
text += array("double", "COVARIANCES_AFTER", "with the added points", [describe(a)[1] for a in after])
text += f"constexpr double SCORE = {score!r}; //!< (16) of both\n"
text += array("float", "OWN", "centroids of the transmitter", own)
text += array("float", "REMOTE", "centroids of the receiver", remote)
text += array("uint32_t", "SPLIT", "(15) of REQUESTED", split(own, remote))
text += array("double", "SYSTEM_BEFORE", "mean and covariance of each cluster of each device", clusters(systems[0]))
text += array("double", "SYSTEM_AFTER", "the same after the exchange", clusters(systems[1]))
rules = "ratio of means, sum, mean ratio"
text += array("double", "AGREEMENT", rules, agreement(*systems))
text += array("double", "AGREEMENT_CHANGED", f"{rules}: devices 0 and 2 have changed", agreement(systems[0], changed))
text += array("double", "AGREEMENT_THREE", f"{rules}: of the devices 0, 1 and 3", agreement(*three))
text += """// clang-format on

} // namespace latent_reference

#endif /* LATENT_REFERENCE_H */
"""
folder = pathlib.Path(__file__).resolve().parents[1] / "graph-discovery" / "latent"
(folder / "latent-reference.h").write_text(text)
