# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Processes that play points: one for each, or one for many, which loads its program once."""

import contextlib
import json
import os
import subprocess
from pathlib import Path
from typing import Iterator, Optional

_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_KILL_SECONDS = 5  # after which a process that should end is killed
_NOT_BEGUN = 127  # exit code, as of shells


class OwnProcess:
    """Plays each point in a process of its own."""

    def __init__(self, command: list, directory: str):
        """command: words that call the program; directory: where it works."""
        self._command = command
        self._directory = directory

    def play(self, options: list, _file: Path, log: int) -> int:
        """Plays a point; the program prints into an open log and keeps its lock. Returns the exit code, or the
        negative number of the signal that has killed it."""
        process = _begin([*self._command, *options], self._directory, log, stdin=subprocess.DEVNULL, stdout=log)
        if not process:
            return _NOT_BEGUN
        with _ended_at_kill(process):
            return process.wait()

    def close(self) -> None:
        """Ends what is left of it."""


class SharedProcess:
    """Plays points one after the other in children of one process, as programs with --runs=- do.

    A child is as a process that has just begun, so its run is as that of a process of its own.
    """

    def __init__(self, command: list, directory: str, logs: list):
        """logs: the open ones of all points, whose locks the process keeps as long as it lives."""
        self._command = [*command, "--runs=-"]
        self._directory = directory
        self._logs = logs
        self._process: Optional[subprocess.Popen] = None

    def play(self, options: list, file: Path, log: int) -> int:
        """As that of OwnProcess; file: the log's place."""
        if not self._process:
            self._process = _begin(
                self._command, self._directory, log,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=self._logs, text=True,
            )  # fmt: skip
        if not self._process:
            return _NOT_BEGUN
        with _ended_at_kill(self._process):
            with contextlib.suppress(BrokenPipeError):  # it has ended
                self._process.stdin.write(f"{json.dumps({'arguments': options, 'output': str(file)})}\n")
                self._process.stdin.flush()
            answer = self._process.stdout.readline()  # nothing once neither it nor a child lives
            if answer:
                return json.loads(answer)["code"]
        code = self._process.wait()
        self.close()  # the next point begins another one
        return code or 1  # it has not said how the run ended

    def close(self) -> None:
        """Ends the process, which plays nothing now."""
        if self._process:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
        self._process = None


def _begin(command: list, directory: str, log: int, **streams) -> Optional[subprocess.Popen]:
    """A process with errors into a log; None, with a line there, if it cannot begin."""
    environment = {**os.environ, **_THREADS}
    try:
        return subprocess.Popen(command, cwd=directory, env=environment, stderr=log, **streams)
    except OSError as error:
        os.write(log, f"{command[0]}: {error.strerror}\n".encode())
        return None


@contextlib.contextmanager
def _ended_at_kill(process: subprocess.Popen) -> Iterator[None]:
    """Ends a process, and children that answer for it, if what waits for it is ended."""
    try:
        yield
    except BaseException:
        process.terminate()
        try:
            process.wait(timeout=_KILL_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.read()
        raise
