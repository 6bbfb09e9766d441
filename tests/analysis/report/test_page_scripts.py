# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what scripts of a report make of its data, by Node.js where that is installed."""

import json
import shutil
import subprocess
import unittest

from folder_test_case import ROOT, FolderTestCase

from collab.report.page import to_json
from collab.report.run_page import run_data
from synthetic_run import DEVICES, ENERGY_J, ROUND_S, ROUNDS, write_closing, write_run

_WEB = ROOT / "analysis/collab/report/web"
_STATES = """
console.log(JSON.stringify(data.times.map((time) =>
  data.animation.devices.id.map((_, device) => deviceAt(data.animation, device, time)))));
"""
# The explorer of a sweep with a chart that shows nothing, told what to show
_EXPLORER = """
const element = { after() {}, classList: { add() {} }, replaceChildren() {} };
const chosen = {};
const make = () => element;
const select = (label, entries, value, choose) => { chosen[label] = choose; };
let shown;
class ChartCard {
  title = element;
  element = element;
  constructor(spec) { shown = spec; }
  setSpec(next) { shown = next; }
}
globalThis.document = { getElementById: () => null };
"""
_SHOWN = """
new Explorer(data.explorer);
const mean = shown;
chosen["Horizontal (x)"](data.x);
console.log(JSON.stringify([mean, shown]));
"""


@unittest.skipUnless(shutil.which("node"), "Node.js is not installed")
class ScriptTestCase(FolderTestCase):
    def evaluate(self, data, *scripts):
        """What the scripts, names of files or texts, print of data."""
        texts = [(_WEB / name).read_text() if name.endswith(".js") else name for name in scripts]
        texts.insert(0, 'const data = JSON.parse(require("fs").readFileSync(0));')
        result = subprocess.run(["node", "-e", "\n".join(texts)], input=to_json(data),
                                capture_output=True, text=True, check=True)  # fmt: skip
        return json.loads(result.stdout)


class AnimationStateTest(ScriptTestCase):
    def states(self, path, *times):
        """Of each time what is known of each device."""
        data = {"animation": run_data(path)["animation"], "times": times}
        return self.evaluate(data, "base.js", "animation-drawing.js", _STATES)

    def test_energy_is_what_was_last_recorded(self):
        path = write_closing(write_run(self.folder / "a"))
        before, after, end = self.states(path, ROUND_S / 2, ROUND_S, ROUND_S * (ROUNDS + 1))
        joules = sum(ENERGY_J.values())
        self.assertEqual([device["spent"] for device in before], [0] * DEVICES)
        self.assertEqual([device["spent"] for device in after], [joules] * DEVICES)
        self.assertEqual([device["left"] for device in after], [1000 - joules] * DEVICES)
        whole = ROUNDS * joules + ENERGY_J["sleep"] + ENERGY_J["tx"]
        self.assertEqual([device["spent"] for device in end], [whole] * DEVICES)

    def test_energy_that_was_not_recorded_is_unknown(self):
        path = write_run(self.folder / "a")
        (path / "energy.csv").write_text((path / "energy.csv").read_text().splitlines()[0] + "\n")
        for states in self.states(path, 0, ROUND_S * ROUNDS):
            for device in states:
                self.assertEqual([device[name] for name in ("spent", "left", "share")], [None] * 3)


class ExplorerTest(ScriptTestCase):
    def test_runs_without_a_number_are_told(self):
        explorer = {
            "parameters": [{"name": "p", "order": ["1", "2"], "values": ["1", "1", "2", "2"]}],
            "outcomes": [{"name": "loss", "values": [1.0, 2.0, 3.0, None]},
                         {"name": "joules", "values": [1.0, None, 3.0, 4.0]}],
            "quantiles": [12.706],
        }  # fmt: skip
        data = {"explorer": explorer, "x": "joules"}
        mean, scatter = self.evaluate(data, _EXPLORER, "sweep.js", _SHOWN)
        self.assertEqual(mean["series"][0]["y"]["y"], [1.5, 3])
        self.assertIn("Runs without such a number, which are not in it: 1.", mean["caption"])
        # Where p is held at its first value
        points = [(series["x"]["x"], series["y"]["y"]) for series in scatter["series"]]
        self.assertEqual(points, [([1], [1])])
        self.assertIn("not in it: 1.", scatter["caption"])
