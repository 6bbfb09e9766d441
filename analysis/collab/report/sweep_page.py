# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The report of a sweep: runs grouped by what was changed, over seeds."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd

from ..runs.contents import OUTDATED, is_outdated
from ..runs.errors import RunError
from ..runs.groups import as_number, setting, sort_key, swept_names
from ..runs.run import FAILED, Run, find_runs
from ..runs.sources import load_sweep
from ..runs.sweep_results import count_older
from ..statistics.curves import AXES, mean_of_regular, name_of
from ..statistics.intervals import interval, mean_and_half_width, t_quantile
from ..statistics.tables import outcomes
from .charts import KIND_COLORS, curve_axes, shown_metrics
from .data_table import data_table, values_of
from .loading import load, of_database
from .parameters import parameter_rows, text_of
from .run_page import is_worth_telling

_MOST_SHOWN = 7  # lines that a chart shows at first
_SCENARIO = "scenario"  # a name that no setting has
_MOST_DEGREES = 60  # t quantiles of more degrees of freedom differ by less than 1 %


@dataclass
class _Point:
    """One run of a sweep, as much of it as the report needs."""

    run: Run  # without its tables
    metadata: dict
    outcomes: dict
    axes: dict  # by name: a value a round, mean over devices
    metrics: dict  # by name: a value a round, mean over the regular devices


def sweep_data(source: Path, file: Path) -> dict:
    """All that the report of a folder or database of runs shows; file is where it goes.

    Raises RunError if no run in it has a round that has ended.
    """
    source = Path(source)
    notes = []
    points = _load_points(source, notes)
    varied = _varied(points)
    groups = _groups(points, varied, notes)
    points = [point for group in groups.values() for point in group]
    seeds = sorted({point.run.pair for point in points})
    return {
        "kind": "sweep",
        "title": f"{', '.join(_scenarios(points))}: {source.resolve().stem}",
        "summary": _summary(points, groups, varied, seeds),
        "tiles": [
            {"label": label, "value": value, "unit": ""}
            for label, value in (
                ("runs", len(points)),
                ("points, runs that differ in the seed only", len(groups)),
                ("seeds", len(seeds)),
                ("parameters varied", len(varied)),
            )
        ],
        "parameters": _parameters(points, varied),
        "explorer": _explorer(points, varied),
        "charts": [_learning_chart(groups)],
        "tables": [_group_table(groups, varied), _point_table(points, varied, file)],
        "notes": notes,
    }


def _load_points(source, notes):
    if source.is_dir():
        points = list(_points_of_folder(source, notes))
        older = count_older(source, [point.run for point in points])
        if older:
            notes.append(f"{older} runs are of older calls of the sweep; they count.")
    else:
        points = [_point(of_database(run)) for run in load_sweep(source).runs]
    if not points:
        raise RunError(f"{source}: no run in it has finished")
    return points


def _points_of_folder(folder, notes):
    failed = [path for path in sorted((folder / FAILED).glob("*")) if path.is_dir()]
    if failed:
        notes.append(f"{len(failed)} runs failed: {_few([path.name for path in failed])}.")
    for path in find_runs([folder]):
        name = path.relative_to(folder)
        if is_outdated(path):
            notes.append(f"{name} is left out: {OUTDATED}.")
            continue
        try:
            source = load(path)
        except RunError as error:
            notes.append(f"{name} is left out: {error}")
            continue
        if not source.run.finished or source.run.rounds.empty:
            why = "it has no rounds" if source.run.finished else "it has not finished"
            notes.append(f"{name} is left out: {why}.")
            continue
        notes += [f"{name}: {note}" for note in source.notes]
        yield _point(source)


def _point(source):
    run = source.run
    return _Point(
        run=replace(run, tables={}),
        metadata=source.metadata,
        outcomes=outcomes(run),
        axes={key: value(run).to_numpy(dtype=float) for key, (_, value) in AXES.items()},
        metrics={
            metric: mean_of_regular(run, metric).to_numpy(dtype=float)
            for metric in shown_metrics(run)
        },
    )


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
    def place(point):
        return [sort_key(_setting(point, name)) for name in varied], point.run.pair

    groups = {}
    for point in sorted(points, key=place):
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
    versions = sorted({text_of(point.metadata.get("versions", {})) for point in points})
    rows = [["scenario", ", ".join(_scenarios(points))]]
    for name in varied:
        rows.append([f"varied: {name}", ", ".join(_order(points, name))])
    sizes = sorted({len(group) for group in groups.values()})
    rows.append(["runs a point", "-".join(map(str, sizes[:: max(1, len(sizes) - 1)]))])
    rows.append(["seeds (seed, run number)", _few([f"{seed}, {run}" for seed, run in seeds])])
    rows.append(["versions", "; ".join(text.strip("{}").replace('"', "") for text in versions)])
    return rows


def _few(texts, most=8):
    more = f"; and {len(texts) - most} more" if len(texts) > most else ""
    return "; ".join(texts[:most]) + more


def _parameters(points, varied):
    """What all points of a scenario share, and what they vary; "of" names the scenarios that have
    it, if others do not."""
    scenarios = {point.run.scenario: point.metadata for point in reversed(points)}
    of_name = {}
    for scenario in _scenarios(points):
        for row in parameter_rows(scenarios[scenario]):
            if row["kind"] != "seed":
                of_name.setdefault(row["name"], {})[scenario] = row
    rows = [_shared_row(rows, len(scenarios)) for rows in of_name.values()]
    rows += [{"name": name, "default": None, "of": None} for name in varied if name not in of_name]
    for row in rows:
        if row["name"] in varied:
            having = of_name[row["name"]] if row["of"] else scenarios
            some = [point for point in points if point.run.scenario in having]
            row.update(value=", ".join(_order(some, row["name"])), kind="varied", changed=True)
    return rows


