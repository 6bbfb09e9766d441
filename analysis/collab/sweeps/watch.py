# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Watches an engine at work: progress, failures, Ctrl-C and full disks."""

import json
import signal
import sys
import threading
import time
from typing import Callable, Optional

from .engine import Engine
from .estimate import TimeEstimate, duration
from .folder import SweepFolder, is_full
from .points import Point

_POLL_SECONDS = 0.2
_LINE_SECONDS = 5  # between lines of progress where no terminal shows them


class Watch:
    """Tells how far the points of a sweep are until the engine ends."""

    def __init__(
        self,
        folder: SweepFolder,
        points: dict,
        axes: list,
        say: Callable,
        progress: Optional[Callable[[int], None]] = None,
    ):
        """points: Point by digest, all of the sweep; say: prints a line for the user; progress: is
        told how many points are done, in the place of what is printed of that."""
        self._progress_to = progress
        self._folder = folder
        self._points = points
        self._axes = axes
        self._say = say
        self._estimate = TimeEstimate(axes)
        self._left: set = set()
        self._seen_failures = set(self._failure_folders())
        self._changed = time.monotonic()
        self._printed = 0.0
        self._interrupts = 0
        self._kill = False
        self.failures = 0
        self.full = False

    @property
    def interrupted(self) -> bool:
        """Whether the user wanted it to end."""
        return self._interrupts > 0 or self._kill

    def estimate(self) -> TimeEstimate:
        """The times of the points that are done."""
        return self._estimate

    def load(self, todo: list) -> None:
        """Reads the times of the points that are not to be done."""
        self._left = set(todo)
        for digest in set(self._points) - self._left:
            self._add_time(digest)

    def watch(self, engine: Engine, jobs: int) -> None:
        """Returns when the engine has ended."""
        handlers = {signal.SIGINT: self._interrupt, signal.SIGTERM: self._end}
        handlers[signal.SIGHUP] = self._end
        if threading.current_thread() is not threading.main_thread():
            handlers = {}  # Python gives signals to the main thread only
        old = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        heard = 0
        stopped = False
        try:
            while engine.is_running():
                self._look(jobs)
                interrupts = self._interrupts  # more may come while these are answered
                if self._kill or interrupts > max(heard, 1):
                    engine.kill()
                elif interrupts > heard:
                    self._tell("Ctrl-C: waits for the running points; again: ends them now")
                    engine.finish()
                heard = interrupts
                if is_full(self._folder.path):
                    self.full = True
                if self.full and not stopped:
                    self._tell("the disk is full: starts no other point")
                    engine.finish()
                    stopped = True
                time.sleep(_POLL_SECONDS)
            self._look(jobs)
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)
            self._clear_line()

    def _interrupt(self, _signal, _frame) -> None:
        self._interrupts += 1

    def _end(self, _signal, _frame) -> None:
        self._kill = True

    def _look(self, jobs: int) -> None:
        """Takes note of what happened since it looked last, and tells it."""
        done = [digest for digest in self._left if self._folder.mark(digest).exists()]
        for digest in done:
            self._left.remove(digest)
            self._add_time(digest)
        failed = set(self._failure_folders()) - self._seen_failures
        for name in sorted(failed):
            self._tell_failure(name)
        if done or failed:
            self._changed = time.monotonic()
        self._print_progress(bool(done or failed), jobs)

    def _add_time(self, digest: str) -> None:
        seconds = self._folder.read_mark(digest).get("seconds")
        if seconds is not None:
            self._estimate.add(self._points[digest], seconds)

    def _failure_folders(self) -> list:
        return [path.parent.name for path in self._folder.failed.glob("*/point.json")]

    def _tell_failure(self, name: str) -> None:
        self._seen_failures.add(name)
        path = self._folder.failed / name
        told = json.loads((path / "point.json").read_text(encoding="utf-8"))
        point: Point = self._points[name.rpartition("-")[0]]
        if "exit_code" in told:
            self.failures += 1
            self.full = self.full or told.get("disk_full", False)
            what = "failed"
        else:
            what = "is run again"
        self._tell(f"{path} ({point.describe(self._axes)}) {what}: {told['reason']}")

    def _tell(self, text: str) -> None:
        self._clear_line()
        self._say(text, file=sys.stderr)

    def _clear_line(self) -> None:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _print_progress(self, is_new: bool, jobs: int) -> None:
        now = time.monotonic()
        if self._progress_to:
            self._progress_to(len(self._points) - len(self._left))
        elif sys.stderr.isatty():
            print(f"\r\033[K{self._progress(jobs)}", end="", file=sys.stderr, flush=True)
        elif is_new and (now - self._printed > _LINE_SECONDS or not self._left):
            self._say(self._progress(jobs))
            self._printed = now

    def _progress(self, jobs: int) -> str:
        total = len(self._points)
        text = f"{total - len(self._left)} of {total} points done"
        if self.failures:
            text += f", {self.failures} failed"
        if self._estimate and self._left:
            left = self._estimate.total([self._points[digest] for digest in self._left], jobs)
            left = max(0.0, left - (time.monotonic() - self._changed))
            text += f", about {duration(left)} left"
        return text
