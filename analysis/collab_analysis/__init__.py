# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads run folders of ns-3 collab, prints their results side by side and draws them."""

from .run import Run, RunError, find_runs, load_run
from .tables import group_runs, paired_differences, summary

__all__ = [
    "Run",
    "RunError",
    "find_runs",
    "group_runs",
    "load_run",
    "paired_differences",
    "summary",
]
