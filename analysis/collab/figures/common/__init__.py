# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of what every algorithm has: learning, energy, time, messages, links and weights."""

from ...statistics.ends import end_table
from ...statistics.thresholds import format_reach, reach_table
from ..figure import Figure
from .accuracy import accuracy_figure, bytes_figure
from .costs import energy_figure, latency_figure
from .links import graph_figure, links_figure
from .maps import history_figure, map_figure
from .messages import delay_figure, outage_figure
from .overview import overview_figure
from .partition import partition_figure, partition_table
from .reach import reach_figure
from .trust import trust_figure

FIGURES = {
    "accuracy": Figure(
        "Accuracy against rounds, time, joules and bytes; or paired differences of methods.",
        accuracy_figure,
        table=end_table,
        by_default=True,
        options=("column", "paired"),
    ),
    "energy": Figure(
        "Energy of each device by kind, a panel per method.",
        energy_figure,
        by_default=True,
        few=True,
    ),
    "latency": Figure(
        "Time of each round by phase, stacked, a panel per method.",
        latency_figure,
        by_default=True,
        few=True,
    ),
    "trust": Figure(
        "Trust matrices in the first and the last round, a row per method.",
        trust_figure,
        by_default=True,
        few=True,
    ),
    "demo": Figure(
        "One picture: accuracy over time and energy, energy by kind, first trust matrix.",
        overview_figure,
        by_default=True,
    ),
    "bytes": Figure(
        "Accuracy against bytes sent by a device, over decades.",
        bytes_figure,
        options=("column",),
    ),
    "delay": Figure(
        "Distributions of message delay and of transmissions a fragment.", delay_figure
    ),
    "graph": Figure(
        "Devices at their positions and the links between them, a panel per method.",
        graph_figure,
        few=True,
    ),
    "history": Figure(
        "Energy left in batteries and messages lost by links over time, a column per method.",
        history_figure,
        few=True,
    ),
    "links": Figure(
        "Matrix of the share of messages delivered, a panel per method.", links_figure, few=True
    ),
    "map": Figure(
        "Devices at their positions with the energy left, links by outage, a panel per method.",
        map_figure,
        few=True,
    ),
    "outage": Figure("Fragments and messages lost against distance.", outage_figure),
    "partition": Figure(
        "Samples by device and class, a panel per method.",
        partition_figure,
        table=partition_table,
        few=True,
    ),
    "reach": Figure(
        "Time and energy to reach levels of accuracy.",
        reach_figure,
        text=format_reach,
        table=reach_table,
        options=("levels", "column"),
        text_options=("levels", "column"),
    ),
}
