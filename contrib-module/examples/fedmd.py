#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""FedMD (Li and Wang, 2019) between random forests and neural networks, which share no weights."""

import numpy as np
import torch
from sklearn.ensemble import RandomForestRegressor
from torch.nn.functional import cross_entropy

import collab


class Forest:
    """Regression trees, which learn soft labels as they are; they grow anew from all samples."""

    def __init__(self, device, size, classes):
        seed = int(device.rng.integers(2**31))
        self.model = RandomForestRegressor(device.trees, max_features="sqrt", random_state=seed)
        self.cost = device.trees * 10 * size**0.5  # comparisons of a sample at ten levels of trees

    def learn(self, *parts):
        self.model.fit(*map(np.concatenate, zip(*parts)))

    def predict(self, inputs):
        return self.model.predict(inputs)


class Network:
    """Digests X*, then revisits the device's own samples."""

    def __init__(self, device, size, classes):
        self.model = torch.nn.Sequential(
            torch.nn.Linear(size, 100), torch.nn.ReLU(), torch.nn.Linear(100, classes)
        )
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.epochs, self.generator = device.epochs, device.torch_generator()
        self.cost = self.epochs * collab.count_flops(self.model, [size], classes)[1]

    def learn(self, *parts):
        for inputs, targets in ([torch.as_tensor(one) for one in part] for part in parts):
            for _ in range(self.epochs):
                for batch in torch.randperm(len(inputs), generator=self.generator).split(64):
                    self.optimizer.zero_grad()
                    cross_entropy(self.model(inputs[batch]), targets[batch]).backward()
                    self.optimizer.step()

    @torch.no_grad()
    def predict(self, inputs):
        return self.model(torch.as_tensor(inputs)).softmax(1).numpy()


class FedMd(collab.Protocol):
    """Devices with models of different kinds teach each other by their labels of public data X*."""

    data_set = "fashion-mnist"
    labels = collab.message(values="float32[samples,classes]")
    trees = collab.parameter(50, "trees of a forest", minimum=1)
    epochs = collab.parameter(3, "passes of a network over X* and over its own samples", minimum=1)
    patience = collab.parameter(60.0, "longest wait for the labels of all neighbors [s]")
    metrics = {"accuracy": "fraction of the global test set that the model labels right [1]"}

    def setup(self, device, data):
        views = data.train, data.reference, data.global_test
        own, self.public, self.test = (view.inputs.reshape(len(view), -1) for view in views)
        self.answers = data.global_test.labels
        self.samples, self.classes = len(self.public), data.classes
        self.parts = [(own, np.eye(self.classes, dtype="float32")[data.train.labels])]
        kind = Forest if device.number % 2 else Network
        self.model = kind(self, own.shape[1], self.classes)

    async def round(self):
        flops = self.model.cost * sum(len(inputs) for inputs, _ in self.parts)
        await self.train("train", lambda: self.model.learn(*self.parts), flops)
        own = await self.compute("predict", lambda: self.model.predict(self.public), flops / 10)
        self.phase("exchange")
        self.broadcast(self.labels(values=own), policy="reliable")
        heard = await self.hear(self.labels, timeout=self.patience)
        consensus = collab.mean([own, *(labels.values for labels in heard.values())])
        self.parts = [(self.public, consensus), self.parts[-1]]
        self.report(accuracy=await self.compute("", self.accuracy, flops=0))

    def accuracy(self):
        return np.mean(self.model.predict(self.test).argmax(1) == self.answers)


if __name__ == "__main__":
    raise SystemExit(collab.main(FedMd))
