# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the final model makes of test samples, in the plane (Wagle et al., Fig. 10).

t-SNE preserves neighbors, not distances, so how far apart labels are is told by numbers of the
embeddings themselves. Both need scikit-learn, which nothing else in the package does.
"""

import importlib

import numpy as np
import pandas as pd

from ...runs.errors import RunError
from ...statistics.intervals import as_text, cells, with_interval
from ..style import LIGHT_GRAY, method_line, method_marker, new_figure, styled

TABLE = "embeddings"
_COLUMNS = ("sample", "label", "component", "value")
_PANELS = 4  # side by side
_LEAST = 3  # samples of which there is a picture
_MEASURES = {"silhouette": "silhouette", "neighbor": "nearest neighbor of the label"}


@styled
def embeddings_figure(groups, labels=None):
    """The plane of t-SNE, colored by label, a panel a method; of others than labels in gray.

    Of several runs of a method the first one is drawn: the planes of two models have nothing in
    common. None if no run has the table, RunError without scikit-learn.
    """
    groups = _having(groups)
    if not groups:
        return None
    table = cells(embeddings_table(groups, labels)).set_index("method")
    columns = min(_PANELS, len(groups))
    rows = -(-len(groups) // columns)
    figure = new_figure(1.2 + 3.8 * columns, 0.3 + 4 * rows)
    panels = figure.subplots(rows, columns, squeeze=False)
    colored = sorted(set(labels or np.concatenate([_read(runs[0])[0] for runs in groups.values()])))
    for axes, (method, runs) in zip(panels.flat, groups.items()):
        _draw(axes, *_read(runs[0]), colored)
        axes.set_title(method)
        numbers = (f"{label}: {table[name][method]}" for name, label in _MEASURES.items()
                   if name in table)  # fmt: skip
        axes.set_xlabel("\n".join(numbers))
    for axes in panels.flat[len(groups) :]:
        axes.set_axis_off()
    handles = panels[0, 0].get_legend_handles_labels()
    panels[0, -1].legend(*handles, title="label", loc="upper left", bbox_to_anchor=(1, 1),
                         fontsize=8, markerscale=2)  # fmt: skip
    return figure


def embeddings_table(groups, labels=None) -> pd.DataFrame:
    """A row a method: seeds, samples of all of them, and how separated their labels are.

    silhouette is the mean silhouette of samples with labels as clusters, neighbor the part of them
    whose nearest other one has the same label. With labels it is of samples of these alone.
    """
    rows = []
    for method, runs in _having(groups).items():
        measured = pd.DataFrame([_separation(*_chosen(run, labels)) for run in runs])
        row = {"method": method, "seeds": len(runs), "samples": measured["samples"].sum()}
        for name in _MEASURES:
            row.update(with_interval(name, measured[name]))
        rows.append(row)
    return pd.DataFrame(rows)


def format_embeddings(groups, labels=None) -> str:
    """The same as text."""
    of = f" {', '.join(map(str, labels))}" if labels else ""
    title = f"How separated labels{of} are in embeddings (mean over seeds, 95 % intervals)"
    return as_text(title, embeddings_table(groups, labels))


def _having(groups):
    """The groups all of whose runs have embeddings of enough samples."""
    return {label: runs for label, runs in groups.items() if all(map(_has_enough, runs))}


def _has_enough(run):
    return run.has(TABLE, *_COLUMNS) and len(_read(run)[0]) >= _LEAST


def _read(run):
    """Labels of samples, and their embeddings as a matrix, without those that are not finite."""
    table = run.table(TABLE)
    rows = table.pivot(index=["sample", "label"], columns="component", values="value").dropna()
    return rows.index.get_level_values("label").to_numpy(dtype=int), rows.to_numpy()


def _chosen(run, labels):
    """Of these labels alone, or all; RunError if a sample has none of them."""
    of_samples, embeddings = _read(run)
    unknown = sorted(set(labels or ()) - set(of_samples))
    if unknown:
        allowed = ", ".join(map(str, np.unique(of_samples)))
        raise RunError(f"{run.path}: no sample has the label {unknown[0]}; allowed: {allowed}")
    chosen = np.isin(of_samples, labels or of_samples)
    return of_samples[chosen], embeddings[chosen]


def _separation(labels, embeddings):
    measured = {"samples": len(labels), **dict.fromkeys(_MEASURES, np.nan)}
    if 1 < len(np.unique(labels)) < len(labels):
        nearest = _module("sklearn.neighbors").NearestNeighbors(n_neighbors=1).fit(embeddings)
        neighbors = nearest.kneighbors(return_distance=False)[:, 0]  # of others than itself
        measured["silhouette"] = _module("sklearn.metrics").silhouette_score(embeddings, labels)
        measured["neighbor"] = np.mean(labels[neighbors] == labels)
    return measured


def _to_plane(embeddings):
    """t-SNE, the same for the same embeddings whatever the number of threads."""
    # It begins with the two main components, which need as many and something that varies
    has_components = min(embeddings.shape) > 1 and np.ptp(embeddings, axis=0).max() > 0
    method = _module("sklearn.manifold").TSNE(
        perplexity=min(30, (len(embeddings) - 1) / 3),
        init="pca" if has_components else "random",
        learning_rate="auto",
        random_state=0,
    )
    with _module("threadpoolctl").threadpool_limits(1):  # more are slow on a busy host
        return method.fit_transform(embeddings)


def _module(name):
    """A module of scikit-learn or of what that needs; RunError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise RunError(
            f"this figure needs scikit-learn (Debian: python3-sklearn): {error};"
            " ./collab doctor tells how to install it"
        ) from None


def _draw(axes, labels, embeddings, colored):
    plane = _to_plane(embeddings)
    others = ~np.isin(labels, colored)
    if others.any():
        axes.scatter(*plane[others].T, s=6, color=LIGHT_GRAY, linewidths=0)
    for place, label in enumerate(colored):
        color, _ = method_line(place)
        # Another marker when colors begin anew
        marker = method_marker(place + place // 8)
        axes.scatter(*plane[labels == label].T, s=9, color=color, marker=marker, linewidths=0,
                     label=str(label))  # fmt: skip
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")
