# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the commands of this package have in common."""

import argparse


class OneLineParser(argparse.ArgumentParser):
    """Tells a mistake in the arguments in one line; exit code 2."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")
