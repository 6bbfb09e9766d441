# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Path gains or received powers of links over time, of any arrays, as scenarios read them.

The file is that of --links=file:PATH: CSV with the columns time, from, to and gain or rss.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Tuple

import numpy as np

from .arrays import SUFFIXES, open_arrays
from .errors import bad_data, reading, writing

SERVER = "server"
_AXES = ("time", "from", "to", "path")
_DIGITS = 3  # of values, in decibels


@dataclass(frozen=True)
class LinkOptions:
    """What a user says of the arrays."""

    array: str = ""  # its name; the only one if empty
    axes: Tuple[str, ...] = ()  # of _AXES; (time,) from, to if empty
    scale: str = "db"  # of real numbers: db or linear
    step: float = 1.0  # between times [s]
    times: str = ""  # array of times instead [s]
    rss: bool = False  # whether values are received powers [dBm], and not path gains [dB]
    floor: float = -np.inf  # below which links are out of range [dB or dBm]


def convert_links(source: Path, options: LinkOptions, out: Path) -> Tuple[int, int]:
    """Writes the links of a file of arrays; returns the numbers of times and of rows."""
    times, values = read_links(source, options)
    return len(times), write_links(out, times, values, options.rss)


def read_links(source: Path, options: LinkOptions) -> Tuple[np.ndarray, np.ndarray]:
    """Times [s] and decibels by time, sender and receiver; -inf out of range."""
    if not source.exists():
        raise bad_data(source, "does not exist")
    arrays = _read_rows(source, options) if source.suffix == ".csv" else _open(source)
    name = options.array or (next(iter(arrays)) if len(arrays) == 1 else "")
    if name not in arrays:
        found = f"no array '{name}'" if name else "several arrays"
        raise bad_data(source, f"found {found}, expected --array of {', '.join(arrays)}")
    with reading(source):
        values = _decibels(source, np.asarray(arrays[name]), options)
    steps = values.shape[0]
    times = np.arange(steps) * options.step
    if options.times:
        if options.times not in arrays:
            raise bad_data(source, f"found no array '{options.times}' (--times)")
        with reading(source):
            times = np.asarray(arrays[options.times], dtype=float).ravel()
    is_rising = np.isfinite(times).all() and (np.diff(times) > 0).all() and times[:1] >= 0
    if len(times) != steps or not is_rising:
        raise bad_data(source, f"found times {times}, expected {steps} that ascend from 0 or later")
    return times, values


def write_links(out: Path, times: np.ndarray, values: np.ndarray, rss: bool = False) -> int:
    """Writes decibels by time, sender and receiver; returns the number of rows."""
    count = 0
    with writing(out), out.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"time,from,to,{'rss' if rss else 'gain'}\n")
        for row in _rows(times, np.round(values, _DIGITS)):
            file.write(row)
            count += 1
    return count


def _open(source: Path) -> dict:
    if source.suffix not in SUFFIXES:
        allowed = ", ".join((".csv", *SUFFIXES))
        raise bad_data(source, f"is of no format that can be converted; these can: {allowed}")
    return open_arrays(source)


def _read_rows(source: Path, options: LinkOptions) -> dict:
    """Rows of numbers: those to one receiver from each sender, times one after the other."""
    with reading(source):
        rows = np.loadtxt(source, delimiter=",", comments="#", ndmin=2)
    if options.axes or len(rows) % rows.shape[1]:
        raise bad_data(
            source,
            f"found {len(rows)} rows of {rows.shape[1]} numbers, expected square matrices below"
            " each other: a row per receiver, a column per sender; no --axes",
        )
    return {source.stem: rows.reshape(-1, rows.shape[1], rows.shape[1]).transpose(0, 2, 1)}


def _decibels(source: Path, array: np.ndarray, options: LinkOptions) -> np.ndarray:
    """By time, sender and receiver; sums powers over paths."""
    axes = options.axes or _AXES[3 - array.ndim : 3] if array.ndim <= 3 else options.axes
    right = len(axes) == array.ndim == len(set(axes)) and {"from", "to"} <= set(axes) <= set(_AXES)
    if not right:
        raise bad_data(
            source,
            f"found {array.ndim} axes, expected as many in --axes: from, to and perhaps time and"
            f" path, not {','.join(axes) or 'none'}",
        )
    is_complex = array.dtype.kind == "c"
    if array.dtype.kind not in "fiuc":
        raise bad_data(source, f"found an array of type {array.dtype}, expected numbers")
    is_linear = is_complex or options.scale == "linear"
    if "path" in axes and not is_linear:
        raise bad_data(source, "found decibels of paths, expected --scale linear or coefficients")
    power = np.abs(array) ** 2 if is_complex else array.astype(float)
    if "path" in axes:
        power = power.sum(axis=axes.index("path"))
        axes = tuple(axis for axis in axes if axis != "path")
    if is_linear:
        if (power < 0).any():
            raise bad_data(source, "found a power below 0, expected --scale db for decibels")
        with np.errstate(divide="ignore"):
            power = 10 * np.log10(power)
    if "time" not in axes:
        power, axes = power[np.newaxis], ("time", *axes)
    values = power.transpose([axes.index(axis) for axis in _AXES[:3]]).copy()
    _, senders, receivers = values.shape
    if senders != receivers and 1 not in (senders, receivers):
        raise bad_data(
            source, f"found {senders} senders and {receivers} receivers, expected as many, or one"
        )
    if senders == receivers:
        values[:, range(senders), range(senders)] = -np.inf
    _require(source, ~np.isnan(values), "NaN", "a number; -inf dB is out of range")
    _require(source, (values <= 0) | options.rss, "a gain above 0 dB", "--rss for powers")
    return np.where(values < options.floor, -np.inf, values)


def _require(source: Path, right: np.ndarray, found: str, expected: str) -> None:
    """Refuses values, by time, sender and receiver, with the place of the first one."""
    if not right.all():
        place = dict(zip(_AXES, np.argwhere(~right)[0].tolist()))
        raise bad_data(source, f"found {found} at {place}, expected {expected}")


def _names(values: np.ndarray) -> Tuple[list, list]:
    """What senders and receivers are called: one that others are not is the server."""
    _, senders, receivers = values.shape
    if senders == receivers:
        return list(range(senders)), list(range(receivers))
    return (
        [SERVER] if senders == 1 else list(range(senders)),
        [SERVER] if receivers == 1 else list(range(receivers)),
    )


def _rows(times: np.ndarray, values: np.ndarray) -> Iterator[str]:
    """Rows of links in range, and of those that were just before; first of all that ever are."""
    senders, receivers = _names(values)
    is_square = len(senders) == len(receivers)
    is_symmetric = is_square and bool((values == values.transpose(0, 2, 1)).all())
    pairs = [
        (i, j)
        for i, sender in enumerate(senders)
        for j, receiver in enumerate(receivers)
        if sender != receiver and (i < j or not is_symmetric)
    ]
    # Rows of one direction would stand for both
    is_ever = (values > -np.inf).any(axis=0)
    begins = is_ever | is_ever.T if is_square else is_ever
    in_range = np.zeros(values.shape[1:], dtype=bool)
    for time, matrix in zip(times, values):
        for i, j in pairs:
            is_there = matrix[i, j] > -np.inf
            is_named = begins[i, j] or j == (i + 1) % len(receivers) or not is_square
            if is_there or in_range[i, j] or (is_named and time == times[0]):
                value = f"{matrix[i, j]:.{_DIGITS}f}" if is_there else ""
                yield f"{time:.9g},{senders[i]},{receivers[j]},{value}\n"
        in_range = matrix > -np.inf
