# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Words, tokens and word vectors."""

import bz2
import unittest

from folder_test_case import FolderTestCase

from collab.convert.texts import (
    encode_characters,
    encode_words,
    number_words,
    read_word_vectors,
    split_words,
)
from collab.setup.messages import CommandError


class TokensTest(unittest.TestCase):
    def test_splits_words_as_leaf_does(self):
        self.assertEqual(
            split_words("The cat, the DOG! isn't #1_a\tcaf\u00e9?"),
            ["the", "cat", ",", "the", "dog", "!", "isn't", "1_a", "caf\u00e9", "?"],
        )
        self.assertEqual(split_words("a!!b"), ["a", "!", "!", "b"])
        self.assertEqual(split_words("  @# "), [])
        self.assertEqual(split_words("\u00c9A\u00a0b"), ["\u00c9a\u00a0b"])  # beyond ASCII: letters

    def test_fills_up_in_front_and_cuts_the_end(self):
        words = number_words(["one", "two"])
        self.assertEqual(encode_words("two ONE three", words, 5), [0, 0, 3, 2, 1])
        self.assertEqual(encode_words("two one three", words, 2), [3, 2])
        self.assertEqual(encode_words("", words, 2), [0, 0])

    def test_characters_are_those_of_leaf(self):
        self.assertEqual(
            encode_characters(b"\n 0Aa}\t\x80").tolist(), [0, 1, 11, 25, 53, 79, 1, 1]
        )


class WordVectorsTest(FolderTestCase):
    def read(self, text, most=10, name="words.txt"):
        path = self.folder / name
        path.write_bytes(bz2.compress(text.encode()) if name.endswith("bz2") else text.encode())
        words, vectors = read_word_vectors(path, most)
        return words, vectors.tolist()

    def test_glove(self):
        text = "the 1 0 -1\ncat 0.5 0.25 1e-1\n. . 2 2 2\nthe 9 9 9\ndog -3.5 1 0\n"
        words, vectors = self.read(text)
        self.assertEqual(words, {"the": 2, "cat": 3, ". .": 4, "dog": 5})
        self.assertEqual(vectors[0], [0, 0, 0])
        self.assertEqual(vectors[1], [0, 0.8125, 0.2750000059604645])  # the mean of all
        self.assertEqual(vectors[5], [-3.5, 1, 0])
        self.assertEqual(list(self.read(text, most=2)[0]), ["the", "cat"])
        self.assertEqual(self.read(text, name="words.txt.bz2")[1], vectors)

    def test_the_header_of_word2vec_and_fasttext(self):
        # fastText ends its lines with a blank
        for text in ("2 3\na b 1 2 3\nc 4 5 6\n", "2 3\r\na b 1 2 3 \r\nc 4 5 6 \r\n"):
            words, vectors = self.read(text)
            self.assertEqual(words, {"a b": 2, "c": 3})
            self.assertEqual(vectors[2:], [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(list(self.read("2 3\na 1 2 3\nb 1 2 3\n", most=1)[0]), ["a"])

    def test_names_the_line(self):
        for text, problem in (
            ("", "no word vectors"),
            ("2 3\n", "no word vectors"),
            ("alone\n", "line 1: found 'alone'"),
            ("a 1 2\nb 1\n", "line 2: found 'b 1', expected a word and 2 numbers"),
            ("a 1 2\nb 1 inf\n", "line 2: found '1 inf', expected finite numbers"),
            ("a 1 x\n", "line 1: found '1 x'"),
            ("1 3\na 1 2\n", "line 2: found 'a 1 2', expected a word and 3 numbers"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(CommandError, problem):
                self.read(text)
