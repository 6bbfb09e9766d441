# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what is drawn of devices where they are: the map, its history and its animation."""

from dataclasses import replace
from unittest import mock

from folder_test_case import NIGHTLY, FolderTestCase, QuickFigures, change_run

import numpy as np
import PIL.Image
from collab import RunError, load_run
from collab.cli.plot import main
from collab.figures.common import animation
from collab.figures.common.animation import write_animation
from collab.figures.common.maps import energy_left, history_figure, link_history, map_figure
from collab.statistics.messages import LOST, OUTAGE, link_losses
from synthetic_run import DEVICES, ENERGY_J, ROUND_S, ROUNDS, write_run

SPENT = sum(ENERGY_J.values())  # of 1000 J, a round and device


class MapsTest(QuickFigures, FolderTestCase):
    def setUp(self):
        super().setUp()
        self.path = write_run(self.folder / "dynamic")
        self.run_ = load_run(self.path)

    def write_outage(self):
        (self.path / "links.csv").write_text("device,peer,outage\n0,1,0.25\n1,0,0.5\n")
        with (self.path / "columns.csv").open("a", encoding="utf-8") as file:
            file.writelines(f"links,{name},real,1,\n" for name in ("device", "peer", "outage"))

    def test_without_outage_links_have_what_they_lost(self):
        losses, name = link_losses(self.run_)
        self.assertEqual((name, len(losses)), (LOST, 12))
        self.assertEqual((losses[1, 0], losses[0, 1]), (1, 0))

    def test_links_have_the_outage_that_the_run_tells(self):
        self.write_outage()
        losses, name = link_losses(load_run(self.path))
        self.assertEqual((name, losses.to_dict()), (OUTAGE, {(0, 1): 0.25, (1, 0): 0.5}))

    def test_energy_left_is_of_what_there_was_at_the_beginning(self):
        np.testing.assert_allclose(energy_left(self.run_), 100 - SPENT * ROUNDS / 10)

    def test_map_colors_links_by_loss_and_devices_by_energy(self):
        axes, left, lost = map_figure({"dynamic": [self.run_]}).axes
        lines, devices = axes.collections
        np.testing.assert_allclose(sorted(lines.get_array()), [0] * 11 + [1])
        np.testing.assert_allclose(devices.get_array(), [100 - SPENT * ROUNDS / 10] * DEVICES)
        np.testing.assert_allclose(devices.get_offsets(), [[10 * d, 0] for d in range(DEVICES)])
        self.assertEqual((left.get_ylabel(), lost.get_ylabel()), ("energy left [%]", LOST))

    def test_both_ways_of_a_link_are_beside_each_other(self):
        axes = map_figure({"dynamic": [self.run_]}).axes[0]
        heights = {path.vertices[0][1] for path in axes.collections[0].get_paths()}
        self.assertEqual(len(heights), 2)

    def test_links_have_lost_so_far(self):
        table = link_history(self.run_)
        np.testing.assert_allclose(table.index, [ROUND_S * 2, ROUND_S * 3])
        np.testing.assert_allclose(table[1, 0], [1, 1])
        np.testing.assert_allclose(table[0, 1], [0, 0])
        messages = self.run_.messages
        again = messages.assign(delivered=messages["delivered"].where(messages["round"] == 2, 1))
        changed = replace(self.run_, tables={**self.run_.tables, "messages": again})
        np.testing.assert_allclose(link_history(changed)[1, 0], [1, 0.5])

    def test_history_of_batteries_and_links(self):
        local = load_run(write_run(self.folder / "local", "local"))
        figure = history_figure({"dynamic": [self.run_], "local": [local]})
        above, _, below, empty = figure.axes
        mean = above.get_lines()[-1]
        np.testing.assert_allclose(mean.get_ydata(), 100 - SPENT / 10 * np.arange(1, ROUNDS + 1))
        np.testing.assert_allclose(mean.get_xdata(), ROUND_S * np.arange(1, ROUNDS + 1))
        np.testing.assert_allclose(below.get_lines()[-1].get_ydata(), [1 / 12] * 2)
        self.assertEqual(len(empty.get_lines()), 0)

    def test_run_without_messages_has_no_map_and_no_animation(self):
        local = load_run(write_run(self.folder / "local", "local"))
        self.assertIsNone(map_figure({"local": [local]}))
        with self.assertRaisesRegex(RunError, "no message between devices is recorded"):
            write_animation(local, self.folder / "a.gif")

    def test_run_without_positions(self):
        devices = [{"device": number} for number in range(DEVICES)]
        run = load_run(change_run(self.path, devices=devices))
        for draw in (lambda: map_figure({"a": [run]}), lambda: write_animation(run, "a.gif")):
            with self.assertRaisesRegex(RunError, "no positions"):
                draw()

    def test_animation_lasts_as_long_as_the_run(self):
        with mock.patch.object(animation, "_MOST_FRAMES", 80 if NIGHTLY else 20):
            self.call(main, self.path, "--figure", "map", "--gif")
        with PIL.Image.open(self.path / "animation.gif") as picture:
            frames = [picture.convert("RGB").copy()]
            seconds = picture.info["duration"] / 1000
            for number in range(1, picture.n_frames):
                picture.seek(number)
                seconds += picture.info["duration"] / 1000
                frames.append(picture.convert("RGB").copy())
        self.assertAlmostEqual(seconds, ROUND_S * ROUNDS, delta=2)
        green, red = ([self.count(frame, channel) > 0 for frame in frames] for channel in (1, 0))
        self.assertEqual((any(green), green[0]), (True, False))
        self.assertTrue(any(red))

    def count(self, frame, channel):
        """How many pixels are green (1) or red (0), as messages that arrive or are lost."""
        pixels = np.asarray(frame, dtype=int)
        strong, other = pixels[..., channel], pixels[..., 1 - channel]
        return ((strong > other + 60) & (strong > pixels[..., 2] + 20)).sum()
