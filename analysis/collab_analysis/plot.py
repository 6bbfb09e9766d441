# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The figures: functions of runs that each return a matplotlib Figure, or None if there is nothing.

Every function takes a Run, a list of them, a Sweep, or groups as group_runs() makes them:

    from collab_analysis import load_sweep, plot
    sweep = load_sweep("runs/outage/results.sqlite")
    plot.accuracy(sweep.select(maxOutage=0.4)).savefig("accuracy.pdf")
    plot.relation(sweep, x="maxOutage", y="accuracy_reference", hue="trust").savefig("outage.pdf")
"""

from dataclasses import dataclass
from typing import Callable, Dict, Optional

from .bound import bound_figure, format_bound
from .committee import committee_figure
from .consensus import consensus_figure, influence_figure
from .costs import energy_figure, latency_figure
from .curves import ACCURACY, accuracy_figure, bytes_figure, paired_accuracy_figure
from .efficiency import efficiency_figure
from .errors import RunError
from .groups import group_runs
from .links import graph_figure, links_figure
from .messages import delay_figure, outage_figure
from .models import format_models, models_figure
from .overview import overview_figure
from .received import format_received, received_figure
from .relation import relation_figure
from .robustness import (
    adversaries_figure,
    clients_figure,
    format_adversaries,
    format_clients,
    format_robustness,
    learning_figure,
    robustness_figure,
)
from .run import Run
from .shapes import boundaries_figure, curves_figure
from .thresholds import LEVELS, format_reach, reach_figure
from .trust import trust_figure

# A figure with a panel a method could not be read with more
MOST_PANELS = 12


def accuracy(data, column=ACCURACY, paired=False):
    """Accuracy against rounds, time, joules and bytes; or paired differences of methods."""
    draw = paired_accuracy_figure if paired else accuracy_figure
    return draw(_groups(data), column)


def energy(data):
    """Energy of each device by kind, a panel a method."""
    return energy_figure(_few(data))


def latency(data):
    """Time of each round by phase, stacked, a panel a method."""
    return latency_figure(_few(data))


def delay(data):
    """Distributions of message delay and of transmissions a fragment."""
    return delay_figure(_groups(data))


def outage(data):
    """Fragments and messages lost against distance."""
    return outage_figure(_groups(data))


def trust(data):
    """Trust matrices in the first and the last round, a row a method."""
    return trust_figure(_few(data))


def links(data):
    """Matrix of the share of messages delivered, a panel a method."""
    return links_figure(_few(data))


def graph(data):
    """Devices at their positions and the links between them, a panel a method."""
    return graph_figure(_few(data))


def reach(data, levels=LEVELS, column=ACCURACY):
    """Time and energy to reach levels of accuracy."""
    return reach_figure(_groups(data), levels, column)


def bytes_sent(data, column=ACCURACY):
    """Accuracy against bytes sent by a device, over decades."""
    return bytes_figure(_groups(data), column)


def models(data, column=ACCURACY):
    """Bars of the accuracy of each model's devices, by method."""
    return models_figure(_groups(data), column)


def received(data):
    """Trust received from peers, trace of W and distance from uniform trust, against rounds."""
    return received_figure(_few(data))


def committee(data):
    """Committee members by round, a row a method."""
    return committee_figure(_few(data))


def learning(data):
    """Accuracy and loss on the global test set against rounds, a line a method."""
    return learning_figure(_groups(data))


def robustness(data):
    """Accuracy on the global test set against rounds, a panel an attack."""
    return robustness_figure(_runs(data))


def adversaries(data):
    """Malicious devices that train, are in the committee, are aggregated, a panel a method."""
    return adversaries_figure(_few(data))


def clients(data):
    """How often clients are aggregated, and how accurate the model is for them."""
    return clients_figure(_groups(data))


def bound(data):
    """Error of a convex model and its bound by Theorem 1 against rounds."""
    return bound_figure(_groups(data))


def efficiency(data):
    """Communication and computation time of a round by framework and rate, a panel a model."""
    return efficiency_figure(_runs(data))


def consensus(data):
    """Disagreement on X* and the trust matrices against rounds, a line a method."""
    return consensus_figure(_groups(data))


def influence(data):
    """Trust received and importance in the consensus by round, a row a method."""
    return influence_figure(_few(data))


def curves(data):
    """Samples and fitted curves after some rounds, a row a method."""
    return curves_figure(_few(data))


def boundaries(data):
    """Samples and decision regions of each device, a row a method."""
    return boundaries_figure(_few(data))


def demo(data):
    """One picture: accuracy over time and energy, energy by kind, first trust matrix."""
    return overview_figure(_groups(data))


def relation(data, x, y, hue=None, paired=False):
    """Any quantity against any setting, a line a value of another one, over seeds."""
    return relation_figure(_runs(data), x, y, hue, paired)


@dataclass(frozen=True)
class Figure:
    """A figure of the command plot."""

    draw: Callable  # of runs; returns a matplotlib Figure or None
    by_default: bool = False  # whether it is drawn if none is asked for
    text: Optional[Callable] = None  # of groups; returns a table to print with it, or an empty one

    @property
    def title(self) -> str:
        """What it shows, in one line."""
        return self.draw.__doc__.splitlines()[0]


# In the order in which they are listed and drawn
FIGURES: Dict[str, Figure] = {
    "accuracy": Figure(accuracy, True),
    "energy": Figure(energy, True),
    "latency": Figure(latency, True),
    "trust": Figure(trust, True),
    "demo": Figure(demo, True),
    "adversaries": Figure(adversaries, text=format_adversaries),
    "bound": Figure(bound, text=format_bound),
    "boundaries": Figure(boundaries),
    "bytes": Figure(bytes_sent),
    "clients": Figure(clients, text=format_clients),
    "committee": Figure(committee),
    "consensus": Figure(consensus),
    "curves": Figure(curves),
    "delay": Figure(delay),
    "efficiency": Figure(efficiency),
    "graph": Figure(graph),
    "influence": Figure(influence),
    "learning": Figure(learning),
    "links": Figure(links),
    "models": Figure(models, text=format_models),
    "outage": Figure(outage),
    "reach": Figure(reach, text=format_reach),
    "received": Figure(received, text=format_received),
    "robustness": Figure(robustness, text=format_robustness),
}


def _runs(data):
    if isinstance(data, Run):
        return [data]
    if isinstance(data, dict):
        return [run for group in data.values() for run in group]
    return list(getattr(data, "runs", data))


def _groups(data):
    return data if isinstance(data, dict) else group_runs(_runs(data))


def _few(data):
    groups = _groups(data)
    if len(groups) > MOST_PANELS:
        raise RunError(
            f"{len(groups)} methods are more than the {MOST_PANELS} panels that this figure can"
            " have; choose some by --where"
        )
    return groups
