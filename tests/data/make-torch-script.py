#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes tests/data/weights/linear.pt: the model "linear" of 2 x 2 images with 3 classes, as PyTorch
saves it. The tests know its numbers by the formula below. Needs torch."""

from pathlib import Path

import torch


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x.flatten(1))


if __name__ == "__main__":
    model = Linear()
    with torch.no_grad():
        model.fc.weight.copy_(torch.arange(12.0).reshape(3, 4) / 8)
        model.fc.bias.copy_(torch.tensor([-1.0, 0.0, 1.0]))
    torch.jit.script(model).save(str(Path(__file__).parent / "weights" / "linear.pt"))
