# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios nightly-all
"""Tests that the default run of each scenario is a sensible first result.

By its defaults, but for fewer rounds and samples so that it takes seconds, a scenario must do better
than the same devices without any exchange, or print what limited it. Accuracies are means over
devices. By default scenarios of which two or three rounds show it; nightly all, and longer.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from typing import Optional

from folder_test_case import NIGHTLY, PROGRAMS, FolderTestCase

from collab import load_run

LIMITED = re.compile(r"^(hint|warning): ", re.MULTILINE)
LOCAL = "prediction-consensus"  # whose devices train with their own samples only, if so told


@dataclass(frozen=True)
class Case:
    """A scenario, what makes it shorter, and the same devices without an exchange."""

    both: dict = field(default_factory=dict)  # arguments of both
    own: dict = field(default_factory=dict)  # of the scenario only
    alone: dict = field(default_factory=lambda: {"trust": "local"})
    alone_in: str = LOCAL  # the scenario that runs devices without an exchange
    quick: Optional[dict] = None  # other values by default; without them it is nightly
    measure: str = "accuracy_global"
    is_error: bool = False  # whether less of the measure is better
    kinds: tuple = ()  # messages of which no more than one of a hundred may be lost

    def options(self, *arguments):
        """The options of a run."""
        values = {name: value for one in arguments for name, value in one.items()}
        for name in () if NIGHTLY else set(values) & set(self.quick):
            values[name] = self.quick[name]
        return [f"--{name}={value}" for name, value in values.items()]


CASES = {
    "prediction-consensus": Case({"testSamples": 500, "rounds": 8, "pretrainingRounds": 3},
                                 quick={"testSamples": 200, "rounds": 3, "pretrainingRounds": 2},
                                 measure="accuracy_reference"),
    "federated": Case({"testSamples": 500, "rounds": 5}, quick={"testSamples": 200, "rounds": 2},
                      kinds=("update", "global-model")),
    "gossip": Case({"testSamples": 500}, {"turns": 4}, {"trust": "local", "lowQuality": "none", "rounds": 4},
                   kinds=("model", "version")),
    "distillation": Case({"testSamples": 500}, kinds=("predictions", "pooled-labels")),
    # 35 steps of SGD, and ten rounds of training alone by Adam
    "committee": Case({"testSamples": 500}, {"rounds": 35},
                      {"trust": "local", "devices": 30, "samples": 200, "minimumSamples": 20,
                       "lowQuality": "none", "model": "mlp:32", "batchSize": 128, "rounds": 10},
                      kinds=("gradient", "consensus")),
    "belief-consensus": Case(alone={"method": "alone"}, alone_in="belief-consensus", quick={},
                             measure="error", is_error=True, kinds=("belief",)),
    "graph-discovery": Case({"iterations": 200, "rounds": 5, "testSamples": 500, "omit": "latency"},
                            alone={"method": "none"}, alone_in="graph-discovery",
                            kinds=("datapoints", "update", "global-model")),
}  # fmt: skip
# Those that are not compared, and why
OTHERS = {
    "committee-bound": "a bound beside an error, without a network",
    "graph-discovery-agreement": "draws rewards, without a network",
    "prediction-consensus-toy": "two-dimensional pictures of consensus",
}


def programs():
    """The names of all scenarios."""
    return {file.name for file in PROGRAMS.iterdir() if file.is_file() and os.access(file, os.X_OK)}


class DefaultRunsTest(FolderTestCase):
    def play(self, name, program, *options):
        """Runs a scenario; returns its run and what it printed."""
        path = self.folder / name
        result = subprocess.run([PROGRAMS / program, *options, f"--runDir={path}"],
                                capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        return load_run(path), result.stdout

    def test_every_scenario_is_compared_or_has_a_reason(self):
        self.assertEqual(programs(), {*CASES, *OTHERS})

    def test_exchange_helps_or_the_run_says_what_limited_it(self):
        for name, case in CASES.items():
            if not NIGHTLY and case.quick is None:
                continue
            with self.subTest(scenario=name):
                run, output = self.play(name, name, *case.options(case.both, case.own))
                alone, _ = self.play(f"{name}-alone", case.alone_in, *case.options(case.both, case.alone))
                self.assertRegex(run.versions["blas"], r"^(unknown|OpenBLAS \d\S+ \(\w+\))$")
                ends = [one.final(case.measure, one.devices.index) for one in (run, alone)]
                helps = ends[0] < ends[1] if case.is_error else ends[0] > ends[1]
                self.assertTrue(helps or LIMITED.search(output), f"{ends}\n{output[-2000:]}")
                messages = run.messages[run.messages["kind"].isin(case.kinds)]
                heard = messages.groupby("kind")["delivered"].mean()
                self.assertEqual(set(heard.index), set(case.kinds))
                self.assertTrue((heard > 0.99).all(), heard)

    def test_graph_discovery_says_where_an_exchange_does_not_show(self):
        short = ("--iterations=20", "--rounds=1", "--testSamples=100")
        for number, (options, is_told) in enumerate((
            ((), True), (("--method=none",), False), (("--downstream=decentralized",), False),
            (("--downstream=semi-decentralized",), False),
        )[: 4 if NIGHTLY else 2]):  # fmt: skip
            with self.subTest(options=options):
                run, output = self.play(str(number), "graph-discovery", *short, *options)
                hints = json.loads((run.path / "run.json").read_text())["hints"]
                told = [hint for hint in hints if "--method=none" in hint]
                self.assertEqual(len(told), int(is_told))
                self.assertEqual(output.count("hint: one model of all devices"), len(told))
