# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Who holds how many samples of which class."""

import numpy as np
import pandas as pd

from ...runs.groups import Groups
from ..style import BLUE, VERMILLION, device_label, new_figure, styled

_COLUMN = "class_samples"  # of the devices of run.json: numbers with spaces between
_GREATEST = 260  # area of the greatest dot [points^2]


def partition_table(groups: Groups) -> pd.DataFrame:
    """A row a method and device: its samples of each class, in the first run of the method."""
    tables = []
    for label, run in _first_telling(groups).items():
        counts = _counts(run)
        counts.insert(0, "device", [device_label(run, device) for device in counts.index])
        counts.insert(0, "method", label)
        tables.append(counts)
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


@styled
def partition_figure(groups: Groups):
    """Samples by device and class, areas of dots in proportion, a panel a method.

    Of several runs of a method the first one is drawn. None if no run tells of its samples.
    """
    runs = _first_telling(groups)
    if not runs:
        return None
    tables = {label: _counts(run) for label, run in runs.items()}
    greatest = max(counts.to_numpy().max() for counts in tables.values())
    devices, classes = (max(counts.shape[axis] for counts in tables.values()) for axis in (0, 1))
    figure = new_figure((1.2 + 0.36 * devices) * len(runs), 1.2 + 0.3 * classes)
    panels = figure.subplots(1, len(runs), sharey=True, squeeze=False)[0]
    for axes, (label, counts) in zip(panels, tables.items()):
        _draw(axes, runs[label], counts, greatest)
        axes.set_title(label)
    panels[0].set_yticks(range(classes))
    panels[0].set_ylabel("class")
    figure.supxlabel(f"device; orange: of low quality; greatest dot: {greatest} samples", fontsize=9)
    return figure


def _draw(axes, run, counts, greatest):
    x, y = np.meshgrid(range(len(counts)), range(counts.shape[1]), indexing="ij")
    colors = [VERMILLION if device in run.low_quality else BLUE for device in counts.index]
    areas = _GREATEST * counts.to_numpy(dtype=float) / greatest
    axes.scatter(x.ravel(), y.ravel(), s=areas.ravel(), c=np.repeat(colors, counts.shape[1]))
    axes.set_xticks(range(len(counts)), [device_label(run, device) for device in counts.index])


def _first_telling(groups):
    """{method: its first run} of those that tell of their samples."""
    first = {label: runs[0] for label, runs in groups.items()}
    return {label: run for label, run in first.items() if _COLUMN in run.devices}


def _counts(run):
    counts = run.devices[_COLUMN].str.split(expand=True).astype(int)
    return counts.rename(columns=lambda label: f"class {label}")
