# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Conversion of any data into the one file that scenarios read: --dataSet=file:PATH."""
