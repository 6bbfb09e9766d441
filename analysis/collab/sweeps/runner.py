# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""One sweep of a call: what is there of it, and what the engine needs for the rest."""

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable, Mapping, Optional

from .definition import Sweep
from .engine import find_profile
from .estimate import estimate_text
from .finished.elsewhere import OtherSweeps
from .finished.excerpt import Excerpt
from .folder import SweepFolder, make_folder, now, write_json
from .points import expand
from .program import Executable, check_program
from .protocol_file import is_protocol
from .progress import SweepProgress
from .texts import SweepError
from .versions import describe, is_stale

_JOBS_OF_A_PROFILE = 100  # for estimates, where the profile says how many

ELSEWHERE = "other"  # the state of a point that another sweep has run

_STATES = {
    "done": "done",
    ELSEWHERE: "done in other sweeps",
    "missing": "to run",
    "failed": "to run again after a failure",
    "begun": "begun and not finished",
    "damaged": "damaged",
    "stale": "done by another version",
}
REFUSE, ALLOW, REDO = "refuse", "allow", "redo"  # what to do about points of other versions


@dataclass
class Options:
    """How to run a sweep."""

    out: Path  # the sweep's folder is below it, named as the sweep is
    programs: Path  # folder of the scenarios' programs; users' own ones are in scratch/ beside it
    jobs: Optional[int] = None  # points at a time; None for one a core, or what the profile says
    profile: Optional[str] = None  # of Snakemake: a folder, or one of ours by its name
    command: str = "sweep"  # in front of each line
    others: str = REFUSE  # points of other versions beside those of the present program
    executable: Optional[Executable] = None  # in the place of the program in that folder
    unpack: Optional[Path] = None  # an archive of runs to begin with
    pack: Optional[Path] = None  # an archive to write what is finished into
    tables: Mapping[str, Excerpt] = field(default_factory=dict)  # that it has of each run; all if there are none
    quiet: bool = False  # prints only what went wrong
    progress: Optional[Callable[[int], None]] = None  # told how many points are done


def _find_program(scenarios: Path, name: str) -> Executable:
    """The program of a name: a scenario, one of the user's own, or a protocol in Python."""
    if is_protocol(name):
        return Executable.protocol(name)
    places = (scenarios / name, scenarios.with_name("scratch") / name)
    return Executable(next((file for file in places if file.is_file()), places[0]).resolve())


