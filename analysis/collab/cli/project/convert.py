# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command data convert: any data into the one file that scenarios read."""

import re
from pathlib import Path
from typing import Sequence

from ...setup.data_sets import data_folder, load_data_sets
from ...setup.messages import USAGE, CommandError, say, usage_error
from ...setup.project import root
from ..arguments import OneLineParser

_DESCRIPTION = """
Convert a data set into one file, which every scenario reads by --dataSet=file:FILE. The source is
the name of a set (femnist, radioml-2016.10a, sentiment140, shakespeare, svhn), whose original files
are in its folder; a folder of images, one folder a class, perhaps below train and test; or a file
.csv, .parquet, .npz, .npy, .mat, .h5, .pt. Labels that are whole numbers from 0 stay as they are,
any others are numbered in ascending order.
"""


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab data convert",
        usage="collab data convert [-h] SOURCE [--out FILE] [OPTION ...]",
        description=_DESCRIPTION,
    )
    add = made.add_argument
    add("source", metavar="SOURCE", help="name of a set, folder or file")
    add("--out", type=Path, help="file to write, FILE.safetensors; of a name in its folder")
    add("--name", default="", help="of the data set, for messages")
    add("--test", type=Path, help="another source, which is the test part")
    add("--label", default="", help="column or array of the class")
    add("--targets", type=_names, default=(), help="columns, or an array, of regression")
    add("--users", default="", help="column or array of who each sample comes from")
    add("--split", default="", help="column that says train or test")
    add("--ignore", type=_names, default=(), help="columns to leave out")
    add("--codes", action="store_true", help="categories as numbers; one-hot if not given")
    add("--skip-incomplete", action="store_true", help="leave rows with an empty cell out")
    add("--table", type=Path, help="CSV that names the images of the folder and their labels")
    add("--image", default="image", help="its column of names; image")
    add("--resize", type=_size, default=(), help="of images: N, or HEIGHTxWIDTH")
    add("--gray", action="store_true", help="images of one channel")
    add("--features", default="", help="array of the samples")
    add("--order", default="", help="axes of that array, as hwcn: height, width, channels, samples")
    add("--least", type=_least, default=("", 0.0), help="ARRAY=VALUE: leave samples with less out")
    add("--tokens", type=int, default=0, help="features are tokens below this number")
    add("--first-label", type=int, default=0, help="label in the source of class 0")
    add("--standardize", default="", choices=["none", "features", "all", "channels"],
        help="by mean and deviation in the training part: each feature, all numbers together, or"
        " each channel of images")  # fmt: skip
    add("--words", type=int, default=50000, help="most words of the vocabulary of sentiment140")
    add("--vectors", type=Path, help="its word vectors: GloVe, word2vec or fastText as text")
    return made


def main(arguments: Sequence[str]) -> int:
    """Converts; returns the exit code."""
    given = vars(parser().parse_args(arguments))
    source, out = given.pop("source"), given.pop("out")
    try:
        from ...convert.convert import convert
        from ...convert.known import NAMES, convert_known
        from ...convert.options import Options
    except ModuleNotFoundError as error:
        raise CommandError(f"data convert needs the Python module {error.name}") from None
    options = Options(**given)
    if source in NAMES:
        folder = data_folder(root()) / load_data_sets(root())[source].folder
        out = out or folder / f"{source}.safetensors"
        written = convert_known(source, folder, options, out)
    else:
        if out is None:
            raise usage_error("data convert needs --out FILE for a source that is no name of a set")
        written = convert(Path(source), options, out)
    train, test = written.samples.values()
    say(f"{out}: {train} samples" + (f", {test} of the test part" if test else ""))
    return 0


def _names(text: str) -> tuple:
    return tuple(name for name in text.split(",") if name)


def _size(text: str) -> tuple:
    match = re.fullmatch(r"([1-9]\d{0,4})(?:x([1-9]\d{0,4}))?", text)
    if not match:
        raise CommandError(f"--resize {text} is not allowed; allowed: N or HEIGHTxWIDTH", USAGE)
    return int(match[1]), int(match[2] or match[1])


def _least(text: str) -> tuple:
    name, sign, value = text.partition("=")
    try:
        if name and sign:
            return name, float(value)
    except ValueError:
        pass
    raise CommandError(f"--least {text} is not allowed; allowed: ARRAY=VALUE", USAGE)
