# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Accuracy and costs of runs of any protocol, round by round, in one table."""

from dataclasses import dataclass, field
from typing import Mapping, Sequence

import numpy as np
import pandas as pd

from ...runs.errors import RunError
from ...runs.run import Run

# What a comparison is by: the unit, and how it is called
COSTS = {
    "joules": ("J", "energy per device"),
    "seconds": ("s", "simulated time"),
    "bytes": ("bytes", "sent per device, with a server's share"),
    "samples": ("", "own samples trained with, per device"),
}
# Which of them a budget can be of
VIEWS = ("joules", "seconds", "samples")

# The accuracy on test samples that no device has, by what scenarios call it
_ACCURACIES = ("accuracy_global", "accuracy")


@dataclass(frozen=True)
class Entry:
    """A run of a comparison: the protocol, and the point of what is swept."""

    protocol: str
    run: Run
    point: Mapping = field(default_factory=dict)  # name: value

    @property
    def place(self) -> str:
        """The point as a text; empty if nothing is swept."""
        return ", ".join(f"{name}={value}" for name, value in self.point.items())


_DIGITS = 12  # of accuracies
_NOTHING = pd.DataFrame([dict.fromkeys(["round", "accuracy", "worst", *COSTS], np.nan)])


def comparison_frame(entries: Sequence[Entry]) -> pd.DataFrame:
    """A row a round of each run: protocol, place (text), seed, run, round, accuracy, worst, and the
    costs up to then, means over devices.

    accuracy is the mean over devices that are neither malicious nor of bad data, on test samples that
    no device has; worst is that of the worst of them. A run in which no round has been measured has one row
    without numbers. Runs of a protocol and place are in the order of their seeds, however they are
    given: sums depend on it in their last digits, and what is as good as another on those. Raises
    RunError if two runs have the same protocol, point, seed and run number.
    """
    known = {}
    frames = []
    first = {}
    for entry in entries:
        first.setdefault((entry.protocol, entry.place), len(first))
    for entry in sorted(entries, key=lambda each: (first[each.protocol, each.place], *each.run.pair)):
        key = (entry.protocol, entry.place, *entry.run.pair)
        if key in known:
            raise RunError(
                f"{known[key]} and {entry.run.path} share protocol, point, seed and run number"
            )
        known[key] = entry.run.path
        frame = _NOTHING if entry.run.rounds.empty else run_frame(entry.run).reset_index()
        frame = (_NOTHING if frame.empty else frame).copy()
        for place, (name, value) in enumerate(zip(("protocol", "place", "seed", "run"), key)):
            frame.insert(place, name, value)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def run_frame(run: Run) -> pd.DataFrame:
    """Accuracy, worst and costs of a run, a row a round from the first that is measured on.

    A round that is not measured has the accuracy of the last one that is.
    """
    column = next((name for name in _ACCURACIES if name in run.rounds), None)
    if column is None:
        raise RunError(f"{run.path}: rounds has none of {', '.join(_ACCURACIES)}")
    accuracy = run.by_round(column).reindex(columns=run.regular)
    measured = pd.DataFrame({"accuracy": accuracy.mean(axis=1), "worst": accuracy.min(axis=1)}).ffill()
    measured = measured.round(_DIGITS)  # equal ones rank equal, whatever a sum's order has rounded
    return measured.join(run.when_measured(_costs(run))).dropna(subset=["accuracy"])


def _costs(run: Run) -> pd.DataFrame:
    sent = run.spent_by_round("bytes_sent").ffill().sum(axis=1, min_count=1) + _bytes_of_server(run)
    return pd.DataFrame({
        "joules": run.spent_by_round("energy_j").ffill().mean(axis=1),
        "seconds": run.round_ends(),
        "bytes": sent / len(run.devices),
        "samples": _samples_trained(run),
    })  # fmt: skip


def _bytes_of_server(run: Run):
    """What a server has sent by the end of each round; 0 without one."""
    if not run.has("server", "bytes_sent"):
        return 0.0
    sent = run.tables["server"].set_index("round")["bytes_sent"]
    return sent.reindex(run.by_round("end_s").index).ffill().fillna(0.0)


def _samples_trained(run: Run) -> pd.Series:
    """Own samples, counted each time, that a device has trained with; mean over devices. No numbers
    if the run does not say how many samples devices have."""
    trained = _trained(run).pivot(index="round", columns="device", values="trained")
    if "train_samples" not in run.devices or trained.isna().all(axis=None):
        return pd.Series(np.nan, index=trained.index)
    trained = trained.reindex(columns=run.devices.index).fillna(0.0)
    return (trained.cumsum() * samples_of_a_training(run)).sum(axis=1) / len(run.devices)


def _trained(run: Run) -> pd.DataFrame:
    """Rows of rounds, with 1 in trained where the device trained; NaN if what says so was left out."""
    rounds = run.rounds
    column = next((name for name in ("asked", "local_loss", "loss") if name in rounds), None)  # asked: by a server
    if column is None:
        trained = 1.0
    elif not run.has("rounds", column):
        trained = np.nan
    else:
        trained = (rounds[column] > 0 if column == "asked" else rounds[column].notna()).astype(float)
    return rounds[["round", "device"]].assign(trained=trained)


def samples_of_a_training(run: Run) -> pd.Series:
    """Own samples of one training, by device: those of its steps, or of its passes."""
    own = run.devices["train_samples"].astype(float)
    parameters = run.parameters
    if parameters.get("algorithm") == "fedsgd":  # one step on all samples
        return own
    steps = parameters.get("localSteps") or parameters.get("steps") or 0
    if steps:  # batches of as many passes as they need, the last of a pass being the rest
        batch = np.minimum(parameters["batchSize"], own)
        of_pass = np.ceil(own / batch)
        return steps // of_pass * own + steps % of_pass * batch
    return parameters.get("localEpochs", 1) * own
