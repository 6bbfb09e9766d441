# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: bridge scenarios
"""The example in Python does what the program in C++ does, event by event."""

import subprocess
import sys
import unittest

from protocol_test_case import EXAMPLES, PROGRAMS, ProtocolTestCase

import collab

sys.path.insert(0, str(EXAMPLES))
from prediction_consensus import PredictionConsensus

SMALL = {
    "devices": 5, "samples": 150, "rounds": 3, "referenceSamples": 50, "testSamples": 100,
    "lowQuality": "none", "maxOutage": 0.2, "seed": 2,
}  # fmt: skip


class PredictionConsensusTest(ProtocolTestCase):
    def test_trust_messages_time_and_energy_are_those_of_cpp(self):
        words = {**SMALL, "RngSeed": 2, "pretrainingRounds": 1, "deadline": 60, "quiet": "true"}
        words.pop("seed")
        subprocess.run(
            [PROGRAMS / "prediction-consensus", f"--runDir={self.folder / 'cpp'}",
             *(f"--{name}={value}" for name, value in words.items())],
            check=True,
        )  # fmt: skip
        collab.simulate(PredictionConsensus, into=self.folder / "python", progress=False,
                        pretraining=1, loss="reliable", **SMALL)  # fmt: skip
        one, other = self.digests("cpp"), self.digests("python")
        for table in ("messages.csv", "latency.csv", "energy.csv"):
            self.assertEqual(one[table], other[table], table)
        trust = [(self.folder / name / "trust.csv").read_text() for name in ("cpp", "python")]
        self.assertEqual(*(sorted(text.splitlines()) for text in trust))
        self.assertEqual(len(trust[0].splitlines()), 1 + 2 * 5 * 5)
        rounds = [collab.load_run(self.folder / name).rounds for name in ("cpp", "python")]
        for metric in ("accuracy_reference", "accuracy_local", "accuracy_global"):
            self.assertEqual(rounds[0][metric].tolist(), rounds[1][metric].tolist())

    def test_devices_in_python_and_cpp_agree_in_one_simulation(self):
        given = {**SMALL, "pretraining": 1, "loss": "reliable", "progress": False}
        alone = collab.simulate(PredictionConsensus, into=self.folder / "python", **given)
        application = "ns3::collab::PredictionConsensusApplication"
        attributes = {f"{application}::{name}": value for name, value in (
            ("PretrainingRounds", 1), ("RoundDeadline", "60s"), ("LossPolicy", "Reliable"))}  # fmt: skip
        for mode in ("Reference", "Bytes"):
            mixed = collab.simulate(
                PredictionConsensus, into=self.folder / mode, others={application: [1, 4]},
                **{"ns3::collab::Transport::PayloadMode": mode}, **attributes, **given,
            )  # fmt: skip
            self.assertEqual(len(mixed.protocols), 3)
            one, other = self.digests("python"), self.digests(mode)
            for table in ("messages.csv", "latency.csv", "energy.csv"):
                self.assertEqual(one[table], other[table], (mode, table))
            self.assertEqual(mixed.rounds.messages_refused.sum(), 0)
            for metric in ("accuracy_reference", "accuracy_local", "accuracy_global"):
                self.assertEqual(mixed.rounds[metric].tolist(), alone.rounds[metric].tolist())
            told = mixed.rounds.groupby("device").collaborative.count()
            self.assertEqual(told.tolist(), [0, 3, 0, 0, 3])  # which only C++ measures
        with self.assertRaisesRegex(collab.ArgumentError, "types of protocols"):
            collab.simulate(PredictionConsensus, others={"ns3::Nothing": [1]}, **given)


if __name__ == "__main__":
    unittest.main()
