# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow sklearn
"""Tests of the figure of embeddings, where scikit-learn is installed."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from folder_test_case import FolderTestCase

from collab import RunError, group_runs, load_run, plot
from collab.cli.plot import main
from collab.figures.graph_discovery.embeddings import embeddings_table, format_embeddings
from collab.figures.style import LIGHT_GRAY
from synthetic_run import write_discovery, write_embeddings, write_run, write_table
from threadpoolctl import threadpool_limits


def offsets(figure):
    """The points of the first panel, by the name in the legend."""
    return {part.get_label(): np.array(part.get_offsets()) for part in figure.axes[0].collections}


def silhouette(gap):
    """Of a sample whose fellow is 1 away, and those of the nearest other label gap to the side."""
    other = (gap + np.hypot(gap, 1)) / 2
    return (other - 1) / max(other, 1)


class EmbeddingsTest(FolderTestCase):
    def load(self, run=1, gap=4.0, method="learned"):
        """A run with two samples of three labels; labels 0 and 1 are a gap apart, 1 and 2 two."""
        path = write_run(self.folder / f"{method}-{run}", run=run)
        return load_run(write_embeddings(write_discovery(path, method=method), gap))

    def load_blobs(self, samples=50):
        """A run with samples of ten labels in eight dimensions, each far from those of others."""
        path = write_run(self.folder / "blobs")
        random = np.random.default_rng(1)
        labels = np.arange(10 * samples) % 10
        values = 40 * random.normal(size=(10, 8))[labels] + random.normal(size=(len(labels), 8))
        rows = [(sample, labels[sample], component, value)
                for (sample, component), value in np.ndenumerate(values)]  # fmt: skip
        write_table(path, "embeddings", "sample,label,component,value", rows)
        return load_run(write_discovery(path))

    def test_numbers_against_those_worked_by_hand(self):
        groups = group_runs([self.load()])
        row = embeddings_table(groups).iloc[0]
        self.assertEqual((row["method"], row["seeds"], row["samples"]), ("learned", 1, 6))
        expected = (2 * silhouette(4) + silhouette(8)) / 3
        self.assertAlmostEqual(row["silhouette"], expected)
        self.assertEqual(row["neighbor"], 1)
        self.assertTrue(np.isnan(row["neighbor_half_width"]))

    def test_nearest_neighbors_of_another_label_do_not_count(self):
        row = embeddings_table(group_runs([self.load(gap=0.75)])).iloc[0]
        self.assertAlmostEqual(row["neighbor"], 2 / 6)  # those of label 2, the next 1.5 away
        self.assertAlmostEqual(row["silhouette"], (2 * silhouette(0.75) + silhouette(1.5)) / 3)

    def test_intervals_are_over_seeds(self):
        groups = group_runs([self.load(1, 4), self.load(2, 0.75), self.load(1, 4, "none")])
        table = embeddings_table(groups).set_index("method")
        self.assertEqual(table["seeds"].tolist(), [2, 1])
        self.assertEqual(table["samples"].tolist(), [12, 6])
        self.assertAlmostEqual(table["neighbor"]["learned"], 2 / 3)
        self.assertAlmostEqual(table["neighbor_half_width"]["learned"], 12.706 / 3, places=4)
        self.assertIn("0.6667 +- 4.2", format_embeddings(groups))

    def test_labels_are_compared_with_each_other_alone(self):
        groups = group_runs([self.load(gap=0.75)])
        row = embeddings_table(groups, [0, 2]).iloc[0]
        self.assertEqual((row["samples"], row["neighbor"]), (4, 1))
        self.assertAlmostEqual(row["silhouette"], silhouette(2.25))
        self.assertIn("labels 0, 2 are", format_embeddings(groups, [0, 2]))
        figure = plot.discovery_embeddings(groups, labels=[0, 2])
        gray, *colored = figure.axes[0].collections
        self.assertEqual(to_hex(gray.get_facecolor()[0]).upper(), LIGHT_GRAY)
        self.assertEqual([part.get_label() for part in colored], ["0", "2"])
        self.assertEqual([len(part.get_offsets()) for part in (gray, *colored)], [2] * 3)

    def test_one_label_is_not_separated_from_anything(self):
        groups = group_runs([self.load()])
        row = embeddings_table(groups, [1]).iloc[0]
        self.assertTrue(np.isnan([row["silhouette"], row["neighbor"]]).all())
        self.assertEqual(plot.discovery_embeddings(groups, labels=[1]).axes[0].get_xlabel(), "")

    def test_labels_that_no_sample_has(self):
        with self.assertRaisesRegex(RunError, "no sample has the label 7; allowed: 0, 1, 2"):
            embeddings_table(group_runs([self.load()]), [0, 7])

    def test_a_panel_a_method_of_its_first_run(self):
        runs = [self.load(1), self.load(2, 9), self.load(1, 4, "none")]
        figure = plot.discovery_embeddings(runs)
        self.assertEqual([axes.get_title(loc="left") for axes in figure.axes], ["learned", "none"])
        alone = plot.discovery_embeddings([runs[0]])
        for label, points in offsets(alone).items():
            np.testing.assert_array_equal(offsets(figure)[label], points)
        self.assertIn("nearest neighbor of the label: 1", figure.axes[1].get_xlabel())

    def test_the_same_table_gives_the_same_picture(self):
        path = self.load_blobs().path
        whole = pd.read_csv(path / "embeddings.csv")
        for components in (8, 1):  # with one t-SNE begins at random places
            whole[whole["component"] < components].to_csv(path / "embeddings.csv", index=False)
            pictures = []
            for threads in (1, 2):
                with threadpool_limits(threads):
                    pictures.append(offsets(plot.discovery_embeddings(load_run(path))))
            for label, points in pictures[0].items():
                with self.subTest(components=components, label=label):
                    np.testing.assert_array_equal(pictures[1][label], points)

    def test_labels_apart_are_apart_in_the_plane_and_look_different(self):
        figure = plot.discovery_embeddings(self.load_blobs())
        points = offsets(figure)
        self.assertEqual(list(points), [str(label) for label in range(10)])
        centers = {label: places.mean(axis=0) for label, places in points.items()}
        for label, places in points.items():
            for place in places:
                nearest = min(centers, key=lambda name: np.hypot(*(centers[name] - place)))
                self.assertEqual(nearest, label)
        looks = {(to_hex(part.get_facecolor()[0]), part.get_paths()[0].vertices.tobytes())
                 for part in figure.axes[0].collections}  # fmt: skip
        self.assertEqual(len(looks), 10)
        names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        self.assertEqual(names, list(points))

    def test_embeddings_that_are_odd(self):
        path = self.load().path
        whole = pd.read_csv(path / "embeddings.csv")
        lost = whole.assign(value=whole["value"].where(whole["sample"] != 5))
        lost.to_csv(path / "embeddings.csv", index=False)
        self.assertEqual(embeddings_table(group_runs([load_run(path)]))["samples"][0], 5)
        for what, table in (
            ("all alike", whole.assign(value=1.5)),
            ("of one component", whole[whole["component"] == 0]),
        ):
            with self.subTest(embeddings=what):
                table.to_csv(path / "embeddings.csv", index=False)
                self.assertTrue(np.isfinite(offsets(plot.discovery_embeddings(load_run(path)))["0"])
                                .all())  # fmt: skip
        for what, table in (
            ("of too few samples", whole[whole["sample"] < 2]),
            ("not numbers", whole.assign(value=np.nan)),
        ):
            with self.subTest(embeddings=what):
                table.to_csv(path / "embeddings.csv", index=False)
                self.assertIsNone(plot.discovery_embeddings(load_run(path)))

    def test_the_command_writes_picture_and_numbers(self):
        path = self.load().path
        words = ("--figure", "discovery-embeddings", "--labels", "0,1", "--csv", "--table")
        output = self.call(main, path, *words)
        self.assertIn("How separated labels 0, 1 are", output)
        table = pd.read_csv(path / "discovery-embeddings.csv", comment="#")
        self.assertEqual(table["samples"].tolist(), [4])
        self.assertTrue((path / "discovery-embeddings.png").exists())
        self.assertIn("silhouette", (path / "discovery-embeddings-table.csv").read_text())
