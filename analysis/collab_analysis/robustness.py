# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How models fare that malicious devices take part in (tables rounds, adversaries, clients)."""

import numpy as np
import pandas as pd

from .groups import Groups, group_runs, sort_key
from .statistics import mean_and_half_width
from .style import BLUE, GRAY, ORANGE, VERMILLION, method_lines, new_figure, styled

ACCURACY = "accuracy_global"
LOSS = "loss_global"
CLIENT_ACCURACY = "accuracy_clients"
ADVERSARIES = "adversaries"
CLIENTS = "clients"
ATTACK = "attack"

_LATE = 0.1  # part of the rounds, the last ones, that late_mean() is over
_SMOOTHED = 0.05  # part of the rounds that curves are smoothed over


def curve(run, column):
    """A column of rounds, mean over the devices that measured it in the round."""
    return run.rounds.groupby("round")[column].mean()


def late_mean(run, column):
    """Mean over the last tenth of the rounds: single rounds depend on who is aggregated."""
    values = curve(run, column)
    return values.iloc[-max(1, round(_LATE * len(values))):].mean()  # fmt: skip


@styled
def learning_figure(groups):
    """Accuracy and loss on the global test set against rounds, a line a method.

    So is the accuracy on all clients' own test samples, if all runs have measured it. None if a run
    has none of the former. Bands are 95 % intervals over runs.
    """
    runs = [run for of_label in groups.values() for run in of_label]
    if not all({ACCURACY, LOSS} <= set(run.rounds) for run in runs):
        return None
    panels = {ACCURACY: "accuracy on the global test set", LOSS: "loss on the global test set"}
    if all(CLIENT_ACCURACY in run.rounds for run in runs):
        panels[CLIENT_ACCURACY] = "accuracy on the clients' test samples"
    figure = new_figure(4.6 * len(panels), 3.8)
    for axes, (column, name) in zip(figure.subplots(1, len(panels)), panels.items()):
        _draw_methods(axes, groups, column)
        axes.set_ylabel(name)
    figure.axes[0].legend(fontsize=8)
    return figure


