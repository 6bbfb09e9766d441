# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Who takes part: malicious devices, and clients by how often (tables adversaries, clients)."""

import numpy as np
import pandas as pd

from ...statistics.intervals import as_text, with_interval
from ..style import BLUE, GRAY, VERMILLION, method_lines, new_figure, styled
from ..words import label_words

ADVERSARIES = "adversaries"
CLIENTS = "clients"
_MALICIOUS = ("malicious_training", "malicious_committee", "malicious_aggregated")

_SMOOTHED = 0.05  # part of the rounds that curves are smoothed over


def smoothed(values):
    """Means over a twentieth of the rounds."""
    return values.rolling(max(1, round(_SMOOTHED * len(values))), min_periods=1).mean()


@styled
def adversaries_figure(groups):
    """Malicious devices that train (N1), are in the committee (N2), are aggregated (N3), by round.

    A panel a method, the mean over its runs, smoothed over a twentieth of the rounds. None if no
    run has the table.
    """
    groups = {label: runs for label, runs in groups.items() if have_adversaries(runs)}
    if not groups:
        return None
    columns = min(3, len(groups))
    rows = -(-len(groups) // columns)
    figure = new_figure(4.2 * columns, 3.2 * rows)
    panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
    names = {"training": ("N1, training", GRAY), "committee": ("N2, committee", BLUE),
             "aggregated": ("N3, aggregated", VERMILLION)}  # fmt: skip
    for axes, (label, runs) in zip(panels, groups.items()):
        for column, (name, color) in names.items():
            values = _mean_by_round(runs, f"malicious_{column}")
            axes.plot(values.index + 1, smoothed(values), color=color, label=name)
        axes.set_title(label_words(label), fontsize=8)
        axes.set_xlabel("round")
    for axes in panels[len(groups):]:  # fmt: skip
        axes.remove()
    panels[0].set_ylabel("malicious devices")
    panels[0].set_ylim(bottom=0)
    panels[0].legend()
    return figure


def adversaries_table(groups) -> pd.DataFrame:
    """A row a method: means over rounds of N1, N2, N3 and of the sizes they are out of, over runs."""
    rows = []
    for label, runs in groups.items():
        if have_adversaries(runs):
            means = pd.DataFrame([run.table(ADVERSARIES).drop(columns="round").mean()
                                  for run in runs])  # fmt: skip
            row = {"method": label, "runs": len(runs)}
            for name in means:
                row.update(with_interval(name, means[name]))
            rows.append(row)
    return pd.DataFrame(rows)


def format_adversaries(groups) -> str:
    """The table as text."""
    table = adversaries_table(groups)
    if table.empty:
        return ""
    return as_text("Devices a round, mean over rounds (95 % intervals over runs)", table)


@styled
def clients_figure(groups):
    """How often clients are aggregated, how accurate the model is for them, and one by the other.

    A line a method, over the clients of all its runs. None if no run has the table.
    """
    groups = {label: runs for label, runs in groups.items() if _have_clients(runs)}
    if not groups:
        return None
    tables = {label: _clients(runs) for label, runs in groups.items()}
    everyone = pd.concat(tables.values())
    counts = np.linspace(0, everyone["aggregated"].max() + 1, 16)
    accuracies = np.linspace(0, 1, 11)
    figure = new_figure(13, 3.8)
    times, accurate, both = figure.subplots(1, 3)
    for label, (color, line) in method_lines(groups).items():
        table, style = tables[label], {"color": color, "linestyle": line, "label": label}
        runs = len(groups[label])
        _draw_histogram(times, table["aggregated"], counts, runs, style)
        _draw_histogram(accurate, table["accuracy"], accuracies, runs, style)
        bins = pd.cut(table["accuracy"], accuracies, include_lowest=True)
        means = table.groupby(bins, observed=False)["aggregated"].mean()
        both.plot((accuracies[1:] + accuracies[:-1]) / 2, means, marker="o", **style)
    times.set_xlabel("rounds in which a client was aggregated")
    times.set_ylabel("clients of a run")
    accurate.set_xlabel("accuracy on a client's own test samples")
    both.set_xlabel("accuracy on a client's own test samples")
    both.set_ylabel("rounds aggregated, mean")
    times.legend(fontsize=8)
    return figure


def format_clients(groups) -> str:
    """A row a method: what the distributions over clients are like, as text."""
    rows = {}
    for label, runs in groups.items():
        if _have_clients(runs):
            table = _clients(runs)
            times, accuracy = table["aggregated"], table["accuracy"]
            rows[label] = {
                "never aggregated [%]": 100 * (times == 0).mean(),
                "aggregated, mean": times.mean(),
                "aggregated, s.d.": times.std(),
                "accuracy, mean": accuracy.mean(),
                "accuracy, 10 % quantile": accuracy.quantile(0.1),
            }
    if not rows:
        return ""
    table = pd.DataFrame.from_dict(rows, orient="index")
    title = "Clients: rounds in which they were aggregated, accuracy on their own test samples"
    return f"{title}\n\n{table.to_string(float_format='{:.3g}'.format)}\n"


def share_never_aggregated(run) -> float:
    """The share of clients that no round aggregated; NaN if the run does not tell of its clients."""
    return (run.table(CLIENTS)["aggregated"] == 0).mean() if _have_clients([run]) else np.nan


def have_adversaries(runs):
    """Whether all runs tell how many malicious devices take part."""
    return all(run.has(ADVERSARIES, "round", "aggregated", *_MALICIOUS) for run in runs)


def _have_clients(runs):
    return all(run.has(CLIENTS, "aggregated", "accuracy") for run in runs)


def _clients(runs):
    return pd.concat([run.table(CLIENTS) for run in runs], ignore_index=True)


def _mean_by_round(runs, column):
    return pd.concat([run.table(ADVERSARIES).set_index("round")[column] for run in runs]).groupby(
        level=0
    ).mean()  # fmt: skip


def _draw_histogram(axes, values, edges, runs, style):
    counts, _ = np.histogram(values.dropna(), edges)
    axes.stairs(counts / runs, edges, **style)
