#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the example d2d-traces has written. Arguments: its folder, and tshark's path if there is one."""

import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

DISSECTOR = Path(__file__).resolve().parents[2] / "analysis" / "wireshark" / "collab.lua"
USER_0 = 'uat:user_dlts:"User 0 (DLT=147)","collab","0","","0",""'
DEVICES = 4
ROUNDS = 4
FOLDER = Path()
TSHARK = ""


class TracesTest(unittest.TestCase):
    def test_animation_has_every_broadcast_and_the_device_that_moves(self):
        anim = ElementTree.parse(FOLDER / "d2d-traces.xml").getroot()
        self.assertEqual(anim.get("filetype"), "animation")
        self.assertEqual(len(anim.findall("node")), DEVICES)
        packets = anim.findall("p")
        self.assertEqual(len(packets), DEVICES * ROUNDS * (DEVICES - 1))
        for packet in packets:
            times = [float(packet.get(name)) for name in ("fbTx", "lbTx", "fbRx", "lbRx")]
            self.assertEqual(times, sorted(times))
            self.assertIn("hello round", packet.get("meta-info"))
        moves = [update for update in anim.findall("nu") if update.get("p") == "p"]
        self.assertEqual({update.get("id") for update in moves}, {"3"})
        self.assertEqual(len(anim.findall("link")), DEVICES * (DEVICES - 1) // 2)

    def test_events_are_those_of_the_animation(self):
        lines = (FOLDER / "d2d-traces.tr").read_text().splitlines()
        events = "".join(line[0] for line in lines)
        for event in "+-t":
            self.assertEqual(events.count(event), DEVICES * ROUNDS)
        received = events.count("r")
        anim = ElementTree.parse(FOLDER / "d2d-traces.xml").getroot()
        delivered = [p for p in anim.findall("p") if "lost" not in p.get("meta-info")]
        self.assertEqual(received, len(delivered))
        self.assertGreater(received, DEVICES * ROUNDS)

    def test_stored_attributes_have_the_modules_paths(self):
        text = (FOLDER / "d2d-traces.txt").read_text()
        radio = "/NodeList/3/$ns3::Node/DeviceList/0/$ns3::collab::D2dNetDevice/"
        self.assertIn(radio + "Phy/$ns3::collab::D2dPhy/TxPower", text)
        self.assertIn("$ns3::collab::D2dTransport/PayloadMode \"Bytes\"", text)

    def test_frames_have_every_message(self):
        if not TSHARK:
            self.skipTest("tshark is not installed")
        sent = []
        for device in range(DEVICES):
            command = [TSHARK, "-X", f"lua_script:{DISSECTOR}", "-o", USER_0]
            command += ["-r", str(FOLDER / f"d2d-traces-{device}-0.pcap"), "-T", "fields"]
            for field in ("collab.sender", "collab.round", "collab.kind", "_ws.expert"):
                command += ["-e", field]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            rows = [line.split("\t") for line in run.stdout.splitlines()]
            self.assertTrue(all(row[2:] == ["1", ""] for row in rows), rows)
            sent += [(row[0], row[1]) for row in rows if int(row[0]) == device]
        expected = [(str(d), str(r)) for d in range(DEVICES) for r in range(ROUNDS)]
        self.assertEqual(sorted(sent), sorted(expected))


if __name__ == "__main__":
    TSHARK = sys.argv.pop(2) if len(sys.argv) > 2 else ""
    FOLDER = Path(sys.argv.pop(1))
    unittest.main()
