# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""One run: what it was given, and the tables that it wrote."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, List, Mapping, Optional

import pandas as pd

from .contents import contents_of
from .display import Display, choose_measure, read_display
from .errors import RunError
from .mlflow import write_mlflow
from .run_files import (
    KNOWN_COLUMNS,
    completed,
    empty_table,
    needed_columns,
    read_any_tables,
    read_tables,
)
from .tensorboard import write_events

SCHEMA = 1

# What energy is spent on
ENERGY_KINDS = ("tx", "rx", "idle", "sleep", "compute", "d2s_tx", "d2s_rx")

# Said by runs of other ns-3 programs, of which nothing is known but their arguments
ADAPTED = "adapted"
_OUTPUT = "output.txt"  # what such a program has printed

METADATA = ("scenario", "parameters", "seed", "run", "versions", "devices")

# Kinds of what run.json says, if it says it
_KINDS = {
    "scenario": str,
    "parameters": dict,
    "attributes": dict,
    "computed": dict,
    "versions": dict,
    "seed": int,
    "run": int,
    "devices": list,
}

# Scenarios that measure the model that a round begins with, not the one that it ends with
_MEASURED_BEFORE = ("committee",)

# Tables whose rows are told apart by these columns
UNIQUE_ROWS = {"rounds": ["round", "device"], "trust": ["round", "device", "peer"]}

# Folder of a sweep with the runs that failed
FAILED = "failed"
_ASIDE = {FAILED, "replaced"}  # and those of other versions that were run again


