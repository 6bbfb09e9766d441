#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Includes follow the arrows of CONTRIBUTING.md, and no public header includes LibTorch."""

import re
import unittest
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "contrib-module"
INCLUDE = re.compile(r'^#include [<"](?:ns3/)?([\w./-]+)[>"]', re.MULTILINE)

# What each folder may include besides itself; None for all of the module
BELOW = {
    "learning": {"model"},
    "wireless": {"model"},
    "messaging": {"model", "wireless"},
    "collaboration": {"model", "wireless", "messaging"},
    "tracing": {"model", "wireless", "messaging", "collaboration"},
    "federated": {
        "model",
        "wireless",
        "messaging",
        "collaboration",
        "tracing",
        "learning",
    },
    "gossip": {
        "model",
        "wireless",
        "messaging",
        "collaboration",
        "tracing",
        "learning",
    },
    "prediction-consensus": {
        "model",
        "wireless",
        "messaging",
        "collaboration",
        "tracing",
        "learning",
    },
    "committee": {
        "model",
        "wireless",
        "messaging",
        "collaboration",
        "tracing",
        "learning",
    },
    "helper": None,
}

# Files that need neither ns-3 nor LibTorch: mathematics, and the kinds of errors
PURE = {
    "collab-error.h",
    "committee-authentication.h",
    "committee-authentication.cc",
    "committee-consensus.h",
    "committee-consensus.cc",
    "committee-message.h",
    "committee-message.cc",
    "committee-misbehavior.h",
    "committee-misbehavior.cc",
    "committee-score.h",
    "committee-score.cc",
    "committee-theory.h",
    "committee-theory.cc",
    "federated-algorithm.cc",
    "federated-algorithm.h",
    "gossip-matching.cc",
    "gossip-matching.h",
    "gossip-merge.cc",
    "gossip-merge.h",
    "prediction-consensus-theory.h",
    "prediction-consensus-theory.cc",
    "prediction-consensus-trust.h",
    "prediction-consensus-trust.cc",
}


def sources():
    return sorted(p for p in MODULE.rglob("*") if p.suffix in (".h", ".cc"))


def folder_of_headers():
    return {p.name: p.parent.name for p in sources() if p.suffix == ".h"}


def includes(path):
    return INCLUDE.findall(path.read_text())


class LayersTest(unittest.TestCase):
    def test_includes_follow_the_arrows(self):
        folder = folder_of_headers()
        for path in sources():
            allowed = BELOW.get(path.parent.name)
            if allowed is None:
                continue
            for header in includes(path):
                target = folder.get(header, path.parent.name)
                with self.subTest(file=path.name, header=header):
                    self.assertIn(target, allowed | {path.parent.name})

    def test_learning_and_mathematics_need_no_ns3(self):
        own = folder_of_headers()
        for path in sources():
            if path.parent.name != "learning" and path.name not in PURE:
                continue
            for line in re.findall(r'^#include [<"](ns3/.*)[>"]', path.read_text(), re.MULTILINE):
                with self.subTest(file=path.name, header=line):
                    header = line[len("ns3/") :]
                    self.assertTrue(own.get(header) == "learning" or header in PURE)

    def test_public_headers_do_not_include_libtorch(self):
        listed = (MODULE / "CMakeLists.txt").read_text().split("HEADER_FILES", 1)[1]
        for path in sources():
            if path.suffix == ".h" and f"/{path.name}\n" in listed:
                with self.subTest(file=path.name):
                    self.assertFalse([h for h in includes(path) if re.match("torch/|ATen/|c10/", h)])

    def test_every_header_of_the_flat_folder_says_whose_it_is(self):
        for name in folder_of_headers():
            with self.subTest(header=name):
                self.assertRegex(
                    name,
                    r"^(collab|committee|d2d|d2s|device-profile|federated|gossip|prediction-consensus)-",
                )


if __name__ == "__main__":
    unittest.main()
