# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What users believe (table beliefs): probabilities, or ellipses and predictive bands."""

import numpy as np
from matplotlib.patches import Ellipse

from ..style import BLACK, GRAY, device_label, method_line, new_figure, styled

TABLE = "beliefs"
_MOST_USERS = 4  # panels of a row
_SHOWN = (1, 3, 10, 30, 100, 300, 1000)  # instants with an ellipse, and the last one
_DEVIATIONS = 1.96  # of a predictive band, 95 %
_AREA = 2.448  # radius of the ellipse that a normal point is in with 95 %, in deviations
_PROBABILITY, _MEAN = "belief_", "mean_"


@styled
def beliefs_figure(groups, parameters=None):
    """The beliefs of up to four users, a row a method; of several runs of it the first one.

    Hypotheses: their probabilities by instant. A linear model: 95 % ellipses of two parameters (by
    default the last two) after some instants, the last one bold, the truth as a cross; and the
    predictive band along one feature, with the truth dotted. None if no run has the table, or of
    other beliefs.
    """
    runs = {label: group[0] for label, group in groups.items() if _kind(group[0])}
    if not runs:
        return None
    kinds = {label: _kind(run) for label, run in runs.items()}
    users = max(min(_MOST_USERS, _table(run)["device"].nunique()) for run in runs.values())
    wide = 2 if _MEAN in kinds.values() else 1
    figure = new_figure(1 + 3.3 * users * wide, 0.4 + 3.1 * len(runs))
    grid = figure.subplots(len(runs), users * wide, squeeze=False)
    for row, (label, run) in zip(grid, runs.items()):
        for axes in row:
            axes.set_visible(False)
        for place, device in enumerate(sorted(_table(run)["device"].unique())[:users]):
            title = f"{label}: user {device_label(run, device)}"
            if kinds[label] == _PROBABILITY:
                _draw_probabilities(row[place], run, device, title)
            else:
                _draw_gaussian(row[2 * place : 2 * place + 2], run, device, parameters, title)
    grid[0][0].legend(fontsize=8)
    return figure


def gaussian_belief(run, device, round_number):
    """Mean and covariance of a user's belief about a linear model after a round."""
    table = _table(run)
    rows = table[(table["device"] == device) & (table["round"] == round_number)]
    values = rows.set_index("parameter")["value"]
    size = sum(name.startswith(_MEAN) for name in values.index)
    mean = np.array([values[f"{_MEAN}{d}"] for d in range(size)])
    covariance = np.zeros((size, size))
    for d in range(size):
        for e in range(d + 1):
            covariance[d, e] = covariance[e, d] = values[f"covariance_{d}_{e}"]
    return mean, covariance


def ellipse_of(mean, covariance):
    """Center, width, height and angle [degrees] of the ellipse with 95 % of a normal point."""
    variances, axes = np.linalg.eigh(covariance)
    width, height = 2 * _AREA * np.sqrt(np.maximum(variances, 0))
    return tuple(mean), width, height, float(np.degrees(np.arctan2(axes[1, 0], axes[0, 0])))


def _table(run):
    return run.table(TABLE)


def _kind(run):
    """How the names of parameters begin that can be drawn; empty without any."""
    if not run.has(TABLE, "round", "device", "parameter", "value"):
        return ""
    names = _table(run)["parameter"]
    gaussian = names.str.startswith(_MEAN).any() and names.str.startswith("covariance_").any()
    return _MEAN if gaussian else _PROBABILITY * bool(names.str.startswith(_PROBABILITY).any())


def _draw_probabilities(axes, run, device, title):
    axes.set_visible(True)
    table = _table(run)
    own = table[table["device"] == device].pivot(index="round", columns="parameter", values="value")
    for place, name in enumerate(sorted(own, key=lambda name: int(name[len(_PROBABILITY) :]))):
        color, line = method_line(place)
        axes.plot(own.index + 1, own[name], line, color=color, linewidth=1.4,
                  label=f"hypothesis {name[len(_PROBABILITY):]}")  # fmt: skip
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("instants")
    axes.set_ylabel("probability")
    axes.set_title(title, fontsize=9)


def _draw_gaussian(panels, run, device, parameters, title):
    """Ellipses, and the band of the last instant."""
    table = _table(run)
    rounds = sorted(table.loc[table["device"] == device, "round"].unique())
    truth = _numbers(run, "theta")
    size = len(gaussian_belief(run, device, rounds[-1])[0])
    chosen = list(parameters or (max(0, size - 2), size - 1))
    _draw_ellipses(panels[0], run, device, (rounds, chosen, truth))
    panels[0].set_title(title, fontsize=9)
    features = len(_numbers(run, "inputRange")) or size - 1
    _draw_band(panels[1], run, gaussian_belief(run, device, rounds[-1]), 1 + device % features)
    panels[1].set_title(f"after {rounds[-1] + 1} instants", fontsize=9)


def _draw_ellipses(axes, run, device, what):
    rounds, chosen, truth = what
    axes.set_visible(True)
    shown = [n for n in rounds if n + 1 in _SHOWN or n == rounds[-1]]
    path = np.array([gaussian_belief(run, device, n)[0][chosen] for n in rounds])
    axes.plot(*path.T, color=GRAY, linewidth=0.8)
    for place, number in enumerate(shown):
        mean, covariance = gaussian_belief(run, device, number)
        center, width, height, angle = ellipse_of(mean[chosen], covariance[np.ix_(chosen, chosen)])
        axes.add_patch(Ellipse(center, width, height, angle=angle, fill=False,
                               color=method_line(place)[0], label=f"{number + 1} instants",
                               linewidth=2.2 if number == shown[-1] else 1))  # fmt: skip
    if len(truth) > max(chosen):
        axes.plot(*truth[chosen], "x", color=BLACK, label="truth")
    axes.autoscale_view()
    axes.set_xlabel(f"parameter {chosen[0]}")
    axes.set_ylabel(f"parameter {chosen[1]}")


def _draw_band(axes, run, belief, feature):
    """The predictive distribution along one feature, the others being 0."""
    axes.set_visible(True)
    mean, covariance = belief
    ranges = _numbers(run, "inputRange")
    reach = ranges[feature - 1] if len(ranges) >= feature else 1.0
    x = np.linspace(-reach, reach, 61)
    inputs = np.zeros((len(x), len(mean)))
    inputs[:, 0], inputs[:, min(feature, len(mean) - 1)] = 1, x
    noise = float(run.parameters.get("noise", 0))
    spread = np.einsum("nd,de,ne->n", inputs, covariance, inputs)
    for variance, alpha in ((spread + noise**2, 0.15), (spread, 0.3)):
        half = _DEVIATIONS * np.sqrt(np.maximum(variance, 0))
        axes.fill_between(x, inputs @ mean - half, inputs @ mean + half, alpha=alpha,
                          color=method_line(0)[0], linewidth=0)  # fmt: skip
    axes.plot(x, inputs @ mean, color=method_line(0)[0])
    truth = _numbers(run, "theta")
    if len(truth) == len(mean):
        axes.plot(x, inputs @ truth, ":", color=BLACK)
    axes.set_xlabel(f"feature {feature}")
    axes.set_ylabel("label")


def _numbers(run, name):
    """A parameter that is a list of numbers."""
    text = str(run.parameters.get(name, ""))
    return np.array([float(number) for number in text.split(",") if number])