@dataclass(frozen=True, repr=False)
class Run:
    """A run: what it was given, and its tables as data frames."""

    path: Path
    finished: bool  # False while it is running, or if it was killed
    scenario: str
    parameters: dict
    seed: int
    run: int
    versions: dict
    devices: pd.DataFrame  # index: device; columns as in run.json
    tables: Mapping[str, pd.DataFrame]  # by name
    columns: pd.DataFrame  # of the tables: table, column, type, unit, meaning
    attributes: dict = field(default_factory=dict)  # of ns-3, that are not at their default
    display: Display = Display()
    contents: dict = field(default_factory=dict)  # digests of files, by the argument that names them
    computed: dict = field(default_factory=dict)  # what was asked for, of parameters with another value
    _kept: dict = field(default_factory=dict, init=False, repr=False, compare=False)  # what was asked for before

    def __repr__(self) -> str:
        state = "" if self.finished else ", not finished"
        return f"<run of {self.scenario}, seed {self.seed}, run {self.run}: {self.path}{state}>"

    @property
    def rounds(self) -> pd.DataFrame:
        """A row a round and device."""
        return self.table("rounds")

    @property
    def energy(self) -> pd.DataFrame:
        """A row a round and device, and one when a device went off and when the run ended: joules
        up to then."""
        return self.table("energy")

    @property
    def latency(self) -> pd.DataFrame:
        """A row a round, device and phase."""
        return self.table("latency")

    @property
    def messages(self) -> pd.DataFrame:
        """A row a message and receiver."""
        return self.table("messages")

    @property
    def positions(self) -> pd.DataFrame:
        """A row a device that has moved since its last one; none of a run in which none moves."""
        return self.table("positions")

    @property
    def device_messages(self) -> pd.DataFrame:
        """The messages between devices: none with a server, which has no place in run.json."""
        ends = self.messages[["sender", "receiver"]]
        return self.messages[ends.isin(self.devices.index).all(axis=1)]

    @property
    def lacks_messages(self) -> bool:
        """Whether devices have sent something of which the run has no record, as with --omit."""
        return self.messages.empty and bool((self.rounds["bytes_sent"] > 0).any())

    @property
    def trust(self) -> pd.DataFrame:
        """A row a round, device and peer."""
        return self.table("trust")

    def table(self, name: str) -> pd.DataFrame:
        """A table; one without a row if it is known and the run has none. To be read only."""
        return self.once(("table", name), lambda: self._complete(name))

    def once(self, key, make: Callable):
        """What make() gives, which is asked once: figures of hundreds of runs ask for it again and again."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _complete(self, name: str) -> pd.DataFrame:
        """A table with all columns that are known of it, and what they mean."""
        if name in self.tables:
            table = completed(name, self.tables[name])
            table.attrs = self._described(name)
            return table
        if name in KNOWN_COLUMNS:
            return empty_table(name)
        raise RunError(f"{self.path} has no table {name}; it has: {', '.join(sorted(self.tables))}")

    def _described(self, name: str) -> dict:
        """Units and meanings of a table's columns, as the run tells them."""
        rows = self.columns[self.columns["table"] == name]
        return {
            "units": dict(zip(rows["column"], rows["unit"])),
            "meanings": dict(zip(rows["column"], rows["meaning"])),
        }

    @property
    def output(self) -> str:
        """What the program has printed, if it is no scenario; those write tables instead."""
        file = self.path / _OUTPUT
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""

    def has(self, name: str, *columns: str) -> bool:
        """Whether a table has rows, and in each of these columns anything at all."""
        if name not in self.tables:
            return False
        table = self.tables[name]
        return len(table) > 0 and all(
            column in table.columns and table[column].notna().any() for column in columns
        )

    @property
    def settings(self) -> dict:
        """All that was chosen, by name: parameters, attributes, contents of files, seed and run."""
        contents = {f"{name} (contents)": digest for name, digest in self.contents.items()}
        chosen = {**self.parameters, **self.attributes, **contents}
        return {**chosen, "seed": self.seed, "run": self.run}

    @property
    def asked(self) -> dict:
        """The same with what was asked for where the program has computed the value, such as a deadline
        from the samples that the devices have: by this runs are told apart, not by what follows from it."""
        return {**self.settings, **self.computed}

    @property
    def method(self) -> str:
        """What tells it apart from runs of other methods, by its name."""
        return self.display.name(self.scenario, self.parameters)

    @property
    def metrics(self) -> List[str]:
        """The columns of rounds that the algorithm has added: what it measures."""
        return [*self.once("metrics", self._find_metrics)]

    def _find_metrics(self) -> List[str]:
        structure = KNOWN_COLUMNS["rounds"].split()
        rounds = self.rounds
        return [column for column in rounds.columns
                if column not in structure and pd.api.types.is_numeric_dtype(rounds[column])
                and rounds[column].notna().any()]  # fmt: skip

    @property
    def measure(self) -> str:
        """The column of rounds that is the run's own measure of success; RunError without any."""
        measure = choose_measure(self.display, self.rounds, self.metrics)
        if measure is None:
            raise RunError(f"{self.path}: rounds has no column with what the algorithm measured")
        return measure

    @property
    def low_quality(self) -> pd.Index:
        """The devices of low quality."""
        return self._marked("low_quality")

    @property
    def malicious(self) -> pd.Index:
        """The devices that attack or lie, whose own values say nothing."""
        return self._marked("malicious")

    @property
    def regular(self) -> pd.Index:
        """The devices that are neither of low quality nor malicious."""
        return self.devices.index.difference(self.low_quality).difference(self.malicious)

    def _marked(self, column: str) -> pd.Index:
        """The devices that a column of truth values marks; none if there is no such column."""
        if column not in self.devices:
            return self.devices.index[:0]
        return self.devices.index[self.devices[column].eq(True)]

    @property
    def pair(self) -> tuple:
        """What runs share that differ in the method only."""
        return (self.seed, self.run)

    def by_round(self, column: str) -> pd.DataFrame:
        """A column of rounds, round x device; a silent device keeps its last value. To be read only.

        A device that says NaN is not silent.
        """
        return self.once(("by round", column), lambda: self._pivot(column))

    def _pivot(self, column: str) -> pd.DataFrame:
        if column not in self.rounds:
            known = ", ".join(self.rounds.columns)
            raise RunError(f"{self.path}: rounds has no column {column}; it has: {known}")
        if not pd.api.types.is_numeric_dtype(self.rounds[column]):
            raise RunError(f"{self.path}: column {column} of rounds is no number")
        table = self.rounds.pivot(index="round", columns="device", values=column)
        silent = self.rounds.assign(told=1).pivot(index="round", columns="device", values="told")
        return table.ffill().where(silent.isna(), table)

    def round_ends(self) -> pd.Series:
        """When devices ended a round, mean over those that did, and no earlier than the round before [s]."""
        return self.rounds.groupby("round")["end_s"].mean().cummax()

    def final(self, column: str, devices: pd.Index) -> float:
        """A column of rounds at each device's last round, mean over some devices."""
        return self.by_round(column).iloc[-1].reindex(devices).mean()

    @property
    def accounts(self) -> pd.DataFrame:
        """What each device has spent in the whole run, by device: its last row of energy. To be read only.

        Of newer runs that is of the end of the run: what a device still sends, hears and computes
        after its last round is in it, but not its idling and sleeping, which are up to that round.
        """
        return self.once("accounts", self._find_accounts)

    def _find_accounts(self) -> pd.DataFrame:
        rows = self.energy.sort_values("time_s", kind="stable")
        last = rows.drop_duplicates("device", keep="last").set_index("device").sort_index()
        if self.finished and "bytes_sent" in rows:
            closing = ~rows.duplicated("device", keep="last")
            ended = rows[~closing].drop_duplicates("device", keep="last").set_index("device")
            last.update(ended[["idle_j", "sleep_j"]])
        return last

    def total(self, column: str) -> pd.Series:
        """What each device has spent (energy_j) or sent (bytes_sent) in the whole run, by device.

        Rounds tell it up to a device's last whole round, accounts of energy also what came after. Earlier rows may
        have means over devices, which can be greater: those of an Excerpt.
        """
        totals = [self.rounds.groupby("device")[column].last()]
        accounts = self.accounts
        if column == "energy_j":
            kinds = [f"{kind}_j" for kind in ENERGY_KINDS]
            accounts = accounts.assign(energy_j=accounts[kinds].sum(axis=1, min_count=len(kinds)))
        if column in accounts and len(accounts):
            totals.append(accounts[column])
        return pd.concat(totals, axis=1).max(axis=1)

    def spent_by_round(self, column: str) -> pd.DataFrame:
        """Joules (energy_j) or bytes (bytes_sent) up to each round, round x device.

        After the last round of a device it is the device's total().
        """
        total = self.total(column)
        last = self.rounds.groupby("device")["round"].max().reindex(total.index, fill_value=-1)
        spent = self.by_round(column).reindex(columns=total.index)
        over = pd.DataFrame({device: spent.index > last[device] for device in total.index},
                            index=spent.index)  # fmt: skip
        return spent.mask(over, total, axis=1)

    @property
    def measures_before(self) -> bool:
        """Whether rounds tell of the model that they begin with, not of the one that they end with."""
        return self.scenario in _MEASURED_BEFORE

    def when_measured(self, spent):
        """What was spent when a round's model was measured, of what was spent up to its end."""
        return spent.shift(1, fill_value=0) if self.measures_before else spent

    def to_tensorboard(self, folder) -> Path:
        """Writes what the devices measured, joules and bytes to an event file of TensorBoard.

        Values are means over devices, steps are rounds, and times are simulated ones from 0 on. Joules,
        bytes and times are those when a round's model was measured. folder: a new one, or one without
        such a file. Returns the file.
        """
        return write_events(Path(folder), *self._curves())

    def to_mlflow(self, store, name: str = "") -> Path:
        """Writes the same curves, parameters and versions to a file store of MLflow, as a run of its experiment 0.

        name: of the run there (default: that of its folder). Returns its folder; FileExistsError if the store
        has the run already.
        """
        told = json.dumps([self.scenario, self.settings, self.versions], sort_keys=True, default=str)
        known = {"run_id": hashlib.sha256(told.encode()).hexdigest()[:32], "name": name or self.path.name,
                 "finished": self.finished, "params": self.settings,
                 "tags": {"scenario": self.scenario, "method": self.method, **self.versions}}  # fmt: skip
        return write_mlflow(Path(store), known, *self._curves())

    def _curves(self) -> tuple:
        """What the devices measured, joules and bytes by round, and the seconds of rounds, both as measured."""
        curves = {column: self.by_round(column).mean(axis=1) for column in self.metrics}
        for column in ("energy_j", "bytes_sent"):
            curves[column] = self.when_measured(self.spent_by_round(column).mean(axis=1))
        return curves, self.when_measured(self.round_ends())

    def trust_rounds(self) -> list:
        """The rounds that have trust weights, in order."""
        return sorted(self.trust["round"].unique())

    def trust_matrix(self, round_number: int, column: str = "weight") -> pd.DataFrame:
        """W (or another column of trust) of a round, device x peer; NaN without an entry."""
        rows = self.trust[self.trust["round"] == round_number]
        matrix = rows.pivot(index="device", columns="peer", values=column)
        return matrix.reindex(index=self.devices.index, columns=self.devices.index)


