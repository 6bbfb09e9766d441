# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the commands of this package have in common."""

import argparse
from typing import Sequence


class OneLineParser(argparse.ArgumentParser):
    """Reports a mistake in the arguments in one line; exit code 2."""

    def __init__(self, *arguments, allowed: str = "", **options):
        """allowed: what is told to be allowed beside an unknown argument."""
        super().__init__(*arguments, allow_abbrev=False, **options)
        self._allowed = allowed

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")

    def parse_args(self, args=None, namespace=None):
        options, others = self.parse_known_args(args, namespace)
        if others:
            self.refuse(others)
        return options

    def refuse(self, others: Sequence[str]) -> None:
        """Ends the program because of arguments that nobody knows."""
        known = [action.option_strings[-1] for action in self._actions if action.option_strings]
        allowed = self._allowed or ", ".join(known)
        what = "unknown option" if others[0].startswith("-") else "unexpected argument"
        self.error(f"{what} '{others[0]}'; allowed: {allowed}")
