# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Energy by kind and device, time by phase and round."""

import pandas as pd

from ..runs.run import ENERGY_KINDS
from .messages import MESSAGE

UNDIVIDED = "sending and waiting"


def energy_by_device(run):
    """Joules by kind at the end of the run, device x kind."""
    energy = run.accounts[[f"{kind}_j" for kind in ENERGY_KINDS]]
    return energy.set_axis(list(ENERGY_KINDS), axis=1)


def accounts_by_round(run):
    """Rows of energy by time, one a round and device; a device that went off in a round has one too.

    What was spent after the last round of all is not in them.
    """
    energy = run.energy[run.energy["round"].isin(run.rounds["round"])]
    energy = energy.sort_values("time_s", kind="stable")
    return energy.drop_duplicates(["round", "device"], keep="last")


def went_off(run):
    """The devices that went off in a round that they did not end, of which rounds has no row."""
    energy = run.energy.sort_values("time_s", kind="stable")
    if run.finished and "bytes_sent" in energy:  # the last account is of the end of the run
        energy = energy[energy.duplicated("device", keep="last")]
    begun, ended = (pd.MultiIndex.from_frame(rows[["round", "device"]])
                    for rows in (energy, run.rounds))  # fmt: skip
    return begun.difference(ended).unique("device")


def latency_by_round(run):
    """Seconds of each phase and of waiting, round x phase, mean over the devices that ended it.

    Of the exchange only the time on air of the device itself counts; the rest of it is waiting, as
    is what the phases leave of the round. Of a run that has no record of messages it is not known
    how long they were on air: the whole exchange is UNDIVIDED.
    """
    latency = run.latency.merge(run.rounds[["round", "device"]])
    latency["seconds"] = latency["end_s"] - latency["start_s"]
    exchange = latency["phase"] == "exchange"
    if run.lacks_messages:
        latency.loc[exchange, "phase"] = UNDIVIDED
    else:
        on_air = _seconds_on_air(run, latency.loc[exchange, ["device", "start_s", "end_s"]])
        latency.loc[exchange, "seconds"] = latency.loc[exchange, "seconds"].clip(upper=on_air)
    devices = run.rounds.groupby("round").size()
    phases = latency.pivot_table(
        index="round", columns="phase", values="seconds", aggfunc="sum", fill_value=0
    ).reindex(devices.index, fill_value=0)
    phases = phases.div(devices, axis=0)
    whole = (run.rounds["end_s"] - run.rounds["start_s"]).groupby(run.rounds["round"]).mean()
    phases["waiting"] = (whole - phases.sum(axis=1)).clip(lower=0)
    return phases


def _seconds_on_air(run, phases):
    """Airtime of what a device began to send within a phase, as far as it lasts, for each row (device,
    start_s, end_s) of a frame.

    Numbers of rounds do not tell it: devices send in other phases too, and what learns over a graph
    begins at 0 again.
    """
    if run.messages.empty or phases.empty:
        return pd.Series(0.0, phases.index)
    messages = run.messages.sort_values("end_s", kind="stable").drop_duplicates(MESSAGE, keep="last")
    phases = phases.rename_axis("phase").add_prefix("phase_").reset_index()
    sent = pd.merge_asof(
        _in_order(messages, "start_s", "sender"),
        _in_order(phases, "phase_start_s", "phase_device"),
        left_on="start_s", right_on="phase_start_s", left_by="sender", right_by="phase_device",
    )  # fmt: skip
    within = sent[["end_s", "phase_end_s"]].min(axis=1) - sent["start_s"]
    share = within.clip(lower=0) / (sent["end_s"] - sent["start_s"])
    airtime = (sent["airtime_s"] * share).groupby(sent["phase"]).sum()
    return airtime.reindex(phases["phase"], fill_value=0)


def _in_order(frame, time, device):
    """The rows of a frame that have a time and a device, by the time."""
    there = frame.dropna(subset=[time, device]).astype({time: float, device: int})
    return there.sort_values(time, kind="stable")


def batteries(run):
    """Energy rows with the time, device, joules left, and joules there were at the beginning."""
    energy = run.energy.sort_values("time_s", kind="stable")
    capacity = (energy["remaining_j"] + energy["source_j"]).groupby(energy["device"]).transform("max")
    return energy[["time_s", "device", "remaining_j"]].assign(capacity_j=capacity)
