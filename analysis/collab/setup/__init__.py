# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the project needs, installing and building it, with nothing but Python's own modules."""
