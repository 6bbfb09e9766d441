# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: tshark
"""The Wireshark dissector on frames made here byte by byte. Argument: tshark's path."""

import os
import struct
import subprocess

from folder_test_case import ROOT, FolderTestCase

DISSECTOR = ROOT / "analysis" / "wireshark" / "collab.lua"
USER_0 = 'uat:user_dlts:"User 0 (DLT=147)","collab","0","","0",""'
TSHARK = os.environ.get("COLLAB_TSHARK", "tshark")

ALICE = bytes([0, 0, 0, 0, 0, 1])
BOB = bytes([0, 0, 0, 0, 0, 2])
ALL = bytes([255] * 6)


def frame(destination, source, protocol, burst, fragment, fragments, length, packet, padding=0):
    """A frame with check sequence; packet is what of the packet this fragment has."""
    header = destination + source
    header += struct.pack(">HIIII", protocol, burst, fragment, fragments, length)
    return header + packet + bytes(padding + 4)


def message(kind, round_, sender, sequence, payload, version=2, units=0):
    length = len(payload)
    header = struct.pack(">BHIIIII", version, kind, round_, sender, sequence, length, units)
    return header + payload


def ipv4_udp():
    """An IPv4 packet from 10.1.1.1 to 10.1.1.2 with a UDP datagram of 8 bytes to port 9000."""
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 36, 1, 0, 64, 17, 0, b"\n\1\1\1", b"\n\1\1\2")
    return ip + struct.pack(">HHHH", 4000, 9000, 16, 0) + bytes(8)


def arp_request():
    return struct.pack(">HHBBH", 1, 0x0800, 6, 4, 1) + ALICE + b"\n\1\1\1" + bytes(6) + b"\n\1\1\2"


class DissectorTest(FolderTestCase):
    def dissect(self, frames, fields, lengths=None):
        """The fields that tshark finds, a tuple of texts for each frame."""
        path = self.folder / "frames.pcap"
        with open(path, "wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 147))
            for i, data in enumerate(frames):
                length = lengths[i] if lengths else len(data)
                file.write(struct.pack("<IIII", i, 0, len(data), length) + data)
        command = [TSHARK, "-X", f"lua_script:{DISSECTOR}", "-o", USER_0, "-r", str(path)]
        command += ["-T", "fields", "-E", "separator=|"]
        command += [word for field in fields.split() for word in ("-e", field)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        self.assertNotIn("Lua", run.stderr)
        return [tuple(line.split("|")) for line in run.stdout.splitlines()]

    def test_header_of_the_frame(self):
        packet = message(7, 3, 0, 12, bytes(100))
        found = self.dissect(
            [frame(BOB, ALICE, 0x88B5, 0x01020304, 0, 1, len(packet), packet)],
            "collab.dst collab.src collab.protocol collab.burst collab.fragment collab.fragments"
            " collab.packet_len collab.fcs _ws.expert")  # fmt: skip
        self.assertEqual(found, [("00:00:00:00:00:02", "00:00:00:00:00:01", "0x88b5", "16909060",
                                  "0", "1", "123", "00000000", "")])  # fmt: skip

    def test_header_of_the_message_is_in_the_first_fragment_only(self):
        packet = message(0x1234, 70000, 80000, 90000, bytes(range(77)), units=7)
        frames = [
            frame(ALL, ALICE, 0x88B5, 5, 0, 3, 100, packet[:34]),
            frame(ALL, ALICE, 0x88B5, 5, 1, 3, 100, packet[34:68]),
            frame(ALL, ALICE, 0x88B5, 5, 2, 3, 100, packet[68:], padding=2),
        ]
        found = self.dissect(
            frames, "collab.version collab.kind collab.round collab.sender collab.sequence"
            " collab.payload_len collab.units collab.padding data.len _ws.expert")  # fmt: skip
        self.assertEqual(found, [
            ("2", "4660", "70000", "80000", "90000", "77", "7", "", "11", ""),
            ("", "", "", "", "", "", "", "", "34", ""),
            ("", "", "", "", "", "", "", "0000", "32", ""),
        ])  # fmt: skip

    def test_columns(self):
        packet = message(7, 3, 0, 12, bytes(20))
        found = self.dissect(
            [frame(BOB, ALICE, 0x88B5, 9, 0, 2, 43, packet[:25])],
            "_ws.col.Source _ws.col.Destination _ws.col.Protocol _ws.col.Info")  # fmt: skip
        info = "Burst 9, fragment 1/2, message kind 7 round 3 sender 0 sequence 12, 20 bytes of payload"
        self.assertEqual(found, [("00:00:00:00:00:01", "00:00:00:00:00:02", "COLLAB", info)])

    def test_other_protocols_go_to_their_own_dissectors(self):
        ip, arp = ipv4_udp(), arp_request()
        frames = [frame(BOB, ALICE, 0x0800, 1, 0, 1, len(ip), ip),
                  frame(ALL, ALICE, 0x0806, 2, 0, 1, len(arp), arp)]  # fmt: skip
        found = self.dissect(
            frames, "frame.protocols ip.dst udp.dstport arp.dst.proto_ipv4 collab.burst")  # fmt: skip
        self.assertEqual(found[0][0].split(":")[1:4], ["collab", "ip", "udp"])
        self.assertEqual(found[0][1:], ("10.1.1.2", "9000", "", "1"))
        self.assertEqual(found[1][1:], ("", "", "10.1.1.2", "2"))

    def test_a_part_of_an_ip_packet_is_not_taken_for_one(self):
        ip = ipv4_udp()
        frames = [frame(BOB, ALICE, 0x0800, 1, 0, 2, len(ip), ip[:18])]
        self.assertEqual(self.dissect(frames, "ip.dst data.len"), [("", "18")])

    def test_a_record_that_the_snap_length_cut_is_no_error(self):
        packet = message(7, 3, 0, 12, bytes(99977))
        whole = frame(ALL, ALICE, 0x88B5, 1, 0, 1, len(packet), packet)
        found = self.dissect(
            [whole[:65535]], "frame.len collab.round collab.payload_len collab.fcs _ws.expert",
            lengths=[len(whole)])  # fmt: skip
        self.assertEqual(found, [("100034", "3", "99977", "", "")])

    def test_what_is_wrong_is_said(self):
        good = message(7, 3, 0, 12, bytes(2))
        bad = message(7, 3, 0, 12, bytes(2), version=9)
        short, version, length = "collab.short", "collab.bad_version", "collab.bad_len"
        cases = (
            (bytes(20), short),
            (frame(BOB, ALICE, 0x88B5, 1, 0, 1, 25, bad), version),
            (frame(BOB, ALICE, 0x88B5, 2, 0, 1, 24, good), length),
            (frame(BOB, ALICE, 0x88B5, 3, 0, 1, 1000, good), length),
            (frame(BOB, ALICE, 0x88B5, 4, 0, 1, 10, bytes(10)), short),
        )
        names = (short, version, length)
        found = self.dissect([data for data, _ in cases], " ".join(names))
        told = [[name for name, field in zip(names, row) if field] for row in found]
        self.assertEqual(told, [[name] for _, name in cases])
