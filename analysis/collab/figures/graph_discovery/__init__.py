# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of graph discovery."""

import math
from functools import partial

from ...statistics.curves import is_accuracy, is_loss
from ...statistics.quantities import quantity
from ..figure import Figure
from .agreement import agreement_figure, agreement_table, format_agreement
from .comparison import Quantity, comparison_figure, comparison_table, format_comparison
from .decisions import decisions_figure, decisions_table, format_decisions
from .distance import distance_figure, distance_table, format_distance
from .edges import edges_figure, edges_table, format_edges
from .embeddings import embeddings_figure, embeddings_table, format_embeddings
from .graphs import graphs_figure, graphs_table
from .joules import format_joules, joules_figure, joules_table
from .learning import learning_figure, learning_table
from .measures import (
    arrived,
    labeling_accuracy,
    late_learning,
    local_reward,
    mean_labels_reached,
    received,
    success,
    trusted,
)
from .targets import format_targets, targets_figure, targets_table


def _accuracy(run):
    """The accuracy at the end, mean over regular devices; NaN if the run learns graphs only."""
    return quantity(run, run.measure) if is_accuracy(run.measure) else math.nan


def _loss(run):
    """The same of the loss in regression."""
    return quantity(run, run.measure) if is_loss(run.measure) else math.nan


_REWARDS = (
    Quantity("reward", "local reward of the graph", local_reward),
    Quantity("reward_ratio", "local reward / that of the optimum", local_reward, "optimum"),
    Quantity("labels_reached", "labels that a device reaches", mean_labels_reached),
    Quantity("late_reward", "local reward while learning, at the end",
             partial(late_learning, column="local_reward")),
)  # fmt: skip
_RELIABILITY = (
    Quantity("success", "success of links, 1 - P_D", success),
    Quantity("late_success", "success while learning, at the end",
             partial(late_learning, column="success")),
    Quantity("arrived", "granted datapoints that came", arrived),
    Quantity("received", "datapoints that came to a device", received),
    Quantity("trusted", "trusted partitions of an edge", trusted),
)  # fmt: skip
_LEARNED = (
    Quantity("accuracy", "accuracy at the end", _accuracy),
    Quantity("accuracy_ratio", "accuracy / that without exchange", _accuracy, "none"),
    Quantity("learned_ratio", "accuracy of the learned graph / that of this", _accuracy, "learned", is_inverse=True),
    Quantity("loss", "loss at the end", _loss),
    Quantity("loss_ratio", "loss / that without exchange", _loss, "none"),
)
_LABELING = (
    Quantity("labeling", "labels found right", labeling_accuracy),
    Quantity("accuracy", "accuracy at the end", _accuracy),
)


def _comparison(title, quantities):
    """A figure of quantities by method and setting."""
    return Figure(
        title,
        partial(comparison_figure, quantities=quantities),
        text=lambda groups: format_comparison(title.rstrip("."), groups, quantities),
        table=partial(comparison_table, quantities=quantities),
        of_runs=True,
    )


FIGURES = {
    "agreement": Figure(
        "Agreement of devices by alpha before and after an exchange, a panel per method.",
        agreement_figure,
        text=format_agreement,
        table=agreement_table,
        few=True,
    ),
    "discovery-accuracy": _comparison(
        "Accuracy or loss after graph discovery, and relative to no exchange, by method and setting.",
        _LEARNED,
    ),
    "discovery-decisions": Figure(
        "Local reward of learned graphs relative to the optimum, one decision changed at a time.",
        decisions_figure,
        text=format_decisions,
        table=decisions_table,
        of_runs=True,
    ),
    "discovery-distance": Figure(
        "Distance of devices' labels to those of all devices together, by pass and method.",
        distance_figure,
        text=format_distance,
        table=distance_table,
    ),
    "discovery-edges": Figure(
        "Joules to levels of --levels by edges per device, beside no exchange and i.i.d. data.",
        edges_figure,
        text=format_edges,
        table=edges_table,
        options=("levels", "column"),
        text_options=("levels", "column"),
        of_runs=True,
    ),
    "discovery-embeddings": Figure(
        "Embeddings of test samples by t-SNE, colored by label, a panel per method.",
        embeddings_figure,
        text=format_embeddings,
        table=embeddings_table,
        options=("labels",),
        text_options=("labels",),
        few=True,
    ),
    "discovery-graphs": Figure(
        "Devices by labels reached and edges by trusted partitions, a panel per method.",
        graphs_figure,
        table=graphs_table,
        few=True,
    ),
    "discovery-joules": Figure(
        "Joules by part, until a level of --levels or in all, a bar per method and setting.",
        joules_figure,
        text=format_joules,
        table=joules_table,
        options=("levels", "column"),
        text_options=("levels", "column"),
        of_runs=True,
    ),
    "discovery-labeling": _comparison(
        "Labels that devices found right, and accuracy, by method and setting.", _LABELING
    ),
    "discovery-learning": Figure(
        "Reward, success of links and grants against iterations of learning, a line per method.",
        learning_figure,
        table=learning_table,
    ),
    "discovery-reliability": _comparison(
        "Success of links, datapoints that came, and trust, by method and setting.", _RELIABILITY
    ),
    "discovery-reward": _comparison(
        "Local reward of graphs, absolute and relative to the optimum, by method and setting.",
        _REWARDS,
    ),
    "discovery-targets": Figure(
        "Rounds, seconds and joules to levels of --levels, and rounds relative to learning.",
        targets_figure,
        text=format_targets,
        table=targets_table,
        options=("levels", "column"),
        text_options=("levels", "column"),
        of_runs=True,
    ),
}
