# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long one witness takes to convince all, by its place in the graph."""

import math

import pandas as pd

from ...statistics.intervals import as_text
from ..figure import runs_of
from ..style import BLACK, GRAY, method_line, new_figure, styled
from .complexity import instants_until_right
from .measures import measured, theory, theory_value

_TOPOLOGIES = ("complete", "ring", "star", "grid")  # whose distances are known
_PLACE = ("topology", "devices", "witness")


@styled
def placement_figure(runs):
    """Instants until all are confident against the witness's influence, beside a / v.

    a is the geometric mean of n v. None without a witness whose place is known.
    """
    table = placement_table(runs).dropna(subset=["confident"])
    if table.empty:
        return None
    figure = new_figure(7, 4)
    axes = figure.subplots()
    for place, (graph, rows) in enumerate(table.groupby(["topology", "devices"], sort=False)):
        bars = [rows["confident"] - rows["confident_low"], rows["confident_high"] - rows["confident"]]
        axes.errorbar(rows["v"], rows["confident"], yerr=bars, fmt="o", capsize=2,
                      color=method_line(place)[0], label="{}, {} users".format(*graph))  # fmt: skip
        for _, row in rows.iterrows():
            hops = f" {row['hops']:.0f} hop{'s' if row['hops'] > 1 else ''}"
            axes.annotate(hops, (row["v"], row["confident"]), color=BLACK)
    scale = math.exp(sum(map(math.log, table["confident"] * table["v"])) / len(table))
    ends = sorted({table["v"].min(), table["v"].max()})
    axes.plot(ends, [scale / v for v in ends], ":", color=GRAY, label="as 1 / v")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("influence v of the witness")
    axes.set_ylabel("instants until all are confident")
    axes.legend()
    return figure


def placement_table(runs) -> pd.DataFrame:
    """A row a place of the witness: v, hops to the user farthest away, and n with its interval.

    confident_v is n times v, which is the same everywhere if n is as 1 / v.
    """
    groups = {}
    for run in runs_of(runs):
        is_known = run.settings.get("topology") in _TOPOLOGIES
        if run.settings.get("design") == "witness" and is_known and len(measured(run, "error")):
            groups.setdefault(tuple(run.settings.get(name) for name in _PLACE), []).append(run)
    rows = []
    for place, group in groups.items():
        influences = theory(group[0], "influence").set_index("user")["value"]
        row = dict(zip(_PLACE, place))
        row.update(seeds=len(group), v=float(influences[place[-1]]), hops=farthest(*place))
        row.update(K=theory_value(group, "K"), **instants_until_right(group))
        rows.append({**row, "confident_v": row["confident"] * row["v"]})
    return pd.DataFrame(rows, columns=None if rows else ["confident"])


def format_placement(groups) -> str:
    """The same as text."""
    return as_text("Instants until all are confident, by the place of the witness",
                   placement_table(groups))  # fmt: skip


def farthest(topology, users, user) -> int:
    """Hops from a user to the one farthest away."""
    if topology == "complete":
        return 1
    if topology == "star":
        return 1 if user == 0 else 2
    if topology == "ring":
        return users // 2
    rows = max(count for count in range(1, math.isqrt(users) + 1) if users % count == 0)
    row, column = divmod(user, users // rows)
    return max(row, rows - 1 - row) + max(column, users // rows - 1 - column)
