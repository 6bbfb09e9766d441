# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A call of one or more sweeps: one engine runs the points of all of them, so that no core waits for
the last points of a sweep before the next one begins."""

import contextlib
import sys
from collections import Counter

from .engine import Engine
from .finished.archive import pack, unpack
from .jobs.batches import batch_size, make_batches
from .runner import REFUSE, SweepRun
from .texts import SweepError
from .watch import Watch

INTERRUPTED = 130  # exit code


def run_all(runs: list) -> int:
    """Runs what is missing of some SweepRun; 0 if all is there then, 1 if not, 130 after Ctrl-C.

    Begins with the points of an archive, and ends with writing one, if the options say so.
    """
    options = runs[0].options
    if options.unpack:
        unpack(options.unpack, runs)
    refuse_mixture(runs)
    code = _run_missing(runs)
    if options.pack:
        pack(runs, options.pack, options.tables)
    return code


def _run_missing(runs: list) -> int:
    with contextlib.ExitStack() as stack:
        locks = [stack.enter_context(run.folder.lock()) for run in runs]
        begun, shared = _begin(runs)
        if not begun:
            return 0
        first = runs[0]
        sweeps = [run.progress(todo) for run, todo in begun]
        first.print_estimate(sweeps)
        watch = Watch(sweeps, first.jobs, first.say, first.options.progress)
        jobs = first.jobs if not first.profile else first.options.jobs
        engine = Engine(_jobs(begun, sweeps, first.jobs), locks, jobs, first.profile)
        with engine:
            watch.watch(engine)
        for run in shared:
            run.take_again()
        return _conclude(begun, sweeps, shared, watch)


def refuse_mixture(runs: list) -> None:
    """Raises SweepError if finished points of other versions would come beside those of the present
    programs in the same tables, and the user has not allowed it."""
    states = [(run, digest, state) for run in runs for digest, state in run.states().items()]
    stale = [(run, digest) for run, digest, state in states if state == "stale"]
    if not stale or runs[0].options.others != REFUSE:
        return
    versions = Counter(run.versions_of(digest) for run, digest in stale)
    told = "; ".join(f"{count} by {version}" for version, count in versions.items())
    present = "; ".join(dict.fromkeys(run.present_versions for run, _ in stale))
    told = f"{len(stale)} of {len(states)} points were done by another version ({told}) than the"\
        f" present one ({present})"
    if len(stale) == len(states):
        runs[0].say(f"{told}; nothing is left to run", sys.stderr)
        return
    raise SweepError(
        f"{told}; allowed: --redo-other-version runs them again and keeps them in 'replaced',"
        " --allow-other-version puts new points beside them, --out DIR begins anew elsewhere"
    )


def _begin(runs: list) -> tuple:
    """The sweeps with something to run, each with the digests; and those that wait for points which
    an earlier sweep of the call runs, as they are the same. A point of which there are files already
    is run where these are, since that puts them aside."""
    begun, shared, taken = [], [], set()
    for run in runs:
        todo = run.begin()
        own = [digest for digest in todo if digest not in taken or run.folder.has_files(digest)]
        taken.update(own)
        if own:
            begun.append((run, own))
        if len(own) < len(todo):
            shared.append(run)
    return begun, shared


def _jobs(begun: list, sweeps: list, jobs: int) -> list:
    """What the engine runs: the folder of a sweep and the digests of points that are one job."""
    size = batch_size(sum(len(todo) for run, todo in begun if run.plays_many), jobs)
    return [
        (run.folder, digests)
        for (run, todo), sweep in zip(begun, sweeps)
        for digests in make_batches(todo, size if run.plays_many else 1, sweep.seconds_left())
    ]


def _conclude(begun: list, sweeps: list, shared: list, watch: Watch) -> int:
    """Says what was done, and why not all if it was not; returns the exit code."""
    failures = {run: sweep.failures for (run, _), sweep in zip(begun, sweeps)}
    log = begun[0][0].folder.path / "engine.log"
    code = 0
    for run in dict.fromkeys([*failures, *shared]):
        done, total = run.done(), len(run.points)
        left = total - done
        run.say(f"{run.name}: {done} of {total} points done, {run.folder.path}")
        for word, (count, line) in run.remarks().items():
            run.say(f"{run.name}: {word}s by {count} of {done} points, such as: {line}", sys.stderr)
        if left and not watch.interrupted:
            run.say(_reason(run, left, failures.get(run, 0), watch.full, log), sys.stderr)
        code = 1 if left else code
    if code and watch.interrupted:
        begun[0][0].say("stopped; the next call goes on", sys.stderr)
        return INTERRUPTED
    return code


def _reason(run: SweepRun, left: int, failures: int, is_full: bool, log) -> str:
    """Why points of a sweep are not done."""
    if is_full:
        return "the disk is full; make room, and the next call goes on"
    if failures:
        return f"{failures} failed, see {run.folder.failed}"
    return f"{left} are not done, see {log}"
