# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Entry point of python3 -m collab COMMAND, which ./collab calls."""

import sys

from .cli.main import main

sys.exit(main())
