# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the charts of one run show."""

import dataclasses
from typing import Optional

import numpy as np
import pandas as pd

from ..figures.style import ENERGY_NAMES, PHASE_NAMES, device_label
from ..runs.run import Run
from ..statistics.costs import energy_by_device, latency_by_round
from ..statistics.curves import AXES, name_of
from ..statistics.messages import attempts_of, delays_of
from .data_table import every_few, values_of

MOST_DEVICE_LINES = 40
_MOST_BARS = 120
_MOST_STEPS = 400

_ENERGY_COLORS = {
    "tx": "vermillion",
    "rx": "orange",
    "idle": "gray",
    "sleep": "sky",
    "compute": "blue",
    "d2s_tx": "purple",
    "d2s_rx": "yellow",
}
_PHASE_COLORS = {
    "predict": "sky",
    "exchange": "orange",
    "trust": "green",
    "train": "blue",
    "waiting": "gray",
}
_OTHER_COLORS = ("purple", "vermillion", "yellow", "ink")
KIND_COLORS = ("blue", "vermillion", "green", "purple", "orange", "sky", "ink")


def shown_metrics(run: Run) -> list:
    """The columns of rounds that say how learning goes: first the run's own measure."""
    metrics = run.metrics
    return [run.measure, *(name for name in metrics if name != run.measure)] if metrics else []


def curve_axes() -> list:
    """What learning can be drawn over, for a chart."""
    return [
        {"key": key, "label": label, "whole": key == "rounds"} for key, (label, _) in AXES.items()
    ]


def accuracy_chart(run: Run) -> Optional[dict]:
    """Every metric over rounds, time, joules and bytes: means of devices, and each device."""
    metrics = shown_metrics(run)
    if not metrics:
        return None
    values = {metric: run.by_round(metric) for metric in metrics}
    low = len(run.low_quality)
    name = "regular devices, mean" if low else "all devices, mean"
    series = [_mean_of(run, run.regular, values, name, "blue")]
    if low:
        name = "low-quality devices, mean"
        series.append(_mean_of(run, run.low_quality, values, name, "vermillion"))
    many = len(run.devices) > MOST_DEVICE_LINES
    if not many:
        series += [_line_of(run, device, values) for device in values[metrics[0]].columns]
    caption = (
        "Means over devices; the band is one standard deviation over devices. Time, energy and "
        "bytes are what was spent up to the end of a round, mean over all devices"
        + ("." if many else "; for a single device, what it spent itself.")
    )
    return {
        "id": "learning",
        "type": "line",
        "title": "Learning over rounds, time, energy and bytes",
        "caption": caption,
        "x": curve_axes(),
        "y": [{"key": metric, "label": name_of(metric)} for metric in metrics],
        "series": series,
    }


def _mean_of(run, devices, values, name, color):
    some = {metric: table.reindex(columns=devices) for metric, table in values.items()}
    means = {metric: table.mean(axis=1) for metric, table in some.items()}
    spreads = {metric: table.std(axis=1, ddof=0) for metric, table in some.items()}
    return {
        "name": name,
        "color": color,
        "x": {key: values_of(value(run)) for key, (_, value) in AXES.items()},
        "y": {metric: values_of(mean) for metric, mean in means.items()},
        "low": {metric: values_of(means[metric] - spreads[metric]) for metric in means},
        "high": {metric: values_of(means[metric] + spreads[metric]) for metric in means},
    }


def _line_of(run, device, values):
    alone = dataclasses.replace(
        run, tables={"rounds": run.rounds[run.rounds["device"] == device]}
    )
    rounds = alone.by_round("end_s").index
    return {
        "name": f"device {device_label(run, device)}",
        "legend": "single devices" + (" (* low quality)" if len(run.low_quality) else ""),
        "color": "gray",
        "thin": True,
        "hidden": True,
        "x": {key: values_of(value(alone)) for key, (_, value) in AXES.items()},
        "y": {metric: values_of(table[device].reindex(rounds)) for metric, table in values.items()},
    }


def energy_chart(run: Run) -> Optional[dict]:
    """Joules by kind of each device at the end of the run."""
    if run.energy.empty:
        return None
    energy = energy_by_device(run)
    energy = energy.loc[:, (energy > 0).any()]
    if energy.empty or not len(energy.columns):
        return None
    energy, labels, grouped = _bars(energy, lambda device: device_label(run, device))
    star = " A star marks devices of low quality." if len(run.low_quality) else ""
    return {
        "id": "energy",
        "type": "bars",
        "title": "Energy by kind and device",
        "caption": "Joules that each device spent in the whole run." + star + grouped,
        "x": "device",
        "y": "energy [J]",
        "categories": labels,
        "series": [
            {
                "name": ENERGY_NAMES.get(kind, kind),
                "color": _ENERGY_COLORS.get(kind, "ink"),
                "values": values_of(energy[kind]),
            }
            for kind in energy.columns
        ],
    }


