#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Includes follow the arrows of CONTRIBUTING.md, and no public header includes LibTorch."""

import re
import unittest
from functools import lru_cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MODULE = PROJECT / "contrib-module"
INCLUDE = re.compile(r'^#include [<"](?:ns3/)?([\w./-]+)[>"]', re.MULTILINE)

MOST_FILES = 20  # of a folder

# The layers, from the lowest; a folder may include those before it and itself. Any other folder of
# model/ is an algorithm, which no other one may include.
LAYERS = ["learning", "energy", "wireless", "messaging", "collaboration", "tracing", "learning-device", "helper"]
# What is below these layers and yet nothing that they know
APART = {"energy", "wireless", "messaging", "collaboration", "tracing"}, {"learning"}

# What an algorithm's files may end with that know ns-3; all others are its mathematics
TIED = ("-application", "-helper", "-messages", "-plan", "-recorder", "-endpoint", "-host", "-settings", "-worker")


@lru_cache(maxsize=None)
def sources():
    return sorted(p for f in ("helper", "model") for p in (MODULE / f).rglob("*.*")
                  if p.suffix in (".h", ".cc"))  # fmt: skip


def folder_of(path):
    """The folder of model/ that a file is in, "helper", or "model" for what all may include."""
    parts = path.relative_to(MODULE).parts
    return parts[1] if parts[0] == "model" and len(parts) > 2 else parts[0]


@lru_cache(maxsize=None)
def algorithms():
    return {folder_of(p) for p in sources()} - {*LAYERS, "model"}


def allowed_folders(folder):
    below = LAYERS[: LAYERS.index(folder)] if folder in LAYERS else LAYERS
    apart, hidden = APART
    return {"model", folder, *below} - (hidden if folder in apart else set())


def is_pure(path):
    """Whether a file needs neither ns-3 nor LibTorch: an algorithm's mathematics, and errors."""
    if folder_of(path) in algorithms():
        return not path.stem.endswith(TIED)
    return path.name in (
        "collab-byte-reader.h", "collab-columns.h", "collab-error.h", "collab-fields.h", "collab-metric.h",
        "collab-number.h", "collab-payload-error.h", "collab-wire-format.h")


@lru_cache(maxsize=None)
def folder_of_headers():
    return {p.name: folder_of(p) for p in sources() if p.suffix == ".h"}


@lru_cache(maxsize=None)
def includes(path):
    return INCLUDE.findall(path.read_text())


class LayersTest(unittest.TestCase):
    def test_every_folder_is_a_layer_or_an_algorithm(self):
        files = {p.name for p in sources()}
        for folder in algorithms():
            with self.subTest(folder=folder):
                self.assertIn(f"{folder}-application.h", files)

    def test_what_scenarios_share_needs_no_algorithm(self):
        # Else a scenario would have to build those that it does not run
        for path in (PROJECT / "scenarios/common").iterdir():
            known = {folder_of_headers().get(Path(name).name) for name in includes(path)}
            with self.subTest(file=path.name):
                self.assertEqual(known & algorithms(), set())

    def test_no_folder_has_more_files_than_one_can_look_over(self):
        roots = [MODULE / "helper", MODULE / "model", PROJECT / "tests", PROJECT / "scenarios"]
        for root in roots:
            for folder in {p.parent for p in root.rglob("*") if p.suffix in (".h", ".cc")}:
                count = len([p for p in folder.iterdir() if p.suffix in (".h", ".cc")])
                with self.subTest(folder=str(folder.relative_to(PROJECT))):
                    self.assertLessEqual(count, MOST_FILES)

    def test_includes_follow_the_arrows(self):
        folder = folder_of_headers()
        for path in sources():
            allowed = allowed_folders(folder_of(path))
            for header in includes(path):
                if header in folder:
                    with self.subTest(file=path.name, header=header):
                        self.assertIn(folder[header], allowed)

    def test_a_replicated_log_does_not_know_what_is_agreed_on(self):
        log = MODULE / "model/committee/log"
        own = {p.name for p in log.iterdir()}
        for path in log.iterdir():
            known = {name for name in includes(path) if folder_of_headers().get(name) == "committee"}
            with self.subTest(file=path.name):
                self.assertEqual(known - own, set())

    def test_learning_and_mathematics_need_no_ns3(self):
        pure = {p.name for p in sources() if is_pure(p) or folder_of(p) == "learning"}
        for path in sources():
            if path.name not in pure:
                continue
            for header in re.findall(r'^#include [<"]ns3/(.*)[>"]', path.read_text(), re.MULTILINE):
                with self.subTest(file=path.name, header=header):
                    self.assertIn(header, pure)

    def test_public_headers_do_not_include_libtorch(self):
        text = (MODULE / "CMakeLists.txt").read_text()
        public = re.search(r"\n  HEADER_FILES\n(.*?)\n  [A-Z]", text, re.DOTALL).group(1)
        for name in public.split():
            path = MODULE / name
            with self.subTest(file=path.name):
                self.assertFalse([h for h in includes(path) if re.match("torch/|ATen/|c10/", h)])

    def test_every_source_is_listed(self):
        listed = set(re.findall(r"[\w/-]+\.(?:cc|h)", (MODULE / "CMakeLists.txt").read_text()))
        for path in sources():
            with self.subTest(file=path.name):
                self.assertIn(str(path.relative_to(MODULE)), listed)

    def test_every_recorder_of_an_algorithm_registers_its_tables(self):
        for path in sources():
            text = path.read_text()
            rows = re.findall(r"\bAdd<(\w+)>\(\)", text)
            if folder_of(path) not in algorithms() or not rows:
                continue
            with self.subTest(file=path.name):
                registration = re.search(rf'TableRegistration \w+\(\s*"{folder_of(path)}",(.*?);', text, re.DOTALL)
                self.assertIsNotNone(registration)
                self.assertEqual(sorted(re.findall(r"DescribeTable<(\w+)>", registration[1])), sorted(rows))

    def test_every_header_of_the_flat_folder_says_whose_it_is(self):
        owners = "|".join(["collab", "d2d", "d2s", "device-profile", *sorted(algorithms())])
        for name in folder_of_headers():
            with self.subTest(header=name):
                self.assertRegex(name, rf"^({owners})-")


if __name__ == "__main__":
    unittest.main()
