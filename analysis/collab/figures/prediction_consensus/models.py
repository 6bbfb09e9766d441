# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Devices with different models together: what each kind reaches, and whom it trusts."""

from typing import Dict, List

import numpy as np
import pandas as pd

from ...runs.errors import RunError
from ...statistics.curves import measure_of, name_of
from ...statistics.intervals import mean_and_half_width, with_interval
from ..style import method_line, new_figure, styled
from ..words import label_words

_PLACES = ((0, "first"), (-1, "last"))  # rounds with trust that are told of
_TOLD_BY_LEGEND = "models="
_HATCHES = ("", "//", "..", "xx")


def models_of(run) -> Dict[str, pd.Index]:
    """Regular devices of each model, in the order of the devices."""
    if "model" not in run.devices:
        raise RunError(f"{run.path}: run.json does not tell the models of the devices")
    of_regular = run.devices.loc[run.regular, "model"]
    return {name: of_regular.index[of_regular == name] for name in of_regular.unique()}


def model_accuracy(run, model, column=None) -> float:
    """Accuracy in the end, mean over the regular devices of a model."""
    return float(run.final(column or run.measure, models_of(run)[model]))


def trust_between(run, number) -> pd.DataFrame:
    """Mean weight of a peer in W of a round by models, trusting x trusted; own weights left out."""
    weights = run.trust_matrix(number).to_numpy(dtype=float)
    np.fill_diagonal(weights, np.nan)
    places = {
        name: run.devices.index.get_indexer(devices) for name, devices in models_of(run).items()
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
    rows: List[dict] = []
    for label, runs in groups.items():
        if not all(run.trust_rounds() for run in runs):
            continue
        for place, name in _PLACES:
            tables = [trust_between(run, run.trust_rounds()[place]) for run in runs]
            mean, half_width = mean_and_half_width([table.to_numpy() for table in tables])
            for i, trusting in enumerate(tables[0].index):
                for j, trusted in enumerate(tables[0].columns):
                    cell = f"{mean[i, j]:.4f}"
                    if not np.isnan(half_width[i, j]):
                        cell += f"+-{half_width[i, j]:.4f}"
                    rows.append({"method": label, "round": name, "trust of": trusting,
                                 "in": trusted, "weight": cell})  # fmt: skip
    if not rows:
        return ""
    title = "Mean weight of a peer, by model; regular devices, mean over runs +- 95 % interval\n\n"
    return title + pd.DataFrame(rows).to_string(index=False) + "\n"


def models_table(groups, column=None) -> pd.DataFrame:
    """A row a method and model: its devices' accuracy in the end, and the mean weight that one of them
    gives a peer of each model in the first and the last round with trust.

    Columns: method, model, runs, the column, first_MODEL, last_MODEL; intervals are over runs.
    """
    column = measure_of(groups, column)
    rows = []
    for label, runs in groups.items():
        trusting = all(run.trust_rounds() for run in runs)
        for model in models_of(runs[0]):
            row = {"method": label, "model": model, "runs": len(runs)}
            row.update(with_interval(column, [model_accuracy(run, model, column) for run in runs]))
            for place, name in _PLACES if trusting else ():
                tables = [trust_between(run, run.trust_rounds()[place]) for run in runs]
                for trusted in tables[0].columns:
                    weights = [table.loc[model, trusted] for table in tables]
                    row.update(with_interval(f"{name}_{trusted}", weights))
            rows.append(row)
    return pd.DataFrame(rows)


@styled
def models_figure(groups, column=None):
    """Bars of the accuracy by method and model, mean over runs with its 95 % interval."""
    column = measure_of(groups, column)
    models = list(dict.fromkeys(name for runs in groups.values() for name in models_of(runs[0])))
    figure = new_figure(max(6, 1.7 * len(groups)), 4)
    axes = figure.subplots()
    for place, runs in enumerate(groups.values()):
        names = list(models_of(runs[0]))
        width = 0.8 / len(names)
        for number, name in enumerate(names):
            mean, half_width = mean_and_half_width(
                [model_accuracy(run, name, column) for run in runs]
            )
            at = place + (number - (len(names) - 1) / 2) * width
            kind = models.index(name)
            axes.bar(at, mean, 0.92 * width, yerr=np.nan_to_num(half_width), capsize=3,
                     color=method_line(kind)[0], edgecolor="white",
                     hatch=_HATCHES[kind % len(_HATCHES)])  # fmt: skip
            _write_mean(axes, at, mean, half_width)
    for kind, name in enumerate(models):
        axes.bar(0, 0, color=method_line(kind)[0], edgecolor="white",
                 hatch=_HATCHES[kind % len(_HATCHES)], label=label_words(name))  # fmt: skip
    ticks = ["\n".join(label_words(part) for part in name.split(", ") if not part.startswith(_TOLD_BY_LEGEND))
             for name in groups]  # fmt: skip
    axes.set_xticks(range(len(groups)), ticks, fontsize=9)
    axes.set_ylabel(f"{name_of(column)}, regular devices")
    axes.set_ylim(0, 1.12 * max(bar.get_height() for bar in axes.patches))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _write_mean(axes, place, mean, half_width):
    top = mean + np.nan_to_num(half_width)
    axes.annotate(f"{mean:.3f}", (place, top), (0, 2), textcoords="offset points", ha="center",
                  fontsize=8)  # fmt: skip