def latency_chart(run: Run) -> Optional[dict]:
    """Seconds by phase of each round, mean over devices."""
    if run.latency.empty or run.rounds.empty:
        return None
    latency = latency_by_round(run)
    latency = latency.loc[:, latency.max() > 0]
    if not len(latency.columns):
        return None
    latency, labels, grouped = _bars(latency, str)
    known = [phase for phase in _PHASE_COLORS if phase in latency.columns and phase != "waiting"]
    others = [phase for phase in latency.columns if phase not in _PHASE_COLORS]
    phases = known + others + [phase for phase in ("waiting",) if phase in latency.columns]
    colors = dict(zip(others, _OTHER_COLORS * len(others)))
    return {
        "id": "latency",
        "type": "bars",
        "title": "Latency by phase and round",
        "caption": "Seconds of a round, mean over the devices that ended it. Sending is a device's "
        "own time on air; waiting is what the other phases leave of the round." + grouped,
        "x": "round",
        "y": "time, mean over devices [s]",
        "categories": labels,
        "series": [
            {
                "name": PHASE_NAMES.get(phase, phase),
                "color": {**_PHASE_COLORS, **colors}[phase],
                "values": values_of(latency[phase]),
            }
            for phase in phases
        ],
    }


def _bars(table, label):
    """The table, its labels and a note; of too many rows neighbors become their mean."""
    if len(table) <= _MOST_BARS:
        return table, [label(key) for key in table.index], ""
    size = -(-len(table) // _MOST_BARS)
    place = np.arange(len(table)) // size
    ends = table.index.to_series().groupby(place).agg(["first", "last"])
    labels = [f"{first}-{last}" for first, last in ends.itertuples(index=False)]
    return table.groupby(place).mean(), labels, f" A bar is the mean of {size} neighbors."


def delay_chart(run: Run) -> Optional[dict]:
    """Share of messages that arrived within a time, by kind."""
    if run.messages.empty:
        return None
    series = []
    for place, (kind, rows) in enumerate(run.messages.groupby("kind")):
        delays = delays_of(rows).dropna()
        if len(delays):
            series.append(_distribution(kind, "delay", delays, len(rows), place))
    if not series:
        return None
    return {
        "id": "delay",
        "type": "line",
        "title": "Message delay",
        "caption": "Share of all messages to a receiver that it had whole within a time since they "
        "were queued (cumulative distribution). The line ends below 1 by the share that was lost.",
        "x": [{"key": "delay", "label": "delay since queued [s]"}],
        "y": [{"key": "share", "label": "share of messages"}],
        "logarithmic": True,
        "step": True,
        "unit": True,
        "series": series,
    }


def attempts_chart(run: Run) -> Optional[dict]:
    """Share of messages that took at most so many transmissions a fragment, by kind."""
    messages = run.messages[run.messages["fragments"] > 0]
    if messages.empty:
        return None
    series = []
    for place, (kind, rows) in enumerate(messages.groupby("kind")):
        attempts = attempts_of(rows).dropna()
        if len(attempts):
            series.append(_distribution(kind, "attempts", attempts, len(attempts), place))
    return {
        "id": "attempts",
        "type": "line",
        "title": "Transmission attempts",
        "caption": "Share of sent messages that took at most so many transmissions a fragment, all "
        "receivers of a broadcast together (cumulative distribution).",
        "x": [{"key": "attempts", "label": "transmissions a fragment"}],
        "y": [{"key": "share", "label": "share of messages"}],
        "logarithmic": True,
        "step": True,
        "unit": True,
        "series": series,
    }


def _distribution(name, key, values, count, place):
    """The steps of a cumulative distribution of values among count things."""
    values = np.sort(values.to_numpy(dtype=float))
    places = every_few(len(values), _MOST_STEPS)
    steps = pd.Series(places + 1, index=values[places]).groupby(level=0).max() / count
    return {
        "name": str(name) or "messages",
        "color": KIND_COLORS[place % len(KIND_COLORS)],
        "x": {key: [float(values[0]), *map(float, steps.index)]},
        "y": {"share": [0, *map(float, steps)]},
    }


CHARTS = {
    "learning": (accuracy_chart, "rounds.csv"),
    "energy": (energy_chart, "energy.csv"),
    "latency": (latency_chart, "latency.csv"),
    "delay": (delay_chart, "messages.csv"),
    "attempts": (attempts_chart, "messages.csv"),
}
