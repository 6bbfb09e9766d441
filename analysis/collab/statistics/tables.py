# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The table that compares methods, and the paired differences between them."""

from dataclasses import dataclass
from typing import Callable

import numpy as np

from ..runs.run import ENERGY_KINDS, spent_kinds
from .costs import went_off
from .curves import name_of
from .intervals import mean_and_half_width

# Kinds of energy that are listed whether any is spent or not
_KINDS_OF_EVERY_RUN = ("tx", "rx", "idle", "compute")


def summary(groups):
    """The results of each method, one row a method, as text; several runs give their mean.

    The accuracies are those at each device's last round.
    """
    blocks = [_accuracy_metrics(groups), _cost_metrics(groups)]
    others = [kind for kind in spent_kinds(groups) if kind not in _KINDS_OF_EVERY_RUN]
    if others:  # in a table of their own: the other one has the width of a screen
        blocks.append([_kind_metric(kind) for kind in others])
    tables = [_block(groups, metrics) for metrics in blocks]
    return "\n\n".join([_heading(groups), *tables]) + "\n"


def paired_differences(groups):
    """First method minus each other one over runs of the same seed and run number, as text.

    Mean +- half width of the 95 % confidence interval; empty text with fewer than two pairs.
    """
    (label, first), *others = groups.items()
    metrics = [*_accuracies(groups, False), _ROUND_TIME, _DEVICE_ENERGY]
    rows = []
    for other_label, other in others:
        pairs = pairs_of(first, other)
        if len(pairs) > 1:
            differences = [_difference(pairs, metric) for metric in metrics]
            rows.append([f"{label} - {other_label}", str(len(pairs)), *differences])
    if not rows:
        return ""
    headings = [("difference", "", ""), ("pairs", "", ""), *(m.heading for m in metrics)]
    title = "Paired differences (mean +- 95 % confidence interval), regular devices"
    return f"{title}\n\n{_layout(headings, rows)}\n"


def outcomes(run):
    """All numbers of a run's rows in the tables, {heading: value}; NaN where it has none.

    A heading ends with its unit in brackets, if it has one. Empty if no round has ended.
    """
    if run.rounds.empty:
        return {}
    others = [kind for kind in ENERGY_KINDS if kind not in _KINDS_OF_EVERY_RUN]
    accuracies = [metric for low in (False, True) for metric in _accuracies({"": [run]}, low)]
    metrics = [*accuracies, *_cost_metrics({"": [run]}), *map(_kind_metric, others)]
    return {" ".join(filter(None, m.heading)): float(m.value(run)) for m in metrics}


@dataclass(frozen=True)
class _Metric:
    """A number of a run, and how it is printed."""

    heading: tuple  # three or four lines; the last one gives the unit
    value: Callable  # of a Run
    is_accuracy: bool = False


def _final_accuracy(column, low_quality):
    def value(run):
        devices = run.low_quality if low_quality else run.regular
        return run.final(column, devices)

    return value


_TEST_SETS = {
    "X*": "accuracy_reference",
    "own": "accuracy_local",
    "global": "accuracy_global",
}

# Of regressions, which have no accuracy
_REGRESSION_SETS = {
    "X*": "squared_error_reference",
    "union": "squared_error_union",
}


def _accuracies(groups, low_quality):
    """Metrics of the accuracy on each test set, of the regular devices or of the others.

    Of a regression it is the squared error. The runs' own measure is there if it is neither.
    """
    whose = "low quality" if low_quality else "regular"
    runs = [run for group in groups.values() for run in group]
    headings = {
        column: (kind, name)
        for kind, sets in (("accuracy", _TEST_SETS), ("sq. error", _REGRESSION_SETS))
        for name, column in sets.items()
    }
    for column in (run.measure for run in runs if run.metrics):
        headings.setdefault(column, (name_of(column), ""))
    return [
        _Metric((*heading, whose), _final_accuracy(column, low_quality), True)
        for column, heading in headings.items()
        if all(column in run.metrics for run in runs)
    ]


def _accuracy_metrics(groups):
    with_low_quality = any(len(run.low_quality) for runs in groups.values() for run in runs)
    return _accuracies(groups, False) + (_accuracies(groups, True) if with_low_quality else [])


def _round_seconds(run):
    return (run.rounds["end_s"] - run.rounds["start_s"]).mean()


def _rounds_count(run):
    return run.rounds["round"].nunique()


def _energy(run):
    """Joules of all devices."""
    return run.total("energy_j").sum(min_count=1)


def _energy_by_kind(kind):
    def value(run):
        return run.accounts[f"{kind}_j"].sum(min_count=1)

    return value


def _kind_metric(kind):
    return _Metric((kind, "total", "[J]"), _energy_by_kind(kind))


def _sent_kilobytes(run):
    return run.total("bytes_sent").sum(min_count=1) / len(run.devices) / _rounds_count(run) / 1000


