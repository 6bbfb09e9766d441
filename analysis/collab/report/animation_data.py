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
from ..statistics.places import ways
from .data_table import MOST_ROWS, every_few, values_of

_MOST_PHASES = 60_000
_MOST_POINTS = 60_000  # of the ways of all devices
_MOST_LINKS = 2_000  # of one measure at one time
_MOST_WEIGHTS = 60_000  # of one measure at all times together

# Tables that are drawn, and their columns that name devices
_DRAWN = ("rounds", "energy", "latency", "messages", "trust", "links")
_NAMING = ("device", "peer", "sender", "receiver")
# Ends of color scales, by their names in the style sheet
_FILLS = ("scale-low", "scale-high")
_GOOD, _BAD = ("link-low", "green"), ("link-low", "vermillion")

_APART = 0.2  # of the devices' extent: how far above them others are drawn


def animation_data(run: Run, notes: list) -> Optional[dict]:
    """The animation's data; None if nothing happens in the run. Says in notes what is left out."""
    times = [run.rounds["end_s"], run.messages["end_s"], run.latency["end_s"], run.energy["time_s"]]
    times = pd.concat(times).to_numpy(dtype=float)
    end = max(times[np.isfinite(times)], default=0)
    if end <= 0:
        notes.append("There is no animation: no table says when anything happened.")
        return None
    nodes = _nodes(run)
    energy, rounds, phases = _batteries(run), _rounds(run), _phases(run, notes)
    fills = [_scale("spent", "energy spent", "J", energy["spent"], _FILLS)]
    if run.metrics:
        fills.insert(0, _scale("value", name_of(run.measure), "", rounds["value"], _FILLS))
    ends = run.rounds.groupby("round")["end_s"].min().dropna()
    return {
        "end": float(end),
        "devices": _devices(run, nodes, notes),
        "ways": _by_node(_ways(run, notes), nodes),
        "tracks": [_by_node(rows, nodes) for rows in (energy, rounds, phases)],
        "fills": fills,
        # Rounds begin at zero, and when a device has ended the one before
        "roundStarts": [0.0, *sorted(ends.round(6))],
        "messages": _messages(run, nodes, notes),
        "links": [_measure(nodes, notes, *told) for told in _links(run, notes)],
    }


def _nodes(run):
    """The devices of the run, and then what only its tables know, such as a server."""
    tables = [run.tables[name] for name in _DRAWN if name in run.tables]
    named = [table[column] for table in tables for column in _NAMING if column in table]
    seen = {int(node) for nodes in named for node in nodes.unique()}
    return pd.Index([*run.devices.index, *sorted(seen.difference(run.devices.index))])


def _devices(run, nodes, notes):
    places = run.devices.reindex(columns=["x_m", "y_m"])
    places = places.apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)
    known = bool(np.isfinite(places).all())
    if known:
        places = np.concatenate([places, _places_apart(places, len(nodes) - len(places))])
    else:
        notes.append("run.json lacks positions of devices: the graph puts them on a circle.")
        angles = 2 * np.pi * np.arange(len(nodes)) / len(nodes)
        places = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return {
        "id": nodes.tolist(),
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "lowQuality": nodes.isin(run.low_quality).tolist(),
        "listed": nodes.isin(run.devices.index).tolist(),
        "inMeters": known,
    }


def _ways(run, notes):
    """Where devices that move are from a time on; they go straight from one place to the next."""
    rows = ways(run).rename(columns={"time_s": "time", "x_m": "x", "y_m": "y"})
    if len(rows) > _MOST_POINTS:
        notes.append(f"The graph shows no movement: its {len(rows)} points are too many.")
        rows = rows[:0]
    return rows[["device", "time", "x", "y"]]


