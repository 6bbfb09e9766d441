#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prediction consensus (Fan et al., NeurIPS 2023) in Python, with the module's learner."""

import collab


class PredictionConsensus(collab.Protocol):
    """Devices pull their models to the predictions of those that they trust."""

    data_set = "fashion-mnist"
    has_learner = True
    shares_start = False  # each device begins with weights of its own
    soft_labels = collab.message(kind=0x0101, values="float32[samples,classes]")  # as in C++
    pretraining = collab.parameter(5, "rounds of local training before the first exchange")
    weight = collab.parameter(0.5, "of the distance to the pseudo-labels")
    deadline = collab.parameter(60.0, "longest wait for the labels of all neighbors [s]")
    trust = collab.table(
        "an agent's weight in another's pseudo-labels",
        peer=(int, "the agent"),
        weight=(float, "its weight [1]"),
        age_rounds=(int, "rounds since its predictions were made"),
    )

    def setup(self, device, data):
        self.samples, self.classes = len(data.reference), data.classes
        self.known = {}

    async def round(self):
        targets = None if self.device.round < self.pretraining else await self.agree()
        view = None if targets is None else self.data.reference
        pull = {"distill": view, "targets": targets, "weight": self.weight}
        self.report(**await self.learner.train(5, resets_optimizer=False, **pull))

    async def agree(self):
        own = await self.learner.predict(self.data.reference)
        self.phase("exchange")
        self.broadcast(self.soft_labels(values=own), policy="reliable")
        heard = await self.hear(self.soft_labels, timeout=self.deadline)
        heard = {peer: labels.values for peer, labels in heard.items()}
        for peer, labels in {**heard, self.device.number: own}.items():
            self.known[peer] = (self.device.round, labels)  # the last ones stand in for missing ones
        panel = [self.known[peer][1] for peer in sorted(self.known)]
        cost = collab.trust_flops(self.samples, self.classes, len(panel))
        weights, targets = await self.compute("trust", lambda: self.judge(own, panel), flops=cost)
        for peer, weight in zip(sorted(self.known), weights):
            age = self.device.round - self.known[peer][0]
            self.write("trust", peer=peer, weight=weight, age_rounds=age)
        return targets

    @staticmethod
    def judge(own, panel):
        weights, _ = collab.trust_weights(own, panel)  # eq. (6)
        return weights, collab.mix(weights, panel)  # eq. (1)


if __name__ == "__main__":
    raise SystemExit(collab.main(PredictionConsensus))
