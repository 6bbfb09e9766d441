#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Writes a small transformer that classifies images as a TorchScript module, for --model=script:FILE.

An image is a sequence of square patches (Dosovitskiy et al., ICLR 2021). The matrices of queries and values have
adapters of low rank, B A x beside W x (LoRA: Hu et al., ICLR 2022), with B = 0 at first: --train='*.lora_*,head.*' trains
and sends adapters and head alone. With --pretrain the rest has learned Fashion-MNIST before, upside down, from the last
of its training images.
"""

import argparse
import gzip
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

DATA = Path("/usr/share/datasets/fashion-mnist")  # of the Debian package dataset-fashion-mnist


class LoraLinear(nn.Module):
    """A matrix with an adapter beside it."""

    def __init__(self, width: int, rank: int):
        super().__init__()
        self.base = nn.Linear(width, width)
        self.lora_a = nn.Parameter(torch.randn(rank, width) / rank)
        self.lora_b = nn.Parameter(torch.zeros(width, rank))

    def forward(self, x):
        return self.base(x) + functional.linear(functional.linear(x, self.lora_a), self.lora_b)


class Block(nn.Module):
    """Attention and a network of two layers, each behind a normalization and beside a shortcut."""

    def __init__(self, width: int, heads: int, rank: int):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.query = LoraLinear(width, rank)
        self.key = nn.Linear(width, width)
        self.value = LoraLinear(width, rank)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, 2 * width)
        self.fc2 = nn.Linear(2 * width, width)

    def split(self, x):
        """samples x patches x width as samples x heads x patches x part of the width"""
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x):
        y = self.norm1(x)
        queries, keys, values = self.split(self.query(y)), self.split(self.key(y)), self.split(self.value(y))
        scores = torch.matmul(queries, keys.transpose(2, 3)) / float(queries.size(3)) ** 0.5
        heard = torch.matmul(torch.softmax(scores, 3), values)
        x = x + self.out(heard.transpose(1, 2).reshape(x.size(0), x.size(1), x.size(2)))
        return x + self.fc2(functional.gelu(self.fc1(self.norm2(x))))


class Transformer(nn.Module):
    """The mean of the patches after some blocks, and a linear classifier of it."""

    def __init__(self, side: int, patch: int, width: int, heads: int, layers: int, rank: int, classes: int):
        super().__init__()
        self.patch = patch
        self.embed = nn.Linear(patch * patch, width)
        self.position = nn.Parameter(0.02 * torch.randn((side // patch) ** 2, width))
        self.blocks = nn.ModuleList([Block(width, heads, rank) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        patches = x.squeeze(1).unfold(1, self.patch, self.patch).unfold(2, self.patch, self.patch)
        x = self.embed(patches.reshape(x.size(0), -1, self.patch * self.patch)) + self.position
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1))


def load(count):
    """The last training images, upside down, and their labels."""
    images = gzip.decompress((DATA / "train-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((DATA / "train-labels-idx1-ubyte.gz").read_bytes())[8:]
    pixels = np.frombuffer(images, np.uint8).reshape(-1, 1, 28, 28)[-count:, :, ::-1]
    return torch.from_numpy(pixels / np.float32(255)), torch.tensor(list(labels[-count:]))


def pretrain(model, count, epochs):
    """Train all but the adapters."""
    images, labels = load(count)
    base = [tensor for name, tensor in model.named_parameters() if ".lora_" not in name]
    optimizer = torch.optim.Adam(base, 2e-3)
    for _ in range(epochs):
        for batch in torch.randperm(count).split(64):
            optimizer.zero_grad()
            functional.cross_entropy(model(images[batch]), labels[batch]).backward()
            optimizer.step()
    with torch.no_grad():
        right = sum(
            int((model(some).argmax(1) == those).sum()) for some, those in zip(images.split(1000), labels.split(1000))
        )
    print(f"pretrained: {right / count:.3f} of its own {count} images are labeled right")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="what to write, such as lora-transformer.pt")
    for name, default, text in (
        ("side", 28, "pixels of an image's side"),
        ("patch", 7, "pixels of a patch's side"),
        ("width", 48, "numbers of a patch"),
        ("heads", 4, "heads of attention"),
        ("layers", 2, "blocks"),
        ("rank", 4, "rank of the adapters"),
        ("classes", 10, "outputs"),
        ("pretrain", 0, "training images of Fashion-MNIST that the base has learned; 0 for none"),
        ("epochs", 5, "passes over them"),
        ("seed", 1, "of PyTorch's generator"),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} ({default})")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    model = Transformer(given.side, given.patch, given.width, given.heads, given.layers, given.rank, given.classes)
    if given.pretrain > 0:
        pretrain(model, given.pretrain, given.epochs)
    torch.jit.script(model).save(str(given.file))
    numbers = {name: tensor.numel() for name, tensor in model.named_parameters()}
    adapters = sum(count for name, count in numbers.items() if ".lora_" in name)
    print(f"{given.file}: {sum(numbers.values())} parameters, {adapters} of them of adapters")


if __name__ == "__main__":
    main()
