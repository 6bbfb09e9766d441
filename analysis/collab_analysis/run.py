# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""One run folder: reading and checking of its files."""

import io
import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

SCHEMA = 1

# The columns of each file, in its order; units are in the names (_s seconds, _j joules).
COLUMNS = {
    "rounds": "round device start_s end_s collaborative accuracy_reference"
    " balanced_accuracy_reference accuracy_local accuracy_global local_loss distillation_loss"
    " heard stale excluded energy_j bytes_sent",
    "energy": "round device time_s tx_j rx_j idle_j sleep_j compute_j d2s_tx_j d2s_rx_j source_j"
    " remaining_j",
    "latency": "round device phase start_s end_s",
    "messages": "queued_s start_s end_s sender receiver kind round sequence bytes fragments"
    " attempts airtime_s delivered reason",
    "trust": "round device peer weight age_rounds",
}

# What energy is spent on
ENERGY_KINDS = ("tx", "rx", "idle", "sleep", "compute", "d2s_tx", "d2s_rx")

# Columns that the files of older versions lack, and what they stand for there
ADDED_COLUMNS = {"sleep_j": 0.0, "d2s_tx_j": 0.0, "d2s_rx_j": 0.0}

TEXT_COLUMNS = {"phase", "kind", "reason"}

METADATA = ("scenario", "parameters", "seed", "run", "versions", "devices")


class RunError(Exception):
    """A folder that is not a run, or a file of it that cannot be read."""


@dataclass(frozen=True)
class Run:
    """A run: what it was given, and its files as data frames (columns: COLUMNS)."""

    path: Path
    finished: bool  # False while it is running, or if it was killed
    scenario: str
    parameters: dict
    seed: int
    run: int
    versions: dict
    devices: pd.DataFrame  # index: device; columns as in run.json
    rounds: pd.DataFrame
    energy: pd.DataFrame
    latency: pd.DataFrame
    messages: pd.DataFrame
    trust: pd.DataFrame

    @property
    def low_quality(self):
        """The devices of low quality, as an index."""
        return self.devices.index[self.devices["low_quality"]]

    @property
    def regular(self):
        """The devices that are not of low quality, as an index."""
        return self.devices.index[~self.devices["low_quality"]]

    @property
    def pair(self):
        """What runs share that differ in the method only."""
        return (self.seed, self.run)

    def by_round(self, column):
        """A column of rounds.csv, round x device; a silent device keeps its last value."""
        return self.rounds.pivot(index="round", columns="device", values=column).ffill()

    def trust_rounds(self):
        """The rounds that have trust weights, in order."""
        return sorted(self.trust["round"].unique())

    def trust_matrix(self, round_number, column="weight"):
        """W (or another column of trust.csv) of a round, device x peer; NaN without an entry."""
        rows = self.trust[self.trust["round"] == round_number]
        matrix = rows.pivot(index="device", columns="peer", values=column)
        return matrix.reindex(index=self.devices.index, columns=self.devices.index)


def load_run(path):
    """Reads a run folder; raises RunError if it is none or if a file is damaged.

    A folder NAME.partial is a run that has not finished: its files may be missing or end in the
    middle of a line, and last rounds that some devices have yet to finish are left out.
    """
    path = Path(path)
    finished = not path.name.endswith(".partial")
    metadata = _read_metadata(path)
    frames = {name: _read_table(path, name, finished) for name in COLUMNS}
    if not finished:
        frames["rounds"] = _without_begun_rounds(frames["rounds"])
    devices = pd.DataFrame(metadata.pop("devices")).set_index("device").sort_index()
    return Run(path=path, finished=finished, devices=devices, **metadata, **frames)


def find_runs(paths):
    """The run folders among paths and below them, each once; RunError if a path has none."""
    found = {}
    for path in map(Path, paths):
        if not path.is_dir():
            raise RunError(f"{path} is not a folder")
        folders = [file.parent for file in sorted(path.rglob("run.json"))]
        if not folders:
            raise RunError(f"{path} is not a run: no run.json in it or below it")
        found.update((folder.resolve(), folder) for folder in folders)
    return list(found.values())


def spent_kinds(groups):
    """The kinds that any run of {label: [run, ...]} has spent energy on, in order."""
    runs = [run for group in groups.values() for run in group]
    energy = pd.concat([run.energy for run in runs])
    return [kind for kind in ENERGY_KINDS if (energy[f"{kind}_j"] > 0).any()]


def _read_metadata(path):
    file = path / "run.json"
    try:
        metadata = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunError(f"{path} is not a run: no run.json in it") from None
    except (OSError, ValueError) as error:
        raise RunError(f"{file}: {error}") from None
    if metadata.get("schema") != SCHEMA:
        raise RunError(f"{file}: schema is {metadata.get('schema')}; allowed: {SCHEMA}")
    missing = [key for key in METADATA if key not in metadata]
    if missing:
        raise RunError(f"{file}: not in it: {', '.join(missing)}")
    if not metadata["devices"]:
        raise RunError(f"{file}: it lists no device")
    return {key: metadata[key] for key in METADATA}


def _read_table(path, name, finished):
    file = path / f"{name}.csv"
    columns = COLUMNS[name].split()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        if finished:
            raise RunError(f"{path}: {file.name} is missing") from None
        text = ""
    if not finished:
        text = text[: text.rfind("\n") + 1]
    elif not text.endswith("\n"):
        raise RunError(f"{file}: the last line is cut")
    if text.count("\n") < 2:
        return _empty_table(columns)
    try:
        table = pd.read_csv(io.StringIO(text))
    except ValueError as error:
        raise RunError(f"{file}: {error}") from None
    lacking = [column for column in columns if column not in table.columns]
    missing = [column for column in lacking if column not in ADDED_COLUMNS]
    if missing:
        raise RunError(f"{file}: columns not in it: {', '.join(missing)}")
    return table.assign(**{column: ADDED_COLUMNS[column] for column in lacking})


def _empty_table(columns):
    """No row, but the types that the columns have otherwise."""
    types = {column: object if column in TEXT_COLUMNS else float for column in columns}
    return pd.DataFrame({column: pd.Series(dtype=types[column]) for column in columns})


def _without_begun_rounds(rounds):
    """Leaves out the last round as long as the round before it has more devices."""
    counts = rounds.groupby("round").size()
    while len(counts) > 1 and counts.iloc[-1] < counts.iloc[-2]:
        counts = counts.iloc[:-1]
    return rounds[rounds["round"].isin(counts.index)]
