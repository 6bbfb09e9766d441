# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures of graph discovery."""

import json
import sys
from unittest import mock

import numpy as np
import pandas as pd
from matplotlib.text import Annotation

from folder_test_case import FolderTestCase, UndrawnFigures, change_run, change_table

from collab import group_runs, load_run, plot
from collab.cli.plot import main
from collab.figures.graph_discovery import measures
from collab.figures.graph_discovery.agreement import agreement_table, format_agreement
from collab.figures.graph_discovery.distance import (
    distance_table,
    distances_of,
    total_variation,
    wasserstein,
)
from collab.figures.graph_discovery.decisions import decisions_table
from collab.figures.graph_discovery.edges import edges_table
from collab.figures.graph_discovery.graphs import graphs_table
from collab.figures.graph_discovery.joules import joules_table
from collab.figures.graph_discovery.learning import learning_table
from collab.figures.graph_discovery.targets import targets_table
from collab.figures.style import ORANGE, VERMILLION
from synthetic_run import (
    ENERGY_J,
    write_agreement,
    write_discovery,
    write_embeddings,
    write_run,
    write_table,
)


class AgreementTest(FolderTestCase):
    def load(self, run, offset):
        return load_run(write_agreement(write_run(self.folder / str(run), run=run), offset))

    def test_means_are_over_all_draws_of_all_runs(self):
        groups = group_runs([self.load(1, 0), self.load(2, 2)])
        table = agreement_table(groups)
        self.assertEqual(table["alpha_before"].tolist(), [1, 1, 10, 10])
        self.assertEqual(table["alpha_after"].tolist(), [1, 10, 1, 10])
        self.assertEqual(table["draws"].tolist(), [4] * 4)
        self.assertEqual(table["ratio_of_means"].tolist(), [1.5, 10.5, -7.5, 1.5])
        self.assertEqual(table["median"].tolist(), [1.5, 10.5, -7.5, 1.5])
        self.assertEqual(table["sum"].tolist(), [10, 100, 10, 100])
        self.assertAlmostEqual(table["ratio_of_means_half_width"][0], 3.182 * (5 / 3) ** 0.5 / 2)
        self.assertIn("10.5 +- 2.1", format_agreement(groups))

    def test_rows_are_alpha_before(self):
        axes = plot.agreement([self.load(1, 0)]).axes[0]
        texts = {text.get_position(): text.get_text() for text in axes.texts}
        self.assertTrue(texts[1, 0].startswith("+9.5"), texts)
        self.assertTrue(texts[0, 1].startswith("-8.5"), texts)
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["1", "10"])

    def test_other_runs_have_none(self):
        run = load_run(write_run(self.folder / "other"))
        self.assertIsNone(plot.agreement(run))
        self.assertEqual(format_agreement(group_runs([run])), "")


