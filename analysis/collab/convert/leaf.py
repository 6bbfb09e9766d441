# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sets of the LEAF benchmark (Caldas et al., arXiv:1812.01097): folders train and test of JSON.

Files are read user by user, so that besides the text of one file never more than one user's
samples are held. Users whose name comes again are the same.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Callable, Iterator, Tuple

import numpy as np

from .errors import bad_data
from .texts import CHARACTERS, encode_characters, encode_words, split_words

_PIXELS = 28 * 28  # of FEMNIST
_SPOKEN = 80  # characters of Shakespeare
_TWEET_WORDS = 25
_TWEET_TEXT = 4  # place of the text: id, time, query, user, text

Users = Iterator[Tuple[str, list, list]]


def read_users(folder: Path) -> Users:
    """File and name, x and y of the users of all files *.json of a folder, by name of the file."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise bad_data(folder, "no files *.json in this folder, expected at least one")
    for file in files:
        yield from _FileReader(file).users()


class _FileReader:
    """Takes the text of one file apart, value by value."""

    def __init__(self, file: Path):
        self._file, self._at = file, 0
        self._decoder = json.JSONDecoder()
        try:
            self._text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise bad_data(file, f"cannot be read: {error}") from None

    def users(self) -> Users:
        """The users, checked against what the file says about them."""
        names, counts, found = [], [], {}
        for key in self._keys():
            if key == "user_data":
                for name in self._keys():
                    if name in found:
                        raise self._bad(name, "found the same user twice in one file")
                    x, y = self._samples(name)
                    found[name] = len(x)
                    yield (f"{self._file}: user '{name}'", name, x, y)
                continue
            value = self._value()
            names = value if key == "users" else names
            counts = value if key == "num_samples" else counts
        if self._text[self._at :].strip():
            raise self._broken("found more text, expected the end of the file")
        self._check(names, counts, found)

    def _check(self, names, counts, found) -> None:
        if not len(names) == len(counts) == len(found):
            raise bad_data(
                self._file,
                f"found {len(names)} users, {len(counts)} numbers of samples and the data of"
                f" {len(found)}, expected equally many",
            )
        for name, count in zip(names, counts):
            if found.get(name) != count:
                raise self._bad(name, f"found {found.get(name, 0)} samples, expected {count}")

    def _samples(self, name: str) -> tuple:
        user = self._value()
        x, y = (user.get(key, []) if isinstance(user, dict) else None for key in "xy")
        if not isinstance(x, list) or not isinstance(y, list):
            raise self._bad(name, "found no lists x and y")
        if len(x) != len(y):
            raise self._bad(
                name, f"found {len(x)} samples (x) and {len(y)} labels (y), expected equally many"
            )
        return x, y

    def _keys(self) -> Iterator[str]:
        """The keys of the object that begins here; the caller takes the value of each."""
        self._expect("{")
        if self._peek() == "}":
            self._at += 1
            return
        while True:
            key = self._value()
            if not isinstance(key, str):
                raise self._broken("found no name of a value")
            self._expect(":")
            yield key
            end = self._peek()
            self._expect("," if end == "," else "}")
            if end != ",":
                return

    def _peek(self) -> str:
        while self._text[self._at : self._at + 1] in (" ", "\t", "\n", "\r"):
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _expect(self, mark: str) -> None:
        if self._peek() != mark:
            raise self._broken(f"expected '{mark}'")
        self._at += 1

    def _value(self):
        self._peek()
        try:
            value, self._at = self._decoder.raw_decode(self._text, self._at)
        except (json.JSONDecodeError, RecursionError) as error:
            raise self._broken(str(error)) from None
        return value

    def _broken(self, problem: str):
        return bad_data(self._file, f"character {self._at}: found no valid JSON: {problem}")

    def _bad(self, name: str, problem: str):
        return bad_data(self._file, f"user '{name}': {problem}")


def add_femnist(folder: Path, add: Callable) -> None:
    """28 x 28 bytes, 0 black to 255 white paper; 62 classes: digits, A to Z, a to z."""
    for place, name, x, y in read_users(folder):
        for number, sample in enumerate(x):
            _check_image(f"{place}: sample {number}", sample)
        labels = [_whole_label(place, label, 62) for label in y]
        scaled = np.array(x, dtype=np.float64).reshape(-1, 1, 28, 28) * 255
        bytes_ = np.floor(scaled)
        bytes_ += scaled - bytes_ >= 0.5  # as one rounds by hand: np.rint would round to even
        add(bytes_.astype(np.uint8), labels, name)


def _check_image(place: str, sample) -> None:
    if not isinstance(sample, list) or len(sample) != _PIXELS:
        found = f"{len(sample)} elements" if isinstance(sample, list) else "no list"
        raise bad_data(place, f"found {found}, expected {_PIXELS} pixels")
    for pixel, value in enumerate(sample):
        if type(value) not in (int, float) or not 0 <= value <= 1:
            raise bad_data(place, f"found pixel {pixel} of value {value!r}, expected 0 to 1")


def add_shakespeare(folder: Path, add: Callable) -> None:
    """80 characters as tokens; the class is the next one."""
    for place, name, x, y in read_users(folder):
        said = [_text_of(f"{place}: sample {i}", text, _SPOKEN) for i, text in enumerate(x)]
        labels = [int(encode_characters(_text_of(f"{place}: label", text, 1))[0]) for text in y]
        tokens = encode_characters(b"".join(said)).reshape(-1, _SPOKEN)
        add(tokens, labels, name)


def _text_of(place: str, text, length: int) -> bytes:
    if not isinstance(text, str) or len(text.encode("utf-8", "replace")) != length:
        raise bad_data(place, f"found {str(text)[:40]!r}, expected {length} character(s)")
    return text.encode()


def add_sentiment140(folder: Path, vocabulary: dict, add: Callable) -> None:
    """25 words as tokens; classes: negative (0) and positive (1 or 4)."""
    for place, name, x, y in read_users(folder):
        tweets = [_tweet_of(f"{place}: sample {i}", sample) for i, sample in enumerate(x)]
        labels = [_feeling(place, label) for label in y]
        tokens = [encode_words(tweet, vocabulary, _TWEET_WORDS) for tweet in tweets]
        add(np.array(tokens, dtype=np.int32).reshape(-1, _TWEET_WORDS), labels, name)


def most_frequent_words(folder: Path, most: int) -> list:
    """Words of the tweets: the most frequent first, equally frequent ones by alphabet."""
    counts: Counter = Counter()
    for place, _, x, _ in read_users(folder):
        for number, sample in enumerate(x):
            counts.update(split_words(_tweet_of(f"{place}: sample {number}", sample)))
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def _tweet_of(place: str, sample) -> str:
    if not isinstance(sample, list) or len(sample) <= _TWEET_TEXT:
        raise bad_data(place, "expected id, time, query, user and text")
    if not isinstance(sample[_TWEET_TEXT], str):
        raise bad_data(place, f"found {sample[_TWEET_TEXT]!r}, expected a text")
    return sample[_TWEET_TEXT]


def _feeling(place: str, label) -> int:
    if isinstance(label, str) and len(label) == 1 and label in "0123456789":
        label = int(label)  # some files have it in quotes
    if isinstance(label, (int, float)) and not isinstance(label, bool) and label in (0, 1, 4):
        return int(label > 0)
    raise bad_data(place, f"found label {label!r}, expected 0, 1 or 4")


def _whole_label(place: str, label, classes: int) -> int:
    number = isinstance(label, (int, float)) and not isinstance(label, bool)
    if not number or not 0 <= label < classes or label != int(label):
        raise bad_data(place, f"found label {label!r}, expected a number from 0 to {classes - 1}")
    return int(label)


CHARACTER_COUNT = len(CHARACTERS)
