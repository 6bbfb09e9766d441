#! /usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The examples that ns-3's test.py runs: (program with its arguments, run it, under valgrind too)."""

cpp_examples = [
    ("d2d-energy --duration=4", "True", "False"),
    ("d2d-outage --packets=50", "True", "False"),
    ("decentralized-sgd --devices=3 --rounds=1", "True", "False"),
    ("gaussian-beliefs --instants=10", "True", "False"),
    ("hello-algorithm", "True", "False"),
    ("prediction-consensus-minimal --rounds=3", "True", "False"),
]

python_examples = []
