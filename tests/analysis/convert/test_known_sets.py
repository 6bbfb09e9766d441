# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Conversion of the sets that the module knows by name, against what its own loaders gave before
it read converted files only (tests/data/known-sets.json)."""

import json
import os
import pickle
import re
import shutil
from pathlib import Path


import numpy as np
from convert_test_case import ConvertTestCase, read_set

from collab.cli.main import main

DATA = Path(__file__).resolve().parents[2] / "data"
SETS = DATA / "sets"
EXPECTED = json.loads((DATA / "known-sets.json").read_text())


class Payload:
    """What a hostile pickle would be made of."""

    def __reduce__(self):
        return (print, ("this must never be printed",))


class KnownSetTestCase(ConvertTestCase):
    """Has the folders of sets in its own."""

    def setUp(self):
        super().setUp()
        os.environ["COLLAB_DATA"] = str(self.folder)
        self.addCleanup(os.environ.pop, "COLLAB_DATA")

    def copy(self, name):
        """The original files of a set in its folder."""
        shutil.copytree(SETS / name, self.folder / name)
        (self.folder / name / f"{name}.safetensors").unlink()

    def convert_known(self, name, *options):
        """Converts a set where it lies."""
        told = self.call(main, "data", "convert", name, *options)
        return read_set(self.folder / name / f"{name}.safetensors"), told

    def refuse_known(self, problem, name):
        """Expects one line on standard error, exit code 2 and no file."""
        self.assert_refused(re.escape(problem), main, "data", "convert", name)
        self.assertFalse((self.folder / name / f"{name}.safetensors").exists())
        self.assertFalse(list(self.folder.rglob("*.part*")))


class KnownSetsTest(KnownSetTestCase):
    def test_the_files_of_the_tests_are_made_anew(self):
        for name in ("femnist", "radioml-2016.10a", "sentiment140", "shakespeare", "svhn"):
            with self.subTest(name=name):
                self.copy(name)
                self.convert_known(name)
                file = f"{name}/{name}.safetensors"
                made, committed = (read_set(place / file) for place in (self.folder, SETS))
                self.assertEqual(made[0], committed[0])
                self.assertEqual(list(made[1]), list(committed[1]))
                for tensor, values in made[1].items():
                    np.testing.assert_array_equal(values, committed[1][tensor])

    def test_tweets_without_vectors_have_the_most_frequent_words(self):
        for expected, options in (("without vectors", ()), ("4 words", ("--words", 4))):
            with self.subTest(expected=expected):
                shutil.rmtree(self.folder / "sentiment140", ignore_errors=True)
                self.copy("sentiment140")
                (self.folder / "sentiment140" / "glove.6B.300d.txt").unlink()
                (metadata, found), _ = self.convert_known("sentiment140", *options)
                for prefix, part in (("", "train"), ("test_", "test")):
                    known = EXPECTED[f"sentiment140 {expected}"][part]
                    self.assertEqual(found[prefix + "features"].ravel().tolist(), known["tokens"])
                    self.assertEqual(found[prefix + "labels"].tolist(), known["labels"])
                    self.assertEqual(int(metadata["vocabulary"]), known["vocabulary"])
                self.assertEqual(len(json.loads(metadata["words"])), known["vocabulary"] - 2)
                self.assertEqual(json.loads(metadata["words"])[0], "the")
                self.assertNotIn("token_vectors", found)

    def test_noisier_signals_are_left_out(self):
        self.copy("radioml-2016.10a")
        (metadata, found), told = self.convert_known("radioml-2016.10a", "--least", "snr=-20")
        self.assertIn(": 12 samples", told)
        self.assertEqual(found["features"].shape, (12, 1, 2, 128))
        # 8PSK comes before BPSK in the alphabet, but was made after it.
        order = [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]
        self.assertEqual(found["features"][:, 0, 0, 0].tolist(), order)
        self.assertEqual(found["labels"].tolist(), [0] * 6 + [1] * 6)
        self.assertEqual(json.loads(metadata["class_names"]), ["8PSK", "BPSK"])
        self.assertEqual(metadata["standardize"], "all")

    def test_says_what_is_there_and_what_converts_it(self):
        self.copy("femnist")
        code, told, _ = self.run_command(main, "data", "femnist")
        self.assertEqual(code, 1)
        self.assertIn("  here     train/*.json: 2 file(s)", told)
        self.assertIn("  missing  femnist.safetensors", told)
        self.assertIn("then      ./collab data convert femnist", told)
        _, told, _ = self.run_command(main, "data")
        self.assertRegex(told, r"femnist +not converted ")
        self.convert_known("femnist")
        self.assertEqual(self.run_command(main, "data", "femnist")[0], 0)


class RadiomlTest(KnownSetTestCase):
    def test_refuses_what_is_no_radioml(self):
        good = np.zeros((1, 2, 128), dtype=np.float32)
        strange = good.copy()
        strange[0, 1, 5] = np.nan
        folder = self.folder / "radioml-2016.10a"
        folder.mkdir()
        self.refuse_known("No such file", "radioml-2016.10a")
        for content, problem in (
            (b"", "no pickle of arrays"),
            (b"no pickle", "no pickle of arrays"),
            (pickle.dumps({("A", 0): good}, protocol=2)[:-40], "no pickle of arrays"),
            (Payload(), "is not admitted"),
            ([1, 2], "no dictionary"),
            ({}, "no dictionary"),
            ({"A": good}, "key 'A'"),
            ({("A", 300): good}, "key ('A', 300)"),
            ({("A", 0): good[0]}, "shape N x 2 x 128"),
            ({("A", 0): good.astype(int)}, "shape N x 2 x 128"),
            ({("A", 0): strange}, "not finite"),
            ({("A", -10): good}, "found no samples"),
        ):
            with self.subTest(problem=problem):
                data = content if isinstance(content, bytes) else pickle.dumps(content, protocol=2)
                (folder / "RML2016.10a_dict.pkl").write_bytes(data)
                self.refuse_known(problem, "radioml-2016.10a")


class LeafTest(KnownSetTestCase):
    """What LEAF files must be, as the loader of the module had it."""

    def write(self, name, content, part="train", file="data.json"):
        for folder in ("train", "test"):
            (self.folder / name / folder).mkdir(parents=True, exist_ok=True)
        (self.folder / name / part / file).write_text(content, encoding="utf-8")

    def write_user(self, name, user, part="train"):
        head = '{"users": ["u"], "num_samples": [1], "user_data": {"u": '
        self.write(name, head + user + "}}", part)

    def test_keys_come_in_any_order_and_users_again(self):
        text = "b" * 80
        user = f'{{"y": ["a"], "z": {{"x": [1]}}, "x": ["{text}"]}}'
        content = (
            f'{{"user_data": {{"u": {user}}}, "more": [{{"x": 1}}, null], "num_samples": [1],'
            ' "users": ["u"]}'
        )
        for part, file in (("train", "b.json"), ("train", "a.json"), ("test", "a.json")):
            self.write("shakespeare", content, part, file)
        (metadata, found), _ = self.convert_known("shakespeare")
        self.assertEqual(found["users"].tolist(), [0, 0])
        self.assertEqual(found["test_users"].tolist(), [0])
        self.assertEqual(json.loads(metadata["user_names"]), ["u"])

    def test_pixels_are_rounded_away_from_zero(self):
        # 0.3 is 76.5 of 255, and 0.1 is 25.5; rounding to even would give 76
        for part in ("train", "test"):
            self.write_user("femnist", f'{{"x": [{[0.3, 0.1, 0, 1] * 196}], "y": [5]}}', part)
        (_, found), _ = self.convert_known("femnist")
        self.assertEqual(found["features"].ravel()[:4].tolist(), [77, 26, 0, 255])
        self.assertEqual(found["labels"].tolist(), [5])

    def test_refuses_what_does_not_belong(self):
        said = '"' + "b" * 80 + '"'
        for name, user, problem in (
            ("shakespeare", '{"x": ["short"], "y": ["a"]}', "'short', expected 80 character"),
            ("shakespeare", '{"x": [], "y": ["a"]}', "0 samples (x) and 1 labels (y)"),
            ("shakespeare", f'{{"x": [{said}], "y": ["ab"]}}', "'ab', expected 1 character"),
            ("shakespeare", f'{{"x": [{said}], "y": [1]}}', "expected 1 character"),
            ("shakespeare", '{"x": [1], "y": ["a"]}', "expected 80 character"),
            ("shakespeare", '{"x": null, "y": ["a"]}', "found no lists x and y"),
            ("shakespeare", "[1]", "found no lists x and y"),
            ("shakespeare", '{"x": [], "y": []}', "found 0 samples, expected 1"),
            ("femnist", '{"x": [[0.5]], "y": [1]}', "found 1 elements, expected 784"),
            ("femnist", f'{{"x": [{[1.5] * 784}], "y": [1]}}', "pixel 0 of value 1.5"),
            ("femnist", f'{{"x": [{[0.5] * 784}], "y": [62]}}', "label 62, expected a number"),
            ("femnist", f'{{"x": [{[0.5] * 784}], "y": ["4"]}}', "label '4'"),
            ("femnist", f'{{"x": [{[0.5] * 784}], "y": [-1]}}', "label -1"),
            ("femnist", '{"x": ["a"], "y": [1]}', "found no list"),
            ("sentiment140", '{"x": [["1", "", "", "", ""]], "y": ["2"]}', "label 2, expected"),
            ("sentiment140", '{"x": [["1", "", "", "", ""]], "y": ["a"]}', "label 'a'"),
            ("sentiment140", '{"x": [["1", "2"]], "y": [1]}', "expected id, time, query"),
            ("sentiment140", '{"x": [[1, "", "", "", 5]], "y": [1]}', "found 5, expected a text"),
        ):
            with self.subTest(problem=problem, name=name):
                self.write_user(name, user)
                self.refuse_known(problem, name)
                self.refuse_known("user 'u'", name)

    def test_refuses_files_that_contradict_themselves(self):
        sample = f'{{"x": ["{"b" * 80}"], "y": ["a"]}}'
        for content, problem in (
            (f'{{"users": ["u", "v"], "num_samples": [1, 1], "user_data": {{"u": {sample}}}}}',
             "2 users, 2 numbers of samples and the data of 1"),
            (f'{{"users": ["v"], "num_samples": [1], "user_data": {{"u": {sample}}}}}',
             "user 'v': found 0 samples, expected 1"),
            (f'{{"users": ["u"], "num_samples": [2], "user_data": {{"u": {sample}}}}}',
             "user 'u': found 1 samples, expected 2"),
            (f'{{"users": ["u"], "num_samples": [1], "user_data": {{"u": {sample},'
             f' "u": {sample}}}}}', "twice"),
            ("", "no valid JSON"),
            ("{}", "no samples"),
            ('{"user_data": [{"x": 1}], "users": [], "num_samples": []}', "no valid JSON"),
        ):  # fmt: skip
            with self.subTest(problem=problem):
                self.write("shakespeare", content)
                self.refuse_known(problem, "shakespeare")

    def test_refuses_cut_files(self):
        content = (SETS / "shakespeare/train/all_data_0_train_9.json").read_text()
        for size in range(0, len(content), 3):
            self.write("shakespeare", content[:size])
            self.refuse_known("data.json: character", "shakespeare")

    def test_refuses_a_folder_without_files(self):
        self.refuse_known("no files *.json in this folder", "femnist")
