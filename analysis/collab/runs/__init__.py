# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs, databases of them, and how runs are put together by what they were given."""
