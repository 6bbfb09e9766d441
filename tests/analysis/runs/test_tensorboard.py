# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of event files, which a decoder reads back that shares nothing with what writes them."""

import struct
from pathlib import Path

from folder_test_case import FolderTestCase, change_run

from collab import load_run
from collab.cli.collect import main
from collab.runs.tensorboard import FILE, record, write_events
from synthetic_run import DEVICES, ENERGY_J, ROUND_S, ROUNDS, accuracy, write_run


def crc32c(data):
    """The checksum bit by bit, as a division of polynomials."""
    remainder = 0xFFFFFFFF
    for byte in data:
        for bit in range(8):
            carry = (remainder ^ byte >> bit) & 1
            remainder = remainder >> 1 ^ (0x82F63B78 if carry else 0)
    return remainder ^ 0xFFFFFFFF


def check(masked, data):
    """Raises ValueError if a masked checksum is not that of some bytes."""
    rotated = (struct.unpack("<I", masked)[0] - 0xA282EAD8) % 2**32
    if (rotated << 15 | rotated >> 17) % 2**32 != crc32c(data):
        raise ValueError("checksum")


def read_records(content):
    """The data of all records of a TFRecord file."""
    while content:
        check(content[8:12], content[:8])
        size = struct.unpack("<Q", content[:8])[0]
        data = content[12 : 12 + size]
        check(content[12 + size : 16 + size], data)
        yield data
        content = content[16 + size :]


def read_fields(data):
    """[(number, value)] of a message of protocol buffers."""
    place, fields = 0, []

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value += (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            fields.append((number, varint()))
        else:
            size = {1: 8, 5: 4}.get(kind) or varint()
            raw = data[place : place + size]
            place += size
            code = {1: "<d", 5: "<f"}.get(kind)
            fields.append((number, struct.unpack(code, raw)[0] if code else raw))
    return fields


def read_events(file):
    """The version of an event file, and {step: (time, {name: value})}."""
    first, *rest = [dict(read_fields(data)) for data in read_records(Path(file).read_bytes())]
    events = {}
    for event in rest:
        values = [dict(read_fields(value)) for number, value in read_fields(event[5]) if number == 1]
        events[event[2]] = (event[1], {value[1].decode(): value[2] for value in values})
    return first[3].decode(), events


class EventsTest(FolderTestCase):
    def test_known_checksum(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)  # of RFC 3720's polynomial
        written = record(b"123456789")
        self.assertEqual(list(read_records(written)), [b"123456789"])
        for place in range(len(written)):  # whatever byte is wrong
            damaged = bytearray(written)
            damaged[place] ^= 1
            with self.subTest(place=place), self.assertRaises((ValueError, struct.error)):
                list(read_records(bytes(damaged)))

    def test_values_are_those_of_the_run(self):
        run = load_run(write_run(self.folder / "run"))
        version, events = read_events(run.to_tensorboard(self.folder / "events"))
        self.assertEqual(version, "brain.Event:2")
        self.assertEqual(list(events), list(range(ROUNDS)))
        for step, (time, values) in events.items():
            self.assertEqual(time, ROUND_S * (step + 1))
            mean = sum(accuracy(step, device) for device in range(DEVICES)) / DEVICES
            self.assertAlmostEqual(values["accuracy_reference"], mean, places=6)
            self.assertEqual(values["energy_j"], sum(ENERGY_J.values()) * (step + 1))
            self.assertEqual(set(values), {*run.metrics, "energy_j", "bytes_sent"})

    def test_costs_are_those_when_the_model_was_measured(self):
        folder = change_run(write_run(self.folder / "run"), scenario="committee")
        _, events = read_events(load_run(folder).to_tensorboard(self.folder / "events"))
        for step, (time, values) in events.items():  # its accuracy is of the model that a round begins with
            self.assertEqual((time, values["energy_j"]), (ROUND_S * step, sum(ENERGY_J.values()) * step))

    def test_great_steps_and_what_is_no_number(self):
        curves = {"a": {300: 1.5, 2**40: float("nan")}, "b": {300: -1.0, 2**40: float("inf")}}
        file = write_events(self.folder, curves, {300: 2.0, 2**40: 4.0})
        self.assertEqual(read_events(file)[1], {300: (2.0, {"a": 1.5, "b": -1.0}), 2**40: (4.0, {})})


class CommandTest(FolderTestCase):
    def test_one_file_a_run(self):
        for name in ("a", "b/c"):
            write_run(self.folder / "runs" / name)
        out = self.folder / "events"
        words = (self.folder / "runs", "--tensorboard", out)
        output = self.call(main, *words)
        self.assertIn(f"{out}: 2 of 2 runs", output)
        for name in ("a", "b/c"):
            self.assertEqual(len(read_events(out / name / FILE)[1]), ROUNDS)
        before = (out / "a" / FILE).read_bytes()
        code, _, errors = self.run_command(main, *words)
        self.assertEqual((code, errors.count("is there already\n")), (2, 2))
        self.assertEqual((out / "a" / FILE).read_bytes(), before)
        self.assertFalse((self.folder / "runs" / "results.sqlite").exists())
