# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The report of a sweep: runs grouped by what was changed, over seeds."""

import os
from collections import namedtuple
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd

from ..runs.errors import RunError
from ..runs.groups import as_numbers, setting, sort_key, swept_names
from ..runs.run import FAILED
from ..runs.sources import load_sweep
from ..runs.sweep_results import each_run
from ..statistics.curves import AXES, band_over_runs, mean_of_regular
from ..statistics.intervals import interval, t_quantile
from ..statistics.tables import outcomes
from .charts import learning_chart, learning_line, shown_metrics
from .data_table import data_table, values_of
from .parameters import metadata_of, parameter_rows, part_of, text_of, versions_text
from .run_page import is_worth_telling

_MOST_SHOWN = 7  # lines that a chart shows at first
_SCENARIO = "scenario"  # a name that no setting has


# A run without its tables, and of these what the report needs: outcomes by heading, and by name a
# value a round of axes (mean over devices) and of metrics (mean over the regular ones)
_Point = namedtuple("_Point", "run outcomes axes metrics")


def sweep_data(source: Path, file: Path) -> dict:
    """All that the report of a folder or database of runs shows; file is where it goes.

    Raises RunError if no run in it has a round that has ended.
    """
    notes = []
    points = _load_points(source, notes)
    varied = _varied(points)
    groups = _groups(points, varied, notes)
    points = [point for group in groups.values() for point in group]
    results = _outcomes(points)
    seeds = sorted({point.run.pair for point in points})
    tiles = {
        "runs": len(points),
        "points, runs that differ in the seed only": len(groups),
        "seeds": len(seeds),
        "parameters varied": len(varied),
    }
    return {
        "title": f"{', '.join(_scenarios(points))}: {source.resolve().stem}",
        "summary": _summary(points, groups, varied, seeds),
        "tiles": [{"label": label, "value": value} for label, value in tiles.items()],
        "parameters": _parameters(points, varied, source.is_file()),
        "explorer": _explorer(points, varied, results),
        "charts": [_learning_chart(groups, points)],
        "tables": [
            _group_table(groups, varied, results),
            _point_table(points, varied, results, file),
        ],
        "notes": notes,
    }


def _load_points(source, notes):
    left_out = []
    if source.is_file():
        sweep = load_sweep(source)
        runs, left_out = sweep.runs, sweep.left_out
    else:
        runs = each_run([source], left_out)
    points = []
    for run in runs:
        if run.rounds.empty:
            left_out.append(f"{run.path} is left out: it has no rounds")
        else:
            points.append(_point(run))
    if not points:
        raise RunError(f"{source}: no run in it has finished")
    failed = sorted(path.name for path in (source / FAILED).glob("*") if path.is_dir())
    if failed:
        notes.append(f"{len(failed)} runs failed: {_few(failed)}.")
    shown = (line.replace(f"{source}/", "").replace(f"{source}: ", "") for line in left_out)
    notes += [f"{line}." for line in shown]
    return points


def _point(run):
    return _Point(
        run=replace(run, tables={}),
        outcomes=outcomes(run),
        axes={key: value(run).to_numpy(dtype=float) for key, (_, value) in AXES.items()},
        metrics={metric: mean_of_regular(run, metric).to_numpy(dtype=float)
                 for metric in shown_metrics(run)},
    )  # fmt: skip


def _varied(points):
    """Names of the settings in which the points differ, in the order of run.json; the scenario
    before them if there are several."""
    swept = swept_names([point.run for point in points])
    names = [_SCENARIO] if len(_scenarios(points)) > 1 else []
    return names + [name for name in dict.fromkeys(n for p in points for n in p.run.settings)
                    if name in swept]  # fmt: skip


def _scenarios(points):
    return sorted({point.run.scenario for point in points})


def _setting(point, name):
    """A setting as text; one that a run does not have was left at its default."""
    value = point.run.scenario if name == _SCENARIO else setting(point.run, name)
    return "default" if value is None else text_of(value)


def _groups(points, varied, notes):
    """Points by the settings in which they differ, each seed once: {label: [point, ...]}."""
    groups = {}
    for point in sorted(points, key=lambda point: (
            [sort_key(_setting(point, name)) for name in varied], point.run.pair)):  # fmt: skip
        label = ", ".join(f"{name}={_setting(point, name)}" for name in varied) or "all runs"
        group = groups.setdefault(label, [])
        if group and group[-1].run.pair == point.run.pair:
            name, other = point.run.path.name, group[-1].run.path.name
            notes.append(f"{name} is left out: {other} is the same point.")
        else:
            group.append(point)
    return groups


def _order(points, name):
    """A setting's values: numbers by size, then texts."""
    return sorted({_setting(point, name) for point in points}, key=sort_key)


def _summary(points, groups, varied, seeds):
    versions = sorted({versions_text(point.run) for point in points})
    sizes = sorted({len(group) for group in groups.values()})
    return [
        ["scenario", ", ".join(_scenarios(points))],
        *([f"varied: {name}", ", ".join(_order(points, name))] for name in varied),
        ["runs a point", "-".join(map(str, sizes[:: max(1, len(sizes) - 1)]))],
        ["seeds (seed, run number)", _few([f"{seed}, {run}" for seed, run in seeds])],
        ["versions", "; ".join(versions)],
    ]


