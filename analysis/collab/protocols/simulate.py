# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs a protocol written in Python: in this process, or as a program that sweeps start."""

import contextlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Type

import numpy as np
import pandas as pd

from ..api.arguments import as_text, named
from ..api.progress import bar
from ..runs.run import Run, load_run
from ..setup.project import free_folder
from .data_file import as_data_set
from .extension import extension
from .generators import seeded, watched
from .parameter import Parameter, Table, declared, metrics_of
from .protocol import Protocol

class ProtocolError(Exception):
    """A protocol has thrown an exception, which is the cause of this one."""

    def __init__(self, where: str, cause: BaseException):
        text = f"{type(cause).__name__}: {cause}"
        super().__init__(f"{where}: {text}" if where else text)
        self.where = where  # device, round and phase


def simulate(
    protocol: Type[Protocol],
    into=None,
    progress: Optional[bool] = None,
    data: Any = ...,
    quiet: bool = True,
    **arguments: Any,
) -> "Simulated":
    """Simulates devices that run a protocol, in this process, and loads what was recorded.

    protocol: a subclass of Protocol; into: a new folder (default: runs/NAME-<n>); progress: whether
    to show a bar (default: in terminals and notebooks); data: name of a data set, arrays (inputs,
    labels), or None for no samples (default: the protocol's data_set); arguments: as on the command
    line of the protocol (./collab run FILE.py --help lists them), ns-3's attributes as
    **{"ns3::Type::Attribute": value}, seed and run for RngSeed and RngRun, outage for maxOutage,
    positions=[(x, y), ...], and others={"ns3::collab::PredictionConsensusApplication": [3, 4]} for
    devices that run the module's prediction consensus instead (with has_learner).

    Raises ArgumentError for a mistake in the arguments, and ProtocolError, with the original
    exception as its cause, for what the protocol throws.
    """
    name = _name(protocol)
    folder = Path(into) if into is not None else free_folder(name)
    if folder.exists():
        raise ValueError(f"{folder} is there already; allowed: a new folder")
    given = {_ALIASES.get(key, key): value for key, value in arguments.items()}
    data = protocol.data_set if data is ... else data
    if data is not None:
        given.setdefault("dataSet", as_data_set(data))
    words = [f"--{key}={_text(value)}" for key, value in named(given).items()]
    words += [f"--runDir={folder.resolve()}", f"--quiet={as_text(quiet)}"]
    with bar(given.get("rounds"), name, "round", progress) as tell:
        runner = _run(protocol, data is not None, [name, *words], tell)
    return Simulated.of(load_run(folder), runner.protocols)


class Simulated(Run):
    """A run, as load() gives it, with the protocols of all devices as they are at its end."""

    protocols: List[Protocol]

    @classmethod
    def of(cls, run: Run, protocols: List[Protocol]) -> "Simulated":
        """The same run."""
        made = cls.__new__(cls)
        vars(made).update(vars(run), protocols=protocols)
        return made

    def frame(self, table: str = "rounds") -> pd.DataFrame:
        """A table of the run."""
        return self.table(table)


