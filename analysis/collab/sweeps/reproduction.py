# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Reproductions: sweeps at several scales, and the tables and figures made of them."""

import contextlib
import importlib
import io
import json
import multiprocessing
import os
import shlex
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Dict, Optional

from .call import run_all
from .definition import find_sweep_file, load_sweeps, override, scales_of, suffix
from .document import SCALES
from .finished.excerpt import COMPARED, Excerpt, read_excerpts
from .folder import make_folder, write_json
from .pages import copy_to_pages, read_pages
from .runner import Options, SweepRun
from .texts import SweepError, read_yaml, require_known

SCHEMA = 1
EVERY = "/all"  # after a folder: its reproductions, one after the other
_RESULT_SCHEMA = 3  # of result.json
_NEEDED = ("schema", "title", "source", "sweeps")
_COMMANDS = {"plots": "plot", "comparisons": "compare"}  # key: the command it has options of
_KEEPS = "keeps"  # optional key: what its figures read of tables, unless that is COMPARED; archives have no more
_PAGES = "pages"  # optional key: which results pages of the documentation include
_KEYS = (*_NEEDED, *_COMMANDS, _KEEPS, _PAGES)
_PACKAGE = __package__.partition(".")[0]  # whose commands make tables and figures


@dataclass(frozen=True)
class Reproduction:
    """An experiment of a paper."""

    name: str
    title: str
    source: str  # the paper, and what of it
    sweeps: list  # their names
    calls: list  # (command, options) of what makes tables and figures, one after the other
    pages: Dict[str, str] = field(default_factory=dict)  # of read_pages()
    keeps: Dict[str, Excerpt] = field(default_factory=dict)  # of the tables in an archive; all if there are none


def load_reproduction(name: str, scenarios: Path) -> Reproduction:
    """Reads a registered reproduction; raises SweepError if there is none or its file is wrong."""
    known = registered(scenarios)
    require_known(name, known, "reproduction")
    return _read(name, known[name])


def load_reproductions(name: str, scenarios: Path) -> list:
    """The registered reproduction of a name, or all those of FOLDER if the name is FOLDER/all;
    raises SweepError if there are none or a file is wrong."""
    if name.endswith(EVERY):
        folder = name[: -len(EVERY)]
        known = [one for one in registered(scenarios) if one.startswith(f"{folder}/")]
        if known:
            return [load_reproduction(one, scenarios) for one in known]
    return [load_reproduction(name, scenarios)]


def registered(scenarios: Path) -> Dict[str, Path]:
    """The file of each registered reproduction by its name, in their order."""
    folder = scenarios / "reproductions"
    names = {str(file.relative_to(folder))[:-5]: file for file in folder.rglob("*.yaml")}
    return dict(sorted(names.items()))


def _read(name: str, file: Path) -> Reproduction:
    content = read_yaml(file)
    if not isinstance(content, dict):
        raise SweepError(f"{file}: a reproduction must be written as NAME: VALUE, line by line")
    for key in content:
        require_known(key, _KEYS, f"{file}: key")
    if content.get("schema") != str(SCHEMA):
        raise SweepError(f"{file}: schema is {content.get('schema')}; allowed: {SCHEMA}")
    absent = [key for key in _NEEDED if not content.get(key)]
    if not any(content.get(key) for key in _COMMANDS):
        absent.append(" or ".join(_COMMANDS))
    if absent:
        raise SweepError(f"{file}: not given: {', '.join(absent)}")
    keeps = read_excerpts(content.get(_KEEPS, []), file) or (COMPARED if content.get("comparisons") else {})
    sweeps, calls = _sweeps(content["sweeps"], file), _calls(content, file)
    pages = read_pages(content.get(_PAGES), file)
    return Reproduction(name, content["title"], content["source"], sweeps, calls, pages, keeps)


def _calls(content: dict, file: Path) -> list:
    calls = []
    for key, command in _COMMANDS.items():
        given = content.get(key) or []
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            raise SweepError(f"{file}: {key} must be a list of options of ./collab {command}")
        calls += [(command, options) for options in given]
    return calls


def _sweeps(content, file: Path) -> list:
    names = content if isinstance(content, list) else [content]
    if not all(isinstance(name, str) for name in names):
        raise SweepError(f"{file}: sweeps must be a sweep, or a list of sweeps")
    if len(set(names)) < len(names):
        raise SweepError(f"{file}: sweeps has one twice")
    return names


def list_reproductions(scenarios: Path, out: Path) -> None:
    """Prints one reproduction a line: its scales and its last result below a folder."""
    rows = []
    for name, file in registered(scenarios).items():
        reproduction = _read(name, file)
        rows.append((name, " ".join(scales_of_all(reproduction, scenarios)), _last_result(reproduction, out)))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)] if rows else []
    for name, scales, last in rows:
        print(f"{name:<{widths[0]}}  {scales:<{widths[1]}}  {last}")