@styled
def robustness_figure(runs):
    """Accuracy on the global test set against rounds, a panel an attack, a line a method.

    None if no run has an attack.
    """
    attacks = runs_by_attack(runs)
    if not attacks:
        return None
    columns = min(3, len(attacks))
    rows = -(-len(attacks) // columns)
    figure = new_figure(4.6 * columns + 1.4, 3.8 * rows)
    panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
    for axes, (attack, groups) in zip(panels, attacks.items()):
        _draw_methods(axes, groups, ACCURACY)
        axes.set_title(attack)
    for axes in panels[len(attacks):]:  # fmt: skip
        axes.remove()
    panels[0].set_ylabel("accuracy on the global test set")
    last = panels[len(attacks) - 1]
    last.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def runs_by_attack(runs):
    """{attack: {method: [run, ...]}}; empty if no run knows of attacks."""
    known = [run for run in runs if ATTACK in run.settings and ACCURACY in run.rounds]
    attacks = sorted({run.settings[ATTACK] for run in known}, key=sort_key)
    return {a: group_runs([r for r in known if r.settings[ATTACK] == a]) for a in attacks}


def robustness_table(runs) -> pd.DataFrame:
    """A row a method and attack: accuracy late in training, over runs, and rank in the attack."""
    rows = []
    for attack, groups in runs_by_attack(runs).items():
        for method, of_method in groups.items():
            mean, half_width = mean_and_half_width([late_mean(run, ACCURACY) for run in of_method])
            aggregated = [_share_of_malicious(run) for run in of_method]
            rows.append({
                "attack": attack,
                "method": method,
                "runs": len(of_method),
                "accuracy": float(mean),
                "half_width": float(half_width),
                "malicious_aggregated": float(np.mean(aggregated)),
            })  # fmt: skip
    table = pd.DataFrame(rows)
    if len(table):
        ranks = table.groupby("attack")["accuracy"].rank(ascending=False, method="min")
        table["rank"] = ranks.astype("Int64")
    return table


def format_robustness(groups: Groups) -> str:
    """The table as text: a row a method, a column an attack."""
    table = robustness_table([run for runs in groups.values() for run in runs])
    if table.empty:
        return ""
    lines = ["Accuracy on the global test set, mean over the last tenth of the rounds and over runs"]
    lines.append("(+- 95 % interval; rank; % of those aggregated that are malicious)")
    cells = {}
    for _, row in table.iterrows():
        band = "" if np.isnan(row["half_width"]) else f"+-{row['half_width']:.3f}"
        share = row["malicious_aggregated"]
        share = "" if np.isnan(share) else f", {100 * share:.1f} %"
        text = f"{row['accuracy']:.3f}{band} ({row['rank']}{share})"
        cells.setdefault(row["method"], {})[row["attack"]] = text
    shown = pd.DataFrame(cells).T.reindex(columns=list(dict.fromkeys(table["attack"])))
    return "\n".join([*lines, "", shown.fillna("-").to_string()]) + "\n"


@styled
def adversaries_figure(groups):
    """Malicious devices that train (N1), are in the committee (N2), are aggregated (N3), by round.

    A panel a method, the mean over its runs, smoothed over a twentieth of the rounds. None if no
    run has the table.
    """
    groups = {label: runs for label, runs in groups.items() if _have(runs, ADVERSARIES)}
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
            axes.plot(values.index + 1, _smoothed(values), color=color, label=name)
        axes.set_title(label, fontsize=8)
        axes.set_xlabel("round")
    for axes in panels[len(groups):]:  # fmt: skip
        axes.remove()
    panels[0].set_ylabel("malicious devices")
    panels[0].set_ylim(bottom=0)
    panels[0].legend()
    return figure


def adversaries_table(groups) -> pd.DataFrame:
    """A row a method: means over rounds and runs of N1, N2, N3 and of the sizes they are out of."""
    rows = {}
    for label, runs in groups.items():
        if _have(runs, ADVERSARIES):
            tables = [run.table(ADVERSARIES).drop(columns="round") for run in runs]
            rows[label] = pd.concat([table.mean() for table in tables], axis=1).mean(axis=1)
    return pd.DataFrame(rows).T


def format_adversaries(groups) -> str:
    """The table as text."""
    table = adversaries_table(groups)
    if table.empty:
        return ""
    title = "Devices a round, mean over rounds and runs"
    return f"{title}\n\n{table.to_string(float_format='{:.2f}'.format)}\n"


@styled
def clients_figure(groups):
    """How often clients are aggregated, how accurate the model is for them, and one by the other.

    A line a method, over the clients of all its runs. None if no run has the table.
    """
    groups = {label: runs for label, runs in groups.items() if _have(runs, CLIENTS)}
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
        if _have(runs, CLIENTS):
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


def _have(runs, table):
    return all(table in run.tables and len(run.table(table)) for run in runs)


def _clients(runs):
    return pd.concat([run.table(CLIENTS) for run in runs], ignore_index=True)


def _share_of_malicious(run):
    if ADVERSARIES not in run.tables:
        return np.nan
    table = run.table(ADVERSARIES)
    return table["malicious_aggregated"].sum() / max(1, table["aggregated"].sum())


def _mean_by_round(runs, column):
    return pd.concat([run.table(ADVERSARIES).set_index("round")[column] for run in runs]).groupby(
        level=0
    ).mean()  # fmt: skip


def _smoothed(values):
    return values.rolling(max(1, round(_SMOOTHED * len(values))), min_periods=1).mean()


def _draw_histogram(axes, values, edges, runs, style):
    counts, _ = np.histogram(values.dropna(), edges)
    axes.stairs(counts / runs, edges, **style)


def _draw_methods(axes, groups, column):
    for label, (color, line) in method_lines(groups).items():
        curves = [_smoothed(curve(run, column)) for run in groups[label]]
        rounds = min(map(len, curves))
        values = np.array([one.to_numpy()[:rounds] for one in curves])
        mean, half_width = mean_and_half_width(values)
        x = curves[0].index[:rounds] + 1
        axes.plot(x, mean, line, color=color, label=label, linewidth=1.5)
        if len(curves) > 1:
            axes.fill_between(x, mean - half_width, mean + half_width, color=color, alpha=0.1,
                              linewidth=0)  # fmt: skip
    axes.set_xlabel("round")
