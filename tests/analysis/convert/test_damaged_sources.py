# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of data convert with sources that cannot be read or hold no numbers, and with a full disk.

Each ends in one line that names the file, with exit code 2, of a full disk 1.
"""

import os
import pickle
import resource
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from convert_test_case import ConvertTestCase

import numpy as np

X, Y = np.arange(12.0).reshape(6, 2), np.arange(6) % 2
WORDS = np.array([*"ababab"])


def overwrite(file, place, count=20):
    """Changes bytes of a file, counted from where these bytes are."""
    content = bytearray(file.read_bytes())
    begin = content.index(place) + len(place) + 30
    content[begin : begin + count] = b"\xff" * count
    file.write_bytes(content)


class DamagedSourceTest(ConvertTestCase):
    def expect(self, cases, *options):
        """Expects that what each of {name: (what makes the file, what is said)} makes is refused."""
        for name, (make, said) in cases.items():
            with self.subTest(source=name):
                file = self.folder / name
                make(file)
                self.expect_refused(f"collab: {file}: {said}", file, *options)

    def arrays(self, compressed=False, **arrays):
        """What writes arrays."""
        write = np.savez_compressed if compressed else np.savez
        return lambda file: write(file, **{"features": X, "labels": Y, **arrays})

    def test_numpy(self):
        objects = np.array([{}, *range(5)], dtype=object)

        def corrupt(file):
            self.arrays(compressed=True)(file)
            overwrite(file, b"features.npy")

        def cut(file):
            self.arrays()(file)
            os.truncate(file, file.stat().st_size // 2)

        zipped = "File is not a zip file"
        refused = "cannot be read: it is no array of numbers or text; pickled objects are not read"
        self.expect({
            "features.npz": (self.arrays(features=objects), f"array 'features' {refused}"),
            "labels.npz": (self.arrays(labels=WORDS.astype(object)), f"array 'labels' {refused}"),
            "objects.npy": (lambda file: np.save(file, objects), refused),
            "pickle.npz": (lambda file: file.write_bytes(pickle.dumps([X])), f"cannot be read: {zipped}"),
            "cut.npz": (cut, f"cannot be read: {zipped}"),
            "corrupt.npz": (corrupt, "array 'features' cannot be read: "),
            "words.npz": (self.arrays(features=WORDS), "found an array of type <U1 for --features"),
            "complex.npz": (self.arrays(features=X * 1j), "found an array of type complex128"),
            "fields.npz": (self.arrays(features=np.zeros(6, "f4,i4")), "found an array of type"),
            "single.npz": (self.arrays(features=np.float64(3)), "found a single number for --feat"),
        })  # fmt: skip
        for option, given in (("--targets", "z"), ("--least", "z=1")):
            said = f"found an array of type <U1 for {option}, expected numbers"
            self.expect({"words.npz": (self.arrays(z=WORDS), said)}, option, given)

    def test_hdf5(self):
        h5py = self.library("h5py")

        def write(features):
            def make(file):
                with h5py.File(file, "w") as opened:
                    opened["features"], opened["labels"] = features, Y
            return make  # fmt: skip

        self.expect({
            "words.h5": (write([b"a"] * 6), "found an array of type object for --features"),
            "single.h5": (write(3), "found a single number"),
        })  # fmt: skip

    def test_torch(self):
        torch = self.library("torch")

        def saved(value):
            return lambda file: torch.save(value, file)

        expected = "expected a tensor, a pair of them, or a dict of tensors by name"
        self.expect({
            "lists.pt": (saved({"features": [1, 2], "labels": Y.tolist()}), expected),
            "numbers.pt": (saved((3, 4)), expected),
            "one.pt": (saved(torch.tensor(X)), "found none of the arrays labels"),
            "pickle.pt": (lambda file: file.write_bytes(pickle.dumps({"a": X})), "is damaged"),
        })  # fmt: skip
        x = torch.tensor(X)
        for features in (x.requires_grad_(), x.detach().bfloat16(), x.detach().to_sparse()):
            torch.save({"features": features, "labels": torch.tensor(Y)}, self.folder / "good.pt")
            self.assertEqual(self.convert(self.folder / "good.pt")[1]["features"].tolist(), X.tolist())

    def test_tables(self):
        self.library("pandas")

        def text(lines):
            return lambda file: file.write_text(lines)

        self.expect({
            "words.csv": (text("a,kind\n1,x\n2,y\n"), "found 'x' in column 'kind' of --targets"),
            "ragged.csv": (text("a,kind\n1,2\n1,2,3\n"), "is no table: Error tokenizing data"),
        }, "--targets=kind")  # fmt: skip

    def test_numbers_that_are_not_finite_are_told_by_the_source_of_their_part(self):
        bad = X.copy()
        bad[3, 1] = np.inf
        good, file = self.folder / "good.npz", self.folder / "bad.npz"
        np.savez(good, features=X, labels=Y)
        np.savez(file, features=bad, labels=Y)
        said = f"{file}: features: found inf in sample 3, expected finite numbers (samples of the {{}} part"
        self.expect_refused(said.format("training"), file)
        self.expect_refused(said.format("test"), good, "--test", file)

    def library(self, name):
        try:
            return __import__(name)
        except ImportError:
            return self.skipTest(f"{name} is not installed")


class FullDiskTest(ConvertTestCase):
    def test_a_full_disk_is_said_in_one_line(self):
        source = self.folder / "source.npz"
        for rows in (100, 10000):  # written at once at the end, or as it grows
            with self.subTest(rows=rows):
                np.savez(source, features=np.ones((rows, 9)), labels=np.arange(rows) % 2)
                command = [sys.executable, "-m", "collab", "data", "convert", source, "--out", self.out]
                result = subprocess.run(
                    command, env={**os.environ, "PYTHONPATH": sys.path[0]}, text=True, check=False,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))  # fmt: skip
                self.assertEqual(result.stderr, f"collab: {self.out}: cannot be written: File too large\n")
                self.assertEqual(result.returncode, 1)
                self.assertEqual(list(self.folder.iterdir()), [source])


if __name__ == "__main__":
    unittest.main()
