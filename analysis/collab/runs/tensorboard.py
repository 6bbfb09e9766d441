# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Event files of TensorBoard, which need no package of its: records of encoded protocol buffers."""

import struct
from pathlib import Path
from typing import Iterator, Mapping

import numpy as np

FILE = "events.out.tfevents.0.collab"  # TensorBoard looks for the middle part
_VERSION = b"brain.Event:2"
_DOUBLE, _LENGTH, _FLOAT = 1, 2, 5  # wire types of protocol buffers; 0 is a number


def write_events(folder: Path, curves: Mapping, seconds: Mapping) -> Path:
    """Writes {name: {step: value}} at {step: seconds} to a new event file in a folder; returns it.

    What is no number at a step is left out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    with file.open("xb") as output:
        output.write(record(_event(0.0, 0, _field(3, _VERSION))))
        for step, time in seconds.items():
            values = {name: curve[step] for name, curve in curves.items()}
            summary = b"".join(_scalar(name, value) for name, value in values.items()
                               if np.isfinite(value))  # fmt: skip
            output.write(record(_event(time, step, _field(5, summary))))
    return file


def record(data: bytes) -> bytes:
    """A record of a TFRecord file: the length and the data, each with a checksum."""
    length = struct.pack("<Q", len(data))
    return length + _checksum(length) + data + _checksum(data)


def _event(time: float, step: int, content: bytes) -> bytes:
    """The message Event: wall_time (1), step (2), and file_version (3) or summary (5)."""
    return _key(1, _DOUBLE) + struct.pack("<d", time) + _key(2, 0) + _number(step) + content


def _scalar(name: str, value: float) -> bytes:
    """An entry of the message Summary: tag (1) and simple_value (2) of a Value."""
    number = _key(2, _FLOAT) + struct.pack("<f", value)
    return _field(1, _field(1, name.encode()) + number)


def _field(number: int, content: bytes) -> bytes:
    return _key(number, _LENGTH) + _number(len(content)) + content


def _key(number: int, wire_type: int) -> bytes:
    return _number(number << 3 | wire_type)


def _number(value: int) -> bytes:
    groups = list(_groups(int(value)))
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


def _groups(value: int) -> Iterator[int]:
    """Seven bits each, the lowest first."""
    yield value & 0x7F
    while value := value >> 7:
        yield value & 0x7F


def _table() -> list:
    """Remainders of CRC-32C of all bytes."""
    entries = list(range(256))
    for _ in range(8):
        entries = [entry >> 1 ^ (0x82F63B78 if entry & 1 else 0) for entry in entries]
    return entries


_REMAINDERS = _table()


def _checksum(data: bytes) -> bytes:
    """CRC-32C, masked as TFRecord does so that checksums of checksums differ."""
    remainder = 0xFFFFFFFF
    for byte in data:
        remainder = remainder >> 8 ^ _REMAINDERS[(remainder ^ byte) & 0xFF]
    remainder ^= 0xFFFFFFFF
    return struct.pack("<I", ((remainder >> 15 | remainder << 17) + 0xA282EAD8) & 0xFFFFFFFF)
