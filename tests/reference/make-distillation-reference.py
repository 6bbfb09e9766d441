#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/distillation and FedDF, computed with numpy in float64.

Writes tests/distillation/distillation-reference.h. Three devices have a linear classifier each, five samples of their
own, and six samples X* in common; a training is one step of gradient descent on all of them. Two rounds of FedMD (Li
and Wang, algorithm 1: mean of the logits; digest by the mean absolute error of logits; revisit), of DS-FL (Itahara et
al., algorithm 1: update, mean of probabilities, softmax of it over T = 0.1 or itself, distill) with and without cached
labels, and of Selective-FD (Shao et al.: only samples that are like own ones, only labels near a one-hot one). KuLSIF is
the closed form of Kanamori et al. (2012), by numpy's general solver.
"""

import pathlib

import numpy as np

DEVICES, FEATURES, CLASSES, OWN, REFERENCE, ROUNDS, RATE = 3, 4, 3, 5, 6, 2, 0.5
GUARD = 1e-8


def make_samples(first, count):
    """Three bundles of samples, far from each other: that of device k, or of class k, in turn."""
    index, feature = np.meshgrid(np.arange(first, first + count), np.arange(FEATURES), indexing="ij")
    return 0.3 * np.sin(7.0 * index + 3.0 * feature)


def bundle(k):
    return 2.0 * np.cos(2.0 * k + np.arange(FEATURES))


OWN_SAMPLES = [make_samples(10 * k, OWN) + bundle(k) for k in range(DEVICES)]
OWN_LABELS = [(np.arange(OWN) + k) % CLASSES for k in range(DEVICES)]
X = make_samples(100, REFERENCE) + np.array([bundle(i % DEVICES) for i in range(REFERENCE)])


def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Model:
    def __init__(self, device):
        numbers = 0.5 * np.sin(np.arange(CLASSES * FEATURES + CLASSES) + 3.0 * device)
        self.w = numbers[: CLASSES * FEATURES].reshape(CLASSES, FEATURES)
        self.b = numbers[CLASSES * FEATURES :]

    def scores(self, x):
        return x @ self.w.T + self.b

    def step(self, x, gradient):
        """Descend by the gradient of the mean loss by the scores."""
        self.w = self.w - RATE * gradient.T @ x
        self.b = self.b - RATE * gradient.sum(axis=0)

    def learn(self, device):
        x, y = OWN_SAMPLES[device], OWN_LABELS[device]
        self.step(x, (softmax(self.scores(x)) - np.eye(CLASSES)[y]) / len(x))

    def digest_scores(self, x, targets):
        self.step(x, np.sign(self.scores(x) - targets) / targets.size)

    def digest_labels(self, x, targets):
        p = softmax(self.scores(x))
        u = targets / (p + GUARD)
        self.step(x, p * ((p * u).sum(axis=1, keepdims=True) - u) / len(x))

    def flat(self):
        return np.concatenate([self.w.ravel(), self.b])


def kernel(a, b, width):
    return np.exp(-((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2) / (2 * width**2))


def median_distance(x):
    distances = np.linalg.norm(x[:, None] - x[None, :], axis=2)[np.tril_indices(len(x), -1)]
    return np.sort(distances)[len(distances) // 2]


def density_ratio(own, auxiliary, lam, width, at):
    n, m = len(auxiliary), len(own)
    alpha = np.linalg.solve(
        kernel(auxiliary, auxiliary, width) / n + lam * np.eye(n),
        -kernel(auxiliary, own, width).sum(axis=1) / (n * m * lam),
    )
    others = kernel(own, own, width).sum(axis=1) - 1
    return (
        kernel(at, auxiliary, width) @ alpha + kernel(at, own, width).sum(axis=1) / (m * lam),
        kernel(own, auxiliary, width) @ alpha + others / ((m - 1) * lam),
    )


def select(device):
    """Samples of X* that are as likely as the least likely own one."""
    own = OWN_SAMPLES[device]
    auxiliary = np.random.default_rng(device).uniform(own.min(), own.max(), (100, FEATURES))
    ratio, own_ratio = density_ratio(own, auxiliary, 1e-3, median_distance(own), X)
    return ratio >= own_ratio.min()


def run(algorithm, duration=0, threshold=2.0):
    models = [Model(k) for k in range(DEVICES)]
    chosen = [np.ones(REFERENCE, bool)] * DEVICES
    if algorithm == "selective-fd":
        chosen = [select(k) for k in range(DEVICES)]
    labels, made = np.full((REFERENCE, CLASSES), np.nan), np.full(REFERENCE, -1000)
    sent = []
    for number in range(ROUNDS):
        if algorithm != "fedmd":
            for k, model in enumerate(models):
                model.learn(k)
        due = number - made > duration
        said = [model.scores(X) if algorithm == "fedmd" else softmax(model.scores(X)) for model in models]
        for i in np.flatnonzero(due):
            rows = [said[k][i] for k in range(DEVICES) if chosen[k][i]]
            if not rows:
                continue
            mean = np.mean(rows, axis=0)
            if algorithm == "selective-fd" and 2 * (1 - mean.max()) > threshold:
                continue
            labels[i], made[i] = (softmax(mean / 0.1) if algorithm == "era" else mean), number
            sent.append(labels[i].copy())
        valid = number - made <= duration
        for k, model in enumerate(models):
            digest = model.digest_scores if algorithm == "fedmd" else model.digest_labels
            digest(X[valid], labels[valid])
            if algorithm == "fedmd":
                model.learn(k)
    return np.array(sent), np.array([model.flat() for model in models])


def ensemble():
    """FedDF (Lin et al., algorithm 1): FedAvg's mean of the models, then three steps toward the softmax of the mean logits."""
    models = [Model(k) for k in range(DEVICES)]
    student = Model(0)
    for k, model in enumerate(models):
        model.w, model.b = Model(0).w, Model(0).b
        model.learn(k)
    student.w = np.mean([model.w for model in models], axis=0)
    student.b = np.mean([model.b for model in models], axis=0)
    targets = softmax(np.mean([model.scores(X) for model in models], axis=0))
    for _ in range(3):
        student.digest_labels(X, targets)
    return targets, student.flat()


