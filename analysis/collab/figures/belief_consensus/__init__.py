# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of belief consensus: errors and what they cost, beside theory, and beliefs themselves."""

from ..figure import Figure
from .beliefs import beliefs_figure
from .complexity import complexity_figure, complexity_table, format_complexity
from .error import error_figure, error_table, format_error
from .joules import format_joules, joules_figure, joules_table
from .malice import format_malice, malice_figure, malice_table
from .networks import format_networks, networks_figure, networks_table
from .rates import format_rates, rates_figure, rates_table

FIGURES = {
    "belief-complexity": Figure(
        "Instants until few users err or doubt, and bounds, against users, a panel per design.",
        complexity_figure,
        text=format_complexity,
        table=complexity_table,
        of_runs=True,
    ),
    "belief-error": Figure(
        "A metric of beliefs against instants, seconds and joules, a line per method.",
        error_figure,
        text=format_error,
        table=error_table,
        options=("column",),
        text_options=("column",),
    ),
    "belief-joules": Figure(
        "Joules, seconds and instants until users are right, against outage.",
        joules_figure,
        text=format_joules,
        table=joules_table,
        options=("levels",),
        text_options=("levels",),
        of_runs=True,
    ),
    "belief-malice": Figure(
        "Error at the end and refused messages by lie, a bar per rule of pooling.",
        malice_figure,
        text=format_malice,
        table=malice_table,
        of_runs=True,
    ),
    "belief-networks": Figure(
        "Accuracy, calibration, labels never seen and bytes of networks, by method.",
        networks_figure,
        text=format_networks,
        table=networks_table,
    ),
    "belief-rates": Figure(
        "Learning rates, measured against predicted under losses.",
        rates_figure,
        text=format_rates,
        table=rates_table,
        of_runs=True,
    ),
    "beliefs": Figure(
        "What users believe: probabilities by instant, or ellipses and predictive bands.",
        beliefs_figure,
        few=True,
    ),
}
