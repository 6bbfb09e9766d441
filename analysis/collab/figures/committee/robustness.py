# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How models fare that malicious devices take part in (tables rounds, adversaries, clients)."""

import numpy as np
import pandas as pd

from ...runs.groups import Groups, group_runs, sort_key
from ...statistics.curves import AXES, curve, differ_in_age, late_mean
from ...statistics.intervals import HALF_WIDTH, PRESENT, mean_and_half_width, with_interval
from ...statistics.timing import round_seconds
from ..style import method_lines, new_figure, styled
from ..words import keep_within_shares, method_word
from .participation import (
    ADVERSARIES,
    have_adversaries,
    share_never_aggregated,
    smoothed,
)

ACCURACY = "accuracy_global"
LOSS = "loss_global"
CLIENT_ACCURACY = "accuracy_clients"
ATTACK = "attack"


@styled
def learning_figure(groups):
    """Accuracy and loss on the global test set against rounds, a line a method.

    So is the accuracy on all clients' own test samples, if all runs have measured it. None if a run
    has none of the former. Bands are 95 % intervals over runs.
    """
    runs = [run for of_label in groups.values() for run in of_label]
    if not all({ACCURACY, LOSS} <= set(run.metrics) for run in runs):
        return None
    panels = {ACCURACY: "accuracy on the global test set", LOSS: "loss on the global test set"}
    if all(CLIENT_ACCURACY in run.metrics for run in runs):
        panels[CLIENT_ACCURACY] = "accuracy on the clients' test samples"
    figure = new_figure(4.6 * len(panels), 3.8)
    for axes, (column, name) in zip(figure.subplots(1, len(panels)), panels.items()):
        _draw_methods(axes, groups, column)
        axes.set_ylabel(name)
    figure.axes[0].legend(fontsize=8)
    return figure


def learning_table(groups) -> pd.DataFrame:
    """A row a method: what it has learned late in training, over runs, of models of equal age.

    Beside accuracy and loss on the global test set, of runs that tell them: accuracy on the
    clients' own test samples, the share of clients that were never aggregated, and the seconds
    of a round.
    """
    equal_age = differ_in_age([run for runs in groups.values() for run in runs])
    rows = []
    for method, runs in groups.items():
        row = {"method": method, "runs": len(runs)}
        for name, column in (("accuracy", ACCURACY), ("loss", LOSS), ("own", CLIENT_ACCURACY)):
            row.update(with_interval(name, [late_mean(run, column, equal_age)
                                            if column in run.metrics else np.nan
                                            for run in runs]))  # fmt: skip
        row.update(with_interval("never_aggregated", list(map(share_never_aggregated, runs))))
        row.update(with_interval("round_s", [round_seconds(run) for run in runs]))
        rows.append(row)
    return pd.DataFrame(rows)


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
    last.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8, title="bands: 95 % intervals", alignment="left")
    return figure


def runs_by_attack(runs):
    """{attack: {method: [run, ...]}}; empty if no run knows of attacks."""
    known = [run for run in runs if ATTACK in run.settings and ACCURACY in run.metrics]
    attacks = sorted({run.settings[ATTACK] for run in known}, key=sort_key)
    return {a: group_runs([r for r in known if r.settings[ATTACK] == a]) for a in attacks}


def robustness_table(runs) -> pd.DataFrame:
    """A row a method and attack: accuracy late in training, over runs, and rank in the attack.

    Late means are over models of equal age, see late_mean().
    lead_of_first is the accuracy of the first method minus that, over pairs of runs of one seed.
    """
    equal_age = differ_in_age(runs)
    rows = []
    for attack, groups in runs_by_attack(runs).items():
        late = {method: [(run.pair, late_mean(run, ACCURACY, equal_age)) for run in of_method]
                for method, of_method in groups.items()}  # fmt: skip
        first = dict(next(iter(late.values())))
        for method, of_method in groups.items():
            row = {"attack": attack, "method": method, "runs": len(of_method), "rank": 0}
            row.update(with_interval("accuracy", [value for _, value in late[method]]))
            leads = [first.get(pair, np.nan) - value for pair, value in late[method]]
            row.update(with_interval("lead_of_first", leads))
            shares = [_share_of_malicious(run) for run in of_method]
            rows.append({**row, **with_interval("malicious_aggregated", shares)})
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
    lines = [
        "Accuracy on the global test set, mean over the last tenth of the rounds and over runs",
        "(+- 95 % interval; rank; % of those aggregated that are malicious)",
    ]
    cells = {}
    for _, row in table.iterrows():
        half_width = row[f"accuracy{HALF_WIDTH}"]
        band = "" if np.isnan(half_width) else f"+-{half_width:.3f}"
        share = row["malicious_aggregated"]
        share = "" if np.isnan(share) else f", {100 * share:.1f} %"
        present = row.get(f"accuracy{PRESENT}")
        of = f"; {present}" if isinstance(present, str) else ""
        text = f"{row['accuracy']:.3f}{band} ({row['rank']}{share}{of})"
        cells.setdefault(row["method"], {})[row["attack"]] = text
    shown = pd.DataFrame(cells).T.reindex(columns=list(dict.fromkeys(table["attack"])))
    return "\n".join([*lines, "", shown.fillna("-").to_string()]) + "\n"


def _share_of_malicious(run):
    if not have_adversaries([run]):
        return np.nan
    table = run.table(ADVERSARIES)
    return table["malicious_aggregated"].sum() / max(1, table["aggregated"].sum())


def _draw_methods(axes, groups, column):
    for label, (color, line) in method_lines(groups).items():
        curves = [smoothed(curve(run, column)) for run in groups[label]]
        rounds = min(map(len, curves))
        values = np.array([one.to_numpy()[:rounds] for one in curves])
        mean, half_width = mean_and_half_width(values)
        x = AXES["rounds"][1](groups[label][0]).to_numpy()[:rounds]
        axes.plot(x, mean, line, color=color, label=method_word(label), linewidth=1.5)
        if len(curves) > 1:
            axes.fill_between(x, mean - half_width, mean + half_width, color=color, alpha=0.1,
                              linewidth=0)  # fmt: skip
    axes.set_xlabel(AXES["rounds"][0])
    keep_within_shares(axes, column)
