# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Texts as tokens: words and their vectors, and the characters of LEAF's Shakespeare."""

import bz2
import gzip
import re
from pathlib import Path
from typing import Dict, Iterable, List, Optional

import numpy as np

from .errors import bad_data

PADDING, UNKNOWN, FIRST_WORD = 0, 1, 2  # tokens

# A word is a longest sequence of letters, digits, underscores and apostrophes, or one of . , ! ? ;
# as in LEAF; all characters beyond ASCII are letters.
_WORD = re.compile(r"[A-Za-z0-9_'\x80-\U0010ffff]+|[.,!?;]")
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}  # ASCII alone

# Characters of LEAF's Shakespeare by their tokens; any other byte counts as a space.
CHARACTERS = (
    b"\n !\"&'(),-.0123456789:;>?ABCDEFGHIJKLMNOPQRSTUVWXYZ[]abcdefghijklmnopqrstuvwxyz}"
)
_TOKEN_OF_BYTE = np.full(256, CHARACTERS.index(b" "), dtype=np.int32)
_TOKEN_OF_BYTE[list(CHARACTERS)] = np.arange(len(CHARACTERS))


def split_words(text: str) -> List[str]:
    """The words of a text, in lower case as far as they are ASCII."""
    return [word.translate(_LOWER) for word in _WORD.findall(text)]


def encode_words(text: str, vocabulary: Dict[str, int], length: int) -> List[int]:
    """Tokens of a text: the end of a long one is lost, a short one is filled up in front, so that
    the last step of a recurrent model reads the last word."""
    words = split_words(text)[:length]
    tokens = [vocabulary.get(word, UNKNOWN) for word in words]
    return [PADDING] * (length - len(tokens)) + tokens


def encode_characters(text: bytes) -> np.ndarray:
    """Tokens of the characters of a text."""
    return _TOKEN_OF_BYTE[np.frombuffer(text, dtype=np.uint8)]


def number_words(words: Iterable[str]) -> Dict[str, int]:
    """A vocabulary of words in this order."""
    return {word: FIRST_WORD + place for place, word in enumerate(words)}


def read_word_vectors(path: Path, most_words: int) -> tuple:
    """A vocabulary and its vectors, tokens x dimension, from the text format of GloVe, word2vec or
    fastText: a word and its numbers a line. That of padding is 0, that of unknown words the mean
    of all words. A word may hold blanks: the dimension is that of the first line, or of the header
    line "words dimension" that word2vec and fastText have. A word that comes again is passed over.
    """
    vectors: Dict[str, np.ndarray] = {}
    dimension: Optional[int] = None
    for number, line in enumerate(_lines(path), start=1):
        if len(vectors) == most_words:
            break
        parts = line.split(" ")
        if number == 1 and _is_header(parts):
            dimension = int(parts[1])
            continue
        dimension = dimension or max(len(parts) - 1, 1)
        word = " ".join(parts[:-dimension])
        if not word:
            raise bad_data(
                path, f"line {number}: found '{line[:40]}', expected a word and {dimension} numbers"
            )
        vector = _numbers(path, number, parts[-dimension:])
        vectors.setdefault(word, vector)
    if not vectors:
        raise bad_data(path, "found no word vectors")
    words = np.stack(list(vectors.values()))
    mean = words.mean(axis=0, dtype=np.float64).astype(np.float32)
    rows = np.concatenate([np.zeros((1, dimension), dtype=np.float32), mean[np.newaxis], words])
    return number_words(vectors), rows


def _lines(path: Path):
    opened = {".gz": gzip.open, ".bz2": bz2.open}.get(path.suffix, open)
    try:
        with opened(path, "rt", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            for line in file:
                # fastText ends its lines with a blank
                yield line.rstrip("\r\n").rstrip(" ")
    except (OSError, EOFError) as error:
        raise bad_data(path, f"cannot be read: {error}") from None


def _is_header(parts: List[str]) -> bool:
    """Whether a first line is that of word2vec: how many words, and their dimension. A vector of
    one number after a word of digits looks the same; no one has such."""
    return len(parts) == 2 and all(part.isdigit() for part in parts) and int(parts[1]) > 0


def _numbers(path: Path, number: int, texts: List[str]) -> np.ndarray:
    try:
        values = np.array(texts, dtype=np.float64).astype(np.float32)
        if np.isfinite(values).all():
            return values
    except ValueError:
        pass
    raise bad_data(path, f"line {number}: found '{' '.join(texts)[:40]}', expected finite numbers")
