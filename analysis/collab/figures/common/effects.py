# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What effects that are switched on alone change of accuracy, joules and seconds, by protocol."""

import numpy as np
from matplotlib.colors import SymLogNorm

from ...statistics.comparison.effects import MARGINS, matters
from ..style import GRAY, new_figure, styled

_SIGNS = {"accuracy": "RdBu", "joules": "RdBu_r", "seconds": "RdBu_r"}  # blue is better


@styled
def effects_figure(effects):
    """A panel a measure, a row an effect, a column a protocol, of effect_table(): mean differences, gray where
    they are not sure or less than the margin."""
    names, protocols = (list(dict.fromkeys(effects[name])) for name in ("effect", "protocol"))
    figure = new_figure(13, 1.4 + 0.33 * len(names))
    panels = figure.subplots(1, len(MARGINS), sharey=True)
    for axes, (measure, (unit, margin)) in zip(panels, MARGINS.items()):
        marked = effects.assign(shown=effects[measure].where(matters(effects, measure)))
        values, shown = (
            marked.pivot(index="effect", columns="protocol", values=name).reindex(index=names, columns=protocols)
            for name in (measure, "shown")
        )
        most = max(float(np.nanmax(np.abs(values.to_numpy()), initial=0)), 10 * margin)
        axes.pcolormesh(np.ma.masked_invalid(shown.to_numpy()), cmap=_SIGNS[measure], alpha=0.7,
                        norm=SymLogNorm(margin, vmin=-most, vmax=most))  # fmt: skip
        for (row, column), value in np.ndenumerate(values.to_numpy()):
            is_sure = np.isfinite(shown.to_numpy()[row, column])
            axes.text(column + 0.5, row + 0.5, f"{value:+.{1 if abs(value) < 10 else 0}f}", ha="center",
                      va="center", fontsize=8, color="black" if is_sure else GRAY)  # fmt: skip
        axes.set_title(f"{measure} [{unit}]")
        axes.set_xticks(np.arange(len(protocols)) + 0.5, protocols, rotation=30, ha="right")
        axes.set_yticks(np.arange(len(names)) + 0.5, names)
        axes.grid(False)
    panels[0].invert_yaxis()
    return figure
