# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Traces of links: of matrices, of arrays as ray tracers export them, and of made-up streets."""

import re
import unittest

import numpy as np
from folder_test_case import FolderTestCase

from collab.cli.main import main
from collab.convert.streets import Streets, correlated, drive, path_loss, street_gains

NONE = -np.inf


class LinksTestCase(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "links.csv"

    def convert(self, source, *options):
        """The rows of the file that is made of a source."""
        said = self.call(main, "data", "links", source, self.out, *options)
        lines = self.out.read_text().splitlines()
        times = {line.split(",")[0] for line in lines[1:]}
        self.assertIn(f"{len(lines) - 1} rows at {len(times)} times", said)
        return lines

    def save(self, **arrays):
        np.savez(self.folder / "arrays.npz", **arrays)
        return self.folder / "arrays.npz"


class ConvertLinksTest(LinksTestCase):
    def test_matrices_below_each_other_are_those_of_one_time_after_the_other(self):
        source = self.folder / "matrices.csv"
        source.write_text("# to 0, to 1\n0,-70\n-60,0\n0,-inf\n-61,0\n0,-72\n-62,0\n")
        self.assertEqual(
            self.convert(source, "--step", 0.5),
            ["time,from,to,gain", "0,0,1,-60.000", "0,1,0,-70.000", "0.5,0,1,-61.000",
             "0.5,1,0,", "1,0,1,-62.000", "1,1,0,-72.000"],
        )  # fmt: skip

    def test_symmetric_links_have_one_row(self):
        gains = np.array([[0, -60.0, NONE], [-60, 0, NONE], [NONE, NONE, 0]])
        self.assertEqual(
            self.convert(self.save(gains=gains))[1:], ["0,0,1,-60.000", "0,1,2,"]
        )  # fmt: skip

    def test_a_direction_that_is_never_in_range_says_so(self):
        gains = np.array([[0, -60.0], [NONE, 0]])
        self.assertEqual(self.convert(self.save(gains=gains))[1:], ["0,0,1,-60.000", "0,1,0,"])

    def test_coefficients_of_paths_are_summed_up_by_their_powers(self):
        a = np.zeros((2, 2, 3, 2), dtype=complex)  # to, from, path, time
        a[1, 0, :, 0] = [3e-4, 4e-4j, 0]
        a[1, 0, :, 1] = 1e-4
        a[0, 1] = a[1, 0]
        lines = self.convert(self.save(a=a), "--axes", "to,from,path,time", "--step", 0.1)
        first, second = 10 * np.log10(25e-8), 10 * np.log10(3e-8)
        self.assertEqual(lines[1:], [f"0,0,1,{first:.3f}", f"0.1,0,1,{second:.3f}"])

    def test_a_matlab_file_of_a_base_station_has_links_of_the_server(self):
        try:
            from scipy.io import savemat
        except ImportError:
            self.skipTest("needs scipy")
        source = self.folder / "scene.mat"
        savemat(source, {"power": np.array([[1e-9, 0.0, 1e-12]]), "t": [[7.0]]})
        options = ("--array", "power", "--scale", "linear", "--rss", "--floor", -110)
        self.assertEqual(
            self.convert(source, *options, "--times", "t"),
            ["time,from,to,rss", "7,server,0,-90.000", "7,server,1,", "7,server,2,"],
        )

    def test_what_is_wrong_is_said_in_one_line(self):
        good = np.full((2, 3, 3), -60.0)
        hole = good.copy()
        hole[1, 0, 2] = np.nan
        for arrays, options, problem in (
            ({"x": hole}, (), "found NaN at {'time': 1, 'from': 0, 'to': 2}"),
            ({"x": good, "y": good}, (), "found several arrays, expected --array of x, y"),
            ({"x": good}, ("--array", "z"), "found no array 'z'"),
            ({"x": good}, ("--axes", "from,to"), "found 3 axes, expected as many in --axes"),
            ({"x": good}, ("--axes", "from,to,hour"), "found 3 axes"),
            ({"x": good}, ("--axes", "from,to,path"), "found decibels of paths"),
            ({"x": good}, ("--scale", "linear"), "found a power below 0"),
            ({"x": -good}, (), "found a gain above 0 dB at {'time': 0, 'from': 0, 'to': 1}"),
            ({"x": good[:, :2]}, (), "found 2 senders and 3 receivers"),
            ({"x": good}, ("--times", "t"), "found no array 't' (--times)"),
            ({"x": good, "t": [1, 1]}, ("--array", "x", "--times", "t"), "expected 2 that ascend"),
            ({"x": np.array(["a"])}, ("--axes", "from"), "found 1 axes"),
        ):
            with self.subTest(problem):
                self.assert_refused(
                    re.escape(problem), main, "data", "links", self.save(**arrays), self.out, *options
                )
                self.assertFalse(self.out.exists())
        (self.folder / "odd.csv").write_text("-60,-60\n-60,-60\n-60,-60\n")
        for words, problem in (
            ((self.folder / "odd.csv", self.out), "expected square matrices"),
            (("nowhere.npz", self.out), "nowhere.npz: does not exist"),
            (("street:devices=0", self.out), "found 'devices=0'; allowed: devices=NUMBER above 0"),
            (("street:cars=3", self.out), "found 'cars=3'"),
            (("nowhere.npz", self.out, "--step", "0"), "--step 0 is not allowed"),
        ):
            self.assert_refused(re.escape(problem), main, "data", "links", *words)


class StreetsTest(LinksTestCase):
    def test_shadowing_has_the_correlation_of_gudmundson(self):
        count, distance, decorrelation = 160, 4.0, 10.0
        moved = np.full((6, count), distance / 2)  # each end half of it
        fields = correlated(moved, decorrelation, np.random.default_rng(5))
        pairs = np.triu_indices(count, 1)
        values = np.array([field[pairs] for field in fields])
        np.testing.assert_array_equal(fields, fields.transpose(0, 2, 1))
        error = 4 / len(pairs[0]) ** 0.5
        for lag in range(6):
            found = np.mean(values[0] * values[lag])
            self.assertAlmostEqual(found, np.exp(-lag * distance / decorrelation), delta=error)
        self.assertAlmostEqual(values[-1].std(), 1, delta=error)

    def test_devices_stay_in_the_streets_at_their_speed(self):
        town = Streets(devices=10, seconds=100)
        places = drive(town, np.random.default_rng(1))
        on_street = np.isclose(places % town.block % town.block, 0).any(axis=2)
        self.assertTrue(on_street.all())
        self.assertTrue((places >= 0).all() and (places <= town.block * town.blocks).all())
        steps = np.abs(np.diff(places, axis=0)).sum(axis=2)
        self.assertLessEqual(steps.max(), town.speed * town.step + 1e-9)
        self.assertGreater(np.median(steps), town.speed * town.step - 1e-9)

    def test_corners_cost_what_the_model_says(self):
        town = Streets(frequency=5.0)
        place = np.array([[0.0, 0.0], [0.0, 80.0], [50.0, 100.0]])
        loss, is_seen = path_loss(place, town)
        self.assertEqual(is_seen[0].tolist(), [True, True, False])
        self.assertAlmostEqual(loss[0, 1], 22.7 * np.log10(80) + 41)
        slopes = {first: max(2.8 - 0.0024 * first, 1.84) for first in (50.0, 100.0)}
        around = [
            22.7 * np.log10(a) + 41 + 20 - 12.5 * slopes[a] + 10 * slopes[a] * np.log10(b)
            for a, b in ((50.0, 100.0), (100.0, 50.0))
        ]
        self.assertAlmostEqual(loss[0, 2], min(around))

    def test_a_trace_is_written_that_depends_on_its_seed_alone(self):
        given = "street:devices=4,seconds=2,step=1"
        first = self.convert(given)
        self.assertEqual(len(first), 1 + 3 * 6)
        self.assertEqual(self.convert(given), first)
        self.assertNotEqual(self.convert(given + ",seed=2"), first)
        gains = street_gains(Streets(devices=4, seconds=2, step=1))
        self.assertEqual(first[1], f"0,0,1,{gains[0, 0, 1]:.3f}")


if __name__ == "__main__":
    unittest.main()
