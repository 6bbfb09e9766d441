# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs one point of a sweep; this is what the engine starts, here or on a node of a cluster."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Optional

from .folder import SweepFolder, is_full, now, sizes, try_lock, write_json
from .points import Point
from .versions import describe, is_stale, program_digest

_INTERRUPTED = 130
_KILLS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GROUP_SECONDS = 1  # within which a signal to a group of processes has reached them all


class _Killed(Exception):
    """The sweep is ended before its points are."""


def main(arguments: Optional[list] = None) -> int:
    """Runs the point DIGEST of the sweep that FOLDER/sweep.json tells; returns the exit code."""
    path, digest = arguments or sys.argv[1:]
    for number in _KILLS:
        signal.signal(number, _raise_killed)
    folder = SweepFolder(Path(path).resolve())
    sweep = json.loads((folder.path / "sweep.json").read_text(encoding="utf-8"))
    point = Point(**sweep["points"][digest])
    try:
        return _Execution(folder, digest, point, sweep).run()
    except _Killed:
        return _INTERRUPTED


def _raise_killed(_signal, _frame):
    for number in _KILLS:
        signal.signal(number, signal.SIG_IGN)
    raise _Killed


class _Execution:
    def __init__(self, folder: SweepFolder, digest: str, point: Point, sweep: dict):
        self._folder = folder
        self._digest = digest
        self._point = point
        self._sweep = sweep

    def run(self) -> int:
        """Runs the point unless it is finished; nobody else does meanwhile."""
        while True:
            log = self._lock_log()
            try:
                fault = self._fault()
                if fault is None:  # another process has run it since the sweep looked
                    self._mark_finished(self._seconds_of_other())
                    return 0
                if not self._clear(fault):
                    return self._start(log)
            finally:
                os.close(log)

    def _fault(self) -> Optional[str]:
        """Why the run cannot be used, as SweepFolder.fault(), or that another program made it."""
        fault = self._folder.fault(self._digest, self._point)
        if fault is not None:
            return fault
        made = self._folder.versions(self._digest)
        if not is_stale(made, self._sweep["versions"]):
            return None
        return f"the program was built anew since the sweep began: it is {describe(made)}"

    def _lock_log(self) -> int:
        """Opens the log and waits until no other process, maybe of a killed sweep, runs the point.

        The program inherits the lock: it lasts as long as the program does.
        """
        path = self._folder.log(self._digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            try_lock(log, wait=True)
            if path.exists() and os.fstat(log).st_ino == path.stat().st_ino:
                return log
            os.close(log)  # it has been put aside meanwhile

    def _clear(self, fault: str) -> bool:
        """Puts aside what is in the way of a new run, its log too; whether there was anything."""
        is_there = bool(fault) or self._folder.partial(self._digest).exists()
        if is_there:
            self._put_aside({"reason": fault or "its process was killed"})
        return is_there

    def _seconds_of_other(self) -> Optional[float]:
        """How long the run took that another process has begun, as far as files tell."""
        begun = self._folder.begun(self._digest).get("begun")
        files = self._folder.run(self._digest).iterdir()
        return max(file.stat().st_mtime for file in files) - begun if begun else None

    def _start(self, log: int) -> int:
        begin = time.monotonic()
        os.ftruncate(log, 0)
        program = program_digest(*map(Path, self._sweep["files"]))
        told = {"arguments": self._point.arguments, "program": program, "begun": time.time()}
        os.write(log, f"{json.dumps(told)}\n".encode())
        try:
            code = self._call(log)
        except _Killed:
            shutil.rmtree(self._folder.partial(self._digest), ignore_errors=True)
            raise
        seconds = time.monotonic() - begin
        fault = self._fault()
        if code == 0 and fault is None:
            self._mark_finished(seconds)
            return 0
        reason = _reason(code, self._last_line())
        if code == 0:
            reason = fault or "the program ended well but has written no run folder"
        self._keep_failure({"reason": reason, "exit_code": code, "seconds": seconds})
        return 1

    def _call(self, log: int) -> int:
        command = [
            *self._sweep["command"],
            *self._point.options(),
            f"--runDir={self._folder.run(self._digest)}",
            *self._sweep["options"],
        ]
        os.write(log, f"{' '.join(command)}\n".encode())
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        where = self._sweep["directory"]
        try:
            process = subprocess.Popen(
                command,
                cwd=where,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        except OSError as error:
            os.write(log, f"{command[0]}: {error.strerror}\n".encode())
            return 127
        try:
            code = process.wait()
            if -code in _KILLS:  # by one who ends this process, too: then the point is not a failure
                time.sleep(_GROUP_SECONDS)
            return code
        except _Killed:
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            raise

    def _mark_finished(self, seconds: Optional[float]) -> None:
        mark = {
            "arguments": self._point.arguments,
            "seed": self._point.seed,
            "run": self._point.run,
            "contents": self._point.files,
            "versions": self._folder.versions(self._digest),
            "seconds": seconds and round(seconds, 3),
            "host": os.uname().nodename,
            "finished": now(),
            "files": sizes(self._folder.run(self._digest)),
        }
        write_json(self._folder.mark(self._digest), mark)

    def _keep_failure(self, told: dict) -> None:
        """Keeps a failure aside; on a full disk only what is told of it, if there is room."""
        if not is_full(self._folder.path):
            self._put_aside(told)
            return
        shutil.rmtree(self._folder.partial(self._digest), ignore_errors=True)
        reason = f"the disk is full; {told['reason']}"
        with contextlib.suppress(OSError):
            self._put_aside({**told, "reason": reason, "disk_full": True})
        print(f"{self._digest}: {reason}", file=sys.stderr)

    def _put_aside(self, told: dict) -> None:
        told = {"failed": now(), **told}
        self._folder.put_aside(self._digest, self._folder.failed, self._point, told)

    def _last_line(self) -> str:
        text = self._folder.log(self._digest).read_text(encoding="utf-8", errors="replace")
        return (text.strip().splitlines() or [""])[-1]


def _reason(code: int, last_line: str) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}: {last_line}"


if __name__ == "__main__":
    sys.exit(main())
