# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Who is in the committee, round by round (column role of the table rounds)."""

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap

from ..style import BLUE, device_label, new_figure, styled
from ..words import label_words

ROLE = "role"
_MEMBER = 2


@styled
def committee_figure(groups):
    """Members by round, and the share of rounds that each device is one, a row a method.

    Of several runs of a method the first one is drawn. None if no run has a committee.
    """
    runs = {label: group[0] for label, group in groups.items() if ROLE in group[0].metrics}
    if not runs:
        return None
    devices = max(len(run.devices) for run in runs.values())
    height = 1 + min(6.0, max(1.8, 0.22 * devices))
    figure = new_figure(9, height * len(runs))
    panels = figure.subplots(len(runs), 2, squeeze=False, width_ratios=(4, 1), sharey="row")
    for (members, shares), (label, run) in zip(panels, runs.items()):
        _draw(members, shares, run, committee_matrix(run))
        members.set_title(label_words(label))
    return figure


def committee_matrix(run) -> pd.DataFrame:
    """1 where a device is a member, 0 where not, NaN where unknown; device x round."""
    roles = run.rounds.pivot(index="device", columns="round", values=ROLE)
    members = (roles == _MEMBER).astype(float).where(roles.notna())
    return members.reindex(index=run.devices.index)


def _draw(members, shares, run, matrix):
    values = matrix.to_numpy(dtype=float)
    extent = (matrix.columns.min() - 0.5, matrix.columns.max() + 0.5, len(matrix) - 0.5, -0.5)
    colors = ListedColormap(["#F2F2F2", BLUE])
    members.imshow(values, cmap=colors, vmin=0, vmax=1, aspect="auto", extent=extent,
                   interpolation="nearest")  # fmt: skip
    members.grid(False)
    members.set_xlabel("round (blue: member)")
    members.set_ylabel("device" + (" (* low quality)" if len(run.low_quality) else ""))
    members.xaxis.get_major_locator().set_params(integer=True)
    step = max(1, len(matrix) // 20)
    labels = [device_label(run, device) for device in matrix.index]
    members.set_yticks(np.arange(len(matrix))[::step], labels[::step])
    shares.barh(np.arange(len(matrix)), np.nanmean(values, axis=1), color=BLUE)
    shares.set_xlim(0, 1)
    shares.set_xlabel("share of rounds")
    shares.grid(axis="x", visible=True)
    shares.grid(axis="y", visible=False)
