# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A run as an animated GIF: messages on their way between devices, and how learning goes."""

import io

import numpy as np
import pandas as pd
import PIL.Image
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from ...runs.errors import RunError
from ...statistics.curves import AXES, mean_of_regular, name_of
from ...statistics.messages import link_losses
from ...statistics.places import places_at, ways
from ..style import BLUE, DARK_GRAY, GREEN, VERMILLION, styled
from .maps import draw_devices, draw_links, positions

_LONGEST_S = 120  # of the animation; a shorter run goes on in its own time
_FRAME_S = 0.5
_MOST_FRAMES = 160  # which take about 2 MB
_DPI = 72
_COLORS = 32  # that all pictures share
_SAMPLED = 12  # pictures that they are taken from


@styled
def write_animation(run, file) -> None:
    """Writes the GIF of a run; RunError if it has no message or no positions.

    Devices have the color of the run's own measure, which is drawn beside them. A line is a message
    that is received, a dashed one that is lost.
    """
    if run.device_messages.empty:
        raise RunError(f"{run.path}: no message between devices is recorded: there is nothing to animate")
    scene = _Scene(run)
    end = float(run.rounds["end_s"].max())
    length = min(end, _LONGEST_S)
    count = min(_MOST_FRAMES, int(np.ceil(length / _FRAME_S)))
    frames = [scene.draw(time, end / count) for time in np.linspace(0, end, count + 1)]
    pictures = [PIL.Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    # Without dithering, and with the same colors, what stays as it was costs nothing
    palette = _montage(pictures[:: -(-len(pictures) // _SAMPLED)]).quantize(_COLORS)
    first, *others = (one.quantize(palette=palette, dither=0) for one in pictures)
    first.save(file, save_all=True, append_images=others, loop=0,
               duration=round(1000 * length / count), optimize=True)  # fmt: skip


def _montage(pictures):
    """Pictures and the colors of messages beside each other, which together have all colors."""
    arrays = [np.asarray(picture) for picture in pictures]
    for color in (GREEN, VERMILLION):
        size = (pictures[0].width // 4, pictures[0].height)
        arrays.append(np.asarray(PIL.Image.new("RGB", size, color)))
    return PIL.Image.fromarray(np.concatenate(arrays, axis=1))


class _Scene:
    """The picture, of which only what moves is drawn anew."""

    def __init__(self, run):
        self.run = run
        self.places = positions(run)
        self.ways = ways(run)
        self.messages = run.device_messages.dropna(subset=["start_s", "end_s"])
        ends = [run.devices.index.get_indexer(self.messages[end]) for end in ("sender", "receiver")]
        self.ends = np.stack(ends, axis=1)
        self.rounds = run.rounds.sort_values("end_s")
        self.figure = Figure(figsize=(8, 4.2), layout="constrained")
        left, right = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        if self.ways.empty:  # else links change
            losses, _ = link_losses(run)
            links = draw_links(left, run, losses, Normalize(0, 1))
            links.set(alpha=0.12, array=None, color=DARK_GRAY)
        self.devices = draw_devices(left, run)
        self.labels = list(left.texts)
        values = run.rounds[run.measure]
        self.devices.set(cmap="Blues", norm=Normalize(values.min(), 2 * values.max() - values.min()))
        self.arrived = left.add_collection(LineCollection([], colors=GREEN, linewidths=2))
        self.lost = left.add_collection(
            LineCollection([], colors=VERMILLION, linewidths=2, linestyles="dashed")
        )
        left.set_xlabel("x [m]")
        left.set_ylabel("y [m]")
        self.title = left.set_title(" ")
        self._draw_curve(right)

    def _draw_curve(self, axes):
        curve = mean_of_regular(self.run, self.run.measure)
        axes.plot(AXES["time"][1](self.run), curve, color=BLUE)
        axes.set_xlabel(AXES["time"][0])
        axes.set_title(f"{name_of(self.run.measure)}, regular devices")
        self.now = axes.axvline(0, color=DARK_GRAY, linewidth=1)

    def _move_devices(self, time):
        moved = places_at(self.ways, time).reindex(self.run.devices.index).to_numpy(dtype=float)
        self.places = np.where(np.isnan(moved), self.places, moved)
        self.devices.set_offsets(self.places)
        for label, place in zip(self.labels, self.places):
            label.set_position(place)

    def draw(self, time, step) -> bytes:
        """The picture at a simulated time, as PNG, with the messages of the step before it."""
        self._move_devices(time)
        begun = self.messages["start_s"] <= time
        under_way = begun & (self.messages["end_s"] > time - step)
        arrives = self.messages["delivered"] == 1
        self.arrived.set_segments(self.places[self.ends[under_way & arrives]])
        self.lost.set_segments(self.places[self.ends[under_way & ~arrives]])
        done = self.rounds[self.rounds["end_s"] <= time].groupby("device").last()
        values = done.reindex(self.run.devices.index)[self.run.measure]
        self.devices.set_array(np.ma.masked_invalid(pd.to_numeric(values).to_numpy(dtype=float)))
        ended = 0 if done.empty else int(done["round"].max()) + 1
        self.title.set_text(f"{time:5.1f} s simulated, {ended} rounds done")
        self.now.set_xdata([time, time])
        stream = io.BytesIO()
        self.figure.savefig(stream, dpi=_DPI, format="png")
        return stream.getvalue()
