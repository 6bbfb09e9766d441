# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of devices that move: their ways, and what shows them."""

from unittest import mock

from folder_test_case import FolderTestCase, QuickFigures

import numpy as np
import PIL.Image
from collab import load_run
from collab.figures.common import animation
from collab.figures.common.maps import map_figure
from collab.report.run_page import run_data
from collab.statistics.places import places_at, ways
from synthetic_run import write_run, write_table

HEADER = "time_s,device,x_m,y_m,z_m"
# Device 0 goes on all the time, 1 stands until 20 s, 2 never moves and 3 has no row
ROWS = [(0, 0, 0, 0, 1.5), (0, 1, 10, 0, 1.5), (0, 2, 20, 0, 1.5),
        *((5 * i, 0, 5 * i, 2, 1.5) for i in range(1, 6)), (25, 1, 10, 8, 1.5)]  # fmt: skip


class PlacesTest(QuickFigures, FolderTestCase):
    def setUp(self):
        super().setUp()
        self.path = write_run(self.folder / "run")
        self.static = load_run(self.path)
        write_table(self.path, "positions", HEADER, ROWS)
        with (self.path / "columns.csv").open("a", encoding="utf-8") as file:
            file.writelines(f"positions,{name},real,,\n" for name in HEADER.split(","))
        self.run_ = load_run(self.path)

    def test_ways_have_where_devices_stood(self):
        points = ways(self.run_)
        self.assertEqual(points.groupby("device").size().to_dict(), {0: 6, 1: 3})
        places = places_at(points, 20)
        self.assertEqual(places.loc[0].tolist(), [20, 2])
        self.assertEqual(places.loc[1].tolist(), [10, 0])
        self.assertEqual(places_at(points, 22.5).loc[1].tolist(), [10, 4])
        self.assertEqual(places_at(points, 99).loc[1].tolist(), [10, 8])
        self.assertTrue(ways(self.static).empty)
        self.assertTrue(places_at(ways(self.static), 1).empty)

    def test_reports_show_ways(self):
        shown = run_data(self.path)["animation"]["ways"]
        self.assertEqual(shown[1], {"time": [0, 20, 25], "x": [10, 10, 10], "y": [0, 0, 8]})
        self.assertEqual(shown[2], {"time": [], "x": [], "y": []})

    def test_maps_show_ways(self):
        lines = map_figure({"dynamic": [self.run_]}).axes[0].get_lines()
        np.testing.assert_allclose(lines[1].get_xydata(), [[10, 0], [10, 0], [10, 8]])
        self.assertFalse(map_figure({"dynamic": [self.static]}).axes[0].get_lines())

    def test_animations_show_movement(self):
        scene = animation._Scene(self.run_)
        scene.draw(22.5, 1)
        np.testing.assert_allclose(scene.devices.get_offsets(), [[22.5, 2], [10, 4], [20, 0], [30, 0]])
        self.assertEqual(scene.labels[1].get_position(), (10, 4))
        with mock.patch.object(animation, "_MOST_FRAMES", 2):
            animation.write_animation(self.run_, self.folder / "a.gif")
        with PIL.Image.open(self.folder / "a.gif") as picture:
            self.assertEqual(picture.n_frames, 3)
