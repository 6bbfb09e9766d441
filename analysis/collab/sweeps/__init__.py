# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps as data: which runs they stand for, what is there of them, and running the rest."""

from .definition import Sweep, SweepError, load_sweeps
from .points import Point, expand

__all__ = ["Point", "Sweep", "SweepError", "expand", "load_sweeps"]
