# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a round awaits."""


class Wait:
    """Something to await in a round. Coroutines of one's own can await it too."""

    def __init__(self, step):
        self._step = step

    def __await__(self):
        return (yield self._step)
