#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes tests/data/sets: tiny data sets in the true formats, under the names of the true files.

Contents follow from formulas that the tests know too. Needs numpy and scipy. Run it again after a
change; the same versions of these packages give the same bytes. What the loaders of femnist,
radioml-2016.10a, sentiment140, shakespeare and svhn gave for these files, when the module read them
as they are published, is in tests/data/known-sets.json.
"""

import bz2
import gzip
import json
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import scipy.io

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))
from collab.cli.project import convert

ROOT = Path(__file__).resolve().parent / "sets"


def folder(name):
    path = ROOT / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def pixel(sample, place):
    """The byte at a place (channel, row, column in this order) of a color image."""
    return (31 * sample + 7 * place + place // 32) % 256


def color_image(sample):
    return bytes(pixel(sample, place) for place in range(3 * 32 * 32))


def make_cifar():
    sample = 0
    names = [f"data_batch_{batch}.bin" for batch in range(1, 6)] + ["test_batch.bin"]
    for name in names:
        with open(folder("cifar-10") / name, "wb") as file:
            for _ in range(2):
                file.write(bytes([sample % 10]) + color_image(sample))
                sample += 1
    for sample, name in enumerate(("train.bin", "test.bin")):
        with open(folder("cifar-100") / name, "wb") as file:
            for fine in (99, 7):
                file.write(bytes([fine % 20, fine]) + color_image(sample))


def make_svhn():
    images = np.zeros((32, 32, 3, 3), dtype=np.uint8)
    for sample in range(3):
        flat = np.frombuffer(color_image(sample), dtype=np.uint8).reshape(3, 32, 32)
        images[..., sample] = flat.transpose(1, 2, 0)
    labels = np.array([[1], [10], [9]])
    scipy.io.savemat(
        folder("svhn") / "train_32x32.mat",
        {"X": images, "y": labels.astype(np.uint8)},
        do_compression=True,
    )
    scipy.io.savemat(
        folder("svhn") / "test_32x32.mat", {"y": labels.astype(float), "X": images}
    )
    for path in folder("svhn").glob("*.mat"):  # its head holds the time
        head = b"MATLAB 5.0 MAT-file".ljust(116)
        path.write_bytes(head + path.read_bytes()[116:])


def idx(dimensions, content):
    head = bytes([0, 0, 8, len(dimensions)])
    return head + b"".join(size.to_bytes(4, "big") for size in dimensions) + bytes(content)


def write_gzip(path, content):
    path.write_bytes(gzip.compress(content, mtime=0))


def make_emnist():
    """Two letters of 3 rows and 2 columns: the pixel in row r, column c is 10 r + c (+ 100)."""
    for part, labels in (("train", (1, 26)), ("test", (3, 2))):
        stored = [100 * i + 10 * r + c for i in range(2) for c in range(2) for r in range(3)]
        prefix = f"emnist-letters-{part}"
        path = folder("emnist-letters")
        write_gzip(path / f"{prefix}-images-idx3-ubyte.gz", idx((2, 2, 3), stored))
        write_gzip(path / f"{prefix}-labels-idx1-ubyte.gz", idx((2,), labels))


def write_leaf(path, users, extra=None):
    """Users is a dictionary from names to (x, y)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "users": list(users),
        "num_samples": [len(y) for _, y in users.values()],
        **(extra or {}),
        "user_data": {name: {"x": x, "y": y} for name, (x, y) in users.items()},
    }
    path.write_text(json.dumps(content))


def make_femnist():
    def image(sample):
        return [(31 * sample + place) % 256 / 255 for place in range(28 * 28)]

    root = folder("femnist")
    write_leaf(
        root / "train" / "all_data_0_train_9.json",
        {"f0001_41": ([image(0), image(1)], [0, 61]), "f0002_10": ([image(2)], [35])},
    )
    write_leaf(root / "train" / "all_data_1_train_9.json", {"f0003_02": ([image(3)], [36])})
    write_leaf(root / "test" / "all_data_0_test_9.json", {"f0001_41": ([image(4)], [10])})


