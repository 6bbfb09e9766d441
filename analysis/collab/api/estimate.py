# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a run will cost, from short probes of the same run: its first rounds, continued linearly."""

import json
import os
import re
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import List, Tuple

from ..runs.run import load_run
from ..statistics.quantities import quantity
from ..sweeps.estimate import duration
from ..sweeps.program import PRINT, Executable
from .programs import ProgramError, find_executable, variables
from .words import check_single, value_of, without

_ROUNDS = ("turns", "rounds", "instants")  # arguments that make a run short
_BEFORE = "pretrainingRounds"  # of the rounds: the first ones, which cost something else
_ENOUGH_SECONDS = 2.0  # no probe follows one that has computed as long
_SHARE = 4  # nor is one longer than this part of the run
_POLL_SECONDS = 0.005
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_UNFORESEEN = ("batteries that run empty, devices that come and go, and rounds that take longer than the"
               " first ones")  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What a run of some rounds costs."""

    rounds: int
    cpu_s: float  # of all cores together
    host_s: float
    memory_mb: float  # at most at a time
    simulated_s: float
    joules: float
    bytes_sent: float
    devices: int


@dataclass(frozen=True)
class Estimate:
    """The cost of a run, and that of the probes that it is made of."""

    program: str
    argument: str  # what says how many rounds
    cost: Cost
    probes: Tuple[Cost, ...]

    def as_object(self) -> dict:
        """The same as JSON has it."""
        probes = [asdict(probe) for probe in self.probes]
        return {"estimate": asdict(self.cost), "probes": probes, "not_foreseen": _UNFORESEEN}

    def __str__(self) -> str:
        cost, devices = self.cost, self.cost.devices
        lengths = " and ".join(str(probe.rounds) for probe in self.probes)
        spent = sum(probe.host_s for probe in self.probes)
        rows = {
            "host time": f"about {duration(cost.host_s)}" if cost.host_s >= 1 else "below 1 s",
            "memory": f"about {cost.memory_mb:.0f} MB",
            "simulated time": f"{cost.simulated_s:.4g} s",
            "energy": f"{cost.joules / devices:.4g} J per device, {cost.joules:.4g} J in all",
            "sent": f"{cost.bytes_sent / devices / 1000:.4g} kB per device",
        }
        lines = [f"{self.program} --{self.argument}={cost.rounds}, {devices} devices: an estimate"]
        lines += [f"  {name:<15} {text}" for name, text in rows.items()]
        lines += [f"Made of the same run with --{self.argument} {lengths}, which took {spent:.1f} s, continued"
                  f" linearly.", f"Not foreseen: {_UNFORESEEN}."]  # fmt: skip
        return "\n".join(lines)


def estimate(program: str, words: List[str]) -> Estimate:
    """Runs probes of a program with the words of a command line.

    Raises ProgramError if the program refuses them, or has no argument for a number of rounds.
    """
    check_single(words)
    executable = find_executable(program)
    own = without(words, "runDir")
    argument, rounds, before = _rounds(executable, own)
    own = without(own, argument)
    probes: List[Cost] = []
    for count in _lengths(rounds, before):
        if len(probes) > 1 and probes[-1].cpu_s > _ENOUGH_SECONDS:
            break
        probes.append(_probe(executable, [*own, f"--{argument}={count}"], count))
    kept = tuple(probes[:1] + probes[1:][-1:])
    return Estimate(executable.name, argument, _continue(kept, rounds), kept)


def _lengths(rounds: int, before: int) -> List[int]:
    """Rounds of probes: those before others, and 1, 2, 4, 8, ... after them. At least two, if the run is as
    long, of which the second may be the whole run; further ones are a small part of it."""
    lengths, after = [min(before + 1, rounds)], 2
    while before + after <= (rounds if after == 2 else rounds / _SHARE):
        lengths.append(before + after)
        after *= 2
    return lengths


def _rounds(executable: Executable, words: List[str]) -> Tuple[str, int, int]:
    """The argument that says how many rounds a run has, its value, and how many come before others."""
    command = [*executable.command, *words, PRINT]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables())
    if done.returncode != 0:
        told = (done.stderr or done.stdout).strip().splitlines() or [""]
        raise ProgramError(told[-1], done.returncode)
    defaults = {one["name"]: one.get("default", "") for one in json.loads(done.stdout)["arguments"]}
    values = {name: value_of(name, words) or defaults.get(name, "") for name in (*_ROUNDS, _BEFORE)}
    known = {name: int(value) for name, value in values.items() if value.isdecimal()}
    for name in _ROUNDS:
        if known.get(name, 0) > 0:
            return name, known[name], known.get(_BEFORE, 0)
    raise ProgramError(f"{executable.name} has no argument {', '.join(_ROUNDS)} above 0, of which a short probe"
                       " could be made")  # fmt: skip


def _probe(executable: Executable, words: List[str], rounds: int) -> Cost:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        command = [*executable.command, *words, f"--runDir={folder}"]
        cpu, seconds, megabytes = _call(command)
        run = load_run(folder)
        return Cost(rounds, cpu, seconds, megabytes, quantity(run, "time"),
                    float(run.total("energy_j").sum()),
                    float(run.total("bytes_sent").sum()), len(run.devices))  # fmt: skip


def _call(command: List[str]) -> Tuple[float, float, float]:
    """Seconds of processors that a program takes, seconds that pass, and megabytes that it has at most."""
    begin, peak, ended = time.monotonic(), 0, 0
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=errors, env=variables())  # fmt: skip
        try:
            while not ended:
                peak = max(peak, _peak(process.pid))
                time.sleep(_POLL_SECONDS)
                ended, status, used = os.wait4(process.pid, os.WNOHANG)
        except BaseException:
            process.kill()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            told = errors.read().decode("utf-8", "replace").strip().splitlines()
            raise ProgramError(told[-1] if told else f"exit code {process.returncode}", process.returncode)
    return used.ru_utime + used.ru_stime, time.monotonic() - begin, peak / 1000


def _peak(process: int) -> int:
    """Kilobytes that a process has had at most; 0 if the system does not say."""
    try:
        found = _PEAK.search(Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    except OSError:
        return 0
    return int(found[1]) if found else 0


def _continue(probes: Tuple[Cost, ...], rounds: int) -> Cost:
    """The cost of more rounds: what the last probe had, and as much per round as between both. Of seconds those
    of processors are continued, which depend less on what else the machine does: as many pass per each of them
    as in the last probe."""
    first, last = probes[0], probes[-1]
    more = (rounds - last.rounds) / max(1, last.rounds - first.rounds)

    def at_end(name: str) -> float:
        begin, end = getattr(first, name), getattr(last, name)
        return float(end + more * max(0, end - begin))

    cpu = at_end("cpu_s")
    names = ("simulated_s", "joules", "bytes_sent")
    return Cost(rounds, cpu, cpu * last.host_s / last.cpu_s, last.memory_mb, devices=last.devices,
                **{name: at_end(name) for name in names})  # fmt: skip
