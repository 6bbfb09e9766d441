# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of analysis/collab_analysis have in common; import it before the package."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))


class FolderTestCase(unittest.TestCase):
    """Gives each test an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_command(self, command, *arguments):
        """Exit code, output and errors of the main function of a command."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                code = command([str(argument) for argument in arguments])
            except SystemExit as exit_:
                code = exit_.code
        return code, output.getvalue(), errors.getvalue()
