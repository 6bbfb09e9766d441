#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Compute in float64 what the LibTorch learners must compute, with numpy alone.

Writes tests/data/reference/learners.json, which torch-learner-test.cc compares with: class
probabilities of samples 0 to 7, one after the other, and both losses of an epoch.

The training rule: cross-entropy on a local batch plus lambda times the mean over a batch of
reference samples of -sum_c psi_c log(p_c + 1e-8); Adam with its usual constants. The test makes
data, targets and parameters by the same formulas as make_samples(), make_targets() and
make_parameters().
"""

import json
import pathlib

import numpy as np

CLASSES = 3
LEARNING_RATE = 5e-3
LAMBDA = 0.5


def make_samples(count, side):
    """Samples of 1 x side x side, normalized to [-1, 1]."""
    sample, pixel = np.meshgrid(np.arange(count), np.arange(side * side), indexing="ij")
    feature_bytes = (37 * sample + 101 * pixel + 13 * sample * pixel) % 256
    return ((feature_bytes / 255 - 0.5) / 0.5).reshape(count, 1, side, side)


def make_targets(count):
    """Soft labels, one row a sample."""
    sample, label = np.meshgrid(np.arange(count), np.arange(CLASSES), indexing="ij")
    weights = 1.0 + (3 * sample + 2 * label) % 5
    return weights / weights.sum(axis=1, keepdims=True)


def make_parameters(shapes):
    """All parameters 0.05 sin(k), k counting through them in order."""
    parameters, next_index = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parameters.append(0.05 * np.sin(np.arange(next_index, next_index + size)).reshape(shape))
        next_index += size
    return parameters


class Linear:
    parameters = 2

    def forward(self, values, weight, bias):
        self.shape, self.weight = values.shape, weight
        self.values = values.reshape(len(values), -1)
        return self.values @ weight.T + bias

    def backward(self, gradient):
        return (gradient @ self.weight).reshape(self.shape), [
            gradient.T @ self.values,
            gradient.sum(axis=0),
        ]


class Convolution:
    parameters = 2

    def forward(self, values, weight, bias):
        self.shape, self.weight = values.shape, weight
        kernel = weight.shape[2:]
        self.windows = np.lib.stride_tricks.sliding_window_view(values, kernel, axis=(2, 3))
        return np.einsum("nchwij,ocij->nohw", self.windows, weight, optimize=True) + bias[
            :, None, None
        ]

    def backward(self, gradient):
        input_gradient = np.zeros(self.shape)
        height, width = gradient.shape[2:]
        for i in range(self.weight.shape[2]):
            for j in range(self.weight.shape[3]):
                input_gradient[:, :, i : i + height, j : j + width] += np.einsum(
                    "nohw,oc->nchw", gradient, self.weight[:, :, i, j], optimize=True
                )
        weight_gradient = np.einsum("nchwij,nohw->ocij", self.windows, gradient, optimize=True)
        return input_gradient, [weight_gradient, gradient.sum(axis=(0, 2, 3))]


class Relu:
    parameters = 0

    def forward(self, values):
        self.positive = values > 0
        return values * self.positive

    def backward(self, gradient):
        return gradient * self.positive, []


class MaxPool:
    parameters = 0

    def forward(self, values):
        samples, channels, height, width = values.shape
        self.height, self.width = height // 2, width // 2
        values = values[:, :, : 2 * self.height, : 2 * self.width]
        windows = values.reshape(samples, channels, self.height, 2, self.width, 2)
        windows = windows.transpose(0, 1, 2, 4, 3, 5).reshape(
            samples, channels, self.height, self.width, 4
        )
        self.places = windows.argmax(axis=-1)
        self.shape = (samples, channels, height, width)
        return windows.max(axis=-1)

    def backward(self, gradient):
        input_gradient = np.zeros(self.shape)
        sample, channel, row, column = np.indices(gradient.shape)
        rows, columns = 2 * row + self.places // 2, 2 * column + self.places % 2
        input_gradient[sample, channel, rows, columns] = gradient
        return input_gradient, []


def softmax(logits):
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


class Network:
    def __init__(self, layers, shapes):
        self.layers = layers
        self.values = make_parameters(shapes)
        self.first_moments = [np.zeros(shape) for shape in shapes]
        self.second_moments = [np.zeros(shape) for shape in shapes]
        self.steps = 0

    def forward(self, samples):
        values, used = samples, 0
        for layer in self.layers:
            values = layer.forward(values, *self.values[used : used + layer.parameters])
            used += layer.parameters
        return values

    def backward(self, gradient):
        gradients = []
        for layer in reversed(self.layers):
            gradient, own = layer.backward(gradient)
            gradients = own + gradients
        return gradients

    def step(self, samples, labels, references, targets):
        """One step; returns both losses, each a mean over its batch."""
        probabilities = softmax(self.forward(np.concatenate([samples, references])))
        local, pulled = probabilities[: len(samples)], probabilities[len(samples) :]
        gradient = (local - np.eye(CLASSES)[labels]) / len(samples)
        local_loss = -np.log(local[np.arange(len(labels)), labels]).mean()
        pull_loss = 0.0
        if len(references):
            pull_loss = -(targets * np.log(pulled + 1e-8)).sum(axis=1).mean()
            ratio = targets / (pulled + 1e-8)
            pull = pulled * ((ratio * pulled).sum(axis=1, keepdims=True) - ratio)
            gradient = np.concatenate([gradient, LAMBDA * pull / len(references)])
        self.update(self.backward(gradient))
        return local_loss, pull_loss

    def update(self, gradients):
        """Adam (Kingma, Ba, ICLR 2015, algorithm 1)."""
        self.steps += 1
        for k, gradient in enumerate(gradients):
            self.first_moments[k] = 0.9 * self.first_moments[k] + 0.1 * gradient
            self.second_moments[k] = 0.999 * self.second_moments[k] + 0.001 * gradient**2
            first = self.first_moments[k] / (1 - 0.9**self.steps)
            second = self.second_moments[k] / (1 - 0.999**self.steps)
            self.values[k] = self.values[k] - LEARNING_RATE * first / (np.sqrt(second) + 1e-8)


def linear_network():
    return Network([Linear()], [(CLASSES, 16), (CLASSES,)])


def mlp_network():
    return Network([Linear(), Relu(), Linear()], [(200, 16), (200,), (CLASSES, 200), (CLASSES,)])


def netcnn_network():
    layers = [Convolution(), Relu(), MaxPool(), Convolution(), Relu(), MaxPool()]
    layers += [Linear(), Relu(), Linear()]
    shapes = [(32, 1, 5, 5), (32,), (64, 32, 5, 5), (64,)]
    shapes += [(512, 64), (512,), (CLASSES, 512), (CLASSES,)]
    return Network(layers, shapes)


VALUES = {}


def keep(name, values):
    VALUES[name] = [float(f"{value:.9g}") for value in np.ravel(values)]


def keep_network(prefix, network, side):
    """One batch an epoch, so the order of the samples is of no account."""
    samples, targets = make_samples(8, side), make_targets(3)
    local, labels, references = samples[:5], np.arange(5) % CLASSES, samples[5:8]
    keep(f"{prefix}_INITIAL", softmax(network.forward(samples)))
    for _ in range(2):
        losses = network.step(local, labels, references[:0], targets[:0])
    keep(f"{prefix}_PRETRAINED_LOSS", losses)
    for _ in range(3):
        losses = network.step(local, labels, references, targets)
    keep(f"{prefix}_DISTILLED_LOSS", losses)
    keep(f"{prefix}_TRAINED", softmax(network.forward(samples)))


def keep_cycle():
    """Five equal local samples in batches of 2, 2, 1; reference batches of 3, 1, 3, again from 0."""
    network, samples, targets = mlp_network(), make_samples(8, 4), make_targets(4)
    for _ in range(2):
        sums = np.zeros(2)
        for size, begin, end in [(2, 0, 3), (2, 3, 4), (1, 0, 3)]:
            local, labels = samples[np.zeros(size, int)], np.zeros(size, int)
            losses = network.step(local, labels, samples[4 + begin : 4 + end], targets[begin:end])
            sums += np.array(losses) * [size, end - begin]
    keep("CYCLE_LOSS", sums / [5, 7])
    keep("CYCLE_TRAINED", softmax(network.forward(samples)))


def main():
    keep_network("LINEAR", linear_network(), 4)
    keep_network("MLP", mlp_network(), 4)
    keep_network("NETCNN", netcnn_network(), 16)
    keep_cycle()
    lines = (f'"{name}": {json.dumps(values)}' for name, values in VALUES.items())
    path = pathlib.Path(__file__).parents[1] / "data" / "reference" / "learners.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
