# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the animated device graph shows: devices, links, phases and messages over time."""

from typing import Optional

import numpy as np
import pandas as pd

from ..runs.run import ENERGY_KINDS, Run
from ..statistics.costs import batteries
from ..statistics.curves import name_of
from ..statistics.messages import OUTAGE, delays_of, link_losses
from .data_table import MOST_ROWS, every_few, values_of

_MOST_PHASES = 60_000
_MOST_LINKS = 2_000  # of one measure at one time
_MOST_TRUST_ENTRIES = 60_000

# Where tables that are drawn name devices
_NODES = {
    "rounds": ["device"],
    "energy": ["device"],
    "latency": ["device"],
    "messages": ["sender", "receiver"],
    "trust": ["device", "peer"],
    "links": ["device", "peer"],
}
_APART = 0.2  # of the devices' extent: how far above them others are drawn


def animation_data(run: Run, notes: list) -> Optional[dict]:
    """The animation's data; None if nothing happens in the run. Says in notes what is left out."""
    ends = [run.rounds["end_s"], run.messages["end_s"], run.latency["end_s"], run.energy["time_s"]]
    end = max(map(_latest, ends))
    if not end > 0:
        return None
    nodes = _nodes(run)
    place = {node: number for number, node in enumerate(nodes)}
    messages, thinned = _messages(run, place, notes)
    return {
        "end": end,
        "devices": _devices(run, nodes, notes),
        "batteries": _batteries(run, place),
        "rounds": _rounds(run, place),
        "phases": _phases(run, place, notes),
        "messages": messages,
        "thinned": thinned,
        "links": _links(run, place, notes),
    }


def _latest(times):
    times = times[np.isfinite(times)]
    return float(times.max()) if len(times) else 0.0


def _nodes(run):
    """The devices of the run, and then what only its tables know, such as a server."""
    named = [run.tables[name][column] for name, columns in _NODES.items() if name in run.tables
             for column in columns if column in run.tables[name]]  # fmt: skip
    seen = {int(node) for nodes in named for node in nodes.unique()}
    return [*run.devices.index, *sorted(seen.difference(run.devices.index))]


def _devices(run, nodes, notes):
    count = len(run.devices)
    known = {"x_m", "y_m"} <= set(run.devices.columns)
    places = run.devices[["x_m", "y_m"]].to_numpy(dtype=float) if known else np.full((1, 2), np.nan)
    known = bool(np.isfinite(places).all())
    if known:
        places = np.concatenate([places, _places_apart(places, len(nodes) - count)])
    else:
        notes.append("run.json lacks positions of devices: the graph puts them on a circle.")
        angles = 2 * np.pi * np.arange(len(nodes)) / len(nodes)
        places = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return {
        "id": [int(node) for node in nodes],
        "x": [float(x) for x in places[:, 0]],
        "y": [float(y) for y in places[:, 1]],
        "lowQuality": [node in run.low_quality for node in nodes],
        "listed": [number < count for number in range(len(nodes))],
        "inMeters": known,
    }


