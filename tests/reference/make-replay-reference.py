#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Record a run of prediction consensus in plain PyTorch, for replay-prediction-consensus.

Written from the paper (Fan, Mendler-Duenner, Jaggi, NeurIPS 2023) and from what is known of the
authors' program: beta = 1 / (entropy + 1), batches of the reference set in fixed order, restarting
at every epoch, Adam whose state is kept for the whole run. Writes a folder that holds all inputs
and what came of them; --inputs takes the inputs of such a folder, to play it again. The images are
those of Fashion-MNIST.

    /usr/bin/python3 make-replay-reference.py --out runs/recorded --rounds 12
    /usr/bin/python3 make-replay-reference.py --out runs/low --setting low --low-quality 2,9
"""

import argparse
import csv
import gzip
import pathlib
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

CLASSES = 10
MOST_PLAIN = 1 << 20  # bytes of parameters that are not compressed
KINDS = ("naive", "static", "dynamic", "local")
IMAGES = "/usr/share/datasets/fashion-mnist"


def load_images(folder, part):
    """Images as floats from -1 to 1, and labels."""
    folder = pathlib.Path(folder)
    with gzip.open(folder / f"{part}-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 1, 28, 28)
    with gzip.open(folder / f"{part}-labels-idx1-ubyte.gz") as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8).astype(np.int64)
    return pixels, labels


def to_tensor(pixels):
    """Bytes to floats, by the same operations as the module decodes them."""
    return torch.from_numpy((pixels.astype(np.float32) / np.float32(255) - 0.5) / 0.5)


def make_model(name):
    """Make a model; its parameters come in the order of the forward pass."""
    if name == "netcnn":
        return nn.Sequential(
            nn.Conv2d(1, 32, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(1024, 512),
            nn.ReLU(),
            nn.Linear(512, CLASSES),
        )
    name, _, widths = name.partition(":")
    if name not in ("linear", "mlp") or (name == "mlp") != bool(widths):
        sys.exit("make-replay-reference.py: --model must be netcnn, linear or mlp:WIDTH-WIDTH...")
    sizes = [784, *(int(width) for width in widths.split("-") if width), CLASSES]
    layers = [nn.Flatten()]
    for inputs, outputs in zip(sizes, sizes[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Inputs:
    """Who holds which images, initial parameters, and the order of batches."""

    def __init__(self):
        self.split = {}  # by role and client: indices
        self.labels = {}  # by role and client: what it takes for the labels of these images
        self.parameters = []  # by client: one vector
        self.orders = {}  # by client and iteration: positions

    def draw(self, options, labels):
        """Draw all of it: Dirichlet proportions of classes, and equal numbers of X*."""
        generator = np.random.default_rng(options.seed)
        free = {c: list(generator.permutation(np.flatnonzero(labels == c))) for c in range(CLASSES)}
        for client in range(options.clients):
            shares = generator.dirichlet([options.alpha] * CLASSES)
            size = int(generator.integers(options.samples * 3 // 4, options.samples * 5 // 4 + 1))
            drawn = generator.choice(CLASSES, size + options.reference, p=shares)
            own = generator.permutation([free[c].pop() for c in drawn])
            held = options.reference + size // 5
            self.split["ref", client] = own[: options.reference]
            self.split["test", client] = own[options.reference : held]
            self.split["train", client] = own[held:]
        self.draw_labels(options, labels)
        torch.manual_seed(options.seed)
        for client in range(options.clients):
            parameters = list(make_model(options.model).parameters())
            if options.coarse_parameters:
                parameters = [np.sign(p.detach()) * p.detach().abs().mean() for p in parameters]
            self.parameters.append(nn.utils.parameters_to_vector(parameters).detach().numpy())
        for client in range(options.clients):
            for iteration in range(options.rounds * options.epochs):
                size = len(self.split["train", client])
                self.orders[client, iteration] = generator.permutation(size)

    def draw_labels(self, options, labels):
        """A client of low quality moves all its labels by one number; those of X* stay right."""
        generator = np.random.default_rng([options.seed, 1])
        shifts = {client: int(generator.integers(1, CLASSES)) for client in options.low_quality}
        for (role, client), indices in self.split.items():
            shift = 0 if role == "ref" else shifts.get(client, 0)
            self.labels[role, client] = [(int(labels[i]) + shift) % CLASSES for i in indices]

    def load(self, options):
        """Take all of it from a folder."""
        folder = pathlib.Path(options.inputs)
        with open(folder / "split.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = row["role"], int(row["client"])
                self.split.setdefault(key, []).append(int(row["index"]))
                self.labels.setdefault(key, []).append(int(row["label"]))
        options.clients = 1 + max(client for _, client in self.split)
        path = folder / f"initial_parameters_{options.setting}.f32"
        packed = path.with_name(path.name + ".gz")
        content = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
        self.parameters = list(np.frombuffer(content, "<f4").reshape(options.clients, -1))
        with open(folder / f"batch_order_{options.setting}.txt", encoding="utf-8") as file:
            for line in file:
                client, iteration, *positions = (int(word) for word in line.split())
                self.orders[client, iteration] = np.array(positions)
        passes = (1 + max(iteration for _, iteration in self.orders)) // options.recorded_rounds
        kept = {}
        for (client, iteration), order in self.orders.items():
            turn, place = divmod(iteration, passes)
            if place < options.epochs and turn < options.rounds:
                kept[client, turn * options.epochs + place] = order
        self.orders = kept

    def write(self, folder, setting):
        """Write what load() reads."""
        with open(folder / "split.csv", "w", encoding="utf-8") as file:
            file.write("role,client,order,index,label\n")
            for role in ("train", "test", "ref"):
                for client in range(len(self.parameters)):
                    rows = zip(self.split[role, client], self.labels[role, client])
                    for order, (index, label) in enumerate(rows):
                        file.write(f"{role},{client},{order},{index},{label}\n")
        content = np.concatenate(self.parameters).astype("<f4").tobytes()
        path = folder / f"initial_parameters_{setting}.f32"
        if len(content) > MOST_PLAIN:
            path, content = path.with_name(path.name + ".gz"), gzip.compress(content, mtime=0)
        path.write_bytes(content)
        with open(folder / f"batch_order_{setting}.txt", "w", encoding="utf-8") as file:
            for (client, iteration), order in self.orders.items():
                file.write(" ".join(str(number) for number in (client, iteration, *order)) + "\n")


class Client:
    """A model with its own images and Adam."""

    def __init__(self, options, inputs, number, images):
        self.options, self.number, self.orders = options, number, inputs.orders
        pixels = images["train"][0]
        self.samples, self.labels = {}, {}
        for role in ("train", "test"):
            self.samples[role] = to_tensor(pixels[np.array(inputs.split[role, number])])
            self.labels[role] = torch.tensor(inputs.labels[role, number])
        self.model = make_model(options.model)
        nn.utils.vector_to_parameters(
            torch.from_numpy(inputs.parameters[number].copy()), self.model.parameters()
        )
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=options.learning_rate)
        self.row = None  # of the trust matrix

    def train(self, turn, references, targets):
        """One round: all epochs."""
        options = self.options
        for epoch in range(options.epochs):
            order = torch.from_numpy(self.orders[self.number, turn * options.epochs + epoch])
            begin = 0  # of the batch of X*
            for batch in order.split(options.batch):
                self.optimizer.zero_grad()
                loss = functional.cross_entropy(
                    self.model(self.samples["train"][batch]), self.labels["train"][batch]
                )
                if targets is not None:
                    end = min(begin + options.reference_batch, len(references))
                    pull = self.model(references[begin:end]).softmax(1)
                    pull = -(targets[begin:end] * torch.log(pull + 1e-8)).sum(1).mean()
                    loss = loss + options.trade_off * pull
                    begin = end % len(references)
                loss.backward()
                self.optimizer.step()

    @torch.no_grad()
    def predict(self, samples):
        """Class probabilities."""
        return torch.cat([self.model(part).softmax(1) for part in samples.split(256)])

    def score(self, samples, labels):
        """Part that is classified rightly."""
        return float((self.predict(samples).argmax(1) == labels).double().mean())


def trust_row(predictions, i):
    """Row i of the trust matrix, eq. (6)."""
    own = predictions[i].double()
    confidence = 1 / (1 - (own * torch.log(own + 1e-8)).sum(1))
    cosines = [functional.cosine_similarity(own, other.double(), dim=1) for other in predictions]
    affinities = torch.stack([(confidence * cosine).mean() for cosine in cosines])
    return affinities / affinities.sum()


def make_targets(kind, client, predictions):
    """Pseudo-labels of a client, eq. (1)."""
    if kind == "naive":
        client.row = torch.full([len(predictions)], 1 / len(predictions), dtype=torch.float64)
    elif kind == "dynamic" or client.row is None:
        client.row = trust_row(predictions, client.number)
    target = sum(weight * p for weight, p in zip(client.row.float(), predictions))
    return target / target.sum(1, keepdim=True)


def run(options, kind, inputs, images, write):
    """Play a whole run; write(round, client, accuracies, predictions, row) takes each round."""
    index = np.concatenate([inputs.split["ref", c] for c in range(options.clients)])
    references = to_tensor(images["train"][0][index])
    reference_labels = np.concatenate([inputs.labels["ref", c] for c in range(options.clients)])
    reference_labels = torch.from_numpy(reference_labels)
    heldout = to_tensor(images["t10k"][0][: options.heldout])
    heldout_labels = torch.from_numpy(images["t10k"][1][: options.heldout])
    clients = [Client(options, inputs, number, images) for number in range(options.clients)]
    predictions = [client.predict(references) for client in clients]
    for turn in range(options.rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        last, predictions = predictions, []
        for client in clients:
            collaborates = kind != "local" and turn >= options.pretraining_rounds
            targets = make_targets(kind, client, last) if collaborates else None
            client.train(turn, references, targets)
            predictions.append(client.predict(references))
            accuracies = [
                client.score(client.samples["test"], client.labels["test"]),
                float((predictions[-1].argmax(1) == reference_labels).double().mean()),
                client.score(client.samples["train"], client.labels["train"]),
            ]
            if options.heldout:
                accuracies.append(client.score(heldout, heldout_labels))
            write(turn, client.number, accuracies, predictions[-1], client.row)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{kind} round {turn}: {wall:.1f} s of wall time, {cpu:.1f} s of processor time")
        sys.stdout.flush()


def record(options, inputs, images):
    """Play all runs and write what came of them."""
    folder, setting = pathlib.Path(options.out), options.setting
    matrices, labels = {}, {}

    def write(turn, client, accuracies, predictions, row):
        numbers = ",".join(f"{accuracy:.6f}" for accuracy in accuracies)
        table.write(f"{setting},{kind},{turn},{client},{numbers}\n")
        table.flush()
        if kind == "dynamic":
            labels.setdefault(turn, []).append(predictions.numpy())
        if row is not None:
            matrices.setdefault((kind, turn), []).append(row.numpy())

    with open(folder / f"accuracy_{setting}.csv", "w", encoding="utf-8") as table:
        heldout = f"heldout{options.heldout}_acc"
        table.write(f"setting,trust,round,client,local_test_acc,ref_acc,train_acc,{heldout}\n")
        for kind in options.trust:
            run(options, kind, inputs, images, write)
    for (kind, turn), rows in matrices.items():
        path = folder / f"trust_{setting}_{kind}_round{turn}.csv"
        np.savetxt(path, np.stack(rows), fmt="%.9f", delimiter=",")
        if kind == "dynamic":
            path = folder / f"soft_labels_{setting}_round{turn - 1}.f32"
            np.stack(labels[turn - 1]).astype("<f4").tofile(path)


def parse_numbers(text):
    """Numbers with commas between."""
    return [int(word) for word in text.split(",") if word]


def parse_arguments():
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", required=True, help="folder to write")
    parser.add_argument("--inputs", help="folder with the inputs; drawn by --seed without it")
    parser.add_argument("--recorded-rounds", type=int, default=12, help="rounds in --inputs")
    parser.add_argument("--images", default=IMAGES, help="folder of Fashion-MNIST")
    parser.add_argument("--setting", default="normal", help="in the names of files")
    parser.add_argument("--trust", default=KINDS, type=lambda text: text.split(","))
    parser.add_argument("--model", default="netcnn", help="netcnn, linear or mlp:WIDTH-WIDTH...")
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--samples", type=int, default=750, help="of a client, a fifth for its test")
    parser.add_argument("--alpha", type=float, default=1.0, help="of the Dirichlet distribution")
    parser.add_argument("--reference", type=int, default=40, help="images of X* from each client")
    parser.add_argument("--heldout", type=int, default=2000, help="images of the test set")
    parser.add_argument(
        "--low-quality", type=parse_numbers, default=[], help="clients whose labels are shifted"
    )
    parser.add_argument(
        "--coarse-parameters", action="store_true", help="two values a layer at first: small files"
    )
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--pretraining-rounds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--reference-batch", type=int, default=256)
    parser.add_argument("--learning-rate", type=float, default=5e-3)
    parser.add_argument("--lambda", dest="trade_off", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def main():
    """Draw or load the inputs, write them, play the runs."""
    options = parse_arguments()
    torch.set_num_threads(options.threads)
    images = {part: load_images(options.images, part) for part in ("train", "t10k")}
    inputs = Inputs()
    if options.inputs:
        inputs.load(options)
    else:
        inputs.draw(options, images["train"][1])
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    inputs.write(pathlib.Path(options.out), options.setting)
    record(options, inputs, images)
    return 0


if __name__ == "__main__":
    sys.exit(main())
