# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Both sides of Corollary 1 where no hypothesis is the truth."""

import pandas as pd

from ...runs.groups import as_number
from ...statistics.intervals import as_text
from ..figure import runs_of
from ..style import method_line, method_marker, new_figure, styled
from .complexity import instants_until_right
from .measures import measured, theory_value

_SIDES = {
    "risk_label": "left: risks of wrong labels",
    "risk_total_variation": "right, first: mean |l - l'|",
    "risk_divergence": "right, last: sqrt(2 mean KL)",
    "risk_printed": "right, last, as printed: sqrt(mean KL) / 2",
}


@styled
def risks_figure(runs):
    """The sides of Corollary 1 against the probability of a right label; None without any."""
    table = risks_table(runs)
    if table.empty:
        return None
    figure = new_figure(8, 4)
    axes = figure.subplots()
    for place, (name, label) in enumerate(_SIDES.items()):
        axes.plot(table["true_probability"], table[name], marker=method_marker(place),
                  color=method_line(place)[0], label=label)  # fmt: skip
    axes.set_xlabel("probability that a label equals the bit")
    axes.set_ylabel("risk, at most 1")
    axes.legend(fontsize=8)
    return figure


def risks_table(runs) -> pd.DataFrame:
    """A row a true probability: the sides of Corollary 1, K, and the instants of complexity_table().

    Without the truth among hypotheses only.
    """
    groups = {}
    for run in runs_of(runs):
        chosen = as_number(run.settings.get("trueProbability"))
        if chosen and len(measured(run, "error")) and theory_value([run], "risk_printed") > 0:
            groups.setdefault(chosen, []).append(run)
    return pd.DataFrame(
        {
            "true_probability": probability,
            "seeds": len(group),
            **{name: theory_value(group, name) for name in (*_SIDES, "K")},
            **instants_until_right(group),
        }
        for probability, group in sorted(groups.items())
    )


def format_risks(groups) -> str:
    """The same as text."""
    return as_text("Corollary 1 where no hypothesis is the truth", risks_table(groups))
