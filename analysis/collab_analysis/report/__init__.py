# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Writes a run or a sweep as one HTML file that needs no network."""

from .cli import write_report

__all__ = ["write_report"]
