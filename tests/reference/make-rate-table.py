#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Write the table of packet error rates examples/rate-table.csv.

It is an example of the format and no measurement: bit errors of Gray-coded PSK and QAM over an AWGN
channel (J. G. Proakis, "Digital Communications", 4th ed., section 5.2), nearest neighbors only,
with a code that is worth a fixed number of decibels, and bits that are lost independently.
"""

import argparse
import math
import pathlib

# Rate [bit/s/Hz], neighbors that a bit error leads to, distance squared over SNR, gain of the code [dB]
SCHEMES = [
    (0.5, 1.0, 2.0, 5.0),  # BPSK 1/2
    (1.0, 1.0, 1.0, 5.0),  # QPSK 1/2
    (2.0, 3 / 4, 1 / 5, 5.0),  # 16-QAM 1/2
    (3.0, 3 / 4, 1 / 5, 3.5),  # 16-QAM 3/4
    (4.5, 7 / 12, 1 / 21, 3.5),  # 64-QAM 3/4
]
LENGTHS = [14, 534, 1534]  # acknowledgment, and fragments of 500 and 1500 bytes [byte]
FIRST_DB = -8
LAST_DB = 32
NEGLIGIBLE = 1e-7


def get_per(scheme, length, snr_db):
    """Return the packet error rate."""
    _, neighbors, distance, gain_db = scheme
    snr = 10 ** ((snr_db + gain_db) / 10)
    bit_error = min(neighbors * math.erfc(math.sqrt(distance * snr / 2)) / 2, 0.5)
    return -math.expm1(8 * length * math.log1p(-bit_error))


def make_lines():
    """Return the lines of the file."""
    yield "# Packet error rates by rate, length and SNR, from tests/reference/make-rate-table.py:"
    yield "# no measurement, but PSK and QAM over AWGN with a code of fixed gain"
    yield "# rate [bit/s/Hz], length [byte], SNR [dB], PER"
    for scheme in SCHEMES:
        snrs = [
            snr
            for snr in range(FIRST_DB, LAST_DB + 1)
            if get_per(scheme, LENGTHS[0], snr) < 0.9999
            and get_per(scheme, LENGTHS[-1], snr - 1) > NEGLIGIBLE
        ]
        for length in LENGTHS:
            for snr in snrs:
                yield f"{scheme[0]:g}, {length}, {snr}, {get_per(scheme, length, snr):.6g}"


def main():
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--output", default=root / "examples" / "rate-table.csv")
    path = parser.parse_args().output
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in make_lines())


if __name__ == "__main__":
    main()
