# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The points of a sweep, and their names."""

import functools
import hashlib
import itertools
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Iterator

from .definition import Sweep
from .texts import SweepError

POINT_SCHEMA = 1  # of what a digest is made from

_DATA_SET = "dataSet"
_DATA_FOLDER = "dataDir"  # the argument that names the folder of its files, or in which file:PATH is
_OBJECT = re.compile(r"[][|=]")  # between the parts of Type[Name=value|Name=value]
_PREFIX = re.compile(r"[A-Za-z]\w*:(?!:)")  # in front of a path: file:, script:


@dataclass(frozen=True)
class Point:
    """One run: what its program is given."""

    scenario: str
    arguments: dict  # name: text; arguments of the scenario and ns-3's attributes and global values
    seed: int  # RngSeed
    run: int  # RngRun
    files: dict = field(default_factory=dict)  # digests of contents, by arguments that name files

    @property
    def digest(self) -> str:
        """Its name: the same for the same run in any sweep, order and spelling of numbers."""
        content = {
            "arguments": self.arguments,
            "rngRun": self.run,
            "rngSeed": self.seed,
            "scenario": self.scenario,
            "schema": POINT_SCHEMA,
            **({"files": self.files} if self.files else {}),
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    def options(self) -> list:
        """What the program is given on its command line."""
        arguments = [f"--{name}={value}" for name, value in sorted(self.arguments.items())]
        return [*arguments, f"--RngSeed={self.seed}", f"--RngRun={self.run}"]

    def describe(self, names: list) -> str:
        """Some of its arguments, and its seed and run, as a person reads them."""
        parts = [f"{name.split('::')[-1]}={self.arguments[name]}" for name in names]
        seed = [f"seed {self.seed}"] if self.seed != 1 else []
        return " ".join([*parts, *seed, f"run {self.run}"])


def expand(sweep: Sweep) -> dict:
    """The points of a sweep by digest: grid x zip x list x seeds, the last one fastest."""
    folder = sweep.file.parent  # in which programs run
    digest_of = functools.lru_cache(maxsize=None)(functools.partial(_contents, folder))
    digest_of_folder = functools.lru_cache(maxsize=None)(_folder_digest)
    grid = [[(name, value) for value in values] for name, values in sweep.grid.items()]
    factors = [[[pair] for pair in pairs] for pairs in grid]
    for group in sweep.zips:
        factors.append([list(zip(group, values)) for values in zip(*group.values())])
    if sweep.rows:
        factors.append([list(row.items()) for row in sweep.rows])
    points = {}
    for choice in itertools.product(*factors, sweep.seeds, sweep.runs):
        *settings, seed, run = choice
        chosen = dict(pair for pairs in settings for pair in pairs)
        arguments = {**sweep.arguments, **chosen}
        data = arguments.get(_DATA_FOLDER, "")
        digests = {name: digest_of(value, data) for name, value in arguments.items()}
        if data and not digests.get(_DATA_SET):
            digests[_DATA_FOLDER] = digest_of_folder(folder / data)
        files = {name: digest for name, digest in digests.items() if digest}
        point = Point(sweep.scenario, arguments, seed, run, files)
        if point.digest in points:
            raise SweepError(f"{sweep.file}: {point.describe(sweep.axes())} is a point twice")
        points[point.digest] = point
    return points


def _contents(folder: Path, value: str, data: str) -> str:
    """A digest of the contents of all files that a value names; empty if it names none."""
    files = dict.fromkeys(_places(folder, value, data))
    digests = [digest for digest in map(_file_digest, files) if digest]
    return "".join(digests) if len(digests) < 2 else _digest_of(digests)


def _places(folder: Path, value: str, data: str) -> Iterator[Path]:
    """Where the files would be that a value may name: as a whole, behind a prefix (file:PATH, which
    may be below another folder), or as an attribute of an object of ns-3."""
    for word in (value, *_OBJECT.split(value)):
        yield folder / word
        prefix = _PREFIX.match(word)
        if prefix:
            path = word[prefix.end() :]
            yield folder / path
            yield folder / data / path


def _folder_digest(folder: Path) -> str:
    """A digest of the files of a known data set, by name and contents; empty if the folder has none."""
    files = sorted(file for file in folder.glob("[!.]*") if file.is_file())
    return _digest_of(f"{file.name}={_file_digest(file)}" for file in files) if files else ""


def _digest_of(texts: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(texts).encode("utf-8")).hexdigest()[:16]


def _file_digest(file: Path) -> str:
    """A digest of a file's contents; empty if there is no such file."""
    if not os.path.isfile(file):
        return ""
    with file.open("rb") as opened:
        digest = hashlib.sha256()
        while block := opened.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:16]
