# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command plot: prints the table of some runs and writes their figures."""

import os
import re
import sys
from pathlib import Path

from ..figures.common.animation import write_animation
from ..figures.figure import MOST_PANELS
from ..figures.plot import FIGURES, relation
from ..runs.errors import RunError
from ..runs.groups import group_runs
from ..runs.sources import is_database, load_paths
from ..runs.sweep_results import Sweep
from ..statistics.quantities import by_one_measure, quantity_names
from ..statistics.relation import relation_table
from ..statistics.tables import paired_differences, summary
from .arguments import OneLineParser
from .numbers import FORMATS, crosswise, provenance, write_numbers

DPI = 150
_ALL = "all"
# Options that are lists of numbers: of what kind, and how that is called
_LISTS = {"labels": (int, "whole numbers"), "levels": (float, "numbers")}
CANNOT_DRAW = "it cannot be drawn of these runs"


def main(arguments=None):
    """Runs the command; returns its exit code (2 for a mistake in the arguments)."""
    options = _parse(arguments)
    try:
        if options.list:
            _print_list(options.runs)
            return 0
        sweep = _load(options)
        folder = Path(options.out or _common_folder(options.runs, sweep))
        if options.x:
            options.y = by_one_measure(sweep.runs, options.y)
        figures = _draw_relation(sweep, options) if options.x else _draw_figures(sweep, options)
        _save(figures, folder, options, sweep)
        if options.gif:
            _save_animations(sweep, folder)
    except (RunError, OSError) as error:
        print(f"collab plot: {error}", file=sys.stderr)
        return 2
    return 0


def parser():
    """The parser of the command."""
    made = OneLineParser(
        prog="collab plot",
        description="Print the results of runs side by side and draw them, or draw any quantity"
        " against any setting of a sweep.",
    )
    add = made.add_argument
    add("runs", nargs="*", metavar="RUN",
        help="a run folder, a folder of them (a sweep), or a file that ./collab collect made")
    add("--list", action="store_true",
        help="list the figures, and of runs given what was swept and what can be drawn")
    add("--figure", action="append", metavar="NAME", choices=[*FIGURES, _ALL],
        help="draw this figure only; may be repeated; all for all that apply")
    add("--x", metavar="SETTING", help="draw against this parameter or attribute, with --y")
    add("--y", metavar="QUANTITY", help="what is drawn against --x")
    add("--hue", metavar="SETTING", help="a line per value of this setting")
    add("--where", action="append", default=[], metavar="SETTING=VALUE[,VALUE...]",
        help="only runs with this value; may be repeated")
    add("--paired", action="store_true",
        help="differences to the first method or value of --hue, over runs of the same seed")
    add("--column", metavar="NAME",
        help="what figures with this option are of, such as accuracy and reach: a column of rounds"
        " (default: the runs' own measure)")
    add("--levels", metavar="A,B,...", help="levels of that column, of figures such as reach")
    add("--labels", metavar="A,B,...",
        help="labels that the figure discovery-embeddings is of (default: all)")
    add("--tag", metavar="NAME", default="", help="added to the names of the figures' files")
    add("--out", help="where the figures go (default: the lowest folder with all the runs)")
    add("--pdf", action="store_true", help="write each figure as PDF too")
    add("--svg", action="store_true", help="write each figure as SVG too")
    add("--gif", action="store_true",
        help="write an animation of the first run of each method too: messages and learning")
    add("--csv", action="store_true",
        help="write the numbers of each figure that tells them as CSV, with seeds and commit")
    add("--table", action="store_true",
        help="write them as pages show them too: NAME-table.csv, an interval in the cell of its mean,"
        " the values of --hue side by side")  # fmt: skip
    return made


def _parse(arguments):
    own = parser()
    options = own.parse_args(arguments)
    if not options.runs and not options.list:
        own.error("RUN is missing")
    if bool(options.x) != bool(options.y):
        own.error("--x and --y go together")
    if options.hue and not options.x:
        own.error("--hue needs --x and --y")
    if options.figure and options.x:
        own.error("--figure cannot go with --x and --y")
    return options


def _formats(options):
    return ["png"] + ["pdf"] * options.pdf + ["svg"] * options.svg


def _load(options) -> Sweep:
    """The runs that were asked for and have something to show; says which have not."""
    sweep = load_paths(options.runs, options.where)
    for line in sweep.left_out:
        print(f"collab plot: {line}", file=sys.stderr)
    runs = []
    for run in sweep.runs:
        if run.rounds.empty:
            print(f"collab plot: {run.path} is left out: no round has ended yet", file=sys.stderr)
        else:
            runs.append(run)
    if not runs:
        raise RunError("no run has a round that has ended")
    return Sweep(runs)


def _numbers(name, text):
    """What an option of _LISTS was given, as numbers."""
    kind, allowed = _LISTS[name]
    try:
        return [kind(number) for number in text.split(",")]
    except ValueError:
        raise RunError(
            f"--{name} was given '{text}'; allowed: {allowed} with commas between"
        ) from None


