# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Reproductions: a sweep at several scales, and the tables and figures made of it."""

import contextlib
import importlib.util
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from .definition import find_sweep_file, load_sweep_file
from .folder import make_folder, write_json
from .runner import Options, SweepRun
from .texts import SweepError, read_yaml, require_known

SCHEMA = 1
SCALES = ("smoke", "standard", "paper")
_KEYS = ("schema", "title", "source", "scales", "plots")
_COLLECT = "collab_analysis.collect"


@dataclass(frozen=True)
class Reproduction:
    """An experiment of a paper."""

    name: str
    title: str
    source: str  # the paper, and what of it
    scales: dict  # smoke, standard or paper: name of a sweep
    plots: list  # of options of ./collab plot, one call each


def load_reproduction(name: str, scenarios: Path) -> Reproduction:
    """Reads a registered reproduction; raises SweepError if there is none or its file is wrong."""
    known = _registered(scenarios)
    require_known(name, known, "reproduction")
    return _read(name, known[name])


def _registered(scenarios: Path) -> dict:
    folder = scenarios / "reproductions"
    return {str(file.relative_to(folder))[:-5]: file for file in sorted(folder.rglob("*.yaml"))}


def _read(name: str, file: Path) -> Reproduction:
    content = read_yaml(file)
    if not isinstance(content, dict):
        raise SweepError(f"{file}: a reproduction must be written as NAME: VALUE, line by line")
    for key in content:
        require_known(key, _KEYS, f"{file}: key")
    if content.get("schema") != str(SCHEMA):
        raise SweepError(f"{file}: schema is {content.get('schema')}; allowed: {SCHEMA}")
    absent = [key for key in _KEYS if not content.get(key)]
    if absent:
        raise SweepError(f"{file}: not given: {', '.join(absent)}")
    scales, plots = content["scales"], content["plots"]
    if not isinstance(scales, dict) or not all(isinstance(one, str) for one in scales.values()):
        raise SweepError(f"{file}: scales must be written as SCALE: SWEEP, line by line")
    for scale in scales:
        require_known(scale, SCALES, f"{file}: scale")
    if not isinstance(plots, list) or not all(isinstance(one, str) for one in plots):
        raise SweepError(f"{file}: plots must be a list of options of ./collab plot")
    return Reproduction(name, content["title"], content["source"], scales, plots)


def list_reproductions(scenarios: Path, out: Path) -> None:
    """Prints one reproduction a line: its scales and its last result below a folder."""
    rows = []
    for name, file in _registered(scenarios).items():
        reproduction = _read(name, file)
        scales = " ".join(scale for scale in SCALES if scale in reproduction.scales)
        rows.append((name, scales, _last_result(reproduction, out)))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)] if rows else []
    for name, scales, last in rows:
        print(f"{name:<{widths[0]}}  {scales:<{widths[1]}}  {last}")


def _result_folder(out: Path, name: str, scale: str) -> Path:
    return out / "reproductions" / name / scale


def _last_result(reproduction: Reproduction, out: Path) -> str:
    results = []
    for scale in reproduction.scales:
        folder = _result_folder(out, reproduction.name, scale)
        with contextlib.suppress(OSError, ValueError, KeyError):
            told = json.loads((folder / "result.json").read_text(encoding="utf-8"))
            results.append((told["finished"], scale, folder))
    if not results:
        return "no result"
    finished, scale, folder = max(results)
    return f"{scale}, {finished[:16].replace('T', ' ')}, {folder}"


def sweep_of(reproduction: Reproduction, scale: str, scenarios: Path):
    """The sweep of a scale."""
    require_known(scale, reproduction.scales, "--scale")
    return load_sweep_file(*find_sweep_file(reproduction.scales[scale], scenarios / "sweeps"))


def reproduce(reproduction: Reproduction, scale: str, scenarios: Path, options: Options) -> int:
    """Runs the sweep of a scale and makes the tables and figures; returns the exit code.

    The results are in <out>/reproductions/<name>/<scale>/, the runs in <out>/sweeps/.
    """
    sweep = sweep_of(reproduction, scale, scenarios)
    run = SweepRun(sweep, replace(options, out=options.out / "sweeps"))
    code = run.run()
    if code != 0:
        return code
    folder = _result_folder(options.out, reproduction.name, scale)
    make_folder(folder)
    database = folder / "runs.sqlite"
    if not _collect(run, database) or not _plot(reproduction, run, folder):
        run.say(f"there is no result; the runs are in {run.folder.path}", sys.stderr)
        return 1
    write_json(folder / "result.json", {
        "schema": 1,
        "reproduction": reproduction.name,
        "scale": scale,
        "sweep": sweep.name,
        "runs": str(run.folder.path),
        "database": str(database) if database.exists() else None,
        "points": list(run.points),
        "finished": datetime.now().astimezone().isoformat(timespec="seconds"),
        "host": os.uname().nodename,
    })  # fmt: skip
    run.say(f"{reproduction.title} ({reproduction.source}): {folder}")
    return 0


def _collect(run: SweepRun, database: Path) -> bool:
    """Puts the runs in one database, where the analysis can; false if it failed."""
    if importlib.util.find_spec(_COLLECT) is None:
        return True
    command = [sys.executable, "-m", _COLLECT, *_run_folders(run), "--out", database]
    return subprocess.run(command, check=False).returncode == 0


def _plot(reproduction: Reproduction, run: SweepRun, folder: Path) -> bool:
    """Draws the figures and prints the tables, into table.txt too."""
    with (folder / "table.txt").open("w", encoding="utf-8") as tables:
        for options in reproduction.plots:
            command = [sys.executable, "-m", "collab_analysis", *_run_folders(run)]
            command += [*shlex.split(options), "--out", folder]
            result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
            print(result.stdout, end="", flush=True)
            tables.write(result.stdout)
            if result.returncode != 0:
                return False
    return True


def _run_folders(run: SweepRun) -> list:
    return [run.folder.run(digest) for digest in run.points]
