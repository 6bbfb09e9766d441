# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What made the documentation's results, how old they are, how long their runs took, and whether the
present program still gives the runs that the repository keeps of them."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Dict, Iterator, List, Optional

from ..document import STANDARD
from ..points import Point, expand
from ..reproduction import Reproduction, load_reproduction, registered, sweeps_of
from ..texts import SweepError
from .archive import DESCRIBED, SUFFIX, marks, read
from .excerpt import Excerpt

_STAMP = re.compile(r"\bcommits?\b(?! \()\s+([0-9a-f]{7,40})|\b([0-9a-f]{12})(?:-dirty)? \([0-9]+\)")
_MADE_BY_ANALYSIS = re.compile(r"; analysis at commit .*")
_PROGRAM = ("contrib-module", "scenarios", ":!contrib-module/doc", ":!scenarios/sweeps",
            ":!scenarios/reproductions", ":!scenarios/recorded")  # fmt: skip
_KERNELS = "OPENBLAS_CORETYPE"
_USUAL_KERNELS = "Haswell"  # of runs that do not tell theirs
_COMPARED = (".csv", ".csv.gz")  # tables; run.json tells of the machine, too


@dataclass(frozen=True)
class Result:
    """A reproduction whose tables are in the documentation."""

    name: str
    commits: List[str]  # of the programs that made its runs, as its tables say
    behind: Optional[int]  # commits of the program since the oldest of them; None if unknown
    archive: Optional[Path]  # its runs, if the repository keeps them
    keeps: Dict[str, Excerpt] = field(default_factory=dict)  # of their tables; all if there are none

    @cached_property
    def hours(self) -> float:
        """How long the kept runs took, one after the other."""
        return sum(mark["seconds"] for mark in marks(self.archive)) / 3600


def list_results(project: Path, names: List[str]) -> Iterator[Result]:
    """All reproductions with tables in the documentation, or those of some names."""
    scenarios = project / "scenarios"
    for name in names or registered(scenarios):
        reproduction = load_reproduction(name, scenarios)
        if any(page.endswith(".csv") for page in reproduction.pages):
            commits = _commits(reproduction, project / "contrib-module" / "doc")
            ages = [_behind(project, commit) for commit in commits]
            known = [age for age in ages if age is not None]
            archive = scenarios / "recorded" / f"{name}{SUFFIX}"
            yield Result(name, commits, max(known) if known and len(known) == len(ages) else None,
                         archive if archive.is_file() else None, reproduction.keeps)  # fmt: skip


def _commits(reproduction: Reproduction, doc: Path) -> List[str]:
    found: Dict[str, None] = {}
    for page in reproduction.pages:
        if page.endswith(".csv") and (doc / page).is_file():
            first = (doc / page).read_text(encoding="utf-8").partition("\n")[0]
            for stamp in _STAMP.finditer(_MADE_BY_ANALYSIS.sub("", first)):
                found[(stamp[1] or stamp[2])[:12]] = None
    return list(found)


def _behind(project: Path, commit: str) -> Optional[int]:
    command = ["git", "-C", project, "rev-list", "--count", f"{commit}..HEAD", "--", *_PROGRAM]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return int(told.stdout) if told.returncode == 0 else None


def sample(name: str, scenarios: Path) -> Iterator[Point]:
    """The first point of each part of a reproduction's sweeps."""
    for sweep in sweeps_of(load_reproduction(name, scenarios), STANDARD, scenarios):
        yield next(iter(expand(sweep).values()))


def find_changes(result: Result, point: Point, programs: Path) -> List[str]:
    """Plays a point again; the tables that are not as the repository keeps them.

    Raises SweepError if it keeps no such run, or the program fails.
    """
    kept = read(result.archive).get(point.digest)
    if kept is None:
        raise SweepError(f"{result.archive} has no run {point.digest} of the present sweep")
    tables = {path: data for path, data in kept.items()
              if path.endswith(_COMPARED) and not path.startswith(DESCRIBED)}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        command = [programs / point.scenario, *point.options(), f"--runDir={run}"]
        told = subprocess.run(command, cwd=programs.parents[1] / "scenarios" / "sweeps",
                              env={**os.environ, _KERNELS: _kernels(kept)},
                              capture_output=True, text=True, check=False)  # fmt: skip
        if told.returncode != 0:
            raise SweepError(f"{point.scenario} {point.digest}: {told.stderr.strip()}")
        return [path for path, data in tables.items() if _excerpt(result, run / path) != data]


def _kernels(run: Dict[str, bytes]) -> str:
    """The kernels of OpenBLAS that made a run: with others sums are rounded differently."""
    told = re.search(r"\((\w+)\)", json.loads(run["run.json"])["versions"].get("blas", ""))
    return told[1] if told else _USUAL_KERNELS


def _excerpt(result: Result, table: Path) -> Optional[bytes]:
    """What archives of its runs have of a table; None if there is no such table."""
    if not table.is_file():
        return None
    return result.keeps.get(table.stem, Excerpt()).of(table.read_bytes(), table.stem)
