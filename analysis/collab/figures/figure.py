# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A figure of the command plot, and what it can be drawn of."""

import textwrap
from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from matplotlib.text import Text

from ..runs.errors import RunError
from ..runs.groups import Groups, group_runs
from ..runs.run import Run
from .names import settings_table, short_labels
from .outside import characters_across, note_below, put_beside

# A figure with a panel a method could not be read with more
MOST_PANELS = 12

# Characters of a line of a title or legend; names of methods are long if many settings differ
_LINE = 60
_TITLE = 0.135  # inches across of a character of a panel's title


@dataclass(frozen=True)
class Figure:
    """Draws runs; call it with a Run, a list of them, a Sweep, or groups of group_runs()."""

    title: str  # what it shows, in one line
    draw: Callable  # of groups, or of runs if of_runs is set; returns a Figure or None
    by_default: bool = False  # whether it is drawn if none is asked for
    text: Optional[Callable] = None  # of groups; returns a table to print with it, or an empty one
    table: Optional[Callable] = None  # of what draw takes; returns its numbers as a data frame
    options: Sequence[str] = ()  # of the command plot, that draw takes
    text_options: Sequence[str] = ()  # that text takes
    few: bool = False  # whether it has a panel a method
    of_runs: bool = False

    def numbers(self, data, *arguments, **options):
        """What is drawn as a data frame, NAME_half_width being that of a 95 % interval of NAME.

        None if the figure has no such table, or if it has no row.
        """
        if self.table is None:
            return None
        data = runs_of(data) if self.of_runs else _groups_of(data)
        table = self.table(data, *arguments, **options)
        return None if table.empty else table

    def __call__(self, data, *arguments, **options):
        """The matplotlib Figure, or None if there is nothing to draw.

        Methods that differ in many settings have short names, and a table of these settings below.
        """
        if self.of_runs:
            figure, note = self.draw(runs_of(data), *arguments, **options), None
        else:
            groups = _groups_of(data)
            names = short_labels(groups)
            named = {names[label]: runs for label, runs in groups.items()}
            figure = self._draw(named, *arguments, **options)
            note = groups if set(named) != set(groups) else None
        if figure is None:
            return None
        _wrap(figure)
        if note:
            note_below(figure, settings_table(groups, names, characters_across(figure)))
        put_beside(figure)
        return figure

    def _draw(self, groups, *arguments, **options):
        if self.few and len(groups) > MOST_PANELS:
            raise RunError(
                f"{len(groups)} methods are more than the {MOST_PANELS} panels that this figure"
                " can have; choose some by --where"
            )
        return self.draw(groups, *arguments, **options)


def _wrap(figure) -> None:
    """Breaks titles of panels where these end, and any other long text."""
    across = figure.get_size_inches()[0]
    for axes in figure.axes:
        place = getattr(axes, "get_subplotspec", lambda: None)()  # none of a color scale
        title = axes.get_title(loc="left")
        if place is not None and title:
            share = across / place.get_gridspec().ncols
            _fill(axes, max(12, int(share / _TITLE)), lambda text, title=title: text == title)
    _fill(figure, _LINE)


def _fill(artist, characters, condition=lambda text: True) -> None:
    for text in artist.findobj(Text):
        told = text.get_text()
        if len(told) > characters and "\n" not in told and condition(told):
            text.set_text(textwrap.fill(told, characters))


def runs_of(data) -> list:
    """The runs of a Run, a list, a Sweep or groups."""
    if isinstance(data, Run):
        return [data]
    if isinstance(data, dict):
        return [run for group in data.values() for run in group]
    return list(getattr(data, "runs", data))


def _groups_of(data) -> Groups:
    return data if isinstance(data, dict) else group_runs(runs_of(data))