class DiscoveryTest(FolderTestCase):
    def load(self, method, run=1, bonus=0.0, **parameters):
        """A run of four devices; options of write_discovery() go to it."""
        told = {name: parameters.pop(name) for name in ("reward", "share") if name in parameters}
        name = "-".join(map(str, (method, run, *parameters.values())))
        path = write_run(self.folder / name, run=run, bonus=bonus, **parameters)
        return load_run(write_discovery(path, method=method, **told))

    def test_measures(self):
        run = self.load("learned")
        self.assertAlmostEqual(measures.local_reward(run), 6 / 4)
        self.assertAlmostEqual(measures.success(run), 0.8)  # of 0.9, 0.8 and 0.7
        self.assertAlmostEqual(measures.arrived(run), (9 + 8 + 7) / 30)
        self.assertAlmostEqual(measures.received(run), (9 + 8 + 7) / 4)
        self.assertAlmostEqual(measures.trusted(run), 3)
        self.assertAlmostEqual(measures.late_learning(run, "local_reward"), 9)  # iteration 90
        self.assertAlmostEqual(measures.labeling_accuracy(run), 0.65)

    def test_labels_reached(self):
        # b is 40 / 2 labels, of which 0.8 suffice
        for share, expected in ((0.25, 1), (0.375, 1), (0.4, 2), (0.5, 2), (0.75, 1)):
            with self.subTest(share=share):
                run = self.load("learned", run=round(1000 * share), share=share)
                self.assertEqual(measures.labels_reached(run).tolist(), [expected] * 4)

    def test_labels_reached_of_devices_that_are_there_at_the_end(self):
        path = self.load("learned", share=0.5).path
        holdings = pd.read_csv(path / "holdings.csv")
        off = (holdings["device"] == 1) & (holdings["passes"] == holdings["passes"].max())
        holdings[~off].to_csv(path / "holdings.csv", index=False)
        reached = measures.labels_reached(load_run(path))
        self.assertEqual(reached.to_dict(), {0: 2, 2: 2, 3: 2})

    def test_runs_without_the_tables(self):
        run = load_run(write_run(self.folder / "other"))
        for value in (measures.local_reward, measures.success, measures.labeling_accuracy,
                      measures.mean_labels_reached, measures.received):  # fmt: skip
            self.assertTrue(np.isnan(value(run)), value)
        self.assertIsNone(measures.joules_by_part(run))
        for name in ("graphs", "learning", "distance", "joules", "reward", "reliability"):
            self.assertIsNone(getattr(plot, f"discovery_{name}")(run), name)

    def test_reward_is_relative_to_the_optimum_of_the_same_seed_and_setting(self):
        rewards = {("learned", 1, 1): 2, ("learned", 2, 1): 3, ("learned", 1, 2): 8,
                   ("optimum", 1, 1): 4, ("optimum", 2, 1): 4, ("optimum", 1, 2): 8}  # fmt: skip
        runs = [self.load(method, run, reward=reward, size=size)
                for (method, run, size), reward in rewards.items()]  # fmt: skip
        table = plot.FIGURES["discovery-reward"].numbers(runs)
        self.assertEqual(table["setting"].tolist(), ["size=1", "size=1", "size=2", "size=2"])
        self.assertEqual(table["method"].tolist(), ["learned", "optimum"] * 2)
        np.testing.assert_allclose(table["reward_ratio"], [0.625, 1, 1, 1])
        np.testing.assert_allclose(table["reward"], [3.75, 6, 12, 12])
        axes = plot.discovery_reward(runs).axes[0]
        self.assertEqual(axes.get_xlabel(), "size")
        np.testing.assert_allclose(axes.get_lines()[0].get_xdata(orig=False), [1, 2])

    def test_accuracy_is_relative_to_no_exchange(self):
        runs = [self.load("learned", bonus=0.06), self.load("none")]
        table = plot.FIGURES["discovery-accuracy"].numbers(runs).set_index("method")
        self.assertAlmostEqual(table["accuracy"]["learned"], table["accuracy"]["none"] + 0.06)
        self.assertAlmostEqual(table["accuracy_ratio"]["learned"],
                               1 + 0.06 / table["accuracy"]["none"])  # fmt: skip
        self.assertEqual(table["accuracy_ratio"]["none"], 1)
        self.assertEqual(table["learned_ratio"]["none"], table["accuracy_ratio"]["learned"])
        self.assertEqual(len(plot.discovery_accuracy(runs).axes), 2)
        self.assertEqual(len(plot.discovery_accuracy(runs).axes[0].patches), 2)
        runs.append(self.load("learned", 2))  # without one of no exchange
        table = plot.FIGURES["discovery-accuracy"].numbers(runs).set_index("method")
        self.assertEqual(table["accuracy_ratio_present"]["learned"], "1 of 2 runs")
        self.assertNotIn("accuracy_present", table)

    def load_instead_of_accuracy(self, method, **columns):
        """A run whose rounds have these columns and no accuracy."""
        path = self.load(method).path
        display = json.loads((path / "run.json").read_text())["display"]
        change_run(path, display={**display, "measure": list(columns)})
        change_table(path, "rounds", lambda rounds: rounds.filter(
            regex="^(?!.*(accuracy|loss))").assign(**columns))  # fmt: skip
        (path / "columns.csv").unlink()
        return load_run(path)

    def test_loss_is_relative_to_no_exchange(self):
        runs = [self.load_instead_of_accuracy(method, loss_global=loss)
                for method, loss in (("learned", 0.6), ("none", 0.8))]  # fmt: skip
        table = plot.FIGURES["discovery-accuracy"].numbers(runs).set_index("method")
        np.testing.assert_allclose(table["loss"], [0.6, 0.8])
        self.assertAlmostEqual(table["loss_ratio"]["learned"], 0.75)
        self.assertNotIn("accuracy", table)

    def test_a_reward_is_no_accuracy(self):
        run = self.load_instead_of_accuracy("learned", local_reward=7)
        self.assertIsNone(plot.discovery_accuracy(run))
        self.assertNotIn("accuracy", plot.FIGURES["discovery-labeling"].numbers(run))

    def test_graphs_by_color(self):
        groups = group_runs([self.load("learned"), self.load("none")])
        row = graphs_table(groups).iloc[0]
        self.assertEqual((row["edges"], row["devices: at most 3 labels"]), (3, 4))
        self.assertEqual(row["edges: fewer than 3 trusted"], 1)  # 2 of 2, 3 and 4
        self.assertEqual(row["edges: 3 or 4 trusted"], 2)
        figure = plot.discovery_graphs(groups)
        self.assertEqual([axes.get_title(loc="left") for axes in figure.axes], ["learned", "none"])
        arrows = [text for text in figure.axes[0].texts if isinstance(text, Annotation)]
        self.assertEqual(len(arrows), 3)
        self.assertEqual((tuple(arrows[0].xy), arrows[0].xyann), ((10, 0), (0, 0)))  # to device 1
        colors = [arrow.arrowprops["color"] for arrow in arrows]
        self.assertEqual(colors, [VERMILLION, ORANGE, ORANGE])

    def test_distances_against_hand_computed_ones(self):
        shares = np.array([[1, 0, 0], [0, 0, 1], [0.25, 0.5, 0.25]])
        target = np.array([0.25, 0.5, 0.25])
        np.testing.assert_allclose(wasserstein(shares, target), [1, 1, 0])
        np.testing.assert_allclose(total_variation(shares, target), [0.75, 0.75, 0])

    def test_distance_is_to_all_devices_together(self):
        run = self.load("learned")
        path = run.path
        rows = [(0, 0, 0, 30), (0, 0, 1, 0), (0, 1, 0, 0), (0, 1, 1, 10),
                (1, 0, 0, 15), (1, 0, 1, 5), (1, 1, 0, 0), (1, 1, 1, 0)]  # fmt: skip
        write_table(path, "holdings", "passes,device,label,samples", rows)
        run = load_run(path)
        first, last = distances_of(run, 0), distances_of(run, 1)
        self.assertAlmostEqual(first["wasserstein"], (0.25 + 0.75) / 2)
        self.assertAlmostEqual(last["wasserstein"], 0)  # of the device that has anything
        table = distance_table(group_runs([run]))
        self.assertEqual(table["passes"].tolist(), [0, 1])
        np.testing.assert_allclose(table["total_variation_change"], [0, -100], atol=1e-9)

    def test_joules_by_part(self):
        run = self.load("learned")
        whole = measures.joules_by_part(run)
        self.assertEqual([whole[name] for name in ("discovery", "exchange", "training", "idle")],
                         [6, 1, 16, 16])  # fmt: skip
        first = measures.joules_by_part(run, 1)  # two rounds of four devices
        self.assertEqual(first["training"], 8 * (ENERGY_J["tx"] + ENERGY_J["rx"]) - 7)
        self.assertEqual(first["server"], 8 * ENERGY_J["d2s_tx"])
        self.assertEqual(first["compute"], 8 * ENERGY_J["compute"])
        self.assertIsNone(measures.joules_by_part(run, 99))

    def test_joules_to_a_level_are_of_the_runs_that_reach_it(self):
        runs = [self.load("learned", 1, bonus=0.2), self.load("learned", 2), self.load("none", 1)]
        table = joules_table(runs, [0.8]).set_index("method")
        self.assertEqual(table["reached"].tolist(), [1, 0])
        self.assertEqual(table["seeds"].tolist(), [2, 1])
        self.assertTrue(np.isnan(table["total"]["none"]))
        total = table["total"]["learned"]
        self.assertAlmostEqual(table["discovery_share"]["learned"], 7 / total)
        self.assertEqual(len(plot.discovery_joules(runs, levels=[0.8]).axes[0].patches), 5)

    def test_joules_to_a_loss_are_up_to_the_round_that_reaches_it(self):
        path = self.load("learned").path
        run = load_run(change_table(path, "rounds", lambda rounds: rounds.assign(
            loss_global=2.0 - 0.5 * rounds["round"])))  # fmt: skip
        self.assertEqual(targets_table([run], [1.0], "loss_global")["rounds"].tolist(), [3])
        table = joules_table([run], [1.0], "loss_global")
        self.assertEqual(table["compute"].tolist(), [measures.joules_by_part(run, 2)["compute"]])

    def test_joules_are_relative_to_those_of_the_learned_graph_of_the_seed(self):
        runs = [self.load("learned", 1, bonus=0.2), self.load("none", 1), self.load("learned", 2),
                self.load("none", 3)]  # fmt: skip
        table = joules_table(runs, [0.5]).set_index("method")
        one = joules_table([runs[0]], [0.5])["total"][0]
        other = joules_table([runs[1]], [0.5])["total"][0]
        self.assertNotEqual(one, other)
        self.assertAlmostEqual(table["total_ratio"]["none"], other / one)
        self.assertEqual(table["total_ratio"]["learned"], 1)
        one, other = (joules_table([run], [0.5]).iloc[0] for run in runs[:2])
        ratio = (other["total"] + other["idle"]) / (one["total"] + one["idle"])
        self.assertAlmostEqual(table["all_ratio"]["none"], ratio)
        self.assertEqual(table["total_ratio_present"]["none"], "1 of 2 runs")

    def test_joules_by_edges_beside_those_without_exchange(self):
        runs = [self.load("learned", 1, bonus=0.2, edges=1), self.load("learned", 1, bonus=0.1, edges=2),
                self.load("learned", 2, edges=2), self.load("none", 1, edges=1)]  # fmt: skip
        table = edges_table(runs, [0.5, 0.99]).set_index(["method", "edges", "level"])
        self.assertEqual(table["seeds"].tolist(), [1, 1, 2, 2, 1, 1])
        self.assertEqual(table["reached"].tolist(), [1, 0, 2, 0, 1, 0])
        learned, none = (joules_table([run], [0.5]).iloc[0] for run in (runs[0], runs[3]))
        row = table.loc["learned", 1, 0.5]
        self.assertAlmostEqual(row["joules_factor"], none["total"] / learned["total"])
        both = learned["total"] + learned["idle"]
        self.assertAlmostEqual(row["all_joules"], both)
        self.assertAlmostEqual(row["all_joules_factor"], (none["total"] + none["idle"]) / both)
        self.assertGreater(row["rounds_factor"], 1)
        self.assertEqual(row["least_factor"], row["all_joules_factor"])
        # Of the two runs with two edges one has another of the same seed without exchange
        self.assertTrue(np.isnan(table["joules_factor_half_width"]["learned", 2, 0.5]))
        self.assertEqual(len(plot.discovery_edges(runs, levels=[0.5, 0.6]).axes), 2)

    def test_a_run_that_misses_a_level_counts_with_all_its_joules(self):
        runs = [self.load("learned", bonus=0.2, edges=1), self.load("none", edges=1)]
        row = edges_table(runs, [0.8]).iloc[0]
        self.assertTrue(np.isnan(row["all_joules_factor"]))
        reached, whole = (joules_table([run], levels).iloc[0] for run, levels in zip(runs, ([0.8], None)))
        factor = (whole["total"] + whole["idle"]) / (reached["total"] + reached["idle"])
        self.assertAlmostEqual(row["least_factor"], factor)

    def test_edges_of_several_settings_have_names_of_their_own(self):
        runs = [self.load("learned", edges=edges, share_of_b=b) for edges in (1, 2) for b in (1, 2)]
        table = edges_table([*runs, self.load("none", edges=1, share_of_b=1)], [0.5])
        self.assertEqual(table["method"].tolist(), ["learned, share_of_b=1"] * 2
                         + ["learned, share_of_b=2"] * 2 + ["none"])  # fmt: skip

    def test_decisions_are_compared_with_the_usual_ones_of_the_seed(self):
        usual = [self.load("learned", seed, reward=2 + seed, psi="window", slack=1) for seed in (1, 2)]
        optima = [self.load("optimum", seed, reward=4, psi="window", slack=1) for seed in (1, 2)]
        runs = [*usual, *optima, self.load("learned", 1, reward=1, psi="printed", slack=1),
                self.load("learned", 2, reward=4, psi="window", slack=2),
                self.load("optimum", 2, reward=8, psi="window", slack=2)]  # fmt: skip
        table = decisions_table(runs)
        self.assertEqual(table["decision"].tolist(), ["usual", "psi=printed", "slack=2"])
        np.testing.assert_allclose(table["reward_ratio"], [0.875, 0.25, 0.5])
        np.testing.assert_allclose(table["difference"], [0, -0.5, -0.5])
        self.assertEqual(len(plot.discovery_decisions(runs).axes[0].patches), 3)

    def test_rounds_to_targets_and_their_ratio(self):
        runs = [self.load("learned", bonus=0.1), self.load("none")]
        table = targets_table(runs, [0.5, 0.9]).set_index(["method", "level"])
        reached = table["rounds"]
        self.assertEqual(reached["learned", 0.5] + 1, reached["none", 0.5])
        ratio = reached["none", 0.5] / reached["learned", 0.5]
        self.assertAlmostEqual(table["rounds_ratio"]["none", 0.5], ratio)
        self.assertEqual(table["rounds_ratio"]["learned", 0.5], 1)
        self.assertEqual(table["reached"]["none", 0.9], 0)
        self.assertTrue(np.isnan(table["rounds_ratio"]["none", 0.9]))
        self.assertNotIn("rounds_present", table)  # reached tells
        self.assertEqual(len(plot.discovery_targets(runs, levels=[0.5]).axes), 4)

    def test_learning_counts_on_through_passes(self):
        run = self.load("learned")
        table = pd.concat([run.table("discovery"), run.table("discovery").assign(round=1)])
        write_table(run.path, "discovery", ",".join(table.columns), table.to_numpy().tolist())
        table = learning_table(group_runs([load_run(run.path)]))
        self.assertEqual(table["iteration"].tolist(), list(range(0, 200, 10)))
        self.assertAlmostEqual(table["local_reward"].iloc[-1], 9)
        self.assertEqual(len(plot.discovery_learning(load_run(run.path)).axes), 3)


