# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The report of one run."""

from pathlib import Path
from typing import Iterator

import pandas as pd

from ..runs.run import Run
from ..statistics.curves import name_of
from ..statistics.tables import outcomes
from .animation_data import animation_data
from .charts import CHARTS
from .data_table import data_table
from .loading import load
from .parameters import metadata_of, parameter_rows, part_of, radio_rows, versions_text

_CAPTIONS = {
    "rounds": "One row a device and round: metrics, and joules and bytes up to then.",
    "energy": "One row a device and round, and when a device went off and when the run ended: joules "
    "by kind up to then, and the battery.",
    "latency": "One row a device, round and phase: when it began and ended.",
    "messages": "One row a message and receiver: when it was sent and received, or why not. In sums of "
    "bytes, fragments, attempts and airtime_s a message counts once, whatever its receivers.",
    "trust": "One row a device, peer and round: the weight, and the age of the prediction.",
}

# Heading of tables.outcomes(): what the tile says
_TILES = {
    "accuracy X* regular": "final accuracy on X*, regular devices",
    "accuracy X* low quality": "final accuracy on X*, low-quality devices",
    "accuracy global regular": "final accuracy on the global test set, regular devices",
    "time, total [s]": "simulated time",
    "energy, round, device [J]": "energy a round and device",
    "lost msgs [%]": "messages lost",
}


def run_data(path: Path) -> dict:
    """All that the report of a run folder shows; RunError if it is no run."""
    notes = []
    run = load(Path(path), notes)
    metadata = metadata_of(run)
    results = outcomes(run)
    if run.rounds.empty:
        notes.append("There are no results: no round has ended.")
    notes.extend(f"{hint[:1].upper()}{hint[1:]}." for hint in part_of(metadata, "hints", list)
                 if isinstance(hint, str))  # fmt: skip
    return {
        "title": f"{run.scenario}: {Path(path).resolve().name}",
        "summary": _summary(run, metadata),
        "tiles": _tiles(run, results),
        "results": [[key, value] for key, value in results.items() if is_worth_telling(key, value)],
        "parameters": parameter_rows(metadata),
        "charts": list(_charts(run, notes)),
        "animation": animation_data(run, notes),
        "tables": _tables(run, notes),
        "notes": notes,  # last, when all have said theirs
    }


def _tables(run: Run, notes: list) -> list:
    names = [*_CAPTIONS, *sorted(set(run.tables) - set(_CAPTIONS))]
    empty = [name for name in names if run.table(name).empty]
    if empty:
        notes.append(f"Tables without a row: {', '.join(empty)}.")
    shown = [name for name in names if name not in empty]
    return [data_table(run.table(name), name, _CAPTIONS.get(name, "A table of the algorithm."))
            for name in shown]  # fmt: skip


def is_worth_telling(heading: str, value: float) -> bool:
    """False for what is unknown, and for kinds of energy on which nothing was spent."""
    return not pd.isna(value) and not (heading.endswith("total [J]") and value == 0)


def _summary(run: Run, metadata: dict) -> list:
    low = ", ".join(map(str, run.low_quality))
    return [
        ("scenario", run.scenario),
        ("state", "finished" if run.finished else "not finished"),
        ("devices", f"{len(run.devices)}" + (f"; low quality: {low}" if low else "")),
        ("rounds", str(run.rounds["round"].nunique())),
        ("seed and run number", f"{run.seed}, {run.run}"),
        *((f"model: {key.replace('_', ' ')}", str(value))
          for key, value in part_of(metadata, "model", dict).items()),
        *radio_rows(metadata),
        ("versions", versions_text(run)),
    ]


def _tiles(run: Run, results: dict) -> list:
    labels = _TILES
    if run.metrics and not any(heading.startswith("accuracy") for heading in results):
        name = name_of(run.measure)
        labels = {f"{name} regular": f"final {name}, regular devices", **labels}
    told = {heading: label for heading, label in labels.items()
            if not pd.isna(results.get(heading, float("nan")))}  # fmt: skip
    return [{"label": label, "value": results[heading], "unit": heading.partition("[")[2].rstrip("]")}
            for heading, label in told.items()]  # fmt: skip


def _charts(run: Run, notes: list) -> Iterator[dict]:
    for name, (make, file) in CHARTS.items():
        chart = make(run)
        if chart:
            yield chart
        else:
            notes.append(f"There is no chart of {name}: {file} has nothing to show.")