def load_run(path, problems: Optional[list] = None) -> Run:
    """Reads a run folder; raises RunError if it is none or if a file is damaged.

    A folder NAME.partial is a run that has not finished: its files may be missing or end in the
    middle of a line, and all tables end with the last round that every device has ended, but for
    devices that went off.

    Given a list as problems, what is wrong with tables is appended to it instead of raised, and of
    a damaged table what can be read is kept.
    """
    path = Path(path)
    finished = not path.name.endswith(".partial")
    metadata = read_metadata(path)
    if metadata.get(ADAPTED):
        return make_run(path, finished, metadata, *read_any_tables(path))
    tables, columns = read_tables(path, finished, problems)
    if problems is None:
        check_tables(path, tables)
    else:
        tables = _filled(tables, problems)
    if not finished and "rounds" in tables:
        tables = _without_begun_rounds(tables, metadata["devices"])
    return make_run(path, finished, metadata, tables, columns)


def load_head(path: Path) -> Run:
    """A run without its tables; RunError as load_run() does."""
    return make_run(path, not path.name.endswith(".partial"), read_metadata(path), {}, pd.DataFrame())


def make_run(path, finished, metadata, tables, columns) -> Run:
    """A run from what run.json says and from its tables."""
    chosen = {key: metadata[key] for key in METADATA}
    listed = chosen.pop("devices")
    devices = pd.DataFrame(listed, columns=None if listed else ["device"])
    devices = devices.set_index("device").sort_index()
    attributes = metadata.get("attributes", {})
    return Run(path, finished, **chosen, devices=devices, tables=tables, columns=columns,
               attributes=attributes, display=read_display(metadata),
               contents=metadata.get("contents", {}), computed=metadata.get("computed", {}))  # fmt: skip


