# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Networks that users train together: accuracy, calibration, labels never seen, and bytes."""

import numpy as np
import pandas as pd

from ...statistics.intervals import as_text, interval, with_interval
from ..style import method_lines, new_figure, styled
from .measures import having, last, measured

_CURVES = {"accuracy": "accuracy", "nll": "NLL [nat]", "ece": "calibration error (ECE)"}
_MEASURES = (*_CURVES, "accuracy_seen", "accuracy_unseen", "deviation_shift")
NOVELTY = ("nll_unseen", "ece_unseen", "novelty_auroc")  # only of runs with a class that nobody has
_BARS = {"accuracy_unseen": "accuracy on unseen labels", "sent_mb": "sent per device [MB]"}


@styled
def networks_figure(groups):
    """Accuracy, NLL and ECE against instants, unseen labels and bytes at the end, by method.

    Mean over users, then over seeds with its 95 % interval. None if no method has all three.
    """
    groups = having(groups, *_CURVES)
    if not groups:
        return None
    figure = new_figure(17, 4)
    panels = figure.subplots(1, len(_CURVES) + len(_BARS))
    table = networks_table(groups)
    lines = method_lines(groups)
    for axes, (metric, name) in zip(panels, _CURVES.items()):
        for label, runs in groups.items():
            _draw_curve(axes, runs, metric, lines[label], label)
        axes.set_xlabel("instants")
        axes.set_ylabel(name)
    panels[0].legend(fontsize=8)
    for axes, (metric, name) in zip(panels[len(_CURVES) :], _BARS.items()):
        bars = table[metric].fillna(0)
        axes.barh(table["method"], bars, color=[lines[label][0] for label in groups], height=0.7,
                  xerr=np.nan_to_num(table[f"{metric}_half_width"]), capsize=3)  # fmt: skip
        axes.invert_yaxis()
        axes.set_xlabel(name)
    return figure


def networks_table(groups) -> pd.DataFrame:
    """A row a method: the metrics at the end and the megabytes that a device sent, over seeds."""
    rows = []
    measures = (*_MEASURES, *(NOVELTY if having(groups, *NOVELTY) else ()))
    for label, runs in having(groups, *_CURVES).items():
        row = {"method": label, "seeds": len(runs)}
        for metric in measures:
            row.update(with_interval(metric, [last(run, metric) for run in runs]))
        sent = [run.total("bytes_sent").mean() / 1e6 for run in runs]
        row.update(with_interval("sent_mb", sent))
        rows.append(row)
    return pd.DataFrame(rows)


def format_networks(groups) -> str:
    """The same as text."""
    return as_text("Networks at the end (mean over users, 95 % intervals over seeds)",
                   networks_table(groups))  # fmt: skip


def _draw_curve(axes, runs, metric, look, label):
    color, line = look
    table = pd.concat([measured(run, metric)["mean"] for run in runs], axis=1, join="inner")
    bands = np.array([interval(row)[:2] for row in table.to_numpy(dtype=float)])
    x = table.index + 1
    axes.plot(x, bands[:, 0], line, color=color, label=label)
    axes.fill_between(x, bands[:, 0] - bands[:, 1], bands[:, 0] + bands[:, 1], color=color,
                      alpha=0.15, linewidth=0)  # fmt: skip
