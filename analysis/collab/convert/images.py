# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Images: a folder of each class, or a table that names them."""

from dataclasses import replace
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

import numpy as np

from .errors import bad_data, optional, reading
from .options import Options
from .tables import complete_rows, read_csv, require_columns, require_numbers, split_rows
from .writer import DataSetWriter

SUFFIXES = (".jpg", ".jpeg", ".png")
_LINES = ".jsonl"
_METADATA = ("metadata.csv", f"metadata{_LINES}")
_FILE_NAME = "file_name"
_AT_ONCE = 64  # images


def convert_images(source: Path, options: Options, writer: DataSetWriter) -> dict:
    """Appends the images of a folder; returns what is known of their classes."""
    if options.table:
        _convert_listed(source, options, writer)
        return {}
    parts = options.sources(source)
    if not options.test and (source / "train").is_dir() and (source / "test").is_dir():
        parts = [(source / "train", False), (source / "test", True)]
    tables = {place: _metadata(place) for place, _ in parts}
    if any(tables.values()):
        for place, test in parts:
            if tables[place] is None:
                raise bad_data(place, f"has none of {', '.join(_METADATA)}, which another part has")
            _convert_listed(place, replace(options, table=tables[place], image=_FILE_NAME), writer, test)
        return {}
    names = sorted({folder.name for place, _ in parts for folder in _class_folders(place)})
    loader = _ImageLoader(options)
    for place, test in parts:
        found = [
            (file, names.index(folder.name))
            for folder in _class_folders(place)
            for file in _images_of(folder)
        ]
        if not found:
            raise bad_data(place, "has no folders of classes with files *.jpg, *.jpeg or *.png")
        _add(loader, found, writer, test)
    return {"class_names": names}


def _class_folders(place: Path) -> List[Path]:
    if not place.is_dir():
        raise bad_data(place, "is no folder")
    return sorted(one for one in place.iterdir() if one.is_dir())


def _images_of(folder: Path) -> List[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES)


def _metadata(place: Path) -> Optional[Path]:
    """The table of a folder as Hugging Face's imagefolder has it, whose column file_name names images."""
    return next((place / name for name in _METADATA if (place / name).is_file()), None)


def _convert_listed(source: Path, options: Options, writer: DataSetWriter, of_test: bool = False) -> None:
    """Appends the images of a folder that a table lists; all are of the test part, or as a column says."""
    with reading(options.table, "is no table"):
        frame = _read_lines(options.table) if options.table.suffix == _LINES else read_csv(options.table)
    answer = options.label or "label"
    used = [options.image, options.users, options.split, *(options.targets or [answer])]
    used = [name for name in used if name]
    require_columns(options.table, frame, used)
    require_numbers(options.table, frame, options.targets)
    frame = frame[complete_rows(options.table, frame, used, options)]
    files = [_find_image(source, str(name)) for name in frame[options.image]]
    is_test = np.full(len(frame), of_test)
    if options.split:
        is_test = split_rows(options.table, frame[options.split])
    users = frame[options.users].to_numpy() if options.users else None
    told = (
        frame[list(options.targets)].to_numpy(dtype=np.float64)
        if options.targets
        else frame[answer].to_numpy()
    )
    kind = "targets" if options.targets else "labels"
    loader = _ImageLoader(options)
    for test in (False, True):
        rows = np.flatnonzero(is_test == test)
        for chosen in _blocks(rows):
            images = loader.load([files[row] for row in chosen])
            of_users = None if users is None else users[chosen]
            writer.add(images, users=of_users, test=test, **{kind: told[chosen]})


def _read_lines(table: Path):
    """A table of which each line is a JSON object."""
    return optional("pandas", "a table").read_json(table, lines=True)


def _find_image(folder: Path, name: str) -> Path:
    """The file of an image, of which a table may leave the suffix out."""
    for suffix in ("", *SUFFIXES, *(suffix.upper() for suffix in SUFFIXES)):
        if (folder / (name + suffix)).is_file():
            return folder / (name + suffix)
    raise bad_data(folder, f"has no image {name}, with or without {', '.join(SUFFIXES)}")


def _blocks(rows) -> Iterator:
    for begin in range(0, len(rows), _AT_ONCE):
        yield rows[begin : begin + _AT_ONCE]


def _add(loader, found: List[Tuple[Path, int]], writer: DataSetWriter, test: bool) -> None:
    for block in _blocks(found):
        labels = np.array([label for _, label in block])
        writer.add(loader.load([file for file, _ in block]), labels=labels, test=test)


class _ImageLoader:
    """Reads images as bytes, channels x height x width, all of one size."""

    def __init__(self, options: Options):
        self._library = optional("PIL.Image", "an image")
        self._resize = options.resize
        self._mode = "L" if options.gray else "RGB"
        self._shape = None

    def load(self, files: List[Path]) -> np.ndarray:
        """The images of a few files."""
        return np.stack([self._load_one(file) for file in files])

    def _as_bytes(self, image, file: Path):
        """An image of bytes: of a gray PNG of 16 bits the upper 8, as the library has those of colors."""
        if not image.mode.startswith(("I", "F")):
            return image
        if image.format != "PNG":
            raise bad_data(file, f"found pixels of mode {image.mode}, expected 8 bits, or 16 as PNG")
        return self._library.fromarray((np.asarray(image) >> 8).astype(np.uint8))

    def _load_one(self, file: Path) -> np.ndarray:
        with reading(file, "is no image"), self._library.open(file) as opened:
            image = self._as_bytes(opened, file).convert(self._mode)
        if self._resize:
            image = image.resize(self._resize[::-1], self._library.BILINEAR)
        pixels = np.asarray(image)
        pixels = pixels[np.newaxis] if pixels.ndim == 2 else pixels.transpose(2, 0, 1)
        self._shape = self._shape or pixels.shape
        if pixels.shape != self._shape:
            raise bad_data(
                file,
                f"found {pixels.shape[1]} x {pixels.shape[2]} pixels, expected {self._shape[1]} x"
                f" {self._shape[2]} as of the first image, or --resize",
            )
        return pixels
