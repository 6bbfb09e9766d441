#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Prints what the example any-radio costs over each network, as a table of the documentation.

    tests/validation/any_radio_table.py build/examples/any-radio > contrib-module/doc/results/any-radio.csv
"""

import csv
import re
import subprocess
import sys

NETWORKS = ("d2d", "d2d-ip", "wifi", "wifi-ax", "csma", "lr-wpan", "lr-wpan tcp")
COLUMNS = {  # title: the name before the value that the program prints
    "Accuracy": r"mean accuracy \[1\]",
    "Time [s]": r"simulated time \[s\]",
    "Energy [J]": r"drawn from batteries \[J\]",
    "IP packets": "packets sent",
    "lost": "lost",
    "Mean delay [ms]": r"mean delay \[ms\]",
}


def measure(program, network):
    """The cells of a network's row: three digits of what the program prints, or a dash."""
    name, _, transport = network.partition(" ")
    command = [program, f"--network={name}", f"--transport={transport or 'udp'}"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for pattern in COLUMNS.values():
        found = re.search(pattern + r" ([-+.0-9e]+)", text)
        yield "–" if not found else f"{float(found[1]):.3g}" if "." in found[1] else found[1]


def main():
    print("# any_radio_table.py: any-radio --network=... --transport=...")
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("Network", *COLUMNS))
    table.writerows((network, *measure(sys.argv[1], network)) for network in NETWORKS)


if __name__ == "__main__":
    main()