def _shared_row(rows, scenarios):
    """The row of a parameter in a number of scenarios, from {scenario: row}."""
    first = next(iter(rows.values()))
    defaults = {scenario: row["default"] for scenario, row in rows.items()}
    if len(set(defaults.values())) > 1:
        default = ", ".join(f"{text} ({scenario})" for scenario, text in defaults.items())
    else:
        default = first["default"]
    changed = any(row["changed"] for row in rows.values())
    some = len(rows) < scenarios and first["kind"] != "attribute"  # which all of them can have
    return {**first, "default": default, "changed": changed, "of": ", ".join(rows) if some else None}


def _headings(points):
    """The outcomes that any point has."""
    return list(
        dict.fromkeys(
            heading
            for point in points
            for heading, value in point.outcomes.items()
            if is_worth_telling(heading, value)
        )
    )


def _explorer(points, varied):
    """Parameters and outcomes of all points, from which any chart of y over x can be made."""
    headings = _headings(points)
    frame = pd.DataFrame([point.outcomes for point in points], columns=headings)
    return {
        "parameters": [
            {
                "name": name,
                "order": _order(points, name),
                "values": [_setting(point, name) for point in points],
            }
            for name in varied
        ],
        "outcomes": [
            {"name": heading, "values": values_of(frame[heading])}
            for heading in headings
        ],
        "quantiles": [t_quantile(degrees) for degrees in range(1, _MOST_DEGREES + 1)],
    }


def _learning_chart(groups):
    metrics = dict.fromkeys(
        metric for group in groups.values() for point in group for metric in point.metrics
    )
    return {
        "id": "learning",
        "type": "line",
        "title": "Learning over rounds, time, energy and bytes",
        "caption": "A line a point of the sweep: mean over its regular devices, then over seeds. "
        "The band is the 95 % confidence interval of the mean over seeds (Student's t).",
        "x": curve_axes(),
        "y": [{"key": metric, "label": name_of(metric)} for metric in metrics],
        "series": [
            {
                **_mean_curve(group, metrics),
                "name": label,
                "color": KIND_COLORS[place % len(KIND_COLORS)],
                "hidden": place >= _MOST_SHOWN,
            }
            for place, (label, group) in enumerate(groups.items())
        ],
    }


def _mean_curve(group, metrics):
    """Mean and band over a group's runs, as far as all of them came."""
    rounds = min(len(point.axes["rounds"]) for point in group)
    series = {"x": {}, "y": {}, "low": {}, "high": {}}
    for key in AXES:
        series["x"][key] = _list(np.mean([point.axes[key][:rounds] for point in group], axis=0))
    for metric in metrics:
        lost = np.full(rounds, np.nan)
        values = [point.metrics.get(metric, lost)[:rounds] for point in group]
        mean, half_width = mean_and_half_width(values)
        series["y"][metric] = _list(mean)
        series["low"][metric] = _list(mean - half_width)
        series["high"][metric] = _list(mean + half_width)
    return series


def _list(values):
    return values_of(pd.Series(values))


def _outcomes(group, heading):
    """An outcome of each run of a group; NaN for one that has no finite one."""
    values = np.array([point.outcomes.get(heading, np.nan) for point in group], dtype=float)
    return np.where(np.isfinite(values), values, np.nan)


def _group_table(groups, varied):
    headings = _headings([point for group in groups.values() for point in group])
    means = {heading: [interval(_outcomes(group, heading)) for group in groups.values()]
             for heading in headings}  # fmt: skip
    sizes = [len(group) for group in groups.values()]
    firsts = [group[0] for group in groups.values()]
    columns = {name: [_number_or_text(_setting(first, name)) for first in firsts] for name in varied}
    columns["runs"] = sizes
    caption = (
        "One row a point: means over its runs; ± is half of the 95 % confidence interval, "
        "empty with one run."
    )
    for heading, values in means.items():
        columns[heading], columns[f"± {heading}"], counts = zip(*values)
        if any(0 < count < size for count, size in zip(counts, sizes)):
            columns[f"runs with {heading}"] = counts
            caption += f" Some runs have no {heading}: its mean is over those that have."
    frame = pd.DataFrame(columns).dropna(axis="columns", how="all")
    return data_table(frame, "means", caption, totals=False)


def _point_table(points, varied, file):
    rows = [
        {
            "run": point.run.path.name,
            **{name: _number_or_text(_setting(point, name)) for name in varied},
            "RngSeed": str(point.run.pair[0]),
            "RngRun": str(point.run.pair[1]),
            **{heading: point.outcomes.get(heading) for heading in _headings(points)},
        }
        for point in points
    ]
    frame = pd.DataFrame(rows).dropna(axis="columns", how="all")
    links = [_link(point.run.path / "report.html", file) for point in points]
    caption = "One row a run."
    if any(links):
        caption += " A name that is a link leads to the run's own report."
    return data_table(frame, "runs", caption, links if any(links) else None, totals=False)


def _link(target, file):
    """A link from the report to another one; None if that does not exist."""
    if not target.is_file() or target.resolve() == file.resolve():
        return None
    return quote(os.path.relpath(target.resolve(), file.resolve().parent).replace(os.sep, "/"))


def _number_or_text(text):
    number = as_number(text)
    return text if number is None else number
