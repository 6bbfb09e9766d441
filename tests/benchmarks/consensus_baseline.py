#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Time a round of prediction consensus in plain PyTorch, for comparison with collab-bench-consensus.

The same model, numbers of samples and steps, one client after the other, by one thread and by two.
Writes results in the form of Google Benchmark, which print_ratios.py reads; none without PyTorch.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before PyTorch is loaded: its own threads are faster

import numpy as np  # noqa: E402  # pylint: disable=wrong-import-position

REFERENCE = pathlib.Path(__file__).parents[1] / "reference" / "make-replay-reference.py"
SAMPLES, REFERENCES = 600, 400


def load_reference():
    """Load the program that records runs."""
    spec = importlib.util.spec_from_file_location("make_replay_reference", REFERENCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_round(reference, clients, epochs):
    """Return a function that plays a collaborative round on random images."""
    generator = np.random.default_rng(1)
    options = argparse.Namespace(
        clients=clients,
        epochs=epochs,
        rounds=1,
        pretraining_rounds=0,
        model="netcnn",
        batch=64,
        reference_batch=256,
        learning_rate=5e-3,
        trade_off=0.5,
        heldout=0,
        seed=1,
        low_quality=[],
    )
    own = REFERENCES // clients
    total = SAMPLES + own
    pixels = generator.integers(0, 256, (clients * total, 1, 28, 28), dtype=np.uint8)
    images = {"train": (pixels, np.arange(len(pixels)) % 10)}
    images["t10k"] = images["train"]
    inputs = reference.Inputs()
    for client in range(clients):
        indices = np.arange(client * total, (client + 1) * total)
        inputs.split["train", client] = indices[:SAMPLES]
        inputs.split["test", client] = inputs.split["ref", client] = indices[SAMPLES:]
        parameters = reference.make_model("netcnn").parameters()
        vector = reference.nn.utils.parameters_to_vector(parameters)
        inputs.parameters.append(vector.detach().numpy())
        for epoch in range(epochs):
            inputs.orders[client, epoch] = generator.permutation(SAMPLES)
    inputs.draw_labels(options, images["train"][1])
    return lambda: reference.run(options, "dynamic", inputs, images, lambda *round_: None)


def measure(name, play, repetitions):
    """Yield one result a repetition."""
    for repetition in range(repetitions):
        wall, cpu = time.perf_counter(), time.process_time()
        play()
        yield {
            "name": name,
            "run_name": name,
            "run_type": "iteration",
            "repetition_index": repetition,
            "real_time": 1e3 * (time.perf_counter() - wall),
            "cpu_time": 1e3 * (time.process_time() - cpu),
            "time_unit": "ms",
        }


def main():
    """Read arguments, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--filter", default=".", help="regular expression of names")
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    results = []
    try:
        reference = load_reference()
    except ImportError:
        print("PyTorch is left out: it is not installed (Debian package python3-torch)")
        reference = None
    for clients, epochs in [(2, 1), (10, 5)] if reference else []:
        for threads in (1, 2):
            name = f"PyTorch/ConsensusRound/{clients}/{epochs}/{threads}"
            if re.search(arguments.filter, name):
                reference.torch.set_num_threads(threads)
                play = make_round(reference, clients, epochs)
                results += measure(name, play, arguments.repetitions)
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump({"benchmarks": results}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
