# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the committee mechanism and of what it is compared with under attack."""

from ..figure import Figure
from .bound import bound_figure, bound_table, format_bound
from .efficiency import efficiency_figure, efficiency_table
from .efficiency_accuracy import (
    efficiency_accuracy_figure,
    efficiency_accuracy_table,
    format_efficiency_accuracy,
)
from .members import committee_figure
from .participation import (
    adversaries_figure,
    adversaries_table,
    clients_figure,
    format_adversaries,
    format_clients,
)
from .robustness import (
    format_robustness,
    learning_figure,
    learning_table,
    robustness_figure,
    robustness_table,
)

FIGURES = {
    "adversaries": Figure(
        "Malicious devices that train, are in the committee, are aggregated, a panel per method.",
        adversaries_figure,
        text=format_adversaries,
        table=adversaries_table,
        few=True,
    ),
    "bound": Figure(
        "Error of a convex model and its bound by Theorem 1 against rounds.",
        bound_figure,
        text=format_bound,
        table=bound_table,
    ),
    "clients": Figure(
        "How often clients are aggregated, and how accurate the model is for them.",
        clients_figure,
        text=format_clients,
    ),
    "committee": Figure("Committee members by round, a row per method.", committee_figure, few=True),
    "efficiency": Figure(
        "Communication and computation time of a round by framework and rate, a panel per model.",
        efficiency_figure,
        table=efficiency_table,
        of_runs=True,
    ),
    "efficiency-accuracy": Figure(
        "Accuracy against simulated time and joules by framework, a column of panels per rate.",
        efficiency_accuracy_figure,
        text=format_efficiency_accuracy,
        table=efficiency_accuracy_table,
        options=("levels", "column"),
        text_options=("levels", "column"),
        of_runs=True,
    ),
    "learning": Figure(
        "Accuracy and loss on the global test set against rounds, a line per method.",
        learning_figure,
        table=learning_table,
    ),
    "robustness": Figure(
        "Accuracy on the global test set against rounds, a panel per attack.",
        robustness_figure,
        text=format_robustness,
        table=robustness_table,
        of_runs=True,
    ),
}
