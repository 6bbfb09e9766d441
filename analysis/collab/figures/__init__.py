# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of runs: each a function that returns a matplotlib Figure."""
