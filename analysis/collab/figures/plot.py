# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The figures: functions of runs that each return a matplotlib Figure, or None if there is nothing.

Every figure that the command plot lists is a function of its name here, with _ for each -, and
takes a Run, a list of them, a Sweep, or groups as group_runs() makes them:

    from collab import load_sweep, plot
    sweep = load_sweep("runs/outage/results.sqlite")
    plot.accuracy(sweep.select(maxOutage=0.4)).savefig("accuracy.pdf")
    plot.relation(sweep, x="maxOutage", y="accuracy_reference", hue="trust").savefig("outage.pdf")

A folder beside this file adds figures by a dictionary FIGURES in its __init__.py.
"""

import importlib
import pkgutil
from pathlib import Path
from typing import Dict

from .common.relation import relation_figure
from .figure import Figure, runs_of


def relation(data, x, y, hue=None, paired=False):
    """Any quantity against any setting, a line a value of another one, over seeds."""
    return relation_figure(runs_of(data), x, y, hue, paired)


def _find() -> Dict[str, Figure]:
    """The figures of all folders: first those drawn by default, as listed, then by name."""
    found: Dict[str, Figure] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.ispkg:
            folder = importlib.import_module(f".{module.name}", __package__)
            found.update(getattr(folder, "FIGURES", {}))
    drawn = [name for name, figure in found.items() if figure.by_default]
    others = sorted(name for name, figure in found.items() if not figure.by_default)
    return {name: found[name] for name in [*drawn, *others]}


FIGURES = _find()


def __getattr__(name):
    listed = name.replace("_", "-")
    if listed not in FIGURES:
        raise AttributeError(f"there is no figure {name}; there are: {', '.join(FIGURES)}")
    return FIGURES[listed]
