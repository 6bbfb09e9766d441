# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of graph discovery."""

from ..figure import Figure
from .agreement import agreement_figure, agreement_table, format_agreement

FIGURES = {
    "agreement": Figure(
        "Agreement of devices by alpha before and after an exchange, a panel a method.",
        agreement_figure,
        text=format_agreement,
        table=agreement_table,
        few=True,
    ),
}
