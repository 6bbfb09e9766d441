# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what settings and methods are called in figures."""

import unittest

from collab.figures.outside import legend_of_all
from collab.figures.style import new_figure
from collab.figures.words import keep_within_shares, label_words, method_word, setting_word, settings_words


class WordsTest(unittest.TestCase):
    def test_settings(self):
        self.assertEqual(setting_word("ns3::collab::D2dPhy::Bandwidth"), "bandwidth [Hz]")
        self.assertEqual(setting_word("ns3::collab::D2dMac::Unheard"), "Unheard")
        self.assertEqual(settings_words("learned, maliciousPercent=10, devices=5"),
                         "learned, malicious devices [%] 10, devices 5")  # fmt: skip

    def test_methods(self):
        for name, word in (
            ("krum:f=3", "Krum (f = 3)"),
            ("multi-krum:f=7,m=7", "Multi-Krum (f = 7, m = 7)"),
            ("trimmed-mean:beta=0.2", "trimmed-mean (beta = 0.2)"),
            ("stub:16000", "16 000 weights"),
            ("mlp:100-50", "mlp:100-50"),
            ("CMFL-I", "CMFL-I"),
            ("CMFL-I, misbehavior=none", "CMFL-I"),
            ("CMFL-II, misbehavior=consistent-false-scores", "CMFL-II, consistent false scores"),
        ):
            self.assertEqual(method_word(name), word)

    def test_labels_of_runs(self):
        for label, words in (
            ("CMFL-I, maliciousPercent=10.0", "CMFL-I, malicious devices [%] 10"),
            ("CMFL-I, misbehavior=none, alpha=1.0", "CMFL-I, Dirichlet concentration 1"),
            ("krum:f=3, maliciousPercent=10.0", "Krum (f = 3), malicious devices [%] 10"),
            ("multi-krum:f=3,m=12, misbehavior=none", "Multi-Krum (f = 3, m = 12)"),
            ("dynamic, learningRate=0.01, rates=1.0,2.0", "dynamic, learning rate 0.01, rates 1.0,2.0"),
            ("models=mlp,mlp:100-50", "models MLP,MLP of 100-50 units"),
            ("consensus, evidencePower=network", "consensus, power of evidence network"),
        ):
            self.assertEqual(label_words(label), words)

    def test_accuracies_end_at_0_and_1(self):
        for column, limits in (("accuracy_global", (0, 1.01)), ("loss_global", (-0.5, 1.5))):
            axes = new_figure(3, 3).subplots()
            axes.set_ylim(-0.5, 1.5)
            keep_within_shares(axes, column)
            self.assertEqual(axes.get_ylim(), limits)

    def test_a_legend_has_what_any_panel_has(self):
        panels = new_figure(6, 3).subplots(1, 2)
        panels[0].plot([0], [0], label="a")
        panels[0].plot([0], [1], label="b")
        panels[1].plot([0], [1], label="b")
        for is_stack, names in ((False, ["a", "b"]), (True, ["b", "a"])):
            legend_of_all(panels, is_stack=is_stack)
            self.assertEqual([text.get_text() for text in panels[1].get_legend().get_texts()], names)
