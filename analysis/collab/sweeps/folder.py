# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The folder of a sweep: its runs, what is known of them, and whether they are whole.

    <digest>/              a finished run, as its program wrote it
    <digest>.partial/      a run that goes on or was killed
    points/<digest>.json   says that the run is finished: its arguments, seconds and files
    logs/<digest>.log      how the run was begun, and what the program printed; locked while it runs
    failed/<digest>-<n>/   what is left of a run that failed: point.json, log.txt, its folder
    replaced/<digest>-<n>/ a run of another version that was run again: as in failed
    sweep.json             the points of the last call, and how to run them
    engine.json            what the engine was to make in the last call; in the first of its sweeps
    engine.log             what it printed; beside it
    engine.stop            says that no other point is to be begun in that call; beside it
"""

import contextlib
import fcntl
import json
import os
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Iterator, Optional

from .points import Point
from .texts import SweepError, canonical
from .versions import PROGRAM

RUN_SCHEMA = "1"  # of run.json
STOP = "engine.stop"
_LEAST_FREE_BYTES = 1 << 20  # with less a disk counts as full


class SweepFolder:
    """Where the runs of a sweep are."""

    def __init__(self, path: Path):
        self.path = Path(path)

    def run(self, digest: str) -> Path:
        """Where the finished run is."""
        return self.path / digest

    def partial(self, digest: str) -> Path:
        """Where the run is until it is finished."""
        return self.path / f"{digest}.partial"

    def has_files(self, digest: str) -> bool:
        """Whether there is anything of the run, whole or not."""
        return self.run(digest).exists() or self.partial(digest).exists()

    def mark(self, digest: str) -> Path:
        """The file that says that the run is finished."""
        return self.path / "points" / f"{digest}.json"

    def log(self, digest: str) -> Path:
        """What the program printed."""
        return self.path / "logs" / f"{digest}.log"

    def remarks(self, digest: str) -> dict:
        """The first line that begins with warning and with hint of what the program printed."""
        try:
            text = self.log(digest).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return {}
        found = re.findall(r"^((warning|hint): .*)$", text, re.MULTILINE)
        return {word: line for line, word in reversed(found)}

    @property
    def failed(self) -> Path:
        """Where failed runs are kept."""
        return self.path / "failed"

    @property
    def replaced(self) -> Path:
        """Where runs of other versions are kept that were run again."""
        return self.path / "replaced"

    def read_mark(self, digest: str) -> dict:
        """What is known of a finished run; empty if nothing is."""
        try:
            mark = json.loads(self.mark(digest).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return mark if isinstance(mark, dict) else {}

    def versions(self, digest: str) -> dict:
        """What made a finished run, as far as it is known."""
        made = {}
        with contextlib.suppress(OSError, ValueError, AttributeError):
            metadata = json.loads((self.run(digest) / "run.json").read_text(encoding="utf-8"))
            made.update(metadata.get("versions", {}))
            told = self.read_mark(digest).get("versions", {})
            program = told.get(PROGRAM) or self.begun(digest).get(PROGRAM)
            if program:
                made[PROGRAM] = program
        return made

    def begun(self, digest: str) -> dict:
        """What the log tells of how the run was begun; empty if it does not."""
        try:
            with self.log(digest).open(encoding="utf-8", errors="replace") as log:
                told = json.loads(log.readline())
        except (OSError, ValueError):
            return {}
        return told if isinstance(told, dict) else {}

    def failures(self, digest: str) -> list:
        """The folders of failures of a point, oldest first."""
        return _numbered(self.failed, digest)

    def put_aside(self, digest: str, where: Path, point: Point, told: dict) -> None:
        """Moves what there is of a run into another folder in failed or replaced."""
        last = _numbered(where, digest)[-1:]
        number = int(last[0].name.rpartition("-")[2]) + 1 if last else 1
        folder = where / f"{digest}-{number}"
        folder.mkdir(parents=True)
        for run in (self.partial(digest), self.run(digest)):
            if run.exists():
                run.rename(folder / f"{digest}.partial")  # no run to be counted
                break
        if self.log(digest).exists():
            self.log(digest).rename(folder / "log.txt")
        self.mark(digest).unlink(missing_ok=True)
        known = {"arguments": point.arguments, "seed": point.seed, "run": point.run}
        write_json(folder / "point.json", {**known, **told})

    def fault(self, digest: str, point: Point) -> Optional[str]:
        """Why the run cannot be used: None if it is whole, an empty text if it is not there."""
        folder = self.run(digest)
        if not folder.is_dir():
            return ""
        try:
            metadata = json.loads((folder / "run.json").read_text(encoding="utf-8"))
            fault = _metadata_fault(metadata, point)
            if fault is None and not self._is_begun_as(digest, point):
                fault = _parameter_fault(metadata, point)
            return fault or self._file_fault(digest)
        except OSError as error:
            return f"{Path(error.filename).name}: {error.strerror}"
        except (ValueError, KeyError, TypeError, AttributeError):
            return "run.json is damaged"

    def _is_begun_as(self, digest: str, point: Point) -> bool:
        """Whether mark or log tell that the run was given what a point gives. Then run.json may say
        otherwise: programs write what they have made of a value, such as of 0 for a computed one."""
        told = self.read_mark(digest) or self.begun(digest)
        return told.get("arguments") == point.arguments

    def _file_fault(self, digest: str) -> Optional[str]:
        folder = self.run(digest)
        known = self.read_mark(digest).get("files", {})
        for name, size in known.items():
            present = (folder / name).stat().st_size
            if present != size:
                return f"{name} has {present} B of {size} B"
        for file in sorted(folder.glob("*.csv")) if not known else []:
            if not _ends_with_newline(file):
                return f"{file.name} is cut"
        return None

    @contextlib.contextmanager
    def lock(self) -> Iterator[int]:
        """Keeps other sweeps out of the folder; gives the open file, for processes that go on."""
        make_folder(self.path)
        file = os.open(self.path / "sweep.lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not try_lock(file):
                holder = os.pread(file, 100, 0).decode("utf-8", "replace").strip()
                raise SweepError(f"{self.path} is in use by another sweep ({holder}); wait for it")
            os.ftruncate(file, 0)
            os.pwrite(file, f"process {os.getpid()} on {os.uname().nodename}\n".encode(), 0)
            yield file
        finally:
            os.close(file)


def _numbered(where: Path, digest: str) -> list:
    """The folders of a point in another one, oldest first."""
    found = where.glob(f"{digest}-*")
    return sorted(found, key=lambda path: int(path.name.rpartition("-")[2]))


def make_folder(path: Path) -> None:
    """Makes a folder with its parents."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SweepError(f"{path} cannot be made: {error.strerror}") from None


