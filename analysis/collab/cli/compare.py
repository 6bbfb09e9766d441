# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command compare: protocols side by side, at equal joules, seconds and samples."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping

from ..figures.common.comparison import budgets_figure, front_figure, views_figure
from ..figures.common.effects import effects_figure
from ..figures.common.worst import worst_figure
from ..report.comparison_page import comparison_page
from ..runs.errors import RunError
from ..runs.groups import meeting, setting, sort_key, swept_names
from ..runs.run import Run
from ..runs.sources import load_paths
from ..setup.project import root
from ..statistics.comparison import effects
from ..statistics.comparison.worst import worst_table
from ..statistics.comparison.choice import budget_table, choice_table
from ..statistics.comparison.frames import Entry, comparison_frame
from ..statistics.comparison.fronts import front_table, mean_curves
from ..statistics.comparison.guide import RULE, dominated, guide_table, sentences
from ..statistics.comparison.views import (
    QUANTILES,
    accuracies_at_budgets,
    accuracy_table,
    difference_table,
    end_table,
    point_table,
    rank_table,
    summary_table,
)
from ..statistics.intervals import as_text
from ..sweeps.protocols import FILE, find_protocol, read_protocols
from ..sweeps.texts import SweepError, canonical
from .arguments import OneLineParser
from .numbers import FORMATS, provenance, write_numbers

DPI = 150
_TITLE = "Protocols side by side"


@dataclass(frozen=True)
class _Member:
    """A run of the comparison, as runs are selected: by the names that all protocols share."""

    protocol: str
    run: Run
    asked: Mapping  # what it was given, as the comparison calls it

    @property
    def scenario(self):
        return self.run.scenario

    @property
    def method(self):
        return self.run.method


def main(arguments=None):
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = parser().parse_args(arguments)
    try:
        _compare(options)
    except (RunError, SweepError, OSError) as error:
        print(f"collab compare: {error}", file=sys.stderr)
        return 2
    return 0


def parser():
    """The parser of the command."""
    made = OneLineParser(
        prog="collab compare",
        description="Compare protocols of any scenarios on the same devices and data: accuracy at equal"
        " joules, seconds and samples, ranks, differences, Pareto fronts, and what follows from them.",
    )
    add = made.add_argument
    add("runs", nargs="+", metavar="RUN",
        help="a run folder, a folder of them, or a file that ./collab collect made")
    add("--out", type=Path, required=True, metavar="DIR", help="where tables and figures go")
    add("--protocols", type=Path, metavar="FILE",
        help=f"list of the protocols (default: scenarios/sweeps/{FILE})")
    add("--where", action="append", default=[], metavar="SETTING=VALUE[,VALUE...]",
        help="only runs with this value, by the names of the list of protocols; may be repeated")
    add("--quantiles", default=",".join(map(str, QUANTILES)), metavar="A,B,...",
        help="budgets: quantiles of what the protocols have spent at their ends"
        " (default: %(default)s)")
    add("--effects", action="store_true",
        help="instead: what each setting that a few runs have changes against those that most runs have")
    add("--worst", metavar="SETTING",
        help="instead: accuracy at the worst value of a setting for each seed, such as attack")
    add("--tag", metavar="NAME", default="", help="added to the names of files")
    add("--pdf", action="store_true", help="write each figure as PDF too")
    add("--svg", action="store_true", help="write each figure as SVG too")
    add("--csv", action="store_true", help="write the tables as CSV, with seeds and commit")
    add("--table", action="store_true",
        help="write them as pages show them too: CSV with an interval in the cell of its mean")  # fmt: skip
    return made


