#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How many samples users need to learn two bits together: belief consensus without a network.

Writes tests/data/belief-complexity.csv and prints it. Four hypotheses are two bits. A user's label is the bit that it
sees with probability 0.7, whatever the hypothesis says of the other one; W is lossless. Designs:

- independent: users with even indices see the first bit, others the second; each has labels of its own;
- common: the same, but all who see a bit have the same label at an instant;
- witness: user 0 sees the second bit, all others the first; each has labels of its own.

n_argmax is the first instant from which on some user's belief is greatest (within 1e-9) elsewhere than at the truth in
at most 5 % of the seeds, n_event the one from which on some user has rho >= 1/(2M) for a rival in at most 5 %.
first_argmax and first_event are the first instants with that at all: beliefs of common samples have ties at even ones.
"""

import argparse
import csv
import itertools
import pathlib
import sys

import numpy as np

RIGHT = 0.7  # probability that a label is the bit
DELTA = 0.05
TIE = 1e-9  # [nat]
RIVALS = np.array([[1, 0], [0, 1], [1, 1]])  # which bits a rival has wrong
DESIGNS = ("independent", "common", "witness")
GRAPHS = ("complete", "geometric", "grid", "star", "ring")
RULES = ("uniform", "metropolis")
HEADER = ["design", "graph", "rule", "users", "seeds", "first_argmax", "n_argmax", "first_event", "n_event"]


def edges_of(graph, users, random):
    """Undirected edges as a matrix of booleans, without self-loops."""
    i, j = np.meshgrid(np.arange(users), np.arange(users), indexing="ij")
    if graph == "complete":
        return i != j
    if graph == "ring":
        return ((i - j) % users == 1) | ((j - i) % users == 1)
    if graph == "star":
        return (i != j) & ((i == 0) | (j == 0))
    if graph == "grid":
        rows = max(r for r in range(1, int(users**0.5) + 1) if users % r == 0)
        columns = users // rows
        return abs(i // columns - j // columns) + abs(i % columns - j % columns) == 1
    positions = random.random((users, 2))
    distances = np.linalg.norm(positions[:, None] - positions[None, :], axis=2)
    radius = max(least_radius(distances), np.sqrt(2 * np.log(users) / (np.pi * users)))
    return (i != j) & (distances <= radius)


def least_radius(distances):
    """Longest edge of the minimum spanning tree."""
    reach, joined, longest = distances[0].copy(), {0}, 0.0
    while len(joined) < len(distances):
        nearest = min(set(range(len(distances))) - joined, key=lambda k: reach[k])
        longest = max(longest, reach[nearest])
        joined.add(nearest)
        reach = np.minimum(reach, distances[nearest])
    return longest


def weights_of(edges, rule):
    degrees = edges.sum(axis=1)
    if rule == "uniform":
        w = edges / (degrees[:, None] + 1)
    else:
        w = edges / (1 + np.maximum(degrees[:, None], degrees[None, :]))
    return w + np.diag(1 - w.sum(axis=1))


def bits_of(design, users):
    """By user: the bit that it sees."""
    return (np.arange(users) == 0).astype(int) if design == "witness" else np.arange(users) % 2


def draw(design, bits, seeds, random):
    """Log ratio of right and wrong of each user's label, by seed and user, of one instant."""
    shape = (seeds, 2 if design == "common" else len(bits))
    z = np.where(random.random(shape) < RIGHT, 1.0, -1.0) * np.log(RIGHT / (1 - RIGHT))
    return z[:, bits] if design == "common" else z


def thresholds(fractions):
    """First instant, from 1, with a fraction of DELTA at most, and that from which on all are; None if it is late."""
    above = np.flatnonzero(fractions > DELTA)
    last = 1 if len(above) == 0 else int(above[-1]) + 2
    # Unless half as many instants again were clean, it may not have stayed
    return [int(np.argmax(fractions <= DELTA)) + 1, last] if 1.5 * last <= len(fractions) else None


def fractions_of_errors(ratio):
    """Fractions of seeds in which any user has a rival that is ahead, or one with rho >= 1/(2M)."""
    rivals = np.tensordot(RIVALS, ratio, axes=1)  # log rho(truth) - log rho(rival)
    wrong = rivals.min(axis=0) <= TIE
    rho = np.exp(-rivals.min(axis=0)) / (1 + np.exp(-rivals).sum(axis=0))
    return wrong.any(axis=1).mean(), (rho >= 1 / 8).any(axis=1).mean()


def experiment(design, graph, rule, users, seeds):
    name = f"{graph} {users}".encode()
    w = weights_of(edges_of(graph, users, np.random.default_rng(list(name))), rule)
    bits = bits_of(design, users)
    seen = np.stack([bits == 0, bits == 1]).astype(float)[:, None, :]
    random = np.random.default_rng(list(f"{design} {users}".encode()))
    ratio = np.zeros((2, seeds, users))  # of each bit: log belief of right less that of wrong
    fractions, found, instants = [], (None, None), 64
    while None in found:
        while len(fractions) < instants:
            ratio = (ratio + draw(design, bits, seeds, random) * seen) @ w.T
            fractions.append(fractions_of_errors(ratio))
        found = tuple(thresholds(f) for f in np.array(fractions).T)
        instants *= 2
    return [design, graph, rule, users, seeds, *found[0], *found[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, nargs="+", default=[4, 16, 64, 256])
    parser.add_argument("--seeds", type=int, default=1000, help="of up to 64 users; a fifth of more")
    out = pathlib.Path(__file__).resolve().parent.parent / "data" / "belief-complexity.csv"
    parser.add_argument("--out", type=pathlib.Path, default=out)
    arguments = parser.parse_args()
    with arguments.out.open("w", newline="") as file:
        writers = [csv.writer(file, lineterminator="\n"), csv.writer(sys.stdout, lineterminator="\n")]
        for writer in writers:
            writer.writerow(HEADER)
        for users, design, graph, rule in itertools.product(arguments.users, DESIGNS, GRAPHS, RULES):
            if rule == "metropolis" and graph in ("complete", "ring"):
                continue  # all users have as many neighbors: the same as uniform
            row = experiment(design, graph, rule, users, arguments.seeds // (5 if users > 64 else 1))
            for writer in writers:
                writer.writerow(row)
            sys.stdout.flush()


main()
