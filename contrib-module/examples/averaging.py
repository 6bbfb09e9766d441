#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A whole algorithm in Python: devices agree on the mean of their numbers by broadcasts."""

import collab


class Averaging(collab.Protocol):
    """Devices agree on the mean of their numbers by broadcasts that can be lost."""

    number = collab.message(value="float32")  # 4 bytes on the wire
    patience = collab.parameter(0.1, "longest wait for the numbers of all neighbors [s]")
    metrics = {"number": "the device's number"}

    def setup(self, device, data):
        self.own = float(device.number)

    async def round(self):
        self.phase("exchange")
        self.broadcast(self.number(value=self.own))
        heard = await self.hear(self.number, timeout=self.patience)
        values = [self.own, *(number.value for number in heard.values())]
        self.own = await self.compute("average", lambda: sum(values) / len(values), flops=len(values))
        self.report(number=self.own)


if __name__ == "__main__":
    raise SystemExit(collab.main(Averaging))