class SweepRun:
    """A sweep of a call."""

    def __init__(self, sweep: Sweep, options: Options):
        """Checks everything; raises SweepError before anything is written."""
        self.options = options
        self._program = options.executable or _find_program(options.programs, sweep.scenario)
        if is_protocol(sweep.scenario):  # runs are of its name
            sweep = replace(sweep, scenario=self._program.name)
        self._sweep = sweep
        self._axes = sweep.axes()
        self.profile = find_profile(options.profile)
        self._cores = len(os.sched_getaffinity(0))
        self.jobs = options.jobs or (_JOBS_OF_A_PROFILE if self.profile else self._cores)
        self.points = expand(sweep)
        known = check_program(sweep, self._program)
        if "runDir" not in known.arguments:
            raise SweepError(f"{self._program.file} has no argument runDir, so it is no scenario")
        self.plays_many = known.plays_many
        self._has_threads = "threads" in known.arguments
        self._versions = known.versions
        self.folder = SweepFolder((options.out / sweep.name).resolve())
        self._elsewhere = self._other_sweeps()

    @property
    def name(self) -> str:
        """Of the sweep."""
        return self._sweep.name

    def print_plan(self) -> None:
        """Lists the points and how long the rest will take; changes nothing."""
        states = self.states()
        for digest, state in states.items():
            print(f"{digest}  {state:<7}  {self.points[digest].describe(self._axes)}")
        self._print_counts(states)
        todo = self._unfinished(states)
        if todo:
            self.print_estimate([self.progress(todo)])

    def begin(self) -> list:
        """Takes what other sweeps have, and writes what the engine reads of this one; returns the
        digests of what is left to run. The folder must be locked."""
        states = self.states()
        self._print_counts(states)
        self._take_from_elsewhere(states)
        todo = self._unfinished(states)
        self._prepare(todo, states)
        return todo

    def progress(self, todo: list) -> SweepProgress:
        """How far the sweep is while the engine runs some of its points."""
        return SweepProgress(self.folder, self.points, self._axes, todo)

    def take_again(self) -> None:
        """Takes the runs that other sweeps have made since this one began."""
        self._elsewhere = self._other_sweeps()
        self._take_from_elsewhere(self.states())

    def print_estimate(self, sweeps: list) -> None:
        """Says how long all that is left of some SweepProgress will take."""
        seconds = [each for sweep in sweeps for each in sweep.seconds_left()]
        text = estimate_text(seconds, self.jobs)
        if text:
            self.say(f"{text} for {len(seconds)} points, {self.jobs} at a time")
        else:
            self.say("no point is done yet, so there is no estimate of the time")

    def say(self, text: str, file=None) -> None:
        """Prints a line with the command's name in front."""
        if self.options.quiet:
            return
        print(f"collab {self.options.command}: {text}", file=file or sys.stdout, flush=True)

    @property
    def present_versions(self) -> str:
        """What the program is."""
        return describe(self._versions)

    def versions_of(self, digest: str) -> str:
        """What a finished point was made by."""
        return describe(self.folder.versions(digest))

    def remarks(self) -> dict:
        """How many finished points printed a line that begins with warning or hint, and the first
        such line; by that word."""
        lines = {}
        states = self.states()
        unfinished = set(self._unfinished(states))
        for digest in (digest for digest in states if digest not in unfinished):
            for word, line in self.folder.remarks(digest).items():
                lines.setdefault(word, []).append(line)
        return {word: (len(found), found[0]) for word, found in lines.items()}

    def is_done(self, digest: str) -> bool:
        """Whether a point need not be run."""
        return not self._unfinished({digest: self._state(digest)})

    def done(self) -> int:
        """How many points need not be run."""
        return len(self.points) - len(self._unfinished(self.states()))

    def states(self) -> dict:
        """One of the keys of _STATES, by digest."""
        return {digest: self._state(digest) for digest in self.points}

    def _state(self, digest: str) -> str:
        fault = self.folder.fault(digest, self.points[digest])
        if fault is None:
            made = self.folder.versions(digest)
            return "stale" if is_stale(made, self._versions) else "done"
        if fault:
            return "damaged"
        if self.folder.partial(digest).exists():
            return "begun"
        if self._elsewhere.find(digest, self.points[digest]):
            return ELSEWHERE
        return "failed" if self.folder.failures(digest) else "missing"

    def _other_sweeps(self) -> OtherSweeps:
        return OtherSweeps(self.options.out, self.folder, self._versions)

    def _take_from_elsewhere(self, states: dict) -> None:
        """Takes the runs that other sweeps have; those are done then."""
        for digest in [digest for digest, state in states.items() if state == ELSEWHERE]:
            other = self._elsewhere.find(digest, self.points[digest])
            if other:  # nobody has removed it meanwhile
                self._elsewhere.take(digest, other)
            states[digest] = self._state(digest)

    def _print_counts(self, states: dict) -> None:
        given = list(states.values())
        counts = [f"{given.count(state)} {text}" for state, text in _STATES.items()
                  if state in given]  # fmt: skip
        self.say(f"{self._sweep.name}: {len(given)} points: {', '.join(counts)}")
        for digest in (digest for digest, state in states.items() if state == "damaged"):
            fault = self.folder.fault(digest, self.points[digest])
            self.say(f"{self.folder.run(digest)}: {fault}; it will be run again", sys.stderr)

    def _unfinished(self, states: dict) -> list:
        """The points to be run."""
        finished = ("done",) if self.options.others == REDO else ("done", "stale")
        return [digest for digest, state in states.items() if state not in finished]

    def _put_aside(self, digest: str, state: str) -> None:
        """Makes room where a run is of another version, or damaged as its mark tells."""
        point = self.points[digest]
        if state == "stale":
            told = {"replaced": now(), "reason": f"made by {self.versions_of(digest)}"}
            self.folder.put_aside(digest, self.folder.replaced, point, told)
        elif state == "damaged":
            told = {"failed": now(), "reason": self.folder.fault(digest, point)}
            self.folder.put_aside(digest, self.folder.failed, point, told)

    def _prepare(self, todo: list, states: dict) -> None:
        """Writes what the engine reads, and takes back that the points to do are finished."""
        for name in ("points", "logs"):
            make_folder(self.folder.path / name)
        for digest in todo:
            self._put_aside(digest, states[digest])
            self.folder.mark(digest).unlink(missing_ok=True)
        content = {
            "schema": 1,
            "name": self._sweep.name,
            "file": str(self._sweep.file),
            "scenario": self._sweep.scenario,
            "axes": self._axes,
            "program": str(self._program.file),
            "files": [str(file) for file in self._program.files],
            "command": self._program.command,
            "versions": self._versions,
            "options": self._program_options(),
            "directory": str(self._sweep.file.parent.resolve()),
            "points": {digest: vars(point) for digest, point in self.points.items()},
        }
        write_json(self.folder.path / "sweep.json", content)

    def _program_options(self) -> list:
        """What does not change the results: a point uses the cores that others leave."""
        if not self._has_threads:
            return []
        return [f"--threads={1 if self.profile else max(1, self._cores // self.jobs)}"]
