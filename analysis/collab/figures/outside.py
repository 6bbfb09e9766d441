# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What stands outside of a figure's panels: it makes the figure larger, never the panels smaller."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.legend import Legend

_BESIDE = "beside"  # mark of legends that belong right of all panels
_PAD = 0.1  # inches
_NOTE = 8  # points
_CHARACTER = 0.602 * _NOTE / 72  # inches across, of DejaVu Sans Mono


def legend_beside(axes, **options) -> None:
    """Adds a legend that is to stand right of all panels, where put_beside() puts it."""
    axes.legend(loc="upper left", alignment="left", **options).set_gid(_BESIDE)


def legend_of_all(panels, *, is_stack=False, **options) -> None:
    """One legend right of the panels, of whatever is in any of them; of a stack from its top."""
    entries = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    names = list(entries)[:: -1 if is_stack else 1]
    handles = [entries[name] for name in names]
    legend_beside(panels[-1], handles=handles, labels=names, **options)


def put_beside(figure) -> None:
    """Puts the legends that are marked so right of all panels, one below the other."""
    legends = [one for one in figure.findobj(Legend) if one.get_gid() == _BESIDE]
    if not legends:
        return
    renderer = FigureCanvasAgg(figure).get_renderer()
    for legend in legends:
        legend.set_in_layout(False)
    extents = [legend.get_window_extent(renderer) for legend in legends]
    left, top = figure.get_size_inches() - _PAD
    _reserve(figure, right=max(extent.width for extent in extents) / figure.dpi + _PAD)
    for legend, extent in zip(legends, extents):
        legend.set_bbox_to_anchor((left, top), figure.dpi_scale_trans)
        top -= extent.height / figure.dpi + _PAD


def note_below(figure, text: str) -> None:
    """Writes lines below all panels, in columns of equal characters."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    lowest = [text.get_window_extent(renderer).height for text in figure.texts]  # of supxlabel()
    bottom = max(lowest, default=0) / figure.dpi + _PAD
    note = figure.text(_PAD, bottom, text, fontsize=_NOTE, family="monospace", va="bottom",
                       transform=figure.dpi_scale_trans, in_layout=False)  # fmt: skip
    _reserve(figure, below=note.get_window_extent(renderer).height / figure.dpi + _PAD)


def characters_across(figure) -> int:
    """How many characters of a note fit side by side."""
    return int((figure.get_size_inches()[0] - 2 * _PAD) / _CHARACTER)


def _reserve(figure, right=0.0, below=0.0):
    """Makes a figure larger by some inches, which its panels do not use."""
    engine = figure.get_layout_engine()
    width, height = figure.get_size_inches()
    left, bottom, across, up = engine.get()["rect"]
    wide, high = width + right, height + below
    figure.set_size_inches(wide, high)
    engine.set(rect=(left * width / wide, (bottom * height + below) / high,
                     across * width / wide, up * height / high))  # fmt: skip
