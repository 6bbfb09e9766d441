# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Devices with different models together: what each kind reaches, and whom it trusts."""

from typing import Dict

import numpy as np
import pandas as pd

from .curves import ACCURACY, name_of
from .errors import RunError
from .statistics import mean_and_half_width
from .style import method_line, new_figure, styled

_HATCHES = ("", "//", "..", "xx")


def models_of(runs) -> Dict[str, pd.Index]:
    """Regular devices of each model, in the order of the devices; RunError if runs differ."""
    found = []
    for run in runs:
        if "model" not in run.devices:
            raise RunError(f"{run.path}: run.json does not tell the models of the devices")
        of_regular = run.devices.loc[run.regular, "model"]
        found.append({name: of_regular.index[of_regular == name] for name in of_regular.unique()})
    if any(list(one) != list(found[0]) for one in found):
        raise RunError("the runs have different models; choose some by --where")
    return found[0]


def model_accuracy(run, model, column=ACCURACY) -> float:
    """Accuracy in the end, mean over the regular devices of a model."""
    return float(run.final(column, models_of([run])[model]))


def trust_between(run, number) -> pd.DataFrame:
    """Mean weight of a peer in W of a round by models, trusting x trusted; own weights left out."""
    weights = run.trust_matrix(number).to_numpy(dtype=float)
    np.fill_diagonal(weights, np.nan)
    places = {
        name: run.devices.index.get_indexer(devices) for name, devices in models_of([run]).items()
    }
    means = {
        trusted: {
            name: _mean(weights[np.ix_(rows, columns)]) for name, rows in places.items()
        }
        for trusted, columns in places.items()
    }
    return pd.DataFrame(means)


def _mean(weights):
    present = weights[~np.isnan(weights)]
    return present.mean() if len(present) else np.nan  # a single device of its kind


def format_models(groups) -> str:
    """Mean weights between models in the first and the last round with trust, as text."""
    rows = []
    for label, runs in groups.items():
        if not all(run.trust_rounds() for run in runs):
            continue
        for place, name in ((0, "first"), (-1, "last")):
            tables = [trust_between(run, run.trust_rounds()[place]) for run in runs]
            mean, half_width = mean_and_half_width([table.to_numpy() for table in tables])
            for i, trusting in enumerate(tables[0].index):
                cells = {f"in {trusted}": f"{mean[i, j]:.4f}+-{half_width[i, j]:.4f}"
                         for j, trusted in enumerate(tables[0].columns)}  # fmt: skip
                rows.append({"method": label, "round": name, "trust of": trusting, **cells})
    if not rows:
        return ""
    title = "Mean weight of a peer, by model; regular devices, mean over runs +- 95 % interval\n\n"
    return title + pd.DataFrame(rows).to_string(index=False) + "\n"


@styled
def models_figure(groups, column=ACCURACY):
    """Bars of the accuracy by method and model, mean over runs with its 95 % interval."""
    runs = [run for group in groups.values() for run in group]
    models = list(models_of(runs))
    figure = new_figure(max(6, 1.4 * len(groups)), 4)
    axes = figure.subplots()
    width = 0.8 / len(models)
    for number, model in enumerate(models):
        values = [[model_accuracy(run, model, column) for run in group]
                  for group in groups.values()]  # fmt: skip
        means, half_widths = zip(*(mean_and_half_width(of_method) for of_method in values))
        places = np.arange(len(groups)) + (number - (len(models) - 1) / 2) * width
        axes.bar(places, means, 0.92 * width, yerr=np.nan_to_num(half_widths), capsize=3,
                 color=method_line(number)[0], edgecolor="white",
                 hatch=_HATCHES[number % len(_HATCHES)], label=model)  # fmt: skip
        _write_means(axes, places, means, half_widths)
    axes.set_xticks(range(len(groups)), list(groups), rotation=20 if len(groups) > 4 else 0)
    axes.set_ylabel(f"{name_of(column)}, regular devices")
    axes.set_ylim(0, 1.12 * max(bar.get_height() for bar in axes.patches))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _write_means(axes, places, means, half_widths):
    for place, mean, half_width in zip(places, means, half_widths):
        top = mean + np.nan_to_num(half_width)
        axes.annotate(f"{mean:.3f}", (place, top), (0, 2), textcoords="offset points",
                      ha="center", fontsize=8)  # fmt: skip
