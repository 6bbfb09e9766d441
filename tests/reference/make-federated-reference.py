#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Expected values for tests/federated/algorithm-test.cc, computed with numpy in float64.

Writes tests/federated/federated-reference.h. Device k holds the quadratic a_k |w - t_k|^2 / 2 and takes STEPS steps of
gradient descent on it, with the algorithm's terms added to the gradient, in each round in which it takes part; device
ROUND % DEVICES sits out. The papers' algorithms are written down in their own words: FedProx (Li et al., algorithm 2),
SCAFFOLD (Karimireddy et al., algorithm 1, option II), FedDyn (Acar et al., algorithm 1), FedAvgM (Hsu et al., section 4.3)
and FedNova (Wang et al., section 4, |a|_1 summed up step by step), where device k takes 2 + 2 k steps, with and without
momentum. FedBuff (Nguyen et al., algorithm 1) has no rounds: device k trains for SECONDS[k], all of them at a time, and
begins anew with the newest model when it is done; EXPECTED_FEDBUFF_UPDATES has device, and version of the model that it
started from, of each update in the order of arrival.
"""

import pathlib

import numpy as np

DEVICES, DIMENSION, ROUNDS, STEPS, RATE = 4, 3, 5, 6, 0.1
MU, ALPHA, SERVER_RATE = 0.3, 0.2, 0.9
SERVER_MOMENTUM, LOCAL_MOMENTUM = 0.7, 0.6
BUFFER_SIZE, SERVER_STEPS, SECONDS = 3, 6, (1.0, 1.37, 1.9, 4.6)

k, i = np.meshgrid(np.arange(DEVICES), np.arange(DIMENSION), indexing="ij")
TARGETS = 3 * np.sin(1 + 2 * k + 5 * i)
CURVATURE = 0.5 + 0.25 * np.arange(DEVICES)
SAMPLES = 10.0 + 5 * np.arange(DEVICES)
START = np.cos(np.arange(DIMENSION))


def descend(device, w, term):
    for _ in range(STEPS):
        w = w - RATE * (CURVATURE[device] * (w - TARGETS[device]) + term(w))
    return w


def participants(number):
    return [device for device in range(DEVICES) if device != number % DEVICES]


def fedavg(mu):
    x = START
    for number in range(ROUNDS):
        s = participants(number)
        y = [descend(device, x, lambda w: mu * (w - x)) for device in s]
        n = SAMPLES[s]
        x = sum(weight * local for weight, local in zip(n / n.sum(), y))
    return x


def scaffold():
    x, c, ci = START, np.zeros(DIMENSION), np.zeros((DEVICES, DIMENSION))
    for number in range(ROUNDS):
        s = participants(number)
        dy, dc = [], []
        for device in s:
            y = descend(device, x, lambda w: c - ci[device])
            plus = ci[device] - c + (x - y) / (STEPS * RATE)
            dy.append(y - x)
            dc.append(plus - ci[device])
            ci[device] = plus
        x = x + SERVER_RATE * np.mean(dy, axis=0)
        c = c + len(s) / DEVICES * np.mean(dc, axis=0)
    return x, c, ci


def feddyn():
    x, h, g = START, np.zeros(DIMENSION), np.zeros((DEVICES, DIMENSION))
    for number in range(ROUNDS):
        s = participants(number)
        y = {}
        for device in s:
            y[device] = descend(device, x, lambda w: -g[device] + ALPHA * (w - x))
            g[device] = g[device] - ALPHA * (y[device] - x)
        h = h - ALPHA / DEVICES * sum(y[device] - x for device in s)
        x = np.mean([y[device] for device in s], axis=0) - h / ALPHA
    return x, g


def fedavgm():
    x, v = START, np.zeros(DIMENSION)
    for number in range(ROUNDS):
        s = participants(number)
        n = SAMPLES[s]
        delta = sum(p * (x - descend(device, x, lambda w: 0)) for p, device in zip(n / n.sum(), s))
        v = SERVER_MOMENTUM * v + delta
        x = x - v
    return x


def fednova(rho):
    x = START
    for number in range(ROUNDS):
        s = participants(number)
        d, tau = [], []
        for device in s:
            w, buffer, counter, norm = x, np.zeros(DIMENSION), 0.0, 0.0
            for _ in range(2 + 2 * device):
                buffer = rho * buffer + CURVATURE[device] * (w - TARGETS[device])
                w = w - RATE * buffer
                counter = rho * counter + 1
                norm += counter
            d.append((x - w) / (RATE * norm))
            tau.append(norm)
        p = SAMPLES[s] / SAMPLES[s].sum()
        x = x - p @ np.array(tau) * RATE * (p @ np.array(d))
    return x


def fedbuff(s):
    x, version, buffer, updates = START, 0, [], []
    events = [(seconds, device, START, 0) for device, seconds in enumerate(SECONDS)]
    while version < SERVER_STEPS:
        now, device, start, tau = event = min(events, key=lambda e: e[0])
        events.remove(event)
        buffer.append(s(version - tau) * (descend(device, start, lambda w: 0) - start))
        updates.append((device, tau))
        if len(buffer) == BUFFER_SIZE:
            x = x + SERVER_RATE * sum(buffer) / BUFFER_SIZE
            version, buffer = version + 1, []
        events.append((now + SECONDS[device], device, x, version))
    return x, updates


def cpp(name, array):
    numbers = ", ".join(f"{v:.17g}" for v in np.asarray(array).ravel())
    return f"constexpr double {name}[] = {{{numbers}}};\n"


text = "// Made by tests/reference/make-federated-reference.py; do not edit.\n\n// clang-format off\n"
text += cpp("EXPECTED_FEDAVG", fedavg(0.0))
text += cpp("EXPECTED_FEDPROX", fedavg(MU))
model, control, controls = scaffold()
text += cpp("EXPECTED_SCAFFOLD", model)
text += cpp("EXPECTED_SCAFFOLD_CONTROL", control)
text += cpp("EXPECTED_SCAFFOLD_CONTROLS", controls)
model, gradients = feddyn()
text += cpp("EXPECTED_FEDDYN", model)
text += cpp("EXPECTED_FEDDYN_GRADIENTS", gradients)
text += cpp("EXPECTED_FEDAVGM", fedavgm())
text += cpp("EXPECTED_FEDNOVA", fednova(0.0))
text += cpp("EXPECTED_FEDNOVA_MOMENTUM", fednova(LOCAL_MOMENTUM))
model, updates = fedbuff(lambda staleness: 1 / np.sqrt(1 + staleness))
text += cpp("EXPECTED_FEDBUFF", model)
text += cpp("EXPECTED_FEDBUFF_UPDATES", updates)
text += cpp("EXPECTED_FEDBUFF_CONSTANT", fedbuff(lambda staleness: 1)[0])
text += "// clang-format on\n"
out = pathlib.Path(__file__).resolve().parent.parent / "federated" / "federated-reference.h"
out.write_text(text)
