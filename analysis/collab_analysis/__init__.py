# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads runs of ns-3 collab, collects them in a database, compares them and draws them."""

from . import plot
from .database import collect
from .errors import RunError
from .groups import group_runs, select
from .relation import relation_table
from .run import Run, find_runs, load_run
from .sweep_results import Sweep, load_sweep
from .tables import paired_differences, summary
from .thresholds import reach_table

__all__ = [
    "Run",
    "RunError",
    "Sweep",
    "collect",
    "find_runs",
    "group_runs",
    "load_run",
    "load_sweep",
    "paired_differences",
    "plot",
    "reach_table",
    "relation_table",
    "select",
    "summary",
]
