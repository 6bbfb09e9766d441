# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the layout of figures: names stay short, panels large, and nothing covers anything else."""

import json
import sys
import unittest
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from folder_test_case import FolderTestCase, SweepTestCase

import numpy as np
from collab import group_runs, load_run, plot
from collab.figures.names import short_labels
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from synthetic_run import write_run

LEAST = 1.5  # inches of a panel, in both directions
OTHERS = {"batchSize": 128, "minimumSamples": 20, "maxOutage": 0.1, "samples": 200, "model": "netcnn"}
SETTINGS = {"batchSize": 64, "minimumSamples": 64, "maxOutage": 0.4, "samples": 800, "model": "mlp:200-100"}


def drawn(figure):
    """The canvas of a figure that was drawn without a warning."""
    canvas = FigureCanvasAgg(figure)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        canvas.draw()
    return canvas


def legends(figure):
    return [axes.get_legend() for axes in figure.axes if axes.get_legend()]


class TwoScenariosTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        dynamic = write_run(self.folder / "a", "dynamic", **SETTINGS)
        committee = write_run(self.folder / "b", "local", selection="I", **OTHERS)
        metadata = json.loads((committee / "run.json").read_text())
        metadata["scenario"] = "committee"
        metadata["devices"] = [{**device, "low_quality": False} for device in metadata["devices"]]
        del metadata["parameters"]["trust"]
        (committee / "run.json").write_text(json.dumps(metadata))
        self.runs = [load_run(dynamic), load_run(committee)]

    def test_methods_have_short_names_and_a_table_tells_the_rest(self):
        figure = plot.accuracy(self.runs)
        (legend,) = legends(figure)
        self.assertEqual([text.get_text() for text in legend.get_texts()], ["dynamic", "CMFL-I"])
        rows = [line.split() for line in figure.texts[-1].get_text().splitlines()]
        self.assertEqual(rows[0], ["dynamic", "CMFL-I"])
        expected = {(name, str(value), str(OTHERS[name])) for name, value in SETTINGS.items()}
        self.assertEqual(set(map(tuple, rows[1:])), expected)

    def test_panels_keep_their_size_and_stay_clear_of_all_else(self):
        for name in ("accuracy", "demo", "energy", "latency", "trust"):
            with self.subTest(figure=name):
                figure = getattr(plot, name)(self.runs)
                renderer = drawn(figure).get_renderer()
                panels = [axes.get_window_extent(renderer) for axes in figure.axes[:2]]
                for panel in panels:
                    self.assertGreater(min(panel.width, panel.height) / figure.dpi, LEAST)
                others = [text.get_window_extent(renderer) for text in figure.texts]
                others += [legend.get_window_extent(renderer) for legend in legends(figure)]
                whole = figure.bbox.padded(1)
                for place in others:
                    self.assertFalse(any(panel.overlaps(place) for panel in panels))
                    self.assertTrue(whole.contains(*place.min) and whole.contains(*place.max), place)
                for one, other in zip(figure.texts, figure.texts[1:]):
                    extents = [text.get_window_extent(renderer) for text in (one, other)]
                    self.assertFalse(extents[0].overlaps(extents[1]), (one, other))

    def test_titles_of_panels_stay_apart(self):
        label = "a method with a name as long as a sentence, which its panel is not"
        figure = plot.energy({label: self.runs[:1], f"{label} either": self.runs[1:]})
        renderer = drawn(figure).get_renderer()
        first, second = (axes._left_title.get_window_extent(renderer) for axes in figure.axes)
        self.assertFalse(first.overlaps(second))

    def test_each_scenario_is_told_with_its_devices(self):
        title = plot.demo(self.runs)._suptitle.get_text().replace("\n", " ")
        expected = "Prediction consensus: 4 devices, 1 of them of low quality; committee: 4 devices"
        self.assertEqual(title, expected)

    def test_labels_that_are_short_or_not_those_of_settings_stay(self):
        for groups in (group_runs(self.runs[:1]), {"mine, " + 40 * "x": self.runs}):
            self.assertEqual(short_labels(groups), {label: label for label in groups})

    def test_runs_of_one_method_are_told_apart(self):
        write_run(self.folder / "c", "dynamic", 1, **{**SETTINGS, "samples": 400})
        groups = group_runs([*self.runs, load_run(self.folder / "c")])
        names = list(short_labels(groups).values())
        self.assertEqual(names, ["dynamic, samples=400", "dynamic, samples=800", "CMFL-I"])
        write_run(self.folder / "d", "dynamic", 1, **{**OTHERS, "samples": 300})
        groups = group_runs([load_run(self.folder / name) for name in "acd"])
        self.assertEqual(list(short_labels(groups).values()),
                         ["dynamic, 64, 0.4, 64, mlp:200-100, 400", "dynamic, 64, 0.4, 64, mlp:200-100, 800",
                          "dynamic, 128, 0.1, 20, netcnn, 300"])  # fmt: skip
        write_run(self.folder / "e", "dynamic", 1, **{**OTHERS, "model": f"mlp:{'-'.join(12 * ['200'])}"})
        groups = group_runs([load_run(self.folder / name) for name in "ae"])
        self.assertEqual(list(short_labels(groups).values()), ["dynamic (1)", "dynamic (2)"])


class LegendTest(SweepTestCase):
    def test_no_curve_is_covered(self):
        figures = {
            "accuracy": plot.accuracy(self.sweep.select(maxOutage=0.1)),
            "paired": plot.accuracy(self.sweep.select(maxOutage=0.1), paired=True),
            "bytes": plot.bytes(self.sweep),
            "relation": plot.relation(self.sweep, "maxOutage", "accuracy_reference", "trust"),
        }
        for name, figure in figures.items():
            with self.subTest(figure=name):
                renderer = drawn(figure).get_renderer()
                (legend,) = legends(figure)
                place = legend.get_window_extent(renderer)
                for axes in figure.axes:
                    self.assertFalse(place.overlaps(axes.get_tightbbox(renderer)))
                self.assertLessEqual(place.x1, figure.bbox.x1)

    def test_single_runs_are_pale_dots_beside_each_other(self):
        figure = plot.relation(self.sweep, "maxOutage", "accuracy_reference", "trust")
        drawn(figure)
        dots = [one for one in figure.axes[0].collections if isinstance(one, PathCollection)]
        self.assertEqual(len(dots), 12)
        places = [dot.get_offset_transform().transform(dot.get_offsets())[0] for dot in dots]
        self.assertEqual(len({tuple(np.round(place)) for place in places}), 12)
        self.assertEqual(len({round(x) for x, _ in places[:3]}), 3)
        for dot in dots:
            self.assertLess(dot.get_alpha(), 0.6)
            extent = dot.get_paths()[0].get_extents()
            self.assertAlmostEqual(extent.width, extent.height)  # no strokes, which look like caps
        title = figure.axes[0].get_legend().get_title().get_text()
        self.assertIn("dots: single runs", title)


if __name__ == "__main__":
    unittest.main()
