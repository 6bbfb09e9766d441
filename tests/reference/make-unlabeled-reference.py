#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for the tests of what partly labelled data need, by numpy, scipy and scikit-learn.

Writes tests/learning/unlabeled/unlabeled-reference.h, tests/learning/metrics/linear-evaluation-reference.h and
tests/learning/data/image-reference.h. Inputs are float32 numbers that the tests make as well (tests/learning/learning-test-support.cc):
uniform ones from the generator SplitMix64, and blobs around centers drawn by it.
"""

import pathlib

import numpy as np
from scipy import ndimage
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "learning"


def split_mix(state):
    with np.errstate(over="ignore"):
        z = np.asarray(state, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def uniform(rows, columns, seed):
    """Numbers in [0, 1): element k is made of SplitMix64(seed 2^32 + k)."""
    bits = split_mix(np.uint64(seed << 32) + np.arange(rows * columns, dtype=np.uint64))
    return ((bits >> np.uint64(40)).astype(np.float64) / 2.0**24).astype(np.float32).reshape(rows, columns)


def blobs(rows, columns, clusters, spread, seed):
    """Sample i is center i mod clusters plus noise; centers are in [0, 4)."""
    centers = 4 * uniform(clusters, columns, seed)
    noise = sum(uniform(rows, columns, seed + part) for part in (1, 2, 3)) - np.float32(1.5)
    return (centers[np.arange(rows) % clusters] + np.float32(spread) * noise).astype(np.float32)


def components(samples, count):
    _, singular, vectors = np.linalg.svd(samples.astype(np.float64), full_matrices=False)
    vectors = vectors[:count]
    greatest = np.abs(vectors).argmax(axis=1)
    return singular[:count], vectors * np.sign(vectors[np.arange(count), greatest])[:, None]


def divergence(p, q):
    (mean_p, cov_p), (mean_q, cov_q) = p, q
    inverse, difference = np.linalg.inv(cov_q), mean_q - mean_p
    logs = np.linalg.slogdet(cov_q)[1] - np.linalg.slogdet(cov_p)[1]
    return (np.trace(inverse @ cov_p) + difference @ inverse @ difference - len(difference) + logs) / 2


def cpp(name, array, kind="double"):
    numbers = ", ".join(f"{v:.12g}" if kind == "double" else str(v) for v in np.ravel(array))
    return f"const std::vector<{kind}> {name} = {{{numbers}}};\n"


def propagate(samples, labels, neighbors, iterations=1000):
    model = LabelPropagation(kernel="knn", n_neighbors=neighbors, max_iter=iterations)
    model.fit(samples.astype(np.float64), labels)
    assert (model.label_distributions_.sum(axis=1) > 0).all(), "a sample that is not reached"
    return model.transduction_, model.n_iter_


def write(name, text):
    head = "// Made by tests/reference/make-unlabeled-reference.py; do not edit.\n\n#pragma once\n\n#include <cstdint>\n#include <vector>\n\n"
    (FOLDER / name).write_text(f"{head}// clang-format off\n{text}// clang-format on\n")


def principal():
    text = ""
    for name, samples, count in (("TALL", uniform(60, 20, 1), 5), ("WIDE", uniform(20, 60, 2), 5)):
        singular, vectors = components(samples, count)
        text += cpp(f"{name}_SINGULAR", singular) + cpp(f"{name}_VECTORS", vectors)
    singular, vectors = components(blobs(400, 150, 6, 0.5, 10), 4)
    text += cpp("LARGE_SINGULAR", singular) + cpp("LARGE_VECTORS", vectors)
    parts = [components(uniform(50, 20, seed), 6) for seed in (20, 21, 22)]
    stacked = np.vstack([np.diag(singular) @ vectors for singular, vectors in parts])
    subspace = components(stacked, 6)[1].T
    text += cpp("COMBINED_SUBSPACE", subspace)
    return text + cpp("PROJECTED", uniform(3, 20, 23).astype(np.float64) @ subspace)


def clusters():
    apart, mixed = blobs(300, 6, 5, 0.3, 30), uniform(300, 6, 40)
    text = ""
    for name, samples, count in (("APART", apart, 5), ("MIXED", mixed, 7)):
        found = KMeans(count, n_init=10, random_state=0).fit(samples.astype(np.float64))
        text += cpp(f"{name}_INERTIA", [found.inertia_])
        if name == "APART":
            text += cpp("APART_LABELS", found.labels_, "uint32_t")
    return text


def propagation():
    text = ""
    for name, columns, spread, neighbors, iterations in (("FEW", 5, 1.6, 7, 1000), ("MANY", 16, 3, 5, 1000), ("SHORT", 5, 1.6, 7, 4)):
        samples = blobs(400, columns, 4, spread, 50)
        labels = np.where(np.arange(400) % 13 == 0, np.arange(400) % 4, -1)
        found, count = propagate(samples, labels, neighbors, iterations)
        right = (found == np.arange(400) % 4).mean()
        text += f"// {right:.3f} of them are right\n"
        text += cpp(f"{name}_PROPAGATED", found, "int64_t") + cpp(f"{name}_ITERATIONS", [count], "uint32_t")
    return text


def gaussians():
    described = []
    for seed in (60, 70):
        samples = blobs(40, 4, 1, 1.0 + seed / 100, seed).astype(np.float64)
        described.append((samples.mean(axis=0), np.cov(samples.T, bias=True) + 1e-6 * np.eye(4)))
    text = cpp("GAUSSIAN_MEAN", described[0][0]) + cpp("GAUSSIAN_COVARIANCE", described[0][1])
    return text + cpp("GAUSSIAN_DIVERGENCES", [divergence(*described), divergence(*described[::-1])])


def logistic():
    samples = blobs(400, 5, 4, 2.5, 80).astype(np.float64)
    labels = np.arange(400) % 4
    scaler = StandardScaler().fit(samples[:200])
    text = ""
    for name, c in (("DEFAULT", 1.0), ("STRONG", 0.05)):
        # Its L-BFGS stops when the loss falls by less than 2e-9, far from this tolerance
        model = LogisticRegression(C=c, tol=1e-7, max_iter=100000, solver="newton-cg")
        model.fit(scaler.transform(samples[:200]), labels[:200])
        tested = model.predict_proba(scaler.transform(samples[200:]))
        text += cpp(f"{name}_COEFFICIENTS", model.coef_) + cpp(f"{name}_INTERCEPTS", model.intercept_)
        accuracy = (tested.argmax(axis=1) == labels[200:]).mean()
        text += cpp(f"{name}_ACCURACY_AND_LOSS", [accuracy, log_loss(labels[200:], tested)])
    return text


def images():
    image = uniform(14, 9, 90).reshape(2, 7, 9).astype(np.float64)
    turned = [ndimage.rotate(one, 20, reshape=False, order=1, mode="grid-constant", cval=-1) for one in image]
    side, left, top = 0.7, 0.25, 0.6
    offset = [top * (1 - side) * 7 + side / 2 - 0.5, left * (1 - side) * 9 + side / 2 - 0.5]
    cropped = [ndimage.affine_transform(one, np.diag([side, side]), offset, order=1, mode="nearest") for one in image]
    text = cpp("TURNED", turned) + cpp("CROPPED", cropped)
    for radius in (1, 2):
        blurred = [ndimage.gaussian_filter(one, 0.8, mode="nearest", radius=radius) for one in image]
        text += cpp(f"BLURRED_{2 * radius + 1}", blurred)
    return text


write("unlabeled/unlabeled-reference.h", principal() + clusters() + propagation() + gaussians())
write("metrics/linear-evaluation-reference.h", logistic())
write("data/image-reference.h", images())
