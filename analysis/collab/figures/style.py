# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Colors and layout that all figures share; the colors are Okabe and Ito's."""

import functools
import math

import matplotlib
from matplotlib.figure import Figure

BLACK = "#000000"
GRAY = "#999999"
DARK_GRAY = "#666666"
LIGHT_GRAY = "#D9D9D9"
ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"

# Color and line of a method, by its place among the methods
METHOD_LINES = [
    (BLUE, "-"),
    (ORANGE, "--"),
    (BLACK, ":"),
    (GREEN, "-."),
    (PURPLE, "-"),
    (SKY_BLUE, "--"),
    (VERMILLION, ":"),
    (DARK_GRAY, "-."),
]

# More entries than this have a legend beside the figure
MOST_IN_LEGEND = 5

ENERGY_COLORS = {
    "tx": VERMILLION,
    "rx": ORANGE,
    "idle": LIGHT_GRAY,
    "sleep": GRAY,
    "compute": BLUE,
    "d2s_tx": PURPLE,
    "d2s_rx": YELLOW,
}
ENERGY_NAMES = {
    "tx": "sending",
    "rx": "receiving",
    "idle": "idle",
    "sleep": "asleep",
    "compute": "computing",
    "d2s_tx": "sending to server",
    "d2s_rx": "receiving from server",
}

PHASE_COLORS = {"predict": SKY_BLUE, "exchange": ORANGE, "trust": GREEN, "train": BLUE}
PHASE_NAMES = {
    "predict": "predicting on X*",
    "exchange": "sending",
    "trust": "trust",
    "train": "training",
    "waiting": "waiting, receiving",
}
_OTHER_PHASE_COLORS = [PURPLE, VERMILLION, YELLOW, BLACK]

_SETTINGS = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#E6E6E6",
    "legend.frameon": False,
    "lines.linewidth": 1.8,
}


def styled(draw):
    """Decorator: the figure is drawn with the settings of this module."""

    @functools.wraps(draw)
    def wrapper(*arguments, **options):
        with matplotlib.rc_context(_SETTINGS):
            return draw(*arguments, **options)

    return wrapper


def new_figure(width, height):
    """A figure of that many inches whose panels keep clear of each other."""
    return Figure(figsize=(width, height), layout="constrained")


def use_decades(axes, names="xy"):
    """Makes axes logarithmic where anything that was drawn has a place on such an axis."""
    for name in names:
        siblings = getattr(axes, f"get_shared_{name}_axes")().get_siblings(axes)
        if any(math.isfinite(getattr(one.dataLim, f"minpos{name}")) for one in siblings):
            getattr(axes, f"set_{name}scale")("log")


def method_line(place):
    """Color and line of a method by its place; four times as many differ as there are colors."""
    color, line = METHOD_LINES[place % len(METHOD_LINES)]
    lines = ("-", "--", ":", "-.")
    return color, lines[(lines.index(line) + place // len(METHOD_LINES)) % len(lines)]


def method_lines(groups):
    """Color and line of each method of groups."""
    return {label: method_line(place) for place, label in enumerate(groups)}


def phase_colors(latency):
    """Colors of the phases that take any time, in the order in which they are stacked."""
    latency = latency.loc[:, latency.max() > 0]
    others = [phase for phase in latency.columns if phase not in (*PHASE_COLORS, "waiting")]
    known = {phase: color for phase, color in PHASE_COLORS.items() if phase in latency.columns}
    added = dict(zip(others, _OTHER_PHASE_COLORS * len(others)))
    return {**known, **added, **({"waiting": LIGHT_GRAY} if "waiting" in latency.columns else {})}


def device_label(run, device):
    """The number of a device, with a star if it is of low quality."""
    return f"{device}*" if device in run.low_quality else str(device)


def method_marker(place):
    """Marker of a method by its place; another one where a color comes again."""
    markers = "osD^vP*X"
    return markers[(place + 3 * (place // len(METHOD_LINES))) % len(markers)]
