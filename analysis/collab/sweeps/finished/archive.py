# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Finished runs in one file, a .tar.xz, that sweeps on other machines begin with.

    <digest>/point.json    its mark, without what tells of the machine
    <digest>/run/          its files
    ro-crate-metadata.json, commands.txt, SHA256SUMS    what these are: see crate.py
"""

import contextlib
import io
import json
import lzma
import os
import re
import tarfile
from pathlib import Path, PurePosixPath
from typing import Dict, List, Mapping, Optional

from ..folder import make_folder, write_json
from ..runner import SweepRun
from ..texts import SweepError
from . import crate
from .excerpt import Excerpt, check_columns

SUFFIX = ".tar.xz"
_MARK = ""  # in the place of a name
_MEMBER = re.compile(r"([0-9a-f]{16})/(?:run/(.+)|point\.json)")
_OF_MACHINE = ("host", "taken_from")  # keys of a mark
_POINT = "point.json"
_FILES = "files"  # key of a mark: the size of each file
_CSV = ".csv"
DESCRIBED = f"columns{_CSV}"  # the table that tells what the columns of the others mean
_TAKEN_IN_STATES = ("missing", "failed")


def check_name(archive: Path) -> None:
    """Raises SweepError unless a file is named as archives are."""
    if not archive.name.endswith(SUFFIX) or archive.name == SUFFIX:
        raise SweepError(f"an archive of runs was named '{archive}'; allowed: a name that ends with {SUFFIX}")


def pack(runs: list, archive: Path, tables: Optional[Mapping[str, Excerpt]] = None) -> None:
    """Writes the finished points of some SweepRun, those of other versions too, into an archive; of
    their CSV files those of some tables, if they are named."""
    folders = {digest: run.folder for run in runs for digest in run.points
               if run.is_done(digest) and run.folder.read_mark(digest)}  # fmt: skip
    make_folder(archive.parent)
    partial = archive.with_name(f".{archive.name}.{os.getpid()}")
    tables = tables or {}
    content = {}
    for digest, folder in sorted(folders.items()):
        content.update(_point(digest, folder, tables))
    files = ((PurePosixPath(name), data) for name, data in content.items())
    check_columns(tables, ((path.stem, data) for path, data in files if path.suffix == _CSV))
    try:
        with tarfile.open(partial, "w:xz", format=tarfile.PAX_FORMAT, preset=9) as tar:  # runs are alike
            for name, data in {**content, **crate.describe([run.name for run in runs], content)}.items():
                _add(tar, name, data)
        partial.replace(archive)
    finally:
        partial.unlink(missing_ok=True)
    beside = crate.write_environment(archive, SUFFIX, _versions(content))
    points = sum(len(run.points) for run in runs)
    runs[0].say(f"{archive}: {len(folders)} of {points} points written; {beside.name} tells of this machine")


def _point(digest: str, folder, tables: Mapping[str, Excerpt]) -> Dict[str, bytes]:
    """The mark and the files of a run, by their paths in an archive."""
    files = excerpts(folder.run(digest), tables)
    kept = {key: value for key, value in folder.read_mark(digest).items() if key not in _OF_MACHINE}
    if _FILES in kept:
        kept[_FILES] = {name: len(files[name]) for name in kept[_FILES] if name in files}
    mark = {f"{digest}/{_POINT}": json.dumps(kept).encode()}
    return {**mark, **{f"{digest}/run/{name}": data for name, data in files.items()}}


def _versions(content: Dict[str, bytes]) -> list:
    """What made some runs, each version once."""
    marks = (json.loads(data) for name, data in content.items() if name.endswith(f"/{_POINT}"))
    texts = {json.dumps(mark.get("versions", {}), sort_keys=True) for mark in marks}
    return [json.loads(text) for text in sorted(texts)]


def excerpts(run: Path, tables: Mapping[str, Excerpt]) -> Dict[str, bytes]:
    """The files of a run by their paths; of the CSV files the excerpts of some tables, if they are named."""
    content = {}
    for file in sorted(path for path in run.rglob("*") if path.is_file()):
        if not tables or file.suffix != _CSV or file.name == DESCRIBED or file.stem in tables:
            excerpt = tables.get(file.stem, Excerpt())
            content[str(file.relative_to(run))] = excerpt.of(file.read_bytes(), file.stem)
    if tables and DESCRIBED in content:  # which would otherwise tell of tables that are not there
        first, *lines = content[DESCRIBED].splitlines(keepends=True)
        content[DESCRIBED] = b"".join([first, *(line for line in lines if _is_of(line.decode(), tables))])
    return content


def _is_of(line: str, tables: Mapping[str, Excerpt]) -> bool:
    """Whether a line of columns.csv is of a column that is kept."""
    table, column = line.rstrip("\n").split(",")[:2]
    return table in tables and tables[table].has(column)


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Adds a file of nobody and of no time: the same runs give the same archive."""
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def unpack(archive: Path, runs: list) -> None:
    """Takes the points that some SweepRun lack from an archive; raises SweepError if it is none."""
    content = read(archive)
    for run in runs:
        with run.folder.lock():
            lacking = [digest for digest, state in run.states().items() if state in _TAKEN_IN_STATES]
            taken = [digest for digest in lacking if digest in content]
            for digest in taken:
                _take(run, digest, content[digest], archive)
        run.say(f"{run.name}: {len(taken)} of {len(lacking)} missing points taken from {archive}")


def _take(run: SweepRun, digest: str, files: Dict[str, bytes], archive: Path) -> None:
    partial = run.folder.partial(digest)
    for name, data in files.items():
        if name != _MARK:
            make_folder((partial / name).parent)
            (partial / name).write_bytes(data)
    partial.rename(run.folder.run(digest))
    mark = json.loads(files[_MARK])
    write_json(run.folder.mark(digest), {**mark, "taken_from": str(archive)})


def read(archive: Path) -> Dict[str, Dict[str, bytes]]:
    """The files of each run by digest and path and, with an empty path, its mark; runs without run.json or mark
    are left out. Raises SweepError if it is no archive of runs."""
    content: Dict[str, Dict[str, bytes]] = {}
    try:
        with contextlib.closing(tarfile.open(archive, "r:xz")) as tar:
            for member in tar:
                if member.name in crate.FILES and member.isfile():
                    continue
                digest, name = _place(member)
                content.setdefault(digest, {})[name] = tar.extractfile(member).read()
    except OSError as error:
        raise SweepError(f"{archive}: {error.strerror or error}") from None
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise SweepError(f"{archive} is no archive of runs, or damaged: {error}") from None
    return {digest: files for digest, files in content.items() if {_MARK, "run.json"} <= set(files)}


def _place(member: tarfile.TarInfo) -> tuple:
    """The digest and the path in the run's folder of a file; the latter is empty for the mark."""
    known = _MEMBER.fullmatch(member.name)
    path = PurePosixPath(known.group(2) or _MARK) if known else None
    if path is None or not member.isfile() or path.is_absolute() or ".." in path.parts:
        raise tarfile.TarError(f"it has {member.name}")
    return known.group(1), str(path) if known.group(2) else _MARK


def marks(archive: Path) -> List[dict]:
    """The marks of an archive's runs; raises SweepError as read does."""
    return [json.loads(files[_MARK]) for files in read(archive).values()]
