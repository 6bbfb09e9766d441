# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs in MLflow's file store, which needs no package of its: a folder per run, a file per parameter and metric."""

import json
import re
import shutil
from pathlib import Path
from typing import Mapping

import numpy as np

EXPERIMENT = "0"  # MLflow's default one
_FINISHED, _RUNNING = 3, 1  # states of a run
_LOCAL = 4  # kind of source
_MOST_CHARACTERS = 6000  # of a parameter
_REFUSED = re.compile(r"[^\w.\- ]")  # in names


def write_mlflow(store: Path, known: Mapping, curves: Mapping, seconds: Mapping) -> Path:
    """Writes {name: {step: value}} at {step: seconds} as a run of a store; returns its folder, whose files are
    there all at once.

    known: run_id (32 hexadecimal digits), name, finished, params and tags. What is no number at a step is left
    out. Raises FileExistsError if the store has the run.
    """
    folder = store / EXPERIMENT / known["run_id"]
    if folder.exists():
        raise FileExistsError(17, "File exists", str(folder))
    _make_experiment(store)
    partial = folder.with_name(f".{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)  # of a call that was killed
    (partial / "artifacts").mkdir(parents=True)
    times = {step: _milliseconds(time) for step, time in seconds.items()}
    lines = {name: [f"{times[step]} {float(curve[step])!r} {step}" for step in times if np.isfinite(curve[step])]
             for name, curve in curves.items()}  # fmt: skip
    _write(partial / "metrics", {name: "\n".join(rows) + "\n" for name, rows in lines.items() if rows})
    _write(partial / "params", {name: _text(value)[:_MOST_CHARACTERS] for name, value in known["params"].items()})
    _write(partial / "tags", {name: _text(value) for name, value in known["tags"].items()})
    _write_meta(partial, {
        "artifact_uri": (folder / "artifacts").resolve().as_uri(), "end_time": max(times.values(), default=0),
        "entry_point_name": "", "experiment_id": EXPERIMENT, "lifecycle_stage": "active",
        "run_id": known["run_id"], "run_name": known["name"], "run_uuid": known["run_id"], "source_name": "",
        "source_type": _LOCAL, "source_version": "", "start_time": 0,
        "status": _FINISHED if known["finished"] else _RUNNING, "tags": [], "user_id": "",
    })  # fmt: skip
    partial.rename(folder)
    return folder


def _make_experiment(store: Path) -> None:
    folder = store / EXPERIMENT
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "meta.yaml").exists():
        _write_meta(folder, {"artifact_location": folder.resolve().as_uri(), "creation_time": 0,
                             "experiment_id": EXPERIMENT, "last_update_time": 0, "lifecycle_stage": "active",
                             "name": "Default"})  # fmt: skip


def _write(folder: Path, texts: Mapping) -> None:
    """A file per name; characters that MLflow does not take in names are changed."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / _REFUSED.sub("_", name.replace("::", "."))).write_text(text, encoding="utf-8")


def _write_meta(folder: Path, values: Mapping) -> None:
    """YAML, of which JSON's strings, numbers and lists are a part."""
    lines = [f"{name}: {json.dumps(value)}\n" for name, value in values.items()]
    (folder / "meta.yaml").write_text("".join(lines), encoding="utf-8")


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)


def _text(value) -> str:
    return value if isinstance(value, str) else json.dumps(value)