def _few(texts, most=8):
    more = f"; and {len(texts) - most} more" if len(texts) > most else ""
    return "; ".join(texts[:most]) + more


def _parameters(points, varied, in_database):
    """What all points of a scenario share, and what they vary."""
    scenarios = {point.run.scenario: point.run for point in reversed(points)}
    told = {}  # by name, and by the scenario that has it
    for scenario, run in sorted(scenarios.items()):
        for row in parameter_rows(_as_given(metadata_of(run, in_database))):
            if row["kind"] != "seed":
                told.setdefault(row["name"], {})[scenario] = row
    names = dict.fromkeys([*told, *varied])
    return [_parameter(name, told.get(name, {}), points, len(scenarios), varied) for name in names]


def _as_given(metadata):
    """What run.json says, with parameters as before the program computed some for this run alone."""
    given = {**metadata["parameters"], **part_of(metadata, "computed", dict)}
    return {**metadata, "parameters": given}


def _parameter(name, told, points, scenarios, varied):
    """The row of a parameter, from {scenario: row} of all that have it; "of" names those if others
    of a number of scenarios do not."""
    first = next(iter(told.values()), {"kind": "attribute", "default": None})
    default = first["default"]
    if any(row["default"] != default for row in told.values()):
        default = ", ".join(f"{row['default']} ({scenario})" for scenario, row in told.items())
    partly = len(told) < scenarios and first["kind"] != "attribute"
    changed = name in varied or any(row["changed"] for row in told.values())
    of = ", ".join(told) if partly else None
    row = {**first, "name": name, "default": default, "changed": changed, "of": of}
    if name in varied:
        some = [point for point in points if not partly or point.run.scenario in told]
        row.update(value=", ".join(_order(some, name)), kind="varied")
    return row


def _outcomes(points):
    """The outcomes that any point has, a row a point; NaN for one that has no finite one."""
    told = {heading for point in points for heading, value in point.outcomes.items()
            if is_worth_telling(heading, value)}  # fmt: skip
    frame = pd.DataFrame([point.outcomes for point in points], index=map(id, points), dtype=float)
    frame = frame[[heading for heading in frame if heading in told]]
    return frame.where(np.isfinite(frame))


def _explorer(points, varied, results):
    """Parameters and outcomes of all points, from which any chart of y over x can be made."""
    return {
        "parameters": [{"name": name, "order": _order(points, name),
                        "values": [_setting(point, name) for point in points]} for name in varied],
        "outcomes": [{"name": heading, "values": values_of(values)}
                     for heading, values in results.items()],
        "quantiles": [t_quantile(count - 1) for count in range(2, max(4, len(points) + 1))],
    }  # fmt: skip


def _learning_chart(groups, points):
    metrics = list(dict.fromkeys(metric for point in points for metric in point.metrics))
    return learning_chart(
        metrics,
        [_line(group, metrics, label, place) for place, (label, group) in enumerate(groups.items())],
        "A line a point of the sweep: mean over its regular devices, then over seeds. "
        "The band is the 95 % confidence interval of the mean over seeds (Student's t).",
    )


def _line(group, metrics, label, place):
    """Mean and band over a group's runs; nothing of a metric that one of them does not have."""
    axes = {key: band_over_runs([point.axes[key] for point in group])[0] for key in AXES}
    lost = np.full_like(axes["rounds"], np.nan)
    bands = {
        metric: band_over_runs([point.metrics.get(metric, lost) for point in group])
        for metric in metrics
    }
    return learning_line(label, axes, bands, hidden=place >= _MOST_SHOWN)


def _group_table(groups, varied, results):
    sizes = [len(group) for group in groups.values()]
    columns = {**_settings([group[0] for group in groups.values()], varied), "runs": sizes}
    caption = (
        "One row a point: means over its runs; ± is half of the 95 % confidence interval, "
        "empty with one run."
    )
    for heading, every in results.items():
        values = [interval(every[map(id, group)]) for group in groups.values()]
        columns[heading], columns[f"± {heading}"], counts = zip(*values)
        if any(0 < count < size for count, size in zip(counts, sizes)):
            columns[f"runs with {heading}"] = counts
            caption += f" Some runs have no {heading}: its mean is over those that have."
    return _table(columns, "means", caption)


def _point_table(points, varied, results, file):
    columns = {
        "run": [point.run.path.name for point in points],
        **_settings(points, varied),
        "RngSeed": [str(point.run.seed) for point in points],
        "RngRun": [str(point.run.run) for point in points],
        **{heading: values.to_numpy() for heading, values in results.items()},
    }
    links = [_link(point.run.path / "report.html", file) for point in points]
    if not any(links):
        return _table(columns, "runs", "One row a run.")
    caption = "One row a run. A name that is a link leads to the run's own report."
    return _table(columns, "runs", caption, links)


def _settings(points, varied):
    """By name the settings that vary, as numbers if they are some."""
    return {name: as_numbers(pd.Series([_setting(point, name) for point in points]))
            for name in varied}  # fmt: skip


def _table(columns, name, caption, links=None):
    frame = pd.DataFrame(columns).dropna(axis="columns", how="all")
    return data_table(frame, name, caption, links, totals=False)


def _link(target, file):
    """A link from the report to another one; None if that does not exist."""
    if not target.is_file() or target.resolve() == file.resolve():
        return None
    return quote(os.path.relpath(target.resolve(), file.resolve().parent).replace(os.sep, "/"))
