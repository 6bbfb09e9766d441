#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes tests/data/modules/*.pt, small modules as torch.jit.save() writes them, and
tests/data/reference/modules.json: what PyTorch makes of them, outputs and one step's gradients.
Needs torch."""

import json
import math
import re
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

FOLDER = Path(__file__).parent / "modules"
REFERENCE = Path(__file__).parent / "reference" / "modules.json"
SAMPLES = 5


class Block(nn.Module):
    """Two convolutions with batch normalization, and what they are added to."""

    def __init__(self, inputs, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, channels, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.shortcut = nn.Sequential()
        if stride > 1 or inputs != channels:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, channels, 1, stride, bias=False), nn.BatchNorm2d(channels)
            )

    def forward(self, x):
        out = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(self.bn2(self.conv2(out)) + self.shortcut(x))


class ResNet(nn.Module):
    """As ResNet-18, thinner: a stem and four stages of two blocks."""

    def __init__(self, channels=1, width=2, classes=10):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(channels, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()
        )
        stages = []
        inputs = width
        for stage in range(4):
            for block in range(2):
                outputs = width << stage
                stages.append(Block(inputs, outputs, 2 if stage > 0 and block == 0 else 1))
                inputs = outputs
        self.stages = nn.Sequential(*stages)
        self.fc = nn.Linear(inputs, classes)

    def forward(self, x):
        out = self.stages(self.stem(x))
        return self.fc(functional.adaptive_avg_pool2d(out, 1).flatten(1))


class Transformer(nn.Module):
    """An encoder of two layers over the rows of an image."""

    def __init__(self, rows=28, columns=28, width=8, classes=10, dropout=0.0):
        super().__init__()
        self.embed = nn.Linear(columns, width)
        self.position = nn.Parameter(torch.zeros(rows, width))
        layer = nn.TransformerEncoderLayer(width, 2, 16, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        rows = self.embed(x.squeeze(1))
        return self.fc(self.encoder(rows + self.position).mean(1))


class Lstm(nn.Module):
    """Two layers of LSTM over the rows of an image."""

    def __init__(self, columns=28, units=6, classes=10):
        super().__init__()
        self.lstm = nn.LSTM(columns, units, 2, batch_first=True)
        self.fc = nn.Linear(units, classes)

    def forward(self, x):
        return self.fc(self.lstm(x.squeeze(1))[0][:, -1])


class Dropout(nn.Module):
    """A linear model whose inputs are dropped."""

    def __init__(self, inputs=784, classes=10):
        super().__init__()
        self.dropout = nn.Dropout(0.5)
        self.fc = nn.Linear(inputs, classes)

    def forward(self, x):
        return self.fc(self.dropout(x.flatten(1)))


class Noisy(Dropout):
    """Draws by itself."""

    def forward(self, x):
        x = x.flatten(1)
        return self.fc(x + torch.randn_like(x))


class Odd(Dropout):
    """Has an operation of which nobody knows what it costs."""

    def forward(self, x):
        return self.fc(torch.erfinv(0.5 * x.flatten(1)))


class Running(nn.Module):
    """Has a buffer that samples change, without a layer that would say so."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(1))
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        self.mean.mul_(0.9).add_(x.mean())
        return self.fc(x)


def fill(module):
    """Numbers by a formula, so that the file does not depend on PyTorch's generator."""
    with torch.no_grad():
        for index, (name, tensor) in enumerate(module.named_parameters()):
            count = tensor.numel()
            values = torch.sin(torch.arange(count, dtype=torch.float64) * 1.7 + index)
            scale = 1 / math.sqrt(tensor[0].numel() if tensor.dim() > 1 else count)
            offset = 1.0 if "bn" in name or "norm" in name else 0.0
            tensor.copy_((offset + scale * values).float().reshape(tensor.shape))
    return module


def samples():
    """Images of 28 x 28, and their labels."""
    count = SAMPLES * 784
    pixels = torch.cos(torch.arange(count, dtype=torch.float64) * 0.37).abs().float()
    return pixels.reshape(SAMPLES, 1, 28, 28), torch.arange(SAMPLES) * 3 % 10


def describe(module):
    """The outputs and, tensor by tensor, the gradients of the mean cross-entropy."""
    images, labels = samples()
    module.train()
    outputs = module(images)
    functional.cross_entropy(outputs, labels).backward()
    gradients = [tensor.grad.double() for tensor in module.parameters()]
    # A norm and a product with numbers that are all different tell any two gradients apart
    return {
        "OUTPUTS": outputs.detach().flatten().tolist(),
        "NAMES": [key for key, _ in module.named_parameters()],
        "NORMS": [float(gradient.norm()) for gradient in gradients],
        "PRODUCTS": [
            float((gradient.flatten() * torch.sin(torch.arange(gradient.numel()).double())).sum())
            for gradient in gradients
        ],
    }


def main():
    torch.use_deterministic_algorithms(True)
    FOLDER.mkdir(exist_ok=True)
    values = {}
    for name, module in (("resnet", ResNet()), ("transformer", Transformer()), ("lstm", Lstm())):
        scripted = torch.jit.script(fill(module))
        scripted.save(str(FOLDER / f"{name}.pt"))
        values.update((f"{name}_{part}", found) for part, found in describe(module).items())
    for module in (Dropout(), Noisy(), Odd(), Running()):
        name = re.sub("(?<=.)([A-Z])", r"-\1", type(module).__name__).lower()
        torch.jit.script(fill(module)).save(str(FOLDER / f"{name}.pt"))
    torch.jit.freeze(torch.jit.script(fill(Dropout()).eval())).save(str(FOLDER / "frozen.pt"))
    lines = (f'"{name}": {json.dumps(found)}' for name, found in values.items())
    REFERENCE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
