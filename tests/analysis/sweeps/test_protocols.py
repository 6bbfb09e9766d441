# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the list of protocols: which one a run is of."""

import textwrap

from folder_test_case import ROOT, FolderTestCase

from collab.sweeps import SweepError
from collab.sweeps.protocols import FILE, find_protocol, read_protocols

LIST = """
    schema: 1
    parts:
      - {name: alone, scenario: other, arguments: {rate: 3, word: x}}
      - {name: mean, scenario: one, arguments: {algorithm: mean, rate: 1, fast: true}}
      - {name: part, scenario: one, arguments: {algorithm: part, share: 0.1, rate: 1}}
      - name: all
        scenario: one
        arguments: {algorithm: part, share: 1, rate: 2}
        names: {rate: [up, down], rounds: turns, steps: []}
    """


class ProtocolsTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "list.yaml"

    def read(self, text=LIST):
        self.file.write_text(textwrap.dedent(text))
        return read_protocols(self.file)

    def find(self, scenario, **settings):
        found = find_protocol(self.read(), scenario, settings)
        return found and found.name

    def test_words_must_be_the_same(self):
        self.assertEqual(self.find("one", algorithm="mean", rate=7, fast=True), "mean")
        self.assertIsNone(self.find("one", algorithm="mean", rate=1, fast=False))
        self.assertIsNone(self.find("one", algorithm="median", rate=1, fast=True))
        self.assertIsNone(self.find("two", algorithm="mean", rate=1, fast=True))

    def test_numbers_decide_between_the_same_words(self):
        self.assertEqual(self.find("one", algorithm="part", share=0.1, rate=1), "part")
        self.assertEqual(self.find("one", algorithm="part", share=1.0, up=2, down=2), "all")
        self.assertEqual(self.find("one", algorithm="part", share=1.0, up=5, down=5), "all")
        two = self.read("""
            schema: 1
            parts:
              - {name: part, scenario: one, arguments: {share: 0.1}}
              - {name: all, scenario: one, arguments: {share: 1}}
            """)
        with self.assertRaisesRegex(SweepError, "a run of one is as much part and all"):
            find_protocol(two, "one", {"share": 0.5})

    def test_rates_do_not_decide_where_other_numbers_do(self):
        protocols = self.read("""
            schema: 1
            parts:
              - {name: plain, scenario: one, arguments: {algorithm: a, cache: 0, learningRate: 3}}
              - {name: cached, scenario: one, arguments: {algorithm: a, cache: 4, learningRate: 1}}
            """)
        for cache, name in ((0, "plain"), (4, "cached")):
            for rate in (1, 2, 3):
                settings = {"algorithm": "a", "cache": cache, "learningRate": rate}
                self.assertEqual(find_protocol(protocols, "one", settings).name, name)

    def test_of_two_with_as_many_of_the_numbers_it_is_that_which_has_no_other(self):
        protocols = self.read("""
            schema: 1
            parts:
              - {name: plain, scenario: one, arguments: {algorithm: a, rate: 3}}
              - {name: noisy, scenario: one, arguments: {algorithm: a, rate: 3, noise: 0.5}}
            """)
        for settings, name in (({}, "plain"), ({"noise": 0.5}, "noisy")):
            self.assertEqual(find_protocol(protocols, "one", {"algorithm": "a", "rate": 3, **settings}).name, name)

    def test_one_of_its_scenario_needs_no_arguments(self):
        self.assertEqual(self.find("other", rate=9, word="y"), "alone")

    def test_names_of_the_comparison(self):
        protocol = self.read()[-1]
        names = ("up", "down", "turns", "rounds", "steps", "rate", "share")
        told = ["rate", "rate", "rounds", None, None, None, "share"]
        self.assertEqual([protocol.name_of(name) for name in names], told)

    def test_mistakes(self):
        for text, pattern in (
            ("schema: 1", "it has no parts"),
            ("schema: 1\nparts: [{name: a}]", "a protocol has a name and a scenario"),
            ("schema: 1\nparts: [{scenario: a}]", "a protocol has a name and a scenario"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(SweepError, pattern):
                self.read(text)

    def test_ours_are_told_apart_by_their_own_arguments(self):
        protocols = read_protocols(ROOT / "scenarios" / "sweeps" / FILE)
        self.assertGreater(len(protocols), 10)
        for protocol in protocols:
            with self.subTest(protocol=protocol.name):
                found = find_protocol(protocols, protocol.scenario, protocol.arguments)
                self.assertEqual(found.name, protocol.name)
