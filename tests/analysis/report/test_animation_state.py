# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what the animation of a report tells of devices, by Node.js where that is installed."""

import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from folder_test_case import FolderTestCase

from collab.report.page import to_json
from collab.report.run_page import run_data
from synthetic_run import DEVICES, ENERGY_J, ROUND_S, ROUNDS, write_closing, write_run

_WEB = Path(__file__).resolve().parents[3] / "analysis/collab/report/web"
_SCRIPT = """
const data = JSON.parse(require("fs").readFileSync(0));
const state = new collab.AnimationState(data.animation);
console.log(JSON.stringify(data.times.map((time) =>
  data.animation.devices.id.map((_, device) => state.device(device, time)))));
"""


@unittest.skipUnless(shutil.which("node"), "Node.js is not installed")
class AnimationStateTest(FolderTestCase):
    def states(self, path, *times):
        """Of each time what is known of each device."""
        scripts = [(_WEB / name).read_text() for name in ("base.js", "animation-state.js")]
        data = to_json({"animation": run_data(path)["animation"], "times": times})
        result = subprocess.run(["node", "-e", "\n".join([*scripts, _SCRIPT])], input=data,
                                capture_output=True, text=True, check=True)  # fmt: skip
        return json.loads(result.stdout)

    def test_energy_is_what_was_last_recorded(self):
        path = write_closing(write_run(self.folder / "a"))
        before, after, end = self.states(path, ROUND_S / 2, ROUND_S, ROUND_S * (ROUNDS + 1))
        joules = sum(ENERGY_J.values())
        self.assertEqual([device["spent"] for device in before], [0] * DEVICES)
        self.assertEqual([device["spent"] for device in after], [joules] * DEVICES)
        self.assertEqual([device["left"] for device in after], [1000 - joules] * DEVICES)
        whole = ROUNDS * joules + ENERGY_J["sleep"]
        self.assertEqual([device["spent"] for device in end], [whole] * DEVICES)

    def test_energy_that_was_not_recorded_is_unknown(self):
        path = write_run(self.folder / "a")
        (path / "energy.csv").write_text((path / "energy.csv").read_text().splitlines()[0] + "\n")
        for states in self.states(path, 0, ROUND_S * ROUNDS):
            for device in states:
                self.assertEqual([device[name] for name in ("spent", "left", "share")], [None] * 3)


if __name__ == "__main__":
    unittest.main()
