#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Compute in float64 what the models, losses and optimizers must compute, with PyTorch's modules.

Writes tests/data/reference/models.json, which models-test.cc compares with (Debian: python3-torch).
A list that ends in OUTPUTS is of samples 0 to 2; in GRADIENT: number of parameters, cross-entropy
in training, its gradient times cosines, state after it; in TENSORS: gradient of each parameter,
times cosines and its length. TRAINED_ are the loss of the last step and the weights times cosines.

The test makes samples and weights by the same formulas as images(), numbers(), tokens() and fill(),
and dropout's masks are those that a learner draws (Masks).
"""

import json
import pathlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
SAMPLES = 3


def images(shape, samples=SAMPLES):
    i, j = np.meshgrid(np.arange(samples), np.arange(int(np.prod(shape))), indexing="ij")
    feature_bytes = (37 * i + 101 * j + 13 * i * j) % 256
    return torch.tensor(((feature_bytes / 255 - 0.5) / 0.5).reshape(samples, *shape))


def numbers(shape):
    return images(shape)


def tokens(length, vocabulary):
    i, j = np.meshgrid(np.arange(SAMPLES), np.arange(length), indexing="ij")
    return torch.tensor((7 * i + 5 * j + i * j) % vocabulary)


def fill(model, variance=1):
    """Weights by formula, k counting through the flat vector: parameters, then running statistics."""
    k = 0
    named = list(model.named_parameters())
    state = [(n, b) for n, b in model.named_buffers() if "running" in n]
    for name, tensor in named + state:
        places = np.arange(k, k + tensor.numel(), dtype=float)
        waves = np.sin(0.37 * (places * places)).reshape(tensor.shape)
        if tensor.dim() > 1:
            values = waves * np.sqrt(3 / (tensor.numel() / tensor.shape[0]))
        elif name.endswith("running_var"):
            values = variance * (1 + 0.5 * waves)
        elif "norm" in name and name.endswith("weight"):
            values = 1 + 0.1 * waves
        else:
            values = 0.1 * waves
        with torch.no_grad():
            tensor.copy_(torch.tensor(values))
        k += tensor.numel()
    return model


WORD = 2**64 - 1


class Masks:
    """Draws the masks of dropout as a learner with shuffleSeed 2 does: by the generator mt19937_64
    of Nishimura and Matsumoto (2000), whose seed is SplitMix64(2); half a number an element."""

    def __init__(self):
        seed = (2 + 0x9E3779B97F4A7C15) & WORD
        seed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        seed = (seed ^ (seed >> 27)) * 0x94D049BB133111EB & WORD
        self.state = [seed ^ (seed >> 31)]
        for i in range(1, 312):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & WORD)
        self.place = 312

    def twist(self):
        for i in range(312):
            x = (self.state[i] & ~0x7FFFFFFF & WORD) | (self.state[(i + 1) % 312] & 0x7FFFFFFF)
            self.state[i] = self.state[(i + 156) % 312] ^ (x >> 1)
            self.state[i] ^= 0xB5026F5AA96619E9 if x & 1 else 0
        self.place = 0

    def number(self):
        if self.place == 312:
            self.twist()
        x = self.state[self.place]
        self.place += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000
        x ^= (x << 37) & 0xFFF7EEE000000000
        return x ^ (x >> 43)

    def draw(self, shape, rate):
        halves = []
        for _ in range((int(np.prod(shape)) + 1) // 2):
            number = self.number()
            halves += [number & 0xFFFFFFFF, number >> 32]
        kept = np.array(halves[: int(np.prod(shape))]) >= int(rate * 2**32)
        return torch.tensor(kept.reshape(shape) / (1 - rate))


class Dropout(nn.Module):
    """nn.Dropout with the masks of a learner; each model begins with its first one."""

    masks = None

    def __init__(self, rate=0.5):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return x * Dropout.masks.draw(x.shape, self.rate) if self.training else x


def dot(tensors):
    """One number of a flat vector: its product with the cosines of 0, 1, 2..."""
    flat = torch.cat([tensor.detach().reshape(-1) for tensor in tensors])
    return float((flat * torch.cos(torch.arange(len(flat), dtype=torch.float64))).sum())


def conv_relu_pool(inputs, outputs, kernel):
    return [nn.Conv2d(inputs, outputs, kernel), nn.ReLU(), nn.MaxPool2d(2)]


def linear(inputs, outputs):
    return nn.Sequential(nn.Flatten(), nn.Linear(inputs, outputs))


def mlp(*sizes):
    layers = [nn.Flatten()]
    for inputs, outputs in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Polynomial(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.degree = degree

    def forward(self, x):
        columns, last = [], [(1.0, 0)]
        for _ in range(self.degree):
            last = [(m * x[:, v], v) for m, start in last for v in range(start, x.shape[1])]
            columns += [monomial for monomial, _ in last]
        return torch.stack(columns, 1)


def netcnn():
    return nn.Sequential(
        *conv_relu_pool(1, 32, 5), *conv_relu_pool(32, 64, 5), nn.Flatten(), *mlp(1024, 512, 10)[1:]
    )


def lenet(channels, padding):
    return nn.Sequential(
        nn.Conv2d(channels, 6, 5, padding=padding),
        nn.ReLU(),
        nn.MaxPool2d(2),
        *conv_relu_pool(6, 16, 5),
        nn.Flatten(),
        *mlp(400, 120, 84, 10)[1:],
    )


def alexnet(channels, features):
    layers = [nn.Conv2d(channels, 64, 3, stride=2, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    layers += [nn.Conv2d(64, 192, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    for inputs, outputs in [(192, 384), (384, 256), (256, 256)]:
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()]
    layers += [nn.MaxPool2d(2), nn.Flatten(), Dropout(), nn.Linear(features, 4096), nn.ReLU()]
    layers += [Dropout(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 10)]
    return nn.Sequential(*layers)


def alexnet_of_signals(channels, features):
    """Kernels and pools along time only: two rows that only the layers behind them mix."""
    along = {"kernel_size": (1, 3), "padding": (0, 1)}
    layers = [nn.Conv2d(channels, 64, stride=(1, 2), **along), nn.ReLU(), nn.MaxPool2d((1, 2))]
    layers += [nn.Conv2d(64, 192, **along), nn.ReLU(), nn.MaxPool2d((1, 2))]
    for inputs, outputs in [(192, 384), (384, 256), (256, 256)]:
        layers += [nn.Conv2d(inputs, outputs, **along), nn.ReLU()]
    layers += [nn.MaxPool2d((1, 2)), nn.Flatten(), *list(alexnet(channels, features))[14:]]
    return nn.Sequential(*layers)


def conv4(channels, features):
    layers = []
    for inputs, outputs in [(channels, 32), (32, 32), (32, 64), (64, 64)]:
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(features, 8))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride, norm):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = norm(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = norm(outputs)
        self.stride, self.extra = stride, outputs - inputs

    def forward(self, x):
        y = self.norm2(self.conv2(functional.relu(self.norm1(self.conv1(x)))))
        if self.stride > 1:  # option A: identity in every second pixel, zeros for new channels
            x = x[:, :, ::2, ::2]
            x = functional.pad(x, (0, 0, 0, 0, self.extra // 2, self.extra - self.extra // 2))
        return functional.relu(y + x)


class ResNet20(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.norm = norm(16)
        blocks, inputs = [], 16
        for outputs in (16, 32, 64):
            for block in range(3):
                blocks.append(Block(inputs, outputs, 1 + (outputs != inputs), norm))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        x = self.blocks(functional.relu(self.norm(self.conv(x))))
        return self.fc(x.mean((2, 3)))


class Normalized(nn.Module):
    def __init__(self, inputs, outputs, kernel, stride=1, groups=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return self.norm(self.conv(x))


class InvertedResidual(nn.Module):
    def __init__(self, inputs, outputs, expansion, kernel, stride):
        super().__init__()
        inner = inputs * expansion
        self.expand = Normalized(inputs, inner, 1) if expansion > 1 else None
        self.depthwise = Normalized(inner, inner, kernel, stride, inner)
        self.squeeze = nn.Linear(inner, inputs // 4)
        self.excite = nn.Linear(inputs // 4, inner)
        self.project = Normalized(inner, outputs, 1)
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x):
        y = functional.silu(self.expand(x)) if self.expand else x
        y = functional.silu(self.depthwise(y))
        scale = torch.sigmoid(self.excite(functional.silu(self.squeeze(y.mean((2, 3))))))
        y = self.project(y * scale[:, :, None, None])
        return x + y if self.residual else y


class EfficientNetB0(nn.Module):
    STAGES = [
        (1, 3, 1, 16, 1),
        (6, 3, 2, 24, 2),
        (6, 5, 2, 40, 2),
        (6, 3, 2, 80, 3),
        (6, 5, 1, 112, 3),
        (6, 5, 2, 192, 4),
        (6, 3, 1, 320, 1),
    ]

    def __init__(self, classes):
        super().__init__()
        self.stem = Normalized(3, 32, 3, 2)
        blocks, inputs = [], 32
        for expansion, kernel, stride, outputs, count in self.STAGES:
            for block in range(count):
                blocks.append(
                    InvertedResidual(
                        inputs, outputs, expansion, kernel, stride if block == 0 else 1
                    )
                )
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.head = Normalized(320, 1280, 1)
        self.dropout = Dropout(0.2)
        self.fc = nn.Linear(1280, classes)

    def forward(self, x):
        x = functional.silu(self.head(self.blocks(functional.silu(self.stem(x)))))
        return self.fc(self.dropout(x.mean((2, 3))))


class CharacterLstm(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, 8)
        self.lstm = nn.LSTM(8, 100, 2, batch_first=True)
        self.fc = nn.Linear(100, vocabulary)

    def forward(self, x):
        return self.fc(self.lstm(self.embedding(x))[0][:, -1])


class SentimentLstm(nn.Module):
    def __init__(self, vectors):
        super().__init__()
        self.vectors = vectors
        self.lstm = nn.LSTM(vectors.shape[1], 256, 2, batch_first=True)
        self.fc = nn.Linear(256, 2)

    def forward(self, x):
        return self.fc(self.lstm(self.vectors[x])[0][:, -1])


class GraphConvolution(nn.Module):
    """Kipf, Welling, ICLR 2017, eq. (9), with a dense matrix for the normalized adjacency."""

    def __init__(self, features, edges):
        super().__init__()
        adjacency = torch.eye(len(features))
        for first, second in edges:
            adjacency[first, second] = adjacency[second, first] = 1
        scale = adjacency.sum(1) ** -0.5
        self.adjacency = scale[:, None] * adjacency * scale
        self.features = features
        self.conv = nn.Linear(features.shape[1], 16, bias=False)
        self.fc = nn.Linear(16, 3, bias=False)

    def forward(self, x):
        hidden = functional.relu(self.adjacency @ self.conv(self.features))
        return (self.adjacency @ self.fc(hidden))[x[:, 0]]


def smooth_mlp(unit, *sizes, normalizes=False):
    """An MLP with other units than ReLU, and with layer normalization before them."""
    model = nn.Sequential(nn.Flatten())
    for layer, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:])):
        if layer > 0:
            if normalizes:
                model.add_module(f"norm{layer}", nn.LayerNorm(inputs))
            model.add_module(f"unit{layer}", unit())
        model.add_module(f"fc{layer}", nn.Linear(inputs, outputs))
    return model


def smooth_lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2),
        nn.Tanh(),
        nn.AvgPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.Tanh(),
        nn.AvgPool2d(2),
        *smooth_mlp(nn.Tanh, 400, 120, 84, 3),
    )


VALUES = {}


def keep(name, values):
    VALUES[name] = [float(f"{value:.9g}") for value in np.ravel(values)]


def keep_model(prefix, model, samples, variance=1):
    fill(model, variance)
    model.eval()
    outputs = model(samples)
    keep(f"{prefix}_OUTPUTS", outputs.detach().numpy())
    count = sum(parameter.numel() for parameter in model.parameters())
    state = [buffer for name, buffer in model.named_buffers() if "running" in name]
    model.train()
    Dropout.masks = Masks()
    labels = torch.arange(SAMPLES) % outputs.shape[1]
    loss = functional.cross_entropy(model(samples), labels)
    loss.backward()
    gradient = dot([parameter.grad for parameter in model.parameters()])
    keep(f"{prefix}_GRADIENT", [count, float(loss), gradient, dot(state) if state else 0])
    keep(f"{prefix}_TENSORS", [[dot([p.grad]), float(p.grad.norm())] for p in model.parameters()])


def sgd(parameters, **options):
    return torch.optim.SGD(parameters, 0.1, **options)


def optimizers():
    adam, adamw = torch.optim.Adam, torch.optim.AdamW
    yield "SGD", sgd
    yield "MOMENTUM", lambda p: sgd(p, momentum=0.9, weight_decay=0.01)
    yield "NESTEROV", lambda p: sgd(p, momentum=0.9, nesterov=True)
    yield "ADAM", lambda p: adam(p, 0.01, weight_decay=0.01)
    yield "ADAM_BETAS", lambda p: adam(p, 0.01, betas=(0.8, 0.95), eps=1e-3)
    yield "ADAMW", lambda p: adamw(p, 0.1, betas=(0.8, 0.99), weight_decay=0.5)


def keep_training(
    name, optimize, terms=lambda model, start: 0.0, rates=7 * [None], norm=1e9, **loss_options
):
    """Seven steps of an MLP 16-7-3 on six samples, 3, 2 and 1 of a class; weights afterwards."""
    model, samples = fill(mlp(16, 7, 3)), images((1, 4, 4), 6)
    labels = torch.tensor([0, 0, 0, 1, 1, 2])
    start = [parameter.detach().clone() for parameter in model.parameters()]
    optimizer = optimize(model.parameters())
    for rate in rates:
        if rate:
            optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(samples), labels, **loss_options)
        (loss + terms(model, start)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), norm)
        optimizer.step()
    keep(f"TRAINED_{name}", [float(loss), dot(model.parameters())])


def waves(tensors, function):
    """Tensors of the shapes given whose flat vector is a function of 0, 1, 2..."""
    made, k = [], 0
    for tensor in tensors:
        made.append(function(torch.arange(k, k + tensor.numel()) * 1.0).reshape(tensor.shape))
        k += tensor.numel()
    return made


def proximal(model, start):
    center = waves(start, lambda k: 0.2 * torch.cos(3 * k))
    return 0.5 * 0.3 * sum(((p - c) ** 2).sum() for p, c in zip(model.parameters(), center))


def correction(model, start):
    added = waves(start, lambda k: 0.1 * torch.cos(2 * k))
    return sum((p * c).sum() for p, c in zip(model.parameters(), added))


def l2(model, start):
    return 0.5 * 0.05 * sum((p**2).sum() for p in model.parameters())


def keep_regression():
    model, samples = fill(mlp(5, 7, 2)), numbers((5,))
    targets = torch.tensor([[0.5 * i - k for k in range(2)] for i in range(3)])
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    pulls = torch.tensor([[0.1 * i + 0.2 * k for k in range(2)] for i in range(3)])
    for _ in range(3):
        optimizer.zero_grad()
        loss = functional.mse_loss(model(samples), targets)
        pull = functional.mse_loss(model(samples), pulls)
        (loss + 0.5 * pull).backward()
        optimizer.step()
    outputs = model(samples).detach()
    error = ((outputs - targets) ** 2).mean()
    spread = ((targets - targets.mean(0)) ** 2).mean()
    # Losses, weights times cosines, error, determination
    losses = [float(loss), float(pull)]
    keep("REGRESSION", losses + [dot(model.parameters()), float(error), float(1 - error / spread)])


def keep_triplets():
    """Without any change of the samples, anchors and positives are equal."""
    model, samples = fill(mlp(16, 256, 128, 8)), images((1, 4, 4))
    anchors = model(samples)
    margin = 2.0
    loss = functional.triplet_margin_loss(anchors, model(samples), anchors.roll(-1, 0), margin)
    loss.backward()
    gradient = dot([parameter.grad for parameter in model.parameters()])
    keep("TRIPLETS", [float(loss), gradient])


def keep_belief():
    """Gradient of a loss c.w plus a divergence KL(belief || prior), by m and then by r."""
    k = torch.arange(4.0)
    mean = (0.3 * torch.sin(k)).requires_grad_()
    rho = (-1 + 0.5 * torch.cos(k)).requires_grad_()
    noise, slope = torch.cos(2 * k), torch.sin(3 * k) + 0.1
    deviation = functional.softplus(rho)
    prior = torch.distributions.Normal(0.1 * k, 0.5 + 0.1 * k)
    belief = torch.distributions.Normal(mean, deviation)
    divergence = torch.distributions.kl_divergence(belief, prior).sum()
    ((mean + deviation * noise) @ slope + 0.7 * divergence).backward()
    keep("BELIEF_GRADIENT", torch.cat([mean.grad, rho.grad]).numpy())


def main():
    keep_model("LINEAR", linear(16, 3), images((1, 4, 4)))
    keep_model("POLYNOMIAL", nn.Sequential(Polynomial(4), nn.Linear(34, 2)), numbers((3,)))
    keep_model("MLP", mlp(5, 5, 10, 4), numbers((5,)))
    keep_model("NETCNN", netcnn(), images((1, 28, 28)))
    keep_model("LENET_32", lenet(3, 0), images((3, 32, 32)))
    keep_model("LENET_28", lenet(1, 2), images((1, 28, 28)))
    keep_model("ALEXNET_32", alexnet(3, 1024), images((3, 32, 32)))
    keep_model("ALEXNET_28", alexnet(1, 256), images((1, 28, 28)))
    keep_model("ALEXNET_SIGNAL", alexnet_of_signals(1, 1024), images((1, 2, 32)))
    keep_model("CONV4", conv4(1, 64), images((1, 28, 28)))
    keep_model("FC3", mlp(784, 256, 128, 8), images((1, 28, 28)))
    keep_model("RESNET20_BN", ResNet20(nn.BatchNorm2d), images((3, 32, 32)))
    keep_model("RESNET20_GN", ResNet20(lambda c: nn.GroupNorm(8, c)), images((3, 32, 32)))
    keep_model("EFFICIENTNET", EfficientNetB0(10), images((3, 96, 96)), variance=0.65)
    keep_model("CHAR_LSTM", CharacterLstm(11), tokens(9, 11))
    vectors = torch.sin(torch.arange(13 * 30.0)).reshape(13, 30)
    keep_model("SENTIMENT_LSTM", SentimentLstm(vectors), tokens(6, 13))
    features = torch.sin(torch.arange(7 * 5.0)).reshape(7, 5)
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (4, 5), (3, 5)]
    keep_model("GCN", GraphConvolution(features, edges), tokens(1, 7))
    keep_model("MLP_GELU", smooth_mlp(nn.GELU, 6, 5, 4, 3), numbers((6,)))
    for unit in (nn.Tanh, nn.Sigmoid, nn.SiLU):
        keep_model(f"MLP_{unit.__name__.upper()}", smooth_mlp(unit, 6, 5, 3), numbers((6,)))
    keep_model("MLP_NORM_GELU", smooth_mlp(nn.GELU, 6, 5, 3, normalizes=True), numbers((6,)))
    keep_model("MLP_NORM", smooth_mlp(nn.ReLU, 6, 5, 4, 3, normalizes=True), numbers((6,)))
    keep_model("LENET_TANH", smooth_lenet(), images((1, 28, 28)))
    for name, optimize in optimizers():
        keep_training(name, optimize)
    for name, terms in [("PROXIMAL", proximal), ("CORRECTION", correction), ("L2", l2)]:
        keep_training(name, sgd, terms)
    keep_training("CLIPPED", sgd, norm=0.01)
    keep_training("SCHEDULED", sgd, rates=[0.05, 0.1, 0.1, 0.1, 0.05, 0.05, 0.025])
    keep_training("SMOOTHED", sgd, label_smoothing=0.2)
    balanced = torch.tensor([2 / 3, 1, 2])  # scikit-learn: 6 / (3 * 3), 6 / (3 * 2), 6 / (3 * 1)
    keep_training("BALANCED", sgd, label_smoothing=0.2, weight=balanced)
    keep_regression()
    keep_triplets()
    keep_belief()
    lines = (f'"{name}": {json.dumps(values)}' for name, values in VALUES.items())
    path = pathlib.Path(__file__).parents[1] / "data" / "reference" / "models.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
