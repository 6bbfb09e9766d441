# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of belief consensus: errors and what they cost, beside theory, and beliefs themselves."""

from ..figure import Figure
from .beliefs import beliefs_figure
from .complexity import complexity_figure, complexity_table, format_complexity
from .deviations import deviations_figure, deviations_table
from .error import error_figure, error_table, format_error
from .joules import format_joules, joules_figure, joules_table
from .malice import format_malice, malice_figure, malice_table
from .networks import format_networks, networks_figure, networks_table
from .placement import format_placement, placement_figure, placement_table
from .rates import format_rates, rates_figure, rates_table
from .risks import format_risks, risks_figure, risks_table

FIGURES = {
    "belief-complexity": Figure(
        "Instants until few users err or doubt, and bounds, against users, a panel per design.",
        complexity_figure,
        text=format_complexity,
        table=complexity_table,
        of_runs=True,
    ),
    "belief-deviations": Figure(
        "Calibration, and entropy on a class that no user has, of networks, by method.",
        deviations_figure,
        table=deviations_table,
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
    "belief-placement": Figure(
        "Instants until all are confident, by the influence of the one witness.",
        placement_figure,
        text=format_placement,
        table=placement_table,
        of_runs=True,
    ),
    "belief-rates": Figure(
        "Learning rates, measured against predicted under losses.",
        rates_figure,
        text=format_rates,
        table=rates_table,
        of_runs=True,
    ),
    "belief-risks": Figure(
        "Both sides of Corollary 1 where no hypothesis is the truth.",
        risks_figure,
        text=format_risks,
        table=risks_table,
        of_runs=True,
    ),
    "beliefs": Figure(
        "What users believe: probabilities by instant, or ellipses and predictive bands.",
        beliefs_figure,
        few=True,
    ),
}
