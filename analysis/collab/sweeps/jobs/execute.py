# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs points of a sweep one after the other; this is what the engine starts, here or on a node of a cluster."""

import contextlib
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Optional

from ..folder import STOP, SweepFolder, is_full, now, sizes, try_lock, write_json
from ..points import Point
from ..versions import describe, is_stale, program_digest
from .process import OwnProcess, SharedProcess

_INTERRUPTED = 130
_KILLS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GROUP_SECONDS = 3  # within which a signal to a group of processes has reached them all


class _Killed(Exception):
    """The sweep is ended before its points are."""


def main(arguments: Optional[list] = None) -> int:
    """Runs points DIGEST... of the sweep that FOLDER/sweep.json tells; returns the exit code. Several are played by
    one process, which their program must know."""
    path, *digests = arguments or sys.argv[1:]
    for number in _KILLS:
        signal.signal(number, _raise_killed)
    folder = SweepFolder(Path(path).resolve())
    sweep = json.loads((folder.path / "sweep.json").read_text(encoding="utf-8"))
    executions = [
        _Execution(folder, digest, Point(**sweep["points"][digest]), sweep) for digest in digests
    ]
    try:
        return _run(executions, sweep)
    except _Killed:
        return _INTERRUPTED


def _run(executions: list, sweep: dict) -> int:
    """Runs points that are not finished; nobody else does meanwhile. The rest waits for the next call once a
    disk is full or the user wants it to end."""
    # In one order everywhere: so no two that wait for points of each other
    for execution in sorted(executions, key=lambda execution: execution.digest):
        execution.lock()
    left = [execution for execution in executions if not execution.is_finished]
    call = sweep["command"], sweep["directory"]
    shared = len(executions) > 1
    process = SharedProcess(*call, [each.log for each in left]) if shared else OwnProcess(*call)
    code = 0
    with contextlib.closing(process):
        for execution in left:
            if execution is not left[0] and (Path(STOP).exists() or is_full(execution.folder.path)):
                return _INTERRUPTED
            code = max(code, execution.start(process))
    return code


def _raise_killed(_signal, _frame):
    for number in _KILLS:
        signal.signal(number, signal.SIG_IGN)
    raise _Killed


class _Execution:
    """A point that is to be run."""

    def __init__(self, folder: SweepFolder, digest: str, point: Point, sweep: dict):
        self.folder = folder
        self.digest = digest
        self.log = -1  # the open one, from lock() on
        self.is_finished = False
        self._point = point
        self._sweep = sweep

    def lock(self) -> None:
        """Keeps others away from the point as long as this process lives, and takes note if it is finished."""
        while True:
            self.log = self._lock_log()
            fault = self._fault()
            if fault is None:  # another process has run it since the sweep looked
                self._mark_finished(self._seconds_of_other())
                self.is_finished = True
                return
            if not self._clear(fault):
                return
            os.close(self.log)

    def _fault(self) -> Optional[str]:
        """Why the run cannot be used, as SweepFolder.fault(), or that another program made it."""
        fault = self.folder.fault(self.digest, self._point)
        if fault is not None:
            return fault
        made = self.folder.versions(self.digest)
        if not is_stale(made, self._sweep["versions"]):
            return None
        return f"the program was built anew since the sweep began: it is {describe(made)}"

    def _lock_log(self) -> int:
        """Opens the log and waits until no other process, maybe of a killed sweep, runs the point.

        The program inherits the lock: it lasts as long as the program does.
        """
        path = self.folder.log(self.digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            try_lock(log, wait=True)
            if path.exists() and os.fstat(log).st_ino == path.stat().st_ino:
                return log
            os.close(log)  # it has been put aside meanwhile

    def _clear(self, fault: str) -> bool:
        """Puts aside what is in the way of a new run, its log too; whether there was anything."""
        is_there = bool(fault) or self.folder.partial(self.digest).exists()
        if is_there:
            self._put_aside({"reason": fault or "its process was killed"})
        return is_there

    def _seconds_of_other(self) -> Optional[float]:
        """How long the run took that another process has begun, as far as files tell."""
        begun = self.folder.begun(self.digest).get("begun")
        files = self.folder.run(self.digest).iterdir()
        return max(file.stat().st_mtime for file in files) - begun if begun else None

    def start(self, process) -> int:
        """Runs the point by an OwnProcess or a SharedProcess; returns the exit code."""
        begin = time.monotonic()
        os.ftruncate(self.log, 0)
        program = program_digest(*map(Path, self._sweep["files"]))
        told = {"arguments": self._point.arguments, "program": program, "begun": time.time()}
        os.write(self.log, f"{json.dumps(told)}\n".encode())
        try:
            code = self._play(process)
        except _Killed:
            shutil.rmtree(self.folder.partial(self.digest), ignore_errors=True)
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

    def _play(self, process) -> int:
        options = [
            *self._point.options(),
            f"--runDir={self.folder.run(self.digest)}",
            *self._sweep["options"],
        ]
        os.write(self.log, f"{' '.join([*self._sweep['command'], *options])}\n".encode())
        code = process.play(options, self.folder.log(self.digest), self.log)
        if -code in _KILLS:  # by one who ends this process, too: then the point is not a failure
            time.sleep(_GROUP_SECONDS)
        return code

    def _mark_finished(self, seconds: Optional[float]) -> None:
        mark = {
            "arguments": self._point.arguments,
            "seed": self._point.seed,
            "run": self._point.run,
            "contents": self._point.files,
            "versions": self.folder.versions(self.digest),
            "seconds": seconds and round(seconds, 3),
            "host": os.uname().nodename,
            "finished": now(),
            "files": sizes(self.folder.run(self.digest)),
        }
        write_json(self.folder.mark(self.digest), mark)

    def _keep_failure(self, told: dict) -> None:
        """Keeps a failure aside; on a full disk only what is told of it, if there is room."""
        if not is_full(self.folder.path):
            self._put_aside(told)
            return
        shutil.rmtree(self.folder.partial(self.digest), ignore_errors=True)
        reason = f"the disk is full; {told['reason']}"
        with contextlib.suppress(OSError):
            self._put_aside({**told, "reason": reason, "disk_full": True})
        print(f"{self.digest}: {reason}", file=sys.stderr)

    def _put_aside(self, told: dict) -> None:
        told = {"failed": now(), **told}
        self.folder.put_aside(self.digest, self.folder.failed, self._point, told)

    def _last_line(self) -> str:
        text = self.folder.log(self.digest).read_text(encoding="utf-8", errors="replace")
        return (text.strip().splitlines() or [""])[-1]


def _reason(code: int, last_line: str) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}: {last_line}"


if __name__ == "__main__":
    sys.exit(main())
