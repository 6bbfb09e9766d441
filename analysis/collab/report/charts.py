# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the charts of one run show."""

import dataclasses
from typing import Optional

import numpy as np
import pandas as pd

from ..figures import style
from ..runs.run import Run
from ..statistics.costs import energy_by_device, latency_by_round
from ..statistics.curves import AXES, band_over_devices, name_of
from ..statistics.messages import attempt_distribution, delay_distribution
from .data_table import every_few, values_of

MOST_DEVICE_LINES = 40
_MOST_BARS = 120
_MOST_STEPS = 400

# The style sheet has the colors of figures by name. What is asleep is not gray beside what is idle.
_COLOR_NAMES = {
    style.BLACK: "ink",
    style.BLUE: "blue",
    style.GRAY: "sky",
    style.GREEN: "green",
    style.LIGHT_GRAY: "gray",
    style.ORANGE: "orange",
    style.PURPLE: "purple",
    style.SKY_BLUE: "sky",
    style.VERMILLION: "vermillion",
    style.YELLOW: "yellow",
}


def shown_metrics(run: Run) -> list:
    """The columns of rounds that say how learning goes: first the run's own measure."""
    return list(dict.fromkeys([run.measure, *run.metrics])) if run.metrics else []


def learning_chart(metrics: list, series: list, caption: str) -> dict:
    """Metrics over all that learning can be drawn over."""
    return {
        "id": "learning",
        "type": "line",
        "wide": True,
        "title": "Learning over rounds, time, energy and bytes",
        "caption": caption,
        "x": [{"key": key, "label": label, "whole": key == "rounds"}
              for key, (label, _) in AXES.items()],
        "y": [{"key": metric, "label": name_of(metric)} for metric in metrics],
        "series": series,
    }  # fmt: skip


def learning_line(name: str, axes: dict, bands: dict, **more) -> dict:
    """A line of such a chart: values by axis; and means with the ends of their band by metric."""
    ends = {
        end: {metric: values_of(band[place]) for metric, band in bands.items()}
        for place, end in enumerate(("y", "low", "high"))
    }
    return {"name": name, "x": {key: values_of(axes[key]) for key in axes}, **ends, **more}


def accuracy_chart(run: Run) -> Optional[dict]:
    """Every metric over rounds, time, joules and bytes: means of devices, and each device."""
    metrics = shown_metrics(run)
    if not metrics:
        return None
    groups = {"regular" if len(run.regular) < len(run.devices) else "all": run.regular}
    if len(run.low_quality):
        groups["low-quality"] = run.low_quality
    series = []
    for name, devices in groups.items():
        bands = {metric: band_over_devices(run, metric, devices) for metric in metrics}
        series.append(learning_line(f"{name} devices, mean", _axes(run), bands))
    few = len(run.devices) <= MOST_DEVICE_LINES
    if few:
        series += [_line_of(run, device, metrics) for device in sorted(run.rounds["device"].unique())]
    caption = (
        "Means over devices; the band is one standard deviation over devices. Time, energy and "
        "bytes are what was spent up to the end of a round, mean over all devices"
        + ("; for a single device, what it spent itself." if few else ".")
    )
    return learning_chart(metrics, series, caption)


def _axes(run):
    return {key: value(run) for key, (_, value) in AXES.items()}


def _line_of(run, device, metrics):
    rounds = run.rounds[run.rounds["device"] == device]
    alone = dataclasses.replace(run, tables={"rounds": rounds})
    return {
        "name": f"device {style.device_label(run, device)}",
        "legend": "single devices" + (" (* low quality)" if len(run.low_quality) else ""),
        "color": "gray",
        "thin": True,
        "hidden": True,
        "x": {key: values_of(values) for key, values in _axes(alone).items()},
        "y": {metric: values_of(alone.by_round(metric)[device]) for metric in metrics},
    }