def make_sentiment140():
    def tweet(number, user, text):
        return [str(number), "Mon Apr 06 22:19:45 PDT 2009", "NO_QUERY", user, text]

    root = folder("sentiment140")
    long_text = " ".join(f"w{i}" for i in range(30))
    write_leaf(
        root / "train" / "all_data_0_train_9.json",
        {
            "ann": (
                [tweet(1, "ann", "The cat, the DOG!"), tweet(2, "ann", "the caf\u00e9 isn't #1")],
                [0, 1],
            ),
            "bob": ([tweet(3, "bob", long_text)], ["4"]),
        },
    )
    write_leaf(
        root / "test" / "all_data_0_test_9.json", {"bob": ([tweet(4, "bob", "the end?")], ["0"])}
    )
    (root / "glove.6B.300d.txt").write_text(
        "the 1 0 -1\ncat 0.5 0.25 1e-1\n. 2 2 2\nthe 9 9 9\ndog -3.5 1 0\n"
    )


def make_shakespeare():
    text = "Now is the winter of our discontent\nMade glorious summer by this sun of York; And all }"

    def sample(begin):
        return text[begin : begin + 80]

    root = folder("shakespeare")
    write_leaf(
        root / "train" / "all_data_0_train_9.json",
        {"RICHARD_III": ([sample(0), sample(5)], [text[80], text[85]])},
        {"hierarchies": ["THE_TRAGEDY_OF_KING_RICHARD_III"]},
    )
    write_leaf(
        root / "test" / "all_data_0_test_9.json",
        {"RICHARD_III": ([sample(3)], [text[83]])},
        {"hierarchies": ["THE_TRAGEDY_OF_KING_RICHARD_III"]},
    )


def make_usps():
    train = "7 1:-1 2:-0.5 256:1\n10 3:0.25\n1 \n"
    (folder("usps") / "usps.bz2").write_bytes(bz2.compress(train.encode()))
    (folder("usps") / "usps.t").write_text("2 16:0.125\r\n# only a remark\r\n3 17:-0.75 # and one\r\n")


def make_california():
    """Twelve districts, of which one lacks its number of bedrooms."""
    lines = [
        "longitude,latitude,housing_median_age,total_rooms,total_bedrooms,population,households,"
        "median_income,median_house_value,ocean_proximity"
    ]
    for i in range(12):
        bedrooms = "" if i == 4 else f"{100 + 3 * i * i}.0"
        lines.append(
            f"-122.{i},37.{i},{20 + i}.0,{800 + 10 * i}.0,{bedrooms},{300 + i}.0,{120 + 2 * i}.0,"
            f"{2 + 0.25 * i},{100000 + 20000 * i}.0,NEAR BAY"
        )
    (folder("california-housing") / "housing.csv").write_text("\n".join(lines) + "\n")


def make_randhie():
    """240 years of persons, with 0, 0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30 visits by turns."""
    lines = ["mdvis,lncoins,idp,lpi,fmde,physlm,disea,hlthg,hlthf,hlthp"]
    for i in range(240):
        visits = (i % 12) ** 2 // 4
        health = ("0,0,0", "1,0,0", "0,1,0", "0,0,1")[i % 4]
        lines.append(f"{visits},{4.61512 * (i % 2)},{i % 2},6.907755,0,0,{5 + 0.25 * i},{health}")
    (folder("randhie") / "randhie.csv").write_text("\n".join(lines) + "\n")


def make_radioml():
    """Two modulations at two SNRs, three samples each: number k of sample i is i + k / 256."""
    content = {}
    sample = 0
    for modulation in ("BPSK", "8PSK"):
        for snr in (-2, 10):
            values = np.arange(sample, sample + 3)[:, None] + np.arange(256)[None, :] / 256
            content[(modulation, snr)] = values.reshape(3, 2, 128).astype(np.float32)
            sample += 3
    path = folder("radioml-2016.10a") / "RML2016.10a_dict.pkl"
    path.write_bytes(pickle.dumps(content, protocol=2))


def convert_originals():
    """Makes the files that the module reads."""
    os.environ["COLLAB_DATA"] = str(ROOT)
    for name in ("femnist", "radioml-2016.10a", "sentiment140", "shakespeare", "svhn"):
        convert.main([name])


if __name__ == "__main__":
    make_cifar()
    make_svhn()
    make_emnist()
    make_femnist()
    make_sentiment140()
    make_shakespeare()
    make_usps()
    make_california()
    make_randhie()
    make_radioml()
    convert_originals()
