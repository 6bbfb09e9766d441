# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Mistakes in arguments and data files, as the simulation finds them."""

from .extension import extension

ArgumentError = extension().ArgumentError
DataFileError = extension().DataFileError
