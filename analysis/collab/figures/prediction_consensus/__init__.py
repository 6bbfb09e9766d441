# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of prediction consensus: how devices agree on X*, and whom they trust."""

from ..figure import Figure
from .consensus import consensus_figure, consensus_table, influence_figure
from .models import format_models, models_figure, models_table
from .received import format_received, lowest_table, received_figure
from .shapes import boundaries_figure, curves_figure

FIGURES = {
    "boundaries": Figure(
        "Samples and decision regions of each device, a row per method.",
        boundaries_figure,
        few=True,
    ),
    "consensus": Figure(
        "Disagreement on X* and the trust matrices against rounds, a line per method.",
        consensus_figure,
        table=consensus_table,
    ),
    "curves": Figure(
        "Samples and fitted curves after some rounds, a row per method.", curves_figure, few=True
    ),
    "influence": Figure(
        "Trust received and importance in the consensus by round, a row per method.",
        influence_figure,
        few=True,
    ),
    "models": Figure(
        "Bars of the accuracy of each model's devices, by method.",
        models_figure,
        text=format_models,
        table=models_table,
        options=("column",),
    ),
    "received": Figure(
        "Trust received from peers, trace of W and distance from uniform trust, against rounds.",
        received_figure,
        text=format_received,
        table=lowest_table,
        few=True,
    ),
}