def find_runs(paths) -> list:
    """The run folders among paths and below them, each once; RunError if a path has none.

    Below a folder of a sweep, what is in its folder of failed runs is left out.
    """
    found = {}
    for path in map(Path, paths):
        if not path.is_dir():
            raise RunError(f"{path} is not a folder")
        folders = [file.parent for file in sorted(path.rglob("run.json"))]
        folders = [folder for folder in folders if not _ASIDE & {*folder.relative_to(path).parts}]
        if not folders:
            raise RunError(f"{path} is not a run: no run.json in it or below it")
        found.update((folder.resolve(), folder) for folder in folders)
    return list(found.values())


def spent_kinds(groups) -> list:
    """The kinds that any run of {label: [run, ...]} has spent energy on, in order."""
    runs = [run for group in groups.values() for run in group]
    energy = pd.concat([run.energy for run in runs])
    return [kind for kind in ENERGY_KINDS if (energy[f"{kind}_j"] > 0).any()]


def read_metadata(path: Path) -> dict:
    """What run.json says, and "contents" if the run's sweep knows of files that arguments name;
    RunError if run.json is not what a run is made of."""
    file = path / "run.json"
    try:
        metadata = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunError(f"{path} is not a run: no run.json in it") from None
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{file}: {error}") from None
    if not isinstance(metadata, dict):
        raise RunError(f"{file}: it is no JSON object")
    if metadata.get("schema") != SCHEMA:
        raise RunError(f"{file}: schema is {metadata.get('schema')}; allowed: {SCHEMA}")
    missing = [key for key in METADATA if key not in metadata]
    if missing:
        raise RunError(f"{file}: not in it: {', '.join(missing)}")
    wrong = [key for key, kind in _KINDS.items() if not isinstance(metadata.get(key, kind()), kind)]
    if wrong:
        raise RunError(f"{file}: not as it should be: {', '.join(wrong)}")
    if not metadata.get(ADAPTED):
        _check_devices(metadata["devices"], file)
    contents = contents_of(path)
    return {**metadata, "contents": contents} if contents else metadata