def _places_apart(places, count):
    """Places for others than the devices, whose own are unknown: side by side above them."""
    (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
    gap = _APART * max(right - left, high - low) or 1.0
    x = np.linspace(left - gap, right + gap, count + 2)[1:-1]
    return np.stack([x, np.full(count, high + gap)], axis=1)


def _by_node(rows, nodes):
    """Of each node what is so from a time on: a list a column; of times all that is seen."""
    groups = dict(list(rows.round({"time": 6}).groupby("device")))
    each = [groups.get(node, rows[:0]).drop(columns="device") for node in nodes]
    return [{name: values_of(values) for name, values in own.items()} for own in each]


def _batteries(run):
    """Joules left and spent, all and none of them at the beginning."""
    names = {"time_s": "time", "remaining_j": "left", "capacity_j": "capacity"}
    spent = run.energy[[f"{kind}_j" for kind in ENERGY_KINDS]].sum(axis=1)
    rows = batteries(run).rename(columns=names).assign(spent=spent)
    full = rows.drop_duplicates("device").assign(time=0.0, left=rows["capacity"], spent=0.0)
    rows = pd.concat([full, rows])
    return rows.assign(share=(rows["left"] / rows["capacity"]).round(4))


def _rounds(run):
    """The round that a device is in, and the run's own measure at the end of the one before."""
    rows = run.rounds.sort_values("round", kind="stable")
    first, last = rows["round"].min(), rows["round"].max()
    begin = pd.DataFrame({"device": run.devices.index, "time": 0.0, "round": first})
    begin["value"] = np.nan
    value = rows[run.measure] if run.metrics else np.nan
    ended = rows.assign(time=rows["end_s"], round=(rows["round"] + 1).clip(upper=last), value=value)
    return pd.concat([begin, ended[begin.columns]])


def _phases(run, notes):
    """The phase that a device is in; none between two of them."""
    rows = run.latency[run.latency["end_s"] > run.latency["start_s"]]
    if len(rows) > _MOST_PHASES:
        notes.append(f"The graph does not show the {len(rows)} phases: they are too many.")
        rows = rows[:0]
    rows = rows.sort_values("start_s", kind="stable")[["device", "start_s", "end_s", "phase"]]
    following = rows.groupby("device")["start_s"].shift(-1)
    ends = rows.assign(time=rows["end_s"].clip(upper=following), phase="")
    rows = pd.concat([ends, rows.assign(time=rows["start_s"])]).sort_values("time", kind="stable")
    return rows.drop_duplicates(["device", "time"], keep="last")[["device", "time", "phase"]]


def _scale(key, label, unit, values, colors):
    """What a color says, and the ends of its scale."""
    return {"key": key, "label": label, "unit": unit, "colors": colors,
            "low": float(values.min()), "high": float(values.max())}  # fmt: skip


def _messages(run, nodes, notes):
    rows = run.messages.dropna(subset=["start_s", "end_s"])
    rows = rows.sort_values("start_s", kind="stable").round({"start_s": 6, "end_s": 6})
    if len(rows) > MOST_ROWS:
        notes.append(
            f"The graph shows {MOST_ROWS} of the {len(rows)} messages, evenly chosen; tables of "
            "means and charts have all of them."
        )
        rows = rows.iloc[every_few(len(rows), MOST_ROWS)]
    numbers, kinds = pd.factorize(rows["kind"], sort=True)
    return {
        "kinds": kinds.tolist(),
        "start": rows["start_s"].tolist(),
        "end": rows["end_s"].tolist(),
        "sender": nodes.get_indexer(rows["sender"]).tolist(),
        "receiver": nodes.get_indexer(rows["receiver"]).tolist(),
        "kind": numbers.tolist(),
        "delivered": rows["delivered"].eq(1).astype(int).tolist(),
    }


def _links(run, notes):
    """Measures of links: key, label, unit, colors, and the values by time from which they hold,
    sender and receiver."""
    losses, name = link_losses(run)
    if name == OUTAGE:  # of a table links, if the algorithm wrote one
        yield "outage", name, "", _BAD, pd.concat({0.0: losses})
    if run.trust.empty:
        notes.append("The animation has no links by trust: the run has no trust weights.")
    trust = run.trust[run.trust["device"] != run.trust["peer"]]
    if len(trust):
        # From when the first device of a round has weighed its peers
        weighed = run.latency[run.latency["phase"] == "trust"].groupby("round")["end_s"].min()
        begins = weighed.combine_first(run.rounds.groupby("round")["start_s"].min())
        times = trust["round"].map(begins).fillna(0)
        weights = trust.set_index([times, "device", "peer"])["weight"]
        yield "trust", "trust in the peer", "", _GOOD, weights
    if run.messages.empty:
        why = "the run has no record of them" if run.lacks_messages else "there were none"
        notes.append(f"The animation has no messages and no links by messages: {why}.")
    else:
        lost = (run.messages["delivered"] != 1).astype(float)
        messages = run.messages.assign(lost=lost, delay=delays_of(run.messages))
        means = messages.groupby(["sender", "receiver"])[["lost", "delay"]].mean()
        yield "delay", "mean delay of messages", "s", _BAD, pd.concat({0.0: means["delay"]})
        yield "lost", "share of messages lost", "", _BAD, pd.concat({0.0: means["lost"]})


def _measure(nodes, notes, key, label, unit, colors, values):
    """A measure of links with a frame for each time."""
    rows = values.dropna().rename_axis(["time", "from", "to"]).reset_index(name="value")
    scale = _scale(key, label, unit, rows["value"], colors)
    most = min(_MOST_LINKS, _MOST_WEIGHTS // max(1, rows["time"].nunique()))
    if (rows["time"].value_counts() > most).any():
        each = max(1, most // len(nodes))
        notes.append(f"The graph shows only the {each} strongest links of a device by {label}.")
        ranks = rows.groupby(["time", "from"])["value"].rank("first", ascending=False)
        rows = rows[ranks <= each]
    rows = rows.assign(**{end: nodes.get_indexer(rows[end]) for end in ("from", "to")},
                       value=[float(f"{value:.5g}") for value in rows["value"]])  # fmt: skip
    rows = rows.sort_values("value", kind="stable")  # what is strongest is drawn last
    frames = [{"time": float(time), **links[["from", "to", "value"]].to_dict("list")}
              for time, links in rows.groupby("time")]  # fmt: skip
    return {**scale, "frames": frames}