def main(protocol: Type[Protocol], arguments: Optional[List[str]] = None) -> int:
    """Makes a program of a file with a protocol: python3 FILE --devices=20 --rounds=5, which sweeps
    start as they start programs in C++. Returns the exit code:

        if __name__ == "__main__":
            sys.exit(collab.main(Averaging))
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _run(protocol, protocol.data_set is not None, [_name(protocol), *words], lambda _: None)
        return 0
    except (extension().ArgumentError, extension().DataFileError) as error:
        print(f"{_name(protocol)}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except ProtocolError as error:
        cause = error.__cause__
        sys.excepthook(type(cause), cause, cause.__traceback__)
        print(f"{_name(protocol)}: {error}", file=sys.stderr)
        return 1


class _Runner:
    """What the simulation calls of Python."""

    def __init__(self, protocol: Type[Protocol], tell):
        self.protocols: List[Protocol] = []
        self._type = protocol
        self._values: Dict[str, Any] = {}
        self._write_row: Any = None
        self._tell = tell
        self._seed = 0
        self._round = -1

    def begin(self, values: Dict[str, Any], seed: int) -> None:
        """Told the values of all arguments."""
        self._values, self._seed = values, seed

    def make(self, number: int, device, samples) -> Protocol:
        """Makes the protocol of a device."""
        made = self._type()
        rng = np.random.default_rng([self._seed, number])
        made._write_row = self._write
        with seeded(int(rng.integers(2**63))):
            made._attach(device, samples, rng, self._values)
        self.protocols.append(made)
        return made

    def tables(self, write) -> None:
        """Given what writes rows of the protocol's own tables."""
        self._write_row = write

    def _write(self, table: int, cells: list) -> None:
        self._write_row(table, cells)

    def progress(self, round_number: int) -> None:
        """Told that a device has ended a round."""
        if round_number > self._round:
            self._round = round_number
            self._tell(round_number + 1)

    def fail(self, error: BaseException, where: str) -> None:
        """Throws what Python has thrown within the simulation."""
        if isinstance(error, Exception):
            raise ProtocolError(where, error) from error
        raise error  # such as KeyboardInterrupt


def _run(protocol: Type[Protocol], has_data: bool, words: List[str], tell) -> _Runner:
    described = describe(protocol, has_data)
    runner = _Runner(protocol, tell)
    with watched(), _no_other_simulation():
        extension().run(described, words, runner)
    return runner


def describe(protocol: Type[Protocol], has_data: bool) -> dict:
    """What a protocol is as a scenario."""
    if not (inspect.isclass(protocol) and issubclass(protocol, Protocol)):
        raise TypeError(f"{protocol!r} is no subclass of collab.Protocol")
    if protocol.has_learner and not has_data:
        raise ValueError(f"{protocol.__name__} has a learner, which needs data")
    metrics = [one for one in metrics_of(protocol) if not is_measured(one[0], protocol)]
    first = "" if protocol.has_learner else (metrics or [("messages_heard",)])[0][0]
    return {
        "name": _name(protocol),
        "usage": inspect.getdoc(protocol) or _name(protocol),
        "measure": protocol.measure or first,
        "has_data": has_data,
        "data_set": protocol.data_set or "fashion-mnist",
        "has_learner": protocol.has_learner,
        "shares_start": protocol.shares_start,
        "metrics": metrics,
        "parameters": [
            one.describe(name) for name, one in declared(protocol, Parameter).items()
        ],
        "tables": [one.describe(name) for name, one in declared(protocol, Table).items()],
    }


def is_measured(metric: str, protocol: Type[Protocol]) -> bool:
    """Whether the learner of the module measures it, so that no report() has to declare it."""
    return protocol.has_learner and metric.rpartition("_")[2] in ("reference", "local", "global")


_ALIASES = {"outage": "maxOutage"}
_running = False


@contextlib.contextmanager
def _no_other_simulation() -> Iterator[None]:
    """ns-3 has one simulator in a process."""
    global _running
    if _running:
        raise RuntimeError("a simulation runs already in this process; ns-3 has one at a time")
    _running = True
    try:
        yield
    finally:
        _running = False


_HERTZ = re.compile(r"([0-9.]+) ?([kMG]?)Hz")
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


def _text(value: Any) -> str:
    """A value on a command line; positions are x,y;x,y, a dict is name:1,2;name:3, and a frequency
    is in Hz."""
    if isinstance(value, dict):
        return ";".join(f"{name}:{as_text(list(some))}" for name, some in value.items())
    frequency = _HERTZ.fullmatch(value) if isinstance(value, str) else None
    if frequency:
        return as_text(float(frequency[1]) * _PREFIXES[frequency[2]])
    if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) == 2:
        return ";".join(as_text([float(one) for one in row]) for row in value)
    return as_text(value)


def _name(protocol: Type[Protocol]) -> str:
    """Consensus of AVeryGoodOne is a-very-good-one."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", protocol.__name__)
    return words.replace("_", "-").lower()
