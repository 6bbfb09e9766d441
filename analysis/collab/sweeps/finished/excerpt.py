# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What an archive has of the tables of its runs: all, or the values of some columns and rows of some of them.

    keeps:
      - rounds: {columns: [round, device], means: [energy_j]}
      - theory: {rows: {quantity: [bound, K]}}
      - energy: {last: 2}
"""

import csv
import io
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Dict, Iterable, Mapping, Set, Tuple

from ..texts import Content, SweepError, require_known

_PARTS = ("columns", "rows", "last", "means")
_DEVICE, _ROUND = "device", "round"


@dataclass(frozen=True)
class Excerpt:
    """Of a table."""

    columns: Tuple[str, ...] = ()  # the others are empty; all if there are none
    rows: Mapping[str, Tuple[str, ...]] = field(default_factory=dict)  # values of columns; all if there are none
    last: int = 0  # of these rows the last ones of each device; all if 0
    means: Tuple[str, ...] = ()  # more columns: means over the devices of a round, but own totals in the last
    may_lack: bool = False  # whether a column may be in none of the tables

    def has(self, column: str) -> bool:
        """Whether a column has its values."""
        return not self.columns or column in (*self.columns, *self.means)

    def of(self, table: bytes, name: str) -> bytes:
        """The table of a name, a CSV, without what is not in the excerpt.

        Raises SweepError if the table lacks a column that chooses rows, or values that a mean is of.
        """
        if not (self.columns or self.rows or self.last):
            return table
        header, *lines = csv.reader(io.StringIO(table.decode(), newline=""))
        for column in (*self.rows, *([_DEVICE] if self.last or self.means else []), *([_ROUND] if self.means else [])):
            require_known(column, header, f"keeps of {name}: column")
        chosen = [(header.index(column), values) for column, values in self.rows.items()]
        lines = [line for line in lines if all(line[place] in values for place, values in chosen)]
        if self.last:
            lines = [lines[place] for place in sorted(_last(lines, header.index(_DEVICE), self.last))]
        if self.means:
            _average(lines, header, [column for column in self.means if column in header], name)
        kept = [self.has(column) for column in header]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        for line in lines:
            writer.writerow([value if has else "" for value, has in zip(line, kept)])
        return text.getvalue().encode()


# What ./collab compare reads of runs: joules at the end of one are in a device's last account, and the one before
# says whether the device went off before the end.
COMPARED = {
    "rounds": Excerpt(("round", "device", "start_s", "end_s", "asked", "loss", "local_loss", "accuracy",
                       "accuracy_global", "energy_j", "bytes_sent"), may_lack=True),
    "energy": Excerpt(last=2),
    "server": Excerpt(("round", "start_s", "end_s", "energy_j", "bytes_sent"), may_lack=True),
}  # fmt: skip


def _last(lines: list, device: int, count: int) -> Set[int]:
    """The places of the last lines of each device."""
    met: Counter = Counter()
    found = set()
    for place, line in reversed(list(enumerate(lines))):
        met[line[device]] += 1
        if met[line[device]] <= count:
            found.add(place)
    return found


def _average(lines: list, header: list, columns: list, name: str) -> None:
    """Gives all devices the mean of their values in a round, in all rounds but the last one.

    Raises SweepError unless each round has a value of each device: else a device's last one would count, too.
    """
    rounds: Dict[int, list] = defaultdict(list)
    for line in lines:
        rounds[int(line[header.index(_ROUND)])].append(line)
    devices = {frozenset(line[header.index(_DEVICE)] for line in some) for some in rounds.values()}
    for place in map(header.index, columns):
        if len(devices) > 1 or any(not line[place] for line in lines):
            raise SweepError(f"keeps of {name}: means need a value of {header[place]} of each device in each round")
        for _, some in sorted(rounds.items())[:-1]:
            mean = repr(fmean(float(line[place]) for line in some))
            for line in some:
                line[place] = mean


def check_columns(excerpts: Mapping[str, Excerpt], tables: Iterable[Tuple[str, bytes]]) -> None:
    """Raises SweepError for a column that none of the tables of its name, which are CSV, has."""
    known: Dict[str, Dict[str, None]] = {}
    for name, table in tables:
        known.setdefault(name, {}).update(dict.fromkeys(table.partition(b"\n")[0].decode().split(",")))
    for name, excerpt in excerpts.items():
        for column in (*excerpt.columns, *excerpt.means) if name in known and not excerpt.may_lack else ():
            require_known(column, known[name], f"keeps of {name}: column")


def read_excerpts(given: Content, file: Path) -> Dict[str, Excerpt]:
    """The key keeps of a file: names of tables, or NAME: {columns: [...], rows: {COLUMN: [...]}, last: N, means: [...]}.

    Raises SweepError if it is something else.
    """
    found: Dict[str, Excerpt] = {}
    for one in given if isinstance(given, list) else [given]:
        if isinstance(one, str):
            found[one] = Excerpt()
        elif isinstance(one, dict) and all(isinstance(parts, dict) for parts in one.values()):
            found.update((name, _read(parts, file)) for name, parts in one.items())
        else:
            raise SweepError(f"{file}: keeps must be a list of names of tables, or of NAME: {{columns: [...], rows: ...}}")
    return found


def _read(parts: dict, file: Path) -> Excerpt:
    for key in parts:
        require_known(key, _PARTS, f"{file}: keeps: key")
    columns, rows, last, means = (parts.get(key, usual) for key, usual in zip(_PARTS, ([], {}, "0", [])))
    lists = [columns, means, *rows.values()] if isinstance(rows, dict) else [rows]
    if not all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in lists):
        raise SweepError(f"{file}: keeps: columns and means must be lists of names, rows as {{COLUMN: [VALUE, ...]}}")
    if not isinstance(last, str) or not last.isdecimal():
        raise SweepError(f"{file}: keeps: last must be a number of rows")
    if means and (not columns or set(means) & set(columns)):
        raise SweepError(f"{file}: keeps: means are beside columns; name these, too, and none of them twice")
    rows = {name: tuple(values) for name, values in rows.items()}
    return Excerpt(tuple(columns), rows, int(last), tuple(means))