class WithoutScikitLearnTest(UndrawnFigures, FolderTestCase):
    """What happens where the package is not installed; test_embeddings.py tells what does else."""

    def setUp(self):
        super().setUp()
        loaded = [name for name in sys.modules if name.partition(".")[0] == "sklearn"]
        patch = mock.patch.dict(sys.modules, dict.fromkeys([*loaded, "sklearn"]))
        patch.start()
        self.addCleanup(patch.stop)
        self.path = write_discovery(write_run(self.folder / "a"))

    def test_the_figure_names_the_package(self):
        words = (write_embeddings(self.path), "--figure", "discovery-embeddings", "--csv")
        code, _, errors = self.run_command(main, *words)
        self.assertEqual((code, len(errors.splitlines())), (2, 1), errors)
        self.assertRegex(errors, "^collab plot: .* scikit-learn .*python3-sklearn.*doctor")
        self.assertFalse(list(self.path.glob("discovery-embeddings*")))

    def test_other_figures_are_drawn(self):
        words = (write_embeddings(self.path), "--figure", "all")
        code, output, errors = self.run_command(main, *words)
        self.assertEqual(code, 0, errors)
        self.assertIn("figure discovery-embeddings is left out: this figure needs", errors)
        self.assertIn("discovery-graphs.png", output)

    def test_a_run_without_embeddings_needs_it_not(self):
        code, _, errors = self.run_command(main, self.path, "--figure", "discovery-embeddings")
        self.assertEqual(code, 0, errors)
        self.assertIn("no run has what it shows", errors)