def _results(out: Path, name: str) -> Path:
    """Folder with a folder of results for each scale and other values of arguments."""
    return out / "reproductions" / name


def _last_result(reproduction: Reproduction, out: Path) -> str:
    results = []
    for file in sorted(_results(out, reproduction.name).glob("*/result.json")):
        folder = file.parent
        with contextlib.suppress(OSError, ValueError, KeyError):
            told = json.loads(file.read_text(encoding="utf-8"))
            results.append((told["finished"], told["scale"], folder))
    if not results:
        return "no result"
    finished, scale, folder = max(results)
    return f"{scale}, {finished[:16].replace('T', ' ')}, {folder}"


def scales_of_all(reproduction: Reproduction, scenarios: Path) -> list:
    """The scales that all its sweeps have."""
    known = [scales_of(file) for _, file in _files(reproduction, scenarios)]
    return [scale for scale in SCALES if all(scale in scales for scales in known)]


def sweeps_of(reproduction: Reproduction, scale: str, scenarios: Path) -> list:
    """The sweeps of a scale; they may be of different scenarios."""
    require_known(scale, scales_of_all(reproduction, scenarios), "--scale")
    files = _files(reproduction, scenarios)
    return [sweep for name, file in files for sweep in load_sweeps(name, file, scale)]


def _files(reproduction: Reproduction, scenarios: Path) -> list:
    """(name, file) of each sweep."""
    return [find_sweep_file(name, scenarios / "sweeps") for name in reproduction.sweeps]


def reproduce(
    reproduction: Reproduction,
    scale: str,
    scenarios: Path,
    options: Options,
    settings: dict,
    pages: Optional[Path] = None,
) -> int:
    """Runs the sweeps of a scale and makes the tables and figures of all their runs; returns the
    exit code.

    Settings are other values of arguments, {name: text}. The results are in
    <out>/reproductions/<name>/<scale>/, the runs in <out>/sweeps/; both end with the settings.
    What pages of the documentation include is copied to the folder pages, if there is one.
    """
    sweeps = [override(sweep, settings) for sweep in sweeps_of(reproduction, scale, scenarios)]
    options_of_sweeps = replace(options, out=options.out / "sweeps", tables=reproduction.keeps)
    runs = [SweepRun(sweep, options_of_sweeps) for sweep in sweeps]  # checked before any begins
    code = run_all(runs)
    if code != 0:
        return code
    folder = _results(options.out, reproduction.name) / f"{scale}{suffix(settings)}"
    make_folder(folder)
    result = {
        "schema": _RESULT_SCHEMA,
        "reproduction": reproduction.name,
        "scale": scale,
        "set": settings,
    }
    code = _conclude(reproduction, runs, folder, result)
    if code == 0 and pages:
        copy_to_pages(reproduction.pages, folder, pages)
    return code


def _conclude(reproduction: Reproduction, runs: list, folder: Path, result: dict) -> int:
    """Makes tables, figures and result.json of finished sweeps; returns the exit code."""
    points = _points(runs)
    if not _tell(reproduction, points, folder, min(runs[0].jobs, len(os.sched_getaffinity(0)))):
        places = ", ".join(str(run.folder.path) for run in runs)
        runs[0].say(f"there is no result; the runs are in {places}", sys.stderr)
        return 1
    write_json(folder / "result.json", {
        **result,
        "sweeps": [run.name for run in runs],
        "runs": [str(run.folder.path) for run in runs],
        "points": list(points),
        "finished": datetime.now().astimezone().isoformat(timespec="seconds"),
        "host": os.uname().nodename,
    })  # fmt: skip
    runs[0].say(f"{reproduction.title} ({reproduction.source}): {folder}")
    return 0


def _points(runs: list) -> dict:
    """Folder of each point by digest; a point of two sweeps is taken once, as it is the same."""
    points = {}
    for run in runs:
        for digest in run.points:
            points.setdefault(digest, run.folder.run(digest))
    return points


def _tell(reproduction: Reproduction, points: dict, folder: Path, jobs: int) -> bool:
    """Draws the figures and prints the tables, into table.txt too: so many at a time. False if something
    failed."""
    paths = [str(path) for path in points.values()]
    commands = [[name, *paths, *shlex.split(options), "--out", str(folder)] for name, options in reproduction.calls]
    importlib.import_module(f"{_PACKAGE}.cli.plot")  # once, since it takes longer than many figures
    codes = []
    with (folder / "table.txt").open("w", encoding="utf-8") as tables, ProcessPoolExecutor(
        min(jobs, len(commands)), multiprocessing.get_context("fork")
    ) as pool:
        for code, text in pool.map(_call, commands):
            print(text, end="", flush=True)
            tables.write(text)
            codes.append(code)
    return not any(codes)


def _call(words: list) -> tuple:
    """The exit code of a command, and what it prints but for its errors."""
    main = importlib.import_module(f"{_PACKAGE}.cli.main").main
    with contextlib.redirect_stdout(io.StringIO()) as output:
        code = main(words)
    return code, output.getvalue()
