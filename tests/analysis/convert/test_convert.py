# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Conversion of tables, arrays and images, value by value."""

import json
import sys
import unittest
from unittest import mock


import numpy as np
from convert_test_case import ConvertTestCase

from collab.cli.main import main
from collab.convert import errors


def needs(module):
    """Leaves a test out where an optional library is not installed."""
    try:
        __import__(module)
    except ImportError:
        return unittest.skip(f"needs {module}")
    return lambda test: test


class TableTest(ConvertTestCase):
    def write(self, text, name="table.csv"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_words_are_classes_and_categories(self):
        source = self.write(
            "\ufeffa,color,kind,who\n1,red,dog,ann\n2,\"blue, light\",cat,bob\n3,red,cow,ann\n"
        )
        metadata, found = self.convert(source, "--label", "kind", "--users", "who")
        self.assertEqual(found["features"].tolist(), [[1, 0, 1], [2, 1, 0], [3, 0, 1]])
        self.assertEqual(found["features"].dtype, np.float32)
        self.assertEqual(found["labels"].tolist(), [2, 0, 1])
        self.assertEqual(found["users"].tolist(), [0, 1, 0])
        self.assertEqual(json.loads(metadata["class_names"]), ["cat", "cow", "dog"])
        self.assertEqual(json.loads(metadata["user_names"]), ["ann", "bob"])
        self.assertEqual(metadata["name"], "table")
        _, found = self.convert(source, "--label", "kind", "--ignore", "who,a", "--codes")
        self.assertEqual(found["features"].tolist(), [[1], [0], [1]])

    def test_several_targets_and_a_split(self):
        source = self.write("x,y,z,part\n1,2,3,train\n4,5,6,Test\n7,8,9,train\n")
        metadata, found = self.convert(
            source, "--targets", "z,y", "--split", "part", "--standardize", "features",
            "--name", "mine",
        )  # fmt: skip
        self.assertEqual(found["targets"].tolist(), [[3, 2], [9, 8]])
        self.assertEqual(found["test_targets"].tolist(), [[6, 5]])
        self.assertEqual(found["test_features"].tolist(), [[4]])
        self.assertEqual((metadata["standardize"], metadata["name"]), ("features", "mine"))
        self.assertNotIn("labels", found)

    def test_a_test_part_of_its_own_shares_the_words(self):
        train = self.write("a,kind\nred,dog\nblue,dog\n")
        test = self.write("a,kind\ngreen,cat\n", "test.csv")
        metadata, found = self.convert(train, "--test", test, "--label", "kind")
        self.assertEqual(json.loads(metadata["class_names"]), ["cat", "dog"])
        self.assertEqual(found["features"].tolist(), [[0, 0, 1], [1, 0, 0]])
        self.assertEqual(found["test_features"].tolist(), [[0, 1, 0]])
        self.assertEqual((found["labels"].tolist(), found["test_labels"].tolist()), ([1, 1], [0]))

    def test_whole_numbers_stay(self):
        for cells, first, classes in (
            ("0 2 1", 0, [0, 2, 1]),
            ("5 2 9", 0, [5, 2, 9]),
            ("10 1 3", 1, [9, 0, 2]),
            ("-1 1 1", 0, [0, 1, 1]),
            ("1.5 1.5 -2", 0, [1, 1, 0]),
        ):
            rows = "".join(f"1,{cell}\n" for cell in cells.split())
            _, found = self.convert(
                self.write("x,y\n" + rows), "--label", "y", "--first-label", first
            )
            self.assertEqual(found["labels"].tolist(), classes, cells)

    def test_refuses(self):
        source = self.write("x,y\n1,2\n")
        self.expect_refused("found no column 'z'; there are x, y", source, "--label", "z")
        self.expect_refused("needs --label COLUMN, or --targets", source)
        self.expect_refused("needs --label COLUMN", source, "--label", "y", "--targets", "x")
        self.expect_refused("has no column beside", source, "--label", "y", "--ignore", "x")
        self.expect_refused("found label 2, expected 3 or more", source, "--label", "y",
                            "--first-label", 3)  # fmt: skip
        self.expect_refused("found '2' in the split", source, "--label", "x", "--split", "y")
        self.expect_refused("has no rows", self.write("x,y\n"), "--label", "y")
        gap = self.write("x,y\n1,2\n,3\n")
        self.expect_refused("row 2 has nothing in column 'x'", gap, "--label", "y")
        _, found = self.convert(gap, "--label", "y", "--skip-incomplete")
        self.assertEqual(found["labels"].tolist(), [2])
        self.expect_refused("does not exist", self.folder / "none.csv")
        self.expect_refused("is of no format", self.write("", "data.xyz"))
        endless = self.write("x,y\n1,2\ninf,3\n")
        self.expect_refused("row 2 has inf in column 'x'", endless, "--label", "y")
        self.expect_refused("'lots'", source, "--label", "y", "--first-label", "lots")

    def test_rows_left_out_leave_the_others_in_their_parts(self):
        source = self.write("x,y,part\n1,1,train\n,2,train\n3,3,test\n4,4,train\n5,5,test\n")
        _, found = self.convert(source, "--targets", "y", "--split", "part", "--skip-incomplete")
        self.assertEqual(found["features"].tolist(), [[1], [4]])
        self.assertEqual(found["targets"].tolist(), [[1], [4]])
        self.assertEqual(found["test_features"].tolist(), [[3], [5]])
        self.assertEqual(found["test_targets"].tolist(), [[3], [5]])

    def test_words_for_nothing_are_names_among_words_and_gaps_among_numbers(self):
        source = self.write("size,country,kind\n1,NA,None\n2,DE,dog\n3,NA,dog\n")
        metadata, found = self.convert(source, "--label", "kind")
        self.assertEqual(json.loads(metadata["class_names"]), ["None", "dog"])
        self.assertEqual(found["features"].tolist(), [[1, 0, 1], [2, 1, 0], [3, 0, 1]])
        for word in ("NA", "nan", "null", ""):
            gap = self.write(f"size,kind\n1,dog\n{word},cat\n2.5,cat\n")
            self.expect_refused("row 2 has nothing in column 'size'", gap, "--label", "kind")
            _, found = self.convert(gap, "--label", "kind", "--skip-incomplete")
            self.assertEqual(found["features"].tolist(), [[1], [2.5]])

    def test_says_what_is_missing(self):
        source = self.write("x,y\n1,2\n")
        with mock.patch.object(errors.importlib, "import_module", side_effect=ImportError):
            code, _, told = self.run_command(
                self.main(), "data", "convert", source, "--out", self.out, "--label", "y"
            )
        self.assertEqual(code, 1)
        self.assertIn("needs the Python module pandas (Debian package python3-pandas)", told)
        self.assertEqual(len(told.splitlines()), 1)

    @staticmethod
    def main():
        """The command, with its module loaded."""
        from collab.cli.project import convert
        from collab.convert import convert as _

        return lambda words: _run(convert.main, words[2:])

    def test_needs_a_place_to_write(self):
        source = self.write("x,y\n1,2\n")
        self.assert_refused("needs --out FILE", main, "data", "convert", source)


def _run(command, words):
    try:
        return command(words)
    except errors.CommandError as error:
        print(error, file=sys.stderr)
        return error.code


class ArrayTest(ConvertTestCase):
    def test_npz(self):
        source = self.folder / "some.npz"
        pixels = np.arange(24, dtype=np.uint8).reshape(2, 3, 2, 2)  # samples, rows, columns, colors
        np.savez(source, x=pixels, y=[[1], [0]], who=["b", "a"])
        _, found = self.convert(source, "--order", "nhwc", "--users", "who")
        self.assertEqual(found["features"].dtype, np.uint8)
        self.assertTrue((found["features"] == pixels.transpose(0, 3, 1, 2)).all())
        self.assertEqual(found["labels"].tolist(), [1, 0])
        _, found = self.convert(source, "--targets", "y")
        self.assertEqual(found["targets"].tolist(), [[1], [0]])
        self.expect_refused("found no array 'z'; there are x, y, who", source, "--label", "z")
        self.expect_refused("found 4 axes, expected those of --order nhw", source, "--order", "nhw")
        self.expect_refused("found --order nhhw", source, "--order", "nhhw")

    def test_the_least_level_is_kept(self):
        source = self.folder / "some.npz"
        np.savez(source, x=[[1], [2], [3]], y=[0, 1, 2], snr=[-2, 0, 2])
        _, found = self.convert(source, "--least", "snr=0")
        self.assertEqual((found["features"].tolist(), found["labels"].tolist()), ([[2], [3]], [1, 2]))

    def test_labels_that_are_none(self):
        source = self.folder / "some.npz"
        for labels, told in (
            ([0, np.nan, 1], "labels: found nan in sample 1, expected finite numbers"),
            (np.eye(3), r"found labels of shape (3, 3), expected one a sample; of one-hot rows"),
        ):
            np.savez(source, x=np.zeros((3, 2)), y=labels)
            self.expect_refused(told, source)
        np.savez(source, x=np.zeros((3, 2)), y=np.eye(3), who=[1, np.nan, 2])
        self.expect_refused("users: found nan", source, "--targets", "y", "--users", "who")

    def test_channels_behind_are_not_taken_for_rows(self):
        source = self.folder / "some.npz"
        np.savez(source, x=np.zeros((2, 5, 6, 3), np.uint8), y=[1, 0])
        self.expect_refused("found samples of shape (5, 6, 3), the last of which looks like", source)
        for order, shape in (("nhwc", (2, 3, 5, 6)), ("nchw", (2, 5, 6, 3))):
            _, found = self.convert(source, "--order", order)
            self.assertEqual(found["features"].shape, shape)

    def test_npy_and_tokens(self):
        features, labels = self.folder / "x.npy", self.folder / "y.npy"
        np.save(features, np.array([[0, 4], [2, 1]]))
        np.save(labels, np.array([3, 0]))
        metadata, found = self.convert(features, "--label", labels, "--tokens", 5)
        self.assertEqual(found["features"].dtype, np.int32)
        self.assertEqual(found["features"].tolist(), [[0, 4], [2, 1]])
        self.assertEqual((metadata["kind"], metadata["vocabulary"]), ("tokens", "5"))
        self.expect_refused("found token 4, expected 0 to 3", features, "--label", labels,
                            "--tokens", 4)  # fmt: skip
        _, found = self.convert(features, "--label", labels)
        self.assertEqual(found["features"].dtype, np.float32)
        np.save(labels, np.array([3, 0, 1]))
        self.expect_refused("found 3 labels, expected 2 as of samples", features, "--label", labels)

    def test_no_npy_is_that_of_both_parts(self):
        features, answers = self.folder / "x.npy", self.folder / "y.npy"
        np.save(features, np.array([[0, 4], [2, 1]]))
        np.save(answers, np.array([1, 0]))
        parts = (features, "--test", features)
        for option in ("--label", "--targets"):
            self.expect_refused(f"y.npy: given with {option} for the training part and the test part",
                                *parts, option, answers)  # fmt: skip

    def test_gray_images_get_a_channel(self):
        np.savez(self.folder / "a.npz", x=np.zeros((2, 3, 4), np.uint8), y=[0, 1])
        _, found = self.convert(self.folder / "a.npz", "--order", "nhw")
        self.assertEqual(found["features"].shape, (2, 1, 3, 4))

    def test_float16_stays(self):
        np.savez(self.folder / "a.npz", x=np.ones((2, 3), np.float16), y=[0, 1])
        _, found = self.convert(self.folder / "a.npz")
        self.assertEqual(found["features"].dtype, np.float16)

    @needs("scipy")
    def test_matlab(self):
        import scipy.io

        source = self.folder / "some.mat"
        images = np.arange(24, dtype=np.uint8).reshape(2, 2, 3, 2)  # rows, columns, colors, samples
        scipy.io.savemat(source, {"X": images, "y": np.array([[2], [1]])})
        _, found = self.convert(source, "--order", "hwcn", "--first-label", 1)
        self.assertTrue((found["features"] == images.transpose(3, 2, 0, 1)).all())
        self.assertEqual(found["labels"].tolist(), [1, 0])
        source.write_bytes(b"no MATLAB")
        self.expect_refused("some.mat", source)

    @needs("h5py")
    def test_hdf5_and_what_is_left_out(self):
        import h5py

        source = self.folder / "some.h5"
        count = 5000  # more than are converted at once
        with h5py.File(source, "w") as file:
            file["samples"] = np.arange(2 * count, dtype=np.float64).reshape(count, 2)
            file["labels"] = np.arange(count) % 7
            file["snr"] = np.arange(count) % 2 * 10 - 5
        _, found = self.convert(source, "--least", "snr=0")
        kept = np.arange(1, count, 2)
        self.assertEqual(found["labels"].tolist(), (kept % 7).tolist())
        self.assertEqual(found["features"][:, 0].tolist(), (2 * kept).tolist())
        self.expect_refused("--least snr is not allowed", source, "--least", "snr")
        self.expect_refused("found no array 'noise'", source, "--least", "noise=1")
        source.write_bytes(b"no HDF5")
        self.expect_refused("cannot be read", source)

    @needs("torch")
    def test_torch(self):
        import torch

        source = self.folder / "some.pt"
        torch.save((torch.ones(2, 3), torch.tensor([1, 0])), source)
        _, found = self.convert(source)
        self.assertEqual(found["features"].tolist(), [[1, 1, 1], [1, 1, 1]])
        self.assertEqual(found["labels"].tolist(), [1, 0])


@needs("PIL")
class ImageTest(ConvertTestCase):
    def write(self, name, color, size=(4, 3)):
        from PIL import Image

        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", size, color).save(path)
        return path

    def test_a_folder_a_class(self):
        self.write("pets/dog/b.png", (10, 20, 30))
        self.write("pets/dog/a.png", (40, 50, 60))
        self.write("pets/cat/c.jpg", (255, 255, 255))
        metadata, found = self.convert(self.folder / "pets")
        self.assertEqual(found["features"].shape, (3, 3, 3, 4))
        self.assertEqual(found["features"][:, :, 0, 0].tolist(),
                         [[255, 255, 255], [40, 50, 60], [10, 20, 30]])  # fmt: skip
        self.assertEqual(found["labels"].tolist(), [0, 1, 1])
        self.assertEqual(json.loads(metadata["class_names"]), ["cat", "dog"])
        _, found = self.convert(self.folder / "pets", "--gray", "--resize", "2x5")
        self.assertEqual(found["features"].shape, (3, 1, 2, 5))

    def test_gray_of_16_bits_becomes_8(self):
        from PIL import Image

        place = self.folder / "pets/cat/a.png"
        place.parent.mkdir(parents=True)
        Image.fromarray(np.array([[0, 255, 256, 65535]], np.uint16)).save(place)
        _, found = self.convert(self.folder / "pets", "--gray")
        self.assertEqual(found["features"].ravel().tolist(), [0, 0, 1, 255])
        self.assertEqual(self.convert(self.folder / "pets")[1]["features"].shape, (1, 3, 1, 4))
        for values in (np.float32, np.int32):
            Image.fromarray(np.ones((2, 2), values)).save(place, "TIFF")
            self.expect_refused("a.png: found pixels of mode ", self.folder / "pets")

    def test_an_imagefolder_of_hugging_face(self):
        for number, name in enumerate(("train/a.png", "train/more/b.png", "test/c.png")):
            self.write(f"set/{name}", (50 * number,) * 3)
        (self.folder / "set/train/metadata.csv").write_text("file_name,label\nmore/b.png,cat\na.png,dog\n")
        self.expect_refused("test: has none of metadata.csv, metadata.jsonl", self.folder / "set")
        rows = '{"file_name": "c.png", "label": "dog", "note": "x"}\n'
        (self.folder / "set/test/metadata.jsonl").write_text(rows)
        metadata, found = self.convert(self.folder / "set")
        self.assertEqual(json.loads(metadata["class_names"]), ["cat", "dog"])
        self.assertEqual((found["labels"].tolist(), found["test_labels"].tolist()), ([0, 1], [1]))
        self.assertEqual(found["features"][:, 0, 0, 0].tolist(), [50, 0])
        self.assertEqual(found["test_features"][:, 0, 0, 0].tolist(), [100])
        (self.folder / "set/test/metadata.jsonl").write_text("no JSON\n")
        self.expect_refused("metadata.jsonl: is no table", self.folder / "set")

    def test_empty_cells_of_a_table_of_images(self):
        for name in "abc":
            self.write(f"images/{name}.png", (0, 0, 0))
        table = self.folder / "t.csv"
        table.write_text("image,label,who,note\na,cat,ann,\nb,,bob,\nc,None,,x\n")
        options = (self.folder / "images", "--table", table)
        self.expect_refused("t.csv: row 2 has nothing in column 'label'", *options)
        self.expect_refused("row 2 has nothing", *options, "--users", "who")
        metadata, found = self.convert(*options, "--skip-incomplete")
        self.assertEqual(json.loads(metadata["class_names"]), ["None", "cat"])
        _, found = self.convert(*options, "--skip-incomplete", "--users", "who")
        self.assertEqual((found["labels"].tolist(), found["users"].tolist()), ([0], [0]))

    def test_parts_share_the_classes(self):
        self.write("pets/train/2/b.png", (1, 1, 1))
        self.write("pets/test/10/a.png", (2, 2, 2))
        metadata, found = self.convert(self.folder / "pets")
        self.assertEqual(json.loads(metadata["class_names"]), ["10", "2"])
        self.assertEqual((found["labels"].tolist(), found["test_labels"].tolist()), ([1], [0]))

    def test_a_table_of_images_as_fed_isic_has_it(self):
        for number, name in enumerate(("ISIC_1.jpg", "ISIC_2.jpg", "ISIC_3.jpg")):
            self.write(f"images/{name}", (50 * number,) * 3, size=(8 + number, 8))
        table = self.folder / "train_test_split.csv"
        table.write_text(
            "image,center,fold,target\nISIC_3,2,train,7\nISIC_1,0,test,1\nISIC_2,2,train,0\n"
        )
        metadata, found = self.convert(
            self.folder / "images", "--table", table, "--label", "target", "--users", "center",
            "--split", "fold", "--resize", 4,
        )  # fmt: skip
        self.assertEqual(found["features"].shape, (2, 3, 4, 4))
        self.assertEqual(found["features"][:, 0, 0, 0].tolist(), [100, 50])
        self.assertEqual(found["labels"].tolist(), [7, 0])
        self.assertEqual(found["users"].tolist(), [0, 0])
        self.assertEqual(found["test_labels"].tolist(), [1])
        self.assertEqual(found["test_users"].tolist(), [1])
        self.assertEqual(json.loads(metadata["user_names"]), ["2", "0"])
        _, found = self.convert(self.folder / "images", "--table", table, "--targets", "target",
                                "--resize", 4)  # fmt: skip
        self.assertEqual(found["targets"].tolist(), [[7], [1], [0]])

    def test_refuses(self):
        self.write("pets/cat/a.png", (0, 0, 0))
        big = self.write("pets/cat/b.png", (0, 0, 0), size=(5, 3))
        self.expect_refused(
            "found 3 x 5 pixels, expected 3 x 4 as of the first image, or --resize",
            self.folder / "pets",
        )
        self.expect_refused("--resize 0 is not allowed", self.folder / "pets", "--resize", 0)
        big.write_bytes(b"no image")
        self.expect_refused("b.png: is no image", self.folder / "pets", "--resize", 4)
        (self.folder / "empty").mkdir()
        self.expect_refused("has no folders of classes", self.folder / "empty")
        table = self.folder / "t.csv"
        table.write_text("image,label\nnone,1\n")
        self.expect_refused("has no image none", self.folder / "pets", "--table", table)
        self.expect_refused("found no column 'file'", self.folder / "pets", "--table", table,
                            "--image", "file")  # fmt: skip
