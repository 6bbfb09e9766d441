# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Data sets that the module knows by name and that are published in files of other formats."""

from pathlib import Path
from typing import Callable, Dict

import numpy as np

from . import leaf
from .arrays import add_arrays, convert_arrays
from .errors import bad_data
from .options import Options
from .radioml import read_radioml
from .texts import FIRST_WORD, number_words, read_word_vectors
from .writer import TEST, DataSetWriter

_SVHN_MEAN, _SVHN_DEVIATION = [0.4377, 0.4438, 0.4728], [0.1980, 0.2010, 0.1970]
_LEAST_SNR_DB = 0.0
_BATCH = 4096  # samples that are written at once
GLOVE = "glove.6B.300d.txt"  # beside the folders of Sentiment140


def convert_known(name: str, source: Path, options: Options, out: Path) -> DataSetWriter:
    """Converts the original files of a set, in their folder; returns what was written."""
    options.name = name
    with DataSetWriter(out, options.metadata(source), {"": source, TEST: source}) as writer:
        writer.describe(_CONVERTERS[name](source, options, writer))
        writer.finish()
    return writer


def _convert_svhn(source: Path, options: Options, writer: DataSetWriter) -> Dict:
    """Labels 1 to 10, of which 10 is the digit 0."""
    options.features, options.label, options.order = "X", "y", "hwcn"
    options.test = source / "test_32x32.mat"
    convert_arrays(source / "train_32x32.mat", options, _Digits(writer))
    return {"classes": 10, "offset": _SVHN_MEAN, "scale": _SVHN_DEVIATION}


class _Digits:
    """Turns the labels of SVHN into digits on their way to the writer."""

    def __init__(self, writer: DataSetWriter):
        self._writer = writer

    def add(self, features, labels, test) -> None:
        """Appends samples."""
        wrong = [label for label in labels if label not in range(1, 11)]
        if wrong:
            raise bad_data("svhn", f"variable y: found label {wrong[0]}, expected 1 to 10")
        if features.dtype != np.uint8 or features.shape[1] != 3:
            raise bad_data("svhn", "variable X: expected height x width x 3 x samples of uint8")
        self._writer.add(features, labels=labels.astype(np.int64) % 10, test=test)


def _convert_radioml(source: Path, options: Options, writer: DataSetWriter) -> Dict:
    path = source / "RML2016.10a_dict.pkl" if source.is_dir() else source
    arrays, modulations = read_radioml(path)
    if not options.least[0]:
        options.least = ("snr", _LEAST_SNR_DB)
    add_arrays(path, arrays, options, writer, False)
    return {"class_names": modulations, "standardize": "all"}


def _convert_femnist(source: Path, options: Options, writer: DataSetWriter) -> Dict:
    _add_parts(source, writer, leaf.add_femnist)
    return {"classes": 62}


def _convert_shakespeare(source: Path, options: Options, writer: DataSetWriter) -> Dict:
    _add_parts(source, writer, leaf.add_shakespeare)
    count = leaf.CHARACTER_COUNT
    return {"classes": count, "kind": "tokens", "vocabulary": count}


def _convert_sentiment140(source: Path, options: Options, writer: DataSetWriter) -> Dict:
    """Words of the vectors beside the folders, else the most frequent ones of the training part."""
    vectors = options.vectors or source / GLOVE
    if options.vectors or vectors.exists():
        vocabulary, rows = read_word_vectors(vectors, options.words)
        writer.add_table("token_vectors", rows)
    else:
        words = leaf.most_frequent_words(source / "train", options.words)
        vocabulary = number_words(words)
    _add_parts(
        source, writer, lambda folder, add: leaf.add_sentiment140(folder, vocabulary, add)
    )
    return {
        "classes": 2,
        "class_names": ["negative", "positive"],
        "kind": "tokens",
        "vocabulary": FIRST_WORD + len(vocabulary),
        "words": list(vocabulary),
    }


def _add_parts(source: Path, writer: DataSetWriter, add_folder: Callable) -> None:
    """Appends both folders, the samples of many users at once."""
    for part in ("train", "test"):
        batch = _Batch(writer, part == "test")
        add_folder(source / part, batch.add)
        batch.flush()
        if not writer.samples["test_" if part == "test" else ""]:
            raise bad_data(source / part, "found no samples in the files *.json")


class _Batch:
    """Gathers the samples of users until there are enough to be written at once."""

    def __init__(self, writer: DataSetWriter, test: bool):
        self._writer, self._test, self._waiting = writer, test, []
        self._size = 0

    def add(self, features: np.ndarray, labels: list, user: str) -> None:
        """Appends the samples of a user, if there are some."""
        if labels:
            self._waiting.append((features, labels, [user] * len(labels)))
            self._size += len(labels)
        if self._size >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Writes what waits."""
        if not self._waiting:
            return
        features, labels, users = zip(*self._waiting)
        self._writer.add(
            np.concatenate(features),
            labels=np.concatenate([np.array(some, dtype=np.int64) for some in labels]),
            users=np.concatenate([np.array(some, dtype=object) for some in users]),
            test=self._test,
        )
        self._waiting, self._size = [], 0


_CONVERTERS = {
    "femnist": _convert_femnist,
    "radioml-2016.10a": _convert_radioml,
    "sentiment140": _convert_sentiment140,
    "shakespeare": _convert_shakespeare,
    "svhn": _convert_svhn,
}
NAMES = tuple(_CONVERTERS)