def _heard_percent(run):
    """Of the messages that devices were to hear in the rounds that they ended, those that they heard."""
    if not _tells_heard(run):
        return np.nan
    expected = run.rounds["messages_expected"].sum()
    return 100 * run.rounds["messages_heard"].sum(min_count=1) / expected if expected else np.nan


def _tells_heard(run):
    return _HEARD <= set(run.rounds)


def _lost_percent(run):
    if run.messages.empty:
        return np.nan
    return 100 * (1 - run.messages["delivered"].mean())


# Columns of rounds: the messages that a device heard in its round, and all that were meant for it
_HEARD = {"messages_heard", "messages_expected"}
_HEARD_METRIC = _Metric(("heard of", "expected", "[%]"), _heard_percent)

_DEVICE_ENERGY = _Metric(
    ("energy,", "round,", "device", "[J]"),
    lambda run: _energy(run) / len(run.devices) / _rounds_count(run),
)
_ROUND_TIME = _Metric(("time,", "round", "[s]"), _round_seconds)

_COST_METRICS = [
    _ROUND_TIME,
    _Metric(("time,", "total", "[s]"), lambda run: run.rounds["end_s"].max()),
    _DEVICE_ENERGY,
    _Metric(("energy,", "round,", "all", "[J]"), lambda run: _energy(run) / _rounds_count(run)),
    *map(_kind_metric, _KINDS_OF_EVERY_RUN),
    _Metric(("sent,", "round,", "device", "[kB]"), _sent_kilobytes),
    _Metric(("lost", "msgs", "[%]"), _lost_percent),
]


def _cost_metrics(groups):
    told = any(_tells_heard(run) for runs in groups.values() for run in runs)
    return [*_COST_METRICS, *([_HEARD_METRIC] if told else [])]


def _sizes(runs):
    """Scenario, devices and rounds of its runs: from the least number to the greatest."""
    devices = _span([len(run.devices) for run in runs])
    return f"{runs[0].scenario}: {devices} devices, {_span(list(map(_rounds_count, runs)))} rounds"


def _span(counts):
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"


def _low_quality(runs):
    """Which devices are of low quality in these runs; empty if none are."""
    told, *others = {", ".join(map(str, run.low_quality)) for run in runs}
    if others:
        return "devices differ between runs"
    return told and f"devices {told}"


def _heading(groups):
    runs = [run for group in groups.values() for run in group]
    scenarios = sorted({run.scenario for run in runs}, reverse=True)
    lines = ["; ".join(_sizes([run for run in runs if run.scenario == name]) for name in scenarios)]
    low_quality = _low_quality(runs)
    if low_quality:
        lines[0] += f"; low quality: {low_quality}"
    if len(runs) > len(groups):
        lines.append("mean over the runs of a method; accuracy +- 95 % confidence interval")
    off = sum(len(went_off(run)) for run in runs if _tells_heard(run))
    if off:
        lines.append(f"devices that went off: {off}; unlike lost, heard of expected is of the rounds"
                     " that they ended")  # fmt: skip
    lines += [f"not finished: {run.path}" for run in runs if not run.finished]
    return "\n".join(lines)


def _block(groups, metrics):
    headings = [("method", "", ""), *(metric.heading for metric in metrics)]
    rows = [
        [label, *(_cell([metric.value(run) for run in runs], metric) for metric in metrics)]
        for label, runs in groups.items()
    ]
    return _layout(headings, rows)


def _cell(values, metric):
    mean, half_width = mean_and_half_width(values)
    if np.isnan(mean):
        return "-"
    if not metric.is_accuracy:
        return _significant(mean)
    return f"{mean:.3f}" + ("" if np.isnan(half_width) else f"+-{half_width:.3f}")


def pairs_of(first, other):
    """Runs of both methods that share seed and run number, as pairs."""
    by_pair = {run.pair: run for run in other}
    return [(run, by_pair[run.pair]) for run in first if run.pair in by_pair]


def _difference(pairs, metric):
    mean, half_width = mean_and_half_width([metric.value(a) - metric.value(b) for a, b in pairs])
    if np.isnan(mean):
        return "-"
    if metric.is_accuracy:
        return f"{mean:+.3f} +- {half_width:.3f}"
    return f"{mean:+.3g} +- {half_width:.2g}"


def _significant(value):
    """Four significant digits without an exponent."""
    if value == 0:
        return "0"
    digits = 3 - int(np.floor(np.log10(abs(value))))
    return f"{value:.{min(max(digits, 0), 6)}f}"


def _layout(headings, rows):
    """Columns as wide as their widest entry, the first one to the left, the others to the right."""
    height = max(map(len, headings))
    padded = [(*texts, *[""] * (height - 1 - len(texts)), unit) for *texts, unit in headings]
    lines = [*zip(*padded), *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    text = []
    for first, *others in lines:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:])]
        text.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(text)
