# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Whether networks' beliefs are uncertain where they should be: calibration and novel classes."""

import numpy as np

from ..style import method_lines, new_figure, styled
from .measures import having
from .networks import NOVELTY, networks_table

_BARS = {
    "accuracy": "accuracy",
    "nll": "NLL [nat]",
    "ece": "calibration error (ECE)",
    "ece_unseen": "ECE on unseen labels",
    "novelty_auroc": "AUROC of entropy, novel class",
    "deviation_shift": "mean |log s / s0|",
}


@styled
def deviations_figure(groups):
    """Bars of the metrics at the end, mean over users and seeds; None without a novel class."""
    groups = having(groups, *NOVELTY)
    if not groups:
        return None
    table = networks_table(groups)
    colors = [method_lines(groups)[label][0] for label in groups]
    figure = new_figure(18, 1.2 + 0.32 * len(groups))
    panels = figure.subplots(1, len(_BARS), sharey=True)
    for axes, (metric, name) in zip(panels, _BARS.items()):
        axes.barh(table["method"], table[metric].fillna(0), color=colors, height=0.7, capsize=2,
                  xerr=np.nan_to_num(table[f"{metric}_half_width"]))  # fmt: skip
        axes.set_xlabel(name)
    panels[0].invert_yaxis()
    return figure


def deviations_table(groups):
    """networks_table() of the methods that were tested with a novel class."""
    return networks_table(having(groups, *NOVELTY))
