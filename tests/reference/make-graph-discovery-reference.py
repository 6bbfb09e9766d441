#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/graph-discovery, computed with numpy and scipy in float64.

Writes tests/graph-discovery/graph-discovery-reference.h. Inputs are formulas, so that the tests make the same ones.
Outage of N devices: 0.5 + 0.5 sin(1 + 3 i + 7 j + 2 i j). Counts of L labels before an exchange in case c:
(17 c + 29 l) % 50, but 0 where (l + c) % 3 == 0; after it: 0.25 ((31 c + 13 l l) % 90), but 0 where (l + c) % 4 == 1.
Edges of a graph: 0.1 + ((i + j) % 4) / 5.
"""

import pathlib

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import jensenshannon, squareform
from scipy.stats import wasserstein_distance

SIZES, THRESHOLDS = (6, 15, 40), (0.0, 0.6, 0.8, 0.9, 0.97, 0.999, 1.0)
CASES, LABELS = 6, (3, 5, 10)
DEVICES = 5


def clusters(size, threshold):
    """Complete linkage, numbered in the order of lowest devices."""
    i, j = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    outage = 0.5 + 0.5 * np.sin(1 + 3 * i + 7 * j + 2 * i * j)
    distance = np.maximum(outage, outage.T) * (i != j)
    merged = fcluster(linkage(squareform(distance), "complete"), threshold, "distance")
    numbers = {}
    return [numbers.setdefault(cluster, len(numbers)) for cluster in merged]


def counts(case, labels):
    label = np.arange(labels)
    before = np.where((label + case) % 3 == 0, 0, (17 * case + 29 * label) % 50)
    after = np.where((label + case) % 4 == 1, 0, 0.25 * ((31 * case + 13 * label * label) % 90))
    return before, after


def distances(case, labels):
    """Wasserstein, total variation, Jensen-Shannon."""
    before, after = counts(case, labels)
    label, p, q = np.arange(labels), before / before.sum(), after / after.sum()
    return wasserstein_distance(label, label, p, q), abs(p - q).sum() / 2, jensenshannon(p, q, base=2)


def adjacency():
    """Normalized by Kipf and Welling."""
    i, j = np.meshgrid(np.arange(DEVICES), np.arange(DEVICES), indexing="ij")
    edges = np.where(i == j, 1, 0.1 + ((i + j) % 4) / 5)
    scale = 1 / np.sqrt(edges.sum(axis=1))
    return scale[:, None] * edges * scale[None, :]


def cpp(name, values, kind="double"):
    spell = (lambda v: str(int(v))) if kind == "uint32_t" else (lambda v: f"{v:.12g}")
    return f"const std::vector<{kind}> {name} = {{{', '.join(spell(v) for v in np.ravel(values))}}};\n"


HEAD = """/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Made by tests/reference/make-graph-discovery-reference.py; do not edit.

#ifndef GRAPH_DISCOVERY_REFERENCE_H
#define GRAPH_DISCOVERY_REFERENCE_H

#include <cstdint>
#include <vector>

namespace graph_discovery_reference
{

// clang-format off
"""
TAIL = """// clang-format on

} // namespace graph_discovery_reference

#endif /* GRAPH_DISCOVERY_REFERENCE_H */
"""

text = HEAD + cpp("SIZES", SIZES, "uint32_t") + cpp("THRESHOLDS", THRESHOLDS)
text += "// By size and threshold\n"
text += cpp("CLUSTERS", np.concatenate([clusters(n, t) for n in SIZES for t in THRESHOLDS]), "uint32_t")
text += f"constexpr uint32_t CASES = {CASES};\n" + cpp("LABELS", LABELS, "uint32_t")
text += "// Wasserstein, total variation, Jensen-Shannon; by case and number of labels\n"
text += cpp("DISTANCES", [distances(c, n) for c in range(CASES) for n in LABELS])
text += f"constexpr uint32_t DEVICES = {DEVICES};\n" + cpp("ADJACENCY", adjacency())

path = pathlib.Path(__file__).parents[1] / "graph-discovery/graph-discovery-reference.h"
path.write_text(text + TAIL, encoding="utf-8")
