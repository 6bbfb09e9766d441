# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tables: CSV and Parquet, each row a sample, each column of words a category."""

import zlib
from pathlib import Path

import numpy as np

from .errors import bad_data, optional
from .options import Options
from .writer import DataSetWriter

SUFFIXES = (".csv", ".csv.gz", ".csv.bz2", ".parquet")

_NO_NUMBER = ("NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None")


def convert_table(source: Path, options: Options, writer: DataSetWriter) -> None:
    """Appends the rows of a table, and of that of the test part."""
    pandas = optional("pandas", "a table")
    frames = [_read(path, options) for path, _ in options.sources(source)]
    frame = pandas.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    require_numbers(source, frame, options.targets)
    is_test = _test_rows(source, frame, options)
    if options.test:
        is_test[len(frames[0]) :] = True
    used = [name for name in frame.columns if name not in options.ignore]
    complete = complete_rows(source, frame, used, options)
    frame, is_test = frame[complete], is_test[complete]
    answers = _answers(frame, options)
    features = _features(source, frame, options)
    for test in (False, True):
        rows = is_test == test
        chosen = {name: values[rows] for name, values in answers.items()}
        writer.add(features[rows], test=test, **chosen)


def read_csv(path: Path):
    """A table as it is in a file: an empty cell is no value, and so is a word for that among numbers;
    among other words it may be a name."""
    pandas = optional("pandas", "a table")
    frame = pandas.read_csv(
        path, encoding="utf-8-sig", skipinitialspace=True, keep_default_na=False, na_values=[""]
    )
    for name in frame.columns[frame.dtypes == object]:
        told = frame[name].where(~frame[name].isin(_NO_NUMBER))
        numbers = pandas.to_numeric(told, errors="coerce")
        if numbers.notna().any() and (numbers.notna() == told.notna()).all():
            frame[name] = numbers
    return frame


def complete_rows(source: Path, frame, used, options: Options) -> np.ndarray:
    """Which rows have a value in all of some columns; refuses others unless they may be skipped."""
    complete = frame[used].notna().all(axis=1).to_numpy()
    if not complete.all() and not options.skip_incomplete:
        row = int(np.argmin(complete))
        column = next(name for name in used if frame[name].isna().iloc[row])
        raise bad_data(
            source,
            f"row {row + 1} has nothing in column '{column}'; allowed with --skip-incomplete,"
            " which leaves such rows out",
        )
    return complete


def require_columns(source: Path, frame, wanted) -> None:
    """Refuses names of columns that the table has not."""
    for name in wanted:
        if name and name not in frame.columns:
            raise bad_data(
                source, f"found no column '{name}'; there are {', '.join(map(str, frame.columns))}"
            )


def require_numbers(source: Path, frame, names) -> None:
    """Refuses columns of words for the targets of regression."""
    for name in names:
        if frame[name].dtype.kind not in "buif":
            word = next(value for value in frame[name] if isinstance(value, str))
            raise bad_data(source, f"found '{word}' in column '{name}' of --targets, expected numbers")


def split_rows(source: Path, values) -> np.ndarray:
    """Which rows are of the test part, by a column of words."""
    words = [str(value).strip().lower() for value in values]
    wrong = sorted(set(words) - {"train", "test"})
    if wrong:
        raise bad_data(source, f"found '{wrong[0]}' in the split, expected train or test")
    return np.array([word == "test" for word in words])


def _read(path: Path, options: Options):
    pandas = optional("pandas", "a table")
    try:
        if path.suffix == ".parquet":
            try:
                frame = pandas.read_parquet(path)
            except ImportError:
                optional("pyarrow", "a Parquet file")
                raise
        else:
            frame = read_csv(path)
    except (OSError, ValueError, EOFError, zlib.error) as error:
        raise bad_data(path, f"is no table: {error}") from None
    wanted = [options.label, *options.targets, options.users, options.split, *options.ignore]
    require_columns(path, frame, wanted)
    if bool(options.label) == bool(options.targets):
        raise bad_data(path, "needs --label COLUMN, or --targets COLUMN[,COLUMN...]")
    if frame.empty:
        raise bad_data(path, "has no rows")
    _require_finite(path, frame, options)
    return frame


def _require_finite(path: Path, frame, options: Options) -> None:
    """Refuses numbers without end, also those that are in a file of 32 bits."""
    for name in frame.columns.difference(options.ignore, sort=False):
        if frame[name].dtype.kind == "f":
            with np.errstate(over="ignore"):
                endless = np.isinf(frame[name].to_numpy(dtype=np.float32))
            if endless.any():
                row = int(np.argmax(endless))
                raise bad_data(
                    path,
                    f"row {row + 1} has {frame[name].iloc[row]} in column '{name}', expected a"
                    " finite number of 32 bits",
                )


def _test_rows(source: Path, frame, options: Options) -> np.ndarray:
    if options.split:
        return split_rows(source, frame[options.split])
    return np.zeros(len(frame), dtype=bool)


def _answers(frame, options: Options) -> dict:
    answers = {}
    if options.label:
        answers["labels"] = frame[options.label].to_numpy()
    else:
        answers["targets"] = frame[list(options.targets)].to_numpy(dtype=np.float64)
    if options.users:
        answers["users"] = frame[options.users].to_numpy()
    return answers


def _features(source: Path, frame, options: Options) -> np.ndarray:
    """One column a number; of a column of words one a word, in alphabetical order, or its code."""
    apart = {options.label, *options.targets, options.users, options.split, *options.ignore}
    columns = []
    for name in frame.columns:
        if name in apart:
            continue
        values = frame[name].to_numpy()
        if values.dtype.kind in "iufb":
            columns.append(values.astype(np.float32)[:, np.newaxis])
            continue
        words, codes = np.unique(values.astype(str), return_inverse=True)
        one_hot = codes[:, np.newaxis] == np.arange(len(words))
        columns.append((codes[:, np.newaxis] if options.codes else one_hot).astype(np.float32))
    if not columns:
        raise bad_data(source, "has no column beside those that are named")
    return np.concatenate(columns, axis=1)