def _places_apart(places, count):
    """Places for others than the devices, whose own are unknown: side by side above them."""
    (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
    gap = _APART * max(right - left, high - low) or 1.0
    x = np.linspace(left - gap, right + gap, count + 2)[1:-1]
    return np.stack([x, np.full(count, high + gap)], axis=1)


def _batteries(run, place):
    """By device: times, joules left, joules spent; capacity is what was there at the beginning."""
    result = [{"time": [], "left": [], "spent": [], "capacity": None} for _ in place]
    spent = run.energy[[f"{kind}_j" for kind in ENERGY_KINDS]].sum(axis=1)
    for device, rows in batteries(run).assign(spent=spent).groupby("device"):
        result[place[device]] = {
            "time": _seconds(rows["time_s"]),
            "left": values_of(rows["remaining_j"]),
            "spent": values_of(rows["spent"]),
            "capacity": float(rows["capacity_j"].max()),
        }
    return result


def _rounds(run, place):
    """By device: when rounds ended, their numbers, and the run's own measure."""
    metric = run.measure if run.metrics else None
    devices = [{"time": [], "round": [], "value": []} for _ in place]
    for device, rows in run.rounds.sort_values("round", kind="stable").groupby("device"):
        devices[place[device]] = {
            "time": _seconds(rows["end_s"]),
            "round": [int(number) for number in rows["round"]],
            "value": values_of(rows[metric]) if metric else [None] * len(rows),
        }
    return {"metric": name_of(metric) if metric else None, "devices": devices}


def _phases(run, place, notes):
    """By device: when phases began and ended, and which they were."""
    names = sorted(run.latency["phase"].unique())
    devices = [{"start": [], "end": [], "phase": []} for _ in place]
    if len(run.latency) > _MOST_PHASES:
        notes.append(f"The graph does not show the {len(run.latency)} phases: they are too many.")
        return {"names": [], "devices": devices}
    number = {name: index for index, name in enumerate(names)}
    for device, rows in run.latency.sort_values("start_s", kind="stable").groupby("device"):
        devices[place[device]] = {
            "start": _seconds(rows["start_s"]),
            "end": _seconds(rows["end_s"]),
            "phase": [number[name] for name in rows["phase"]],
        }
    return {"names": names, "devices": devices}


def _messages(run, place, notes):
    rows = run.messages.dropna(subset=["start_s", "end_s"])
    rows = rows.sort_values("start_s", kind="stable")
    thinned = len(rows) > MOST_ROWS
    if thinned:
        notes.append(
            f"The graph shows {MOST_ROWS} of the {len(rows)} messages, evenly chosen; tables of "
            "means and charts have all of them."
        )
        rows = rows.iloc[every_few(len(rows), MOST_ROWS)]
    kinds = sorted(rows["kind"].unique())
    number = {kind: index for index, kind in enumerate(kinds)}
    return {
        "kinds": kinds,
        "start": _seconds(rows["start_s"]),
        "end": _seconds(rows["end_s"]),
        "sender": [place[device] for device in rows["sender"]],
        "receiver": [place[device] for device in rows["receiver"]],
        "kind": [number[kind] for kind in rows["kind"]],
        "bytes": values_of(rows["bytes"]),
        "delivered": [int(value == 1) for value in rows["delivered"]],
    }, thinned


def _links(run, place, notes):
    """Measures of links, each with frames that hold from their time on."""
    measures = [*_outage(run), *_trust(run, notes), *_of_messages(run)]
    for measure in measures:
        most = _MOST_LINKS
        if any(len(frame["rows"]) > most for frame in measure["frames"]):
            notes.append(f"The graph shows only the {most} strongest links by {measure['label']}.")
        for frame in measure["frames"]:
            rows = frame.pop("rows")
            if len(rows) > most:
                rows = rows.sort_values("value", ascending=False, kind="stable").head(most)
            frame["from"] = [place[device] for device in rows["from"]]
            frame["to"] = [place[device] for device in rows["to"]]
            frame["value"] = [_short(value) for value in rows["value"]]
    return measures


def _outage(run):
    """Of a table links, if the algorithm wrote one."""
    losses, name = link_losses(run)
    if name != OUTAGE:
        return []
    rows = losses.reset_index()
    frame = _frame(0.0, rows, "sender", "receiver", "outage")
    return [_measure("outage", name, "", [frame], worse=True)]


def _of_messages(run):
    if run.messages.empty:
        return []
    messages = run.messages.assign(
        lost=(run.messages["delivered"] != 1).astype(float),
        delay=delays_of(run.messages),
    )
    rows = messages.groupby(["sender", "receiver"])[["lost", "delay"]].mean().reset_index()
    frames = {
        name: [_frame(0.0, rows, "sender", "receiver", name)] for name in ("delay", "lost")
    }
    return [
        _measure("delay", "mean delay of messages", "s", frames["delay"], worse=True),
        _measure("lost", "share of messages lost", "", frames["lost"], worse=True),
    ]


def _trust(run, notes):
    """A frame a round, from when its first device has weighed its peers."""
    trust = run.trust[run.trust["device"] != run.trust["peer"]]
    if trust.empty:
        return []
    if len(trust) > _MOST_TRUST_ENTRIES:
        strongest = trust.groupby(["round", "device"])["weight"].rank("first", ascending=False)
        trust = trust[strongest <= max(1, _MOST_TRUST_ENTRIES * 5 // len(run.trust))]
        notes.append("The graph shows only the most trusted peers of each device.")
    phases = run.latency[run.latency["phase"] == "trust"].groupby("round")["end_s"].min()
    begins = run.rounds.groupby("round")["start_s"].min()
    frames = [
        _frame(
            float(phases.get(number, begins.get(number, 0.0))), rows, "device", "peer", "weight"
        )
        for number, rows in trust.groupby("round")
    ]
    return [_measure("trust", "trust in the peer", "", frames, worse=False)]


def _measure(key, label, unit, frames, worse):
    """worse tells whether more of it is worse; low and high are the ends of its color scale."""
    values = pd.concat([frame["rows"]["value"] for frame in frames])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    return {
        "key": key,
        "label": label,
        "unit": unit,
        "worse": worse,
        "low": low,
        "high": high,
        "frames": frames,
    }


def _frame(time, rows, sender, receiver, value):
    rows = rows[[sender, receiver, value]].set_axis(["from", "to", "value"], axis=1).dropna()
    return {"time": time, "rows": rows}


def _seconds(series):
    return [None if pd.isna(value) else round(float(value), 6) for value in series]


def _short(value):
    return float(f"{value:.5g}")
