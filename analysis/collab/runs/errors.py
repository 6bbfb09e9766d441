# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong with runs."""


class RunError(Exception):
    """A folder that is not a run, a file that cannot be read, or a question runs cannot answer."""