def _compare(options):
    quantiles = _quantiles(options.quantiles)
    entries = _entries(options)
    frame = comparison_frame(entries)
    options.out.mkdir(parents=True, exist_ok=True)
    note = provenance([entry.run for entry in entries], f"collab compare{_ending(options)}")
    if options.effects:
        _compare_effects(options, entries, frame, note)
        return
    if options.worst:
        _compare_worst(options, entries, frame, note)
        return
    reached = accuracies_at_budgets(frame, quantiles)
    curves = mean_curves(frame)
    middle = quantiles[len(quantiles) // 2]
    ranks = rank_table(reached)
    ends = end_table(frame)
    tables = {
        "choice": choice_table(frame),
        "dominated": dominated(ends),
        "summary": summary_table(ranks, middle),
        "ranks": ranks,
        "differences": difference_table(reached),
        "ends": ends,
        "fronts": front_table(curves),
        "points": point_table(frame),
    }
    if frame["place"].nunique() > 1:
        tables["accuracy"] = accuracy_table(tables["points"])
        best = tables["points"].query("best == 1")
        print(as_text("Where each protocol is the most accurate", best.drop(columns="best")))
    tables["guide"] = guide_table(tables["choice"], tables["ends"])
    findings = sentences(tables["guide"])
    printed = ranks[ranks["quantile"] == middle]
    print(as_text(f"Ranks and accuracy at equal costs, quantile {middle:g}", _shown(printed)))
    print("Decision guide\n")
    print("\n".join(f"- {finding}" for finding in findings) or "- nothing is sure enough")
    print(f"\n{RULE}\n")
    _write_tables(options, tables, note)
    figures = dict(_figures(entries, frame, curves, ranks, middle))
    _write_figures(options, figures)
    _write_page(options, findings, figures, tables, note)


def _compare_effects(options, entries, frame, note):
    """Tables and figure of effects that are switched on alone."""
    names = effects.effect_names({entry.place: entry.point for entry in entries})
    table = effects.effect_table(frame, names)
    verdicts = effects.verdict_table(table)
    print(as_text("Differences from the baseline", table))
    print(as_text("What a study may leave out", verdicts))
    print(f"{effects.RULE}\n")
    base = frame[frame["place"].map(names) == ""]
    tables = {"effects": table, "verdicts": verdicts, "baseline": point_table(base).drop(columns="place")}
    _write_tables(options, tables, note)
    _write_figures(options, {"effects": effects_figure(table)})


def _compare_worst(options, entries, frame, note):
    """Table and figure of what is left at the worst value of a setting."""
    table = worst_table(frame, {entry.place: entry.point for entry in entries}, options.worst)
    print(as_text(f"Accuracy at the worst {options.worst}", table))
    _write_tables(options, {"worst": table, "points": point_table(frame)}, note)
    _write_figures(options, {"worst": worst_figure(table, options.worst)})


def _quantiles(text):
    try:
        numbers = sorted({float(number) for number in text.split(",")})
    except ValueError:
        numbers = [-1]
    if not all(0 <= number <= 1 for number in numbers):
        raise RunError(f"--quantiles was given '{text}'; allowed: numbers from 0 to 1 with commas")
    return numbers


def _entries(options):
    """The runs with the protocols that they are of, in the order of the list, and their points."""
    sweep = load_paths(options.runs)
    for line in sweep.left_out:
        print(f"collab compare: {line}", file=sys.stderr)
    runs = [run for run in sweep.runs if run.finished]
    for run in sweep.runs:
        if not run.finished:
            print(f"collab compare: {run.path} is left out: it has not finished", file=sys.stderr)
    protocols = read_protocols(options.protocols or root() / "scenarios" / "sweeps" / FILE)
    members = [_member(protocols, run) for run in runs]
    members = meeting(members, options.where)
    if all(member.run.rounds.empty for member in members):
        raise RunError("no run has finished with a round that has ended")
    for member in members:
        if member.run.rounds.empty:
            print(f"collab compare: {member.run.path}: no round has ended, so it has no accuracy",
                  file=sys.stderr)  # fmt: skip
    return _with_points(protocols, members)


def _member(protocols, run):
    protocol = find_protocol(protocols, run.scenario, run.settings)
    asked = {}
    for own, value in run.asked.items():
        name = protocol.name_of(own) if protocol else own
        if name is not None:
            asked.setdefault(name, value)
    return _Member(protocol.name if protocol else run.method, run, asked)


def _with_points(protocols, members):
    groups = {protocol.name: [] for protocol in protocols}
    for member in members:
        groups.setdefault(member.protocol, []).append(member)
    swept = sorted({name for group in groups.values() for name in swept_names(group)})
    entries = [
        Entry(name, member.run, _point(member, swept))
        for name, group in groups.items()
        for member in group
    ]
    return sorted(entries, key=_place)


def _place(entry):
    """Where an entry's point is among others: by the size of models, and the values of all else."""
    size = entry.run.devices["parameters"].mean() if "parameters" in entry.run.devices else 0
    return [
        (2, size, str(value)) if name == "model" else sort_key(value)
        for name, value in entry.point.items()
    ]


def _point(member, swept):
    """What a run has of all that is swept; an attribute that was not given has its default."""
    values = {name: setting(member, name) for name in swept}
    return {name: canonical(str(value)) for name, value in values.items() if value is not None}


def _shown(table):
    """The table without what is the same in all rows if runs are of one place."""
    alone = "place" in table and (table["place"] == "").all()
    return table.drop(columns=["place", "best"], errors="ignore") if alone else table


def _ending(options):
    return f"-{options.tag}" if options.tag else ""


def _write_tables(options, tables, note):
    for kind in FORMATS:
        for name, table in tables.items() if getattr(options, kind) else ():
            if len(table):
                name = f"comparison-{name}{_ending(options)}"
                print(f"  {write_numbers(_shown(table), options.out, name, kind, note)}")


def _figures(entries, frame, curves, ranks, quantile):
    protocols = list(dict.fromkeys(entry.protocol for entry in entries))
    for place, rows in curves.groupby("place", sort=False):
        name = f"-{place.replace(', ', '-')}" if place else ""
        yield f"fronts{name}", front_figure(rows, protocols)
    axes = {name for entry in entries for name in entry.point}
    if len(axes) == 1:
        (axis,) = axes
        values = {entry.place: entry.point[axis] for entry in entries if entry.point}
        if len(values) > 1:
            reached = budget_table(frame)
            if len(reached):
                yield f"joules-{axis}", budgets_figure(reached, values, axis, protocols)
            yield f"views-{axis}", views_figure(ranks, values, axis, quantile)


def _write_figures(options, figures):
    for name, figure in figures.items():
        for kind in ["png"] + ["pdf"] * options.pdf + ["svg"] * options.svg:
            safe = name.replace("::", "-").replace("/", "-").replace(" ", "")
            file = options.out / f"comparison-{safe}{_ending(options)}.{kind}"
            figure.savefig(file, dpi=DPI)
            print(f"  {file}")


def _write_page(options, findings, figures, tables, note):
    drawings = {}
    for name, figure in figures.items():
        text = io.StringIO()
        figure.savefig(text, format="svg")
        drawings[name] = text.getvalue()
    # dominated has rows of ends, and the findings are the guide
    tables = {name: table for name, table in tables.items() if name not in ("dominated", "guide")}
    shown = {name: _shown(table) for name, table in tables.items() if len(table)}
    page = comparison_page(_TITLE, note, findings, RULE, drawings, shown)
    file = options.out / f"comparison{_ending(options)}.html"
    file.write_text(page, encoding="utf-8")
    print(f"  {file}")
