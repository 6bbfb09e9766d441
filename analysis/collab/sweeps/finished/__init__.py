# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Finished runs that a sweep takes instead of running its points: of other sweeps, of an archive."""
