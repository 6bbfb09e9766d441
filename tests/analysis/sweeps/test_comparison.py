# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow scenarios
"""Tests of the sweeps that compare protocols: all have the same devices, places and data."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from folder_test_case import PROGRAMS, ROOT

from collab.sweeps import expand, load_sweeps
from collab.sweeps.definition import find_sweep_file

SWEEPS = ROOT / "scenarios" / "sweeps"

# What run.json must say of each device in all protocols
OF_DEVICES = ("x_m", "y_m", "low_quality", "train_samples", "test_samples", "class_samples",
              "parameters")  # fmt: skip
# What a user can say of the radio and the batteries, by the names of most scenarios
OF_LINKS = ("maxOutage", "battery")
# What differs among radios: powers follow from the links to a base station
OF_PLACES = ("channel", "nodes", "tx_power_dbm")


def sweeps_of(name, scale):
    """The sweeps of a file by the name of the protocol."""
    name, file = find_sweep_file(name, SWEEPS)
    prefix = f"{name}-"
    return {sweep.name[len(prefix):].removesuffix(f"-{scale}"): sweep
            for sweep in load_sweeps(name, file, scale)}  # fmt: skip


class SameSettingTest(unittest.TestCase):
    """Runs a round of each protocol, all of one seed."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.runs = {}
        for protocol, sweep in sweeps_of("comparison/protocols", "smoke").items():
            point = next(iter(expand(sweep).values()))
            cls.runs[protocol] = Path(folder.name) / protocol
            command = [PROGRAMS / sweep.scenario, *point.options(), "--threads=1", "--quiet"]
            command += [f"--runDir={cls.runs[protocol]}"]
            subprocess.run(command, check=True)

    def assert_same(self, told):
        """All protocols tell the same as the first one."""
        (first, expected), *others = told.items()
        for protocol, said in others:
            with self.subTest(first=first, protocol=protocol):
                self.assertEqual(said, expected)

    def metadata(self):
        return {protocol: json.loads((run / "run.json").read_text())
                for protocol, run in self.runs.items()}  # fmt: skip

    def test_partition(self):
        self.assert_same({
            protocol: (run / "partition.txt").read_text() for protocol, run in self.runs.items()
        })  # fmt: skip

    def test_devices(self):
        self.assert_same({
            protocol: [{key: device[key] for key in OF_DEVICES} for device in told["devices"]]
            for protocol, told in self.metadata().items()
        })  # fmt: skip

    def test_radio_and_batteries(self):
        metadata = self.metadata()
        self.assert_same({
            protocol: {
                # Of radios what is in force, by defaults of scenarios too
                "radios": {tuple((name, radio[name]) for name in radio if name not in OF_PLACES)
                           for radio in told["radios"]},
                **{name: value for name, value in told["attributes"].items()
                   if not name.startswith("ns3::collab::D2dPhy::")},
                **{name: told["parameters"][name] for name in OF_LINKS},
            }
            for protocol, told in metadata.items()
        })  # fmt: skip
        for protocol, told in metadata.items():
            if (self.runs[protocol] / "server.csv").exists():
                with self.subTest(protocol=protocol):
                    parameters = told["parameters"]
                    self.assertEqual(parameters["serverOutage"], parameters["maxOutage"])

    def test_model_and_seed(self):
        self.assert_same({
            protocol: (told["model"], told["seed"], told["run"])
            for protocol, told in self.metadata().items()
        })  # fmt: skip


class TurnsTest(unittest.TestCase):
    def test_turns_stand_for_rounds(self):
        command = [PROGRAMS / "gossip", "--turns=1", "--rounds=3", "--runDir=none"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--turns=1 is not allowed", result.stderr)
