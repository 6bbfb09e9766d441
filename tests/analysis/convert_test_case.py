# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the command data convert have in common."""

import json
import re

import numpy as np
from folder_test_case import FolderTestCase

from collab.cli.main import main

_TYPES = {"U8": np.uint8, "I32": np.int32, "F16": np.float16, "F32": np.float32}


def read_set(path):
    """Metadata and tensors of a file, by the documentation of the format."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        array = np.frombuffer(content[begin:end], _TYPES[entry["dtype"]])
        tensors[name] = array.reshape(entry["shape"])
    return metadata, tensors


class ConvertTestCase(FolderTestCase):
    """Converts sources in its folder."""

    def setUp(self):
        super().setUp()
        self.out = self.folder / "out.safetensors"

    def convert(self, source, *options):
        """What the file holds that is made of a source."""
        self.call(main, "data", "convert", source, "--out", self.out, *options)
        return read_set(self.out)

    def expect_refused(self, problem, source, *options):
        """Expects one line on standard error, exit code 2 and no file."""
        self.out.unlink(missing_ok=True)
        words = ("data", "convert", source, "--out", self.out, *options)
        self.assert_refused(re.escape(problem), main, *words)
        self.assertFalse(self.out.exists())
        self.assertFalse(list(self.folder.glob("*.part*")))