def _check_devices(devices: list, file: Path) -> None:
    if not devices:
        raise RunError(f"{file}: it lists no device")
    known = [entry.get("device") for entry in devices if isinstance(entry, dict)]
    if len(known) < len(devices) or not all(isinstance(device, int) for device in known):
        raise RunError(f"{file}: a device has no number")
    if len(set(known)) < len(known):
        raise RunError(f"{file}: it lists a device twice")


def check_tables(path: Path, tables: Mapping[str, pd.DataFrame]) -> None:
    """Raises RunError if a table that this package knows is not what the package needs.

    It lacks a column, or one that is turned into a matrix has an entry twice.
    """
    for name, missing in _missing_columns(tables).items():
        raise RunError(f"{path}: table {name} has no column {', '.join(missing)}")
    for name, columns in UNIQUE_ROWS.items():
        twice = tables[name][tables[name].duplicated(columns)] if name in tables else ()
        if len(twice):
            told = ", ".join(f"{column} {twice.iloc[0][column]:g}" for column in columns)
            raise RunError(f"{path}: table {name} has two rows of {told}")


def _filled(tables: dict, problems: list) -> dict:
    """The tables with NaN in the place of columns that are missing; says which."""
    filled = dict(tables)
    for name, missing in _missing_columns(tables).items():
        problems.append(f"table {name} has no column {', '.join(missing)}")
        filled[name] = tables[name].assign(**{column: float("nan") for column in missing})
    return filled


def _missing_columns(tables: Mapping[str, pd.DataFrame]) -> dict:
    """The columns that tables lack and this package needs, by name of the table."""
    missing = {
        name: [column for column in needed_columns(name) if column not in tables[name]]
        for name in KNOWN_COLUMNS
        if name in tables
    }
    return {name: columns for name, columns in missing.items() if columns}


def _without_begun_rounds(tables: dict, devices: list) -> dict:
    """All tables up to the last round that every device has ended, but for those that went off."""
    rounds = tables["rounds"]
    last = rounds.groupby("device")["round"].max()
    going = last.reindex([entry["device"] for entry in devices], fill_value=-1)
    going = going.drop(_gone_off(tables), errors="ignore")
    if rounds.empty or going.empty:
        return tables
    return {name: table[~(table["round"] > going.min())] if "round" in table else table
            for name, table in tables.items()}  # fmt: skip


def _gone_off(tables: dict) -> pd.Index:
    """The devices whose last account of energy is of a round that they have not ended.

    Of the last rows of the table the rounds may not have been written yet: these tell nothing.
    """
    energy = tables.get("energy")
    if energy is None or energy.empty:
        return pd.Index([])
    keys = ["round", "device"]
    ended = pd.MultiIndex.from_frame(energy[keys]).isin(pd.MultiIndex.from_frame(tables["rounds"][keys]))
    written = energy.assign(ended=ended)[ended[::-1].cumsum()[::-1] > 0]
    told = written.drop_duplicates("device", keep="last").set_index("device")["ended"]
    return told.index[~told]
