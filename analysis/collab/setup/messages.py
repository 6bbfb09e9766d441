# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the commands tell the user, and how they end."""

import sys

USAGE = 2  # exit code for a mistake in the arguments


class CommandError(Exception):
    """Ends a command: a line for the user, and the exit code."""

    def __init__(self, text: str, code: int = 1):
        super().__init__(text)
        self.code = code


def usage_error(text: str) -> CommandError:
    """A mistake in the arguments: what was given, and what is allowed."""
    return CommandError(text, USAGE)


def say(text: str) -> None:
    """Prints a line, before what programs that are called print next."""
    print(f"collab: {text}", flush=True)


def warn(text: str) -> None:
    """Prints a line on standard error."""
    print(f"collab: {text}", file=sys.stderr, flush=True)
