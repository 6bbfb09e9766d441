# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The way into the package from Python: runs and sweeps of programs, and what comes of them."""
