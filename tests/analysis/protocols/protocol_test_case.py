# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What tests of protocols in Python have in common; import it before the package."""

import hashlib
import os

from folder_test_case import PROGRAMS, ROOT, FolderTestCase

os.environ.setdefault("COLLAB_BUILD", str(PROGRAMS.parent))

import collab

EXAMPLES = ROOT / "contrib-module" / "examples"


class Number(collab.Protocol):
    """Devices broadcast a number, and wait for those of the others."""

    number = collab.message(value="float32")
    metrics = {"heard": "numbers that came"}

    async def round(self):
        self.broadcast(self.number(value=self.device.number))
        heard = await self.hear(self.number, timeout=1)
        self.report(heard=len(heard))


class ProtocolTestCase(FolderTestCase):
    """Simulates few devices, in folders of the test."""

    def simulate(self, protocol, name="run", **arguments):
        given = {"devices": 3, "rounds": 2, "outage": 1e-6, "progress": False, **arguments}
        return collab.simulate(protocol, into=self.folder / name, **given)

    def digests(self, name):
        """Of all files of a run."""
        files = sorted((self.folder / name).iterdir())
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