def is_full(path: Path) -> bool:
    """Whether the disk of a folder has no room for another run."""
    space = os.statvfs(path)
    return space.f_bavail * space.f_frsize < _LEAST_FREE_BYTES


def try_lock(file: int, wait: bool = False) -> bool:
    """Locks an open file, for this process and those that inherit the file; False if others have.

    Where a file system cannot lock, it counts as locked.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def write_json(path: Path, content: dict) -> None:
    """Writes a file so that it is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def now() -> str:
    """The time as files of a sweep tell it."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def sizes(folder: Path) -> dict:
    """Sizes of the files of a run."""
    return {file.name: file.stat().st_size for file in sorted(folder.iterdir()) if file.is_file()}


def _metadata_fault(metadata: dict, point: Point) -> Optional[str]:
    """Why run.json is not of a run of this point's scenario and seed, if it is not."""
    if str(metadata.get("schema")) != RUN_SCHEMA:
        return f"run.json is of another version (schema {metadata.get('schema')})"
    expected = {"scenario": point.scenario, "seed": point.seed, "run": point.run}
    for key, value in expected.items():
        if metadata[key] != value:
            return f"run.json is of another run: {key} is {metadata[key]}, not {value}"
    return None


def _parameter_fault(metadata: dict, point: Point) -> Optional[str]:
    """Why run.json is not of a run with this point's arguments, if it is not. Of a value that the
    program computed, or limited, it also tells what was asked for."""
    asked = {**metadata["parameters"], **metadata.get("computed", {})}
    for name, value in point.arguments.items():
        written = asked.get(name)
        if written is not None and _text(written) != canonical(value):
            return f"run.json is of another run: {name} is {written}, not {value}"
    return None


def _text(value) -> str:
    return canonical(value if isinstance(value, str) else json.dumps(value))


def _ends_with_newline(file: Path) -> bool:
    with file.open("rb") as stream:
        if stream.seek(0, os.SEEK_END) == 0:
            return False
        stream.seek(-1, os.SEEK_END)
        return stream.read() == b"\n"