def energy_chart(run: Run) -> Optional[dict]:
    """Joules by kind of each device at the end of the run."""
    energy = energy_by_device(run)
    colors = {kind: style.ENERGY_COLORS[kind] for kind in energy if (energy[kind] > 0).any()}
    energy.index = [style.device_label(run, device) for device in energy.index]
    star = " A star marks devices of low quality." if len(run.low_quality) else ""
    return _bars(
        energy,
        colors,
        style.ENERGY_NAMES,
        id="energy",
        title="Energy by kind and device",
        caption="Joules that each device spent in the whole run." + star,
        x="device",
        y="energy [J]",
    )


def latency_chart(run: Run) -> Optional[dict]:
    """Seconds by phase of each round, mean over devices."""
    if run.latency.empty or run.rounds.empty:
        return None
    latency = latency_by_round(run)
    return _bars(
        latency,
        style.phase_colors(latency),
        style.PHASE_NAMES,
        id="latency",
        title="Latency by phase and round",
        caption="Seconds of a round, mean over the devices that ended it. Sending is a device's "
        "own time on air, unless messages are not recorded; waiting is what the other phases leave of "
        "the round.",
        x="round",
        y="time, mean over devices [s]",
    )


def _bars(table, colors, names, x, y, **texts):
    """A bar a row, in it a color a column; of too many rows neighbors become their mean."""
    if not colors:
        return None
    labels = table.index.map(str)
    if len(table) > _MOST_BARS:
        size = -(-len(table) // _MOST_BARS)
        place = np.arange(len(table)) // size
        ends = labels.to_series().groupby(place).agg(["first", "last"])
        labels = ends["first"] + "-" + ends["last"]
        table = table.groupby(place).mean()
        texts["caption"] += f" A bar is the mean of {size} neighbors."
    places = {"bar": list(range(len(table)))}
    series = [{"name": names.get(column, column), "color": _COLOR_NAMES[color], "x": places,
               "y": {"bar": values_of(table[column])}} for column, color in colors.items()]
    return {
        "type": "bar",
        "x": [{"key": "bar", "label": x, "labels": list(labels)}],
        "y": [{"key": "bar", "label": y}],
        "series": series,
        **texts,
    }  # fmt: skip


def delay_chart(run: Run) -> Optional[dict]:
    """Share of messages that arrived within a time, by kind."""
    return _distributions(
        run,
        delay_distribution,
        id="delay",
        title="Message delay",
        caption="Share of all messages to a receiver that it had whole within a time since they "
        "were queued (cumulative distribution). The line ends below 1 by the share that was lost.",
        label="delay since queued [s]",
    )


def attempts_chart(run: Run) -> Optional[dict]:
    """Share of messages that took at most so many transmissions a fragment, by kind."""
    return _distributions(
        run,
        attempt_distribution,
        id="attempts",
        title="Transmission attempts",
        caption="Share of sent messages that took at most so many transmissions a fragment, all "
        "receivers of a broadcast together (cumulative distribution).",
        label="transmissions a fragment",
    )


def _distributions(run, distribution, label, **texts):
    """Cumulative distributions of something of messages, a line a kind."""
    series = []
    for kind, rows in run.messages.groupby("kind"):
        values, shares = distribution([dataclasses.replace(run, tables={"messages": rows})])
        known = np.isfinite(values)
        steps = pd.Series(shares[known], values[known]).iloc[1:].groupby(level=0).max()
        if len(steps):
            steps = steps.iloc[every_few(len(steps), _MOST_STEPS)]
            x, y = values_of([steps.index[0], *steps.index]), values_of([0, *steps])
            series.append({"name": str(kind) or "messages", "x": {texts["id"]: x},
                           "y": {"share": y}})  # fmt: skip
    return {
        "type": "line",
        "x": [{"key": texts["id"], "label": label}],
        "y": [{"key": "share", "label": "share of messages"}],
        "distribution": True,
        "series": series,
        **texts,
    } if series else None


CHARTS = {
    "learning": (accuracy_chart, "rounds.csv"),
    "energy": (energy_chart, "energy.csv"),
    "latency": (latency_chart, "latency.csv"),
    "delay": (delay_chart, "messages.csv"),
    "attempts": (attempts_chart, "messages.csv"),
}