def main():
    lines = [
        "// Made by tests/reference/make-distillation-reference.py; do not edit.",
        "",
        "#ifndef DISTILLATION_DISTILLATION_REFERENCE_H",
        "#define DISTILLATION_DISTILLATION_REFERENCE_H",
        "",
        "// clang-format off",
    ]

    def add(name, values):
        numbers = ", ".join(f"{value:.17g}" for value in np.ravel(values))
        lines.append(f"constexpr double {name}[] = {{{numbers}}};")

    for name, arguments in {
        "FEDMD": ("fedmd",),
        "ERA": ("era",),
        "SA": ("sa",),
        "CACHED": ("era", 1),
        "SELECTIVE": ("selective-fd", 0, 1.0),
    }.items():
        labels, weights = run(*arguments)
        add(f"EXPECTED_{name}_LABELS", labels)
        add(f"EXPECTED_{name}_WEIGHTS", weights)
    add("EXPECTED_SELECTION", np.array([select(k) for k in range(DEVICES)]).astype(int))
    own = OWN_SAMPLES[0]
    ratio, own_ratio = density_ratio(own, X, 0.01, 1.5, X + 0.5)
    add("EXPECTED_RATIOS", ratio)
    add("EXPECTED_OWN_RATIOS", own_ratio)
    targets, weights = ensemble()
    add("EXPECTED_FEDDF_TARGETS", targets)
    add("EXPECTED_FEDDF_WEIGHTS", weights)
    lines += ["// clang-format on", "", "#endif /* DISTILLATION_DISTILLATION_REFERENCE_H */"]
    target = pathlib.Path(__file__).parent.parent / "distillation/distillation-reference.h"
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
