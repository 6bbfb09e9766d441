# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Watches an engine at work: progress, failures, Ctrl-C and full disks."""

import signal
import sys
import threading
import time
from typing import Callable, Optional

from .engine import Engine
from .estimate import estimate_text
from .folder import is_full

_POLL_SECONDS = 0.2
_LINE_SECONDS = 5  # between lines of progress where no terminal shows them


class Watch:
    """Tells how far sweeps are until the engine that runs their points ends."""

    def __init__(
        self,
        sweeps: list,
        jobs: int,
        say: Callable,
        progress: Optional[Callable[[int], None]] = None,
    ):
        """sweeps: of SweepProgress; jobs: how many points run at a time; say: prints a line for the
        user; progress: is told how many points are done, in the place of what is printed of that."""
        self._sweeps = sweeps
        self._jobs = jobs
        self._say = say
        self._progress_to = progress
        self._total = len({digest for sweep in sweeps for digest in sweep.points})
        self._changed = time.monotonic()
        self._printed = 0.0
        self._interrupts = 0
        self._kill = False
        self.full = False

    @property
    def interrupted(self) -> bool:
        """Whether the user wanted it to end."""
        return self._interrupts > 0 or self._kill

    def watch(self, engine: Engine) -> None:
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
                self._look()
                interrupts = self._interrupts  # more may come while these are answered
                if self._kill or interrupts > max(heard, 1):
                    engine.kill()
                elif interrupts > heard:
                    self._tell("Ctrl-C: waits for the running points; again: ends them now")
                    engine.finish()
                heard = interrupts
                if any(is_full(sweep.folder.path) for sweep in self._sweeps):
                    self.full = True
                if self.full and not stopped:
                    self._tell("the disk is full: starts no other point")
                    engine.finish()
                    stopped = True
                time.sleep(_POLL_SECONDS)
            self._look()
        finally:
            for number, handler in old.items():
                signal.signal(number, handler)
            self._clear_line()

    def _interrupt(self, _signal, _frame) -> None:
        self._interrupts += 1

    def _end(self, _signal, _frame) -> None:
        self._kill = True

    def _look(self) -> None:
        """Takes note of what happened since it looked last, and tells it."""
        is_new = any([sweep.take_note() for sweep in self._sweeps])
        for sweep in self._sweeps:
            for text, full in sweep.new_failures():
                self._tell(text)
                self.full = self.full or full
                is_new = True
        if is_new:
            self._changed = time.monotonic()
        self._print_progress(is_new)

    def _tell(self, text: str) -> None:
        self._clear_line()
        self._say(text, file=sys.stderr)

    def _clear_line(self) -> None:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _print_progress(self, is_new: bool) -> None:
        now = time.monotonic()
        left = len({digest for sweep in self._sweeps for digest in sweep.left})
        if self._progress_to:
            self._progress_to(self._total - left)
        elif sys.stderr.isatty():
            print(f"\r\033[K{self._progress(left)}", end="", file=sys.stderr, flush=True)
        elif is_new and (now - self._printed > _LINE_SECONDS or not left):
            self._say(self._progress(left))
            self._printed = now

    def _progress(self, left: int) -> str:
        text = f"{self._total - left} of {self._total} points done"
        failures = sum(sweep.failures for sweep in self._sweeps)
        if failures:
            text += f", {failures} failed"
        seconds = [each for sweep in self._sweeps for each in sweep.seconds_left()]
        time_left = estimate_text(seconds, self._jobs, time.monotonic() - self._changed)
        return f"{text}, {time_left} left" if time_left else text
