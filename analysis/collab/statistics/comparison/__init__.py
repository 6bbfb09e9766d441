# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Protocols side by side: accuracy at equal costs, ranks, differences, fronts and what follows."""
