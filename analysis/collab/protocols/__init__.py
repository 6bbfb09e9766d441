# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Protocols written in Python, on the packet radio: simulate() runs one in this process."""