def _chosen(names, options):
    """What a figure or its table is given besides the runs: those of its options that were set."""
    chosen = {name: getattr(options, name) for name in names if getattr(options, name)}
    return {name: _numbers(name, value) if name in _LISTS else value
            for name, value in chosen.items()}  # fmt: skip


def _common_folder(paths, sweep):
    if is_database(Path(paths[0])):
        return Path(paths[0]).parent
    return os.path.commonpath([run.path for run in sweep.runs])


def _draw_figures(sweep, options):
    """Prints the tables; yields the figures with their names."""
    groups = group_runs(sweep.runs)
    print(summary(groups))
    differences = paired_differences(groups)
    if differences:
        print(differences)
    asked = options.figure or [name for name, figure in FIGURES.items() if figure.by_default]
    everything = not options.figure or _ALL in asked
    for name, figure in FIGURES.items():
        if name not in asked and _ALL not in asked:
            continue
        try:
            text = figure.text and figure.text(groups, **_chosen(figure.text_options, options))
            if text:
                print(text)
            drawn = figure(groups, **_chosen(figure.options, options))
        except RunError as error:
            if not everything:
                raise
            print(f"collab plot: figure {name} is left out: {error}", file=sys.stderr)
            continue
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            # Tables of other programs may be odd in ways that nobody has thought of
            what = f"{CANNOT_DRAW}: {type(error).__name__}: {' '.join(str(error).split())}"
            print(f"collab plot: figure {name} is left out: {what}", file=sys.stderr)
            continue
        if drawn is None and not everything:
            print(f"collab plot: figure {name} is left out: no run has what it shows",
                  file=sys.stderr)  # fmt: skip
        yield name, drawn, _numbers_of(figure, groups, options)


def _numbers_of(figure, groups, options):
    """What is drawn as a table, if a file of it was asked for and the figure has one."""
    if not _tables(options):
        return None
    return figure.numbers(groups, **_chosen(figure.options, options))


def _tables(options):
    """The kinds of files with numbers that were asked for."""
    return [kind for kind in FORMATS if getattr(options, kind)]


def _draw_relation(sweep, options):
    settings = (options.x, options.y, options.hue, options.paired)
    table = relation_table(sweep.runs, *settings)
    shown = table.drop(columns="values").rename(columns={"x": options.x, "mean": options.y})
    shown = shown.rename(columns={"hue": options.hue}) if options.hue else shown.drop(columns="hue")
    shown.attrs.update(table.attrs)
    if options.paired:
        print(f"{options.y}: {table.attrs['minuend']} minus the others, over runs of the same seed")
    print(shown.to_string(index=False, float_format="{:.4g}".format), "\n")
    parts = [options.y, "against", options.x, *(["by", options.hue] if options.hue else [])]
    name = "-".join([*parts, *(["paired"] if options.paired else [])]).replace("::", "-")
    yield name, relation(sweep, *settings), shown.rename(
        columns={"half_width": f"{options.y}_half_width"}
    )


def _save(figures, folder, options, sweep):
    """Writes the figures that there are as they come, with their numbers, and says where."""
    ending = f"-{options.tag}" if options.tag else ""
    for name, figure, numbers in figures:
        if figure is None:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for kind in _formats(options):
            file = folder / f"{name}{ending}.{kind}"
            figure.savefig(file, dpi=DPI)
            print(f"  {file}")
        for kind in _tables(options) if numbers is not None else ():
            crossed = kind == "table" and options.hue
            table = crosswise(numbers, options.x, options.hue, options.y) if crossed else numbers
            what = f"collab plot, {name}{ending}"
            if "minuend" in numbers.attrs:
                what += f", {numbers.attrs['minuend']} minus the others"
            note = provenance(sweep.runs, what)
            print(f"  {write_numbers(table, folder, name + ending, kind, note)}")


def _save_animations(sweep, folder):
    """Writes an animation of the first run of each method, named by the method if there are more."""
    groups = group_runs(sweep.runs)
    for label, runs in groups.items():
        ending = "-" + re.sub(r"[^\w.=-]+", "-", label) if len(groups) > 1 else ""
        file = folder / f"animation{ending}.gif"
        if runs[0].device_messages.empty:
            print(f"collab plot: no {file.name}: no message between devices is recorded", file=sys.stderr)
            continue
        write_animation(runs[0], file)
        print(f"  {file}")


def _print_list(paths):
    print("Figures (--figure NAME):")
    for name, figure in FIGURES.items():
        print(f"  {name:10}  {figure.title}" + (" Drawn by default." if figure.by_default else ""))
    print(f"A figure with a panel per method has at most {MOST_PANELS}.")
    if not paths:
        print("With runs given, this lists their settings and quantities too.")
        return
    sweep = load_paths(paths)
    print("\nSettings that differ (--x, --hue, --where):")
    for name in sweep.swept:
        values = sorted({str(run.asked.get(name)) for run in sweep.runs})
        print(f"  {name}: {', '.join(values)}")
    print("\nQuantities (--y):")
    print("  " + "\n  ".join(quantity_names(sweep.runs[0])))
