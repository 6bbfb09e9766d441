#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Decentralized SGD of a PyTorch model: devices train, broadcast weights, and average them."""

import torch
from torch.nn.functional import cross_entropy
from torch.nn.utils import parameters_to_vector, vector_to_parameters

import collab


class DecentralizedSgd(collab.Protocol):
    """Devices train a model on images of their own, and average it with their neighbors'."""

    data_set = "fashion-mnist"
    weights = collab.message(values="float32[count]")  # 4 bytes a weight: all devices know count
    hidden = collab.parameter(100, "units of the hidden layer", minimum=1)
    patience = collab.parameter(60.0, "longest wait for the models of all neighbors [s]")
    metrics = {"accuracy": "fraction of the global test set that the model labels right [1]"}

    def setup(self, device, data):
        layers = torch.nn.Linear(784, self.hidden), torch.nn.ReLU(), torch.nn.Linear(self.hidden, 10)
        self.model = torch.nn.Sequential(torch.nn.Flatten(), *layers)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.inputs, self.labels = map(torch.as_tensor, (data.train.inputs, data.train.labels))
        self.test, self.answers = data.global_test.inputs, torch.as_tensor(data.global_test.labels)
        self.count = len(parameters_to_vector(self.model.parameters()))
        self.flops = collab.count_flops(f"mlp:{self.hidden}", (1, 28, 28), 10)[1] * len(self.labels)

    async def round(self):
        await self.train("train", self.epoch, flops=self.flops)
        self.phase("exchange")
        own = parameters_to_vector(self.model.parameters())
        self.broadcast(self.weights(values=own), policy="reliable")
        heard = await self.hear(self.weights, timeout=self.patience)
        models = [own.detach().numpy(), *(weights.values for weights in heard.values())]
        mean = await self.compute("average", lambda: collab.mean(models), len(models) * self.count)
        vector_to_parameters(torch.from_numpy(mean), self.model.parameters())
        self.report(accuracy=await self.compute("", self.accuracy, flops=0))

    def epoch(self):
        order = torch.randperm(len(self.labels), generator=self.torch_generator())
        for batch in order.split(64):
            self.optimizer.zero_grad()
            loss = cross_entropy(self.model(self.inputs[batch]), self.labels[batch])
            loss.backward()
            self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self):
        return (self.model(torch.as_tensor(self.test)).argmax(1) == self.answers).float().mean().item()


if __name__ == "__main__":
    raise SystemExit(collab.main(DecentralizedSgd))
