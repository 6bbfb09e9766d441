# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures of belief consensus, on runs whose numbers follow from formulas."""


from folder_test_case import THREE, FolderTestCase, change_run, change_table

import numpy as np
import pandas as pd
from collab import group_runs, load_run, plot
from collab.figures.belief_consensus.beliefs import ellipse_of, gaussian_belief
from collab.figures.belief_consensus.complexity import complexity_table, least_instants
from collab.figures.belief_consensus.deviations import deviations_table
from collab.figures.belief_consensus.error import error_table
from collab.figures.belief_consensus.joules import joules_table
from collab.figures.belief_consensus.malice import malice_table
from collab.figures.belief_consensus.measures import split_by_others
from collab.figures.belief_consensus.networks import networks_table
from collab.figures.belief_consensus.placement import farthest, placement_table
from collab.figures.belief_consensus.rates import rate_measured, rate_predicted, rates_table
from collab.figures.belief_consensus.risks import risks_table
from synthetic_run import ENERGY_J, MESSAGE_BYTES, ROUND_S, write_beliefs, write_run, write_table

NAMES = [name for name in plot.FIGURES if name.startswith("belief")]


class BeliefTestCase(FolderTestCase):
    """Writes and loads runs of belief consensus."""

    def write(self, name, run=1, method="consensus", beliefs=None, **parameters):
        """A run; beliefs are options of write_beliefs()."""
        path = write_run(self.folder / name, run=run, method=method, **parameters)
        write_beliefs(path, **(beliefs or {}))
        display = {"method": "method", "order": ["consensus", "alone", "central"]}
        return change_run(path, display=display)

    def load(self, *names, **options):
        """The run that write() writes."""
        return load_run(self.write(*names, **options))

    def scale(self, path, metric, factor):
        """Multiplies the values of a metric of a run; returns the run."""
        table = pd.read_csv(path / "network.csv")
        table.loc[table["metric"] == metric, ["mean", "least", "greatest"]] *= factor
        table.to_csv(path / "network.csv", index=False)
        return load_run(path)


class NothingTest(BeliefTestCase):
    def test_runs_of_other_algorithms_have_no_such_figure(self):
        run = load_run(write_run(self.folder / "other"))
        self.assertEqual(len(NAMES), 10)
        for name in NAMES:
            with self.subTest(figure=name):
                self.assertIsNone(plot.FIGURES[name](run))
                self.assertIsNone(plot.FIGURES[name].numbers(run))
                text = plot.FIGURES[name].text
                self.assertFalse(text and text(group_runs([run])))


class ErrorTest(BeliefTestCase):
    def test_means_intervals_and_costs(self):
        runs = [self.scale(self.write(f"c-{n}", run=n), "excess_mse", n) for n in (1, 2, 3)]
        table = error_table(group_runs(runs), "excess_mse")
        self.assertEqual(list(table["instant"]), [4])
        row = table.iloc[0]
        self.assertEqual(row["seeds"], 3)
        self.assertAlmostEqual(row["excess_mse"], 2 / 8)
        self.assertAlmostEqual(row["excess_mse_half_width"], THREE / 8, places=4)
        self.assertAlmostEqual(row["least_user"], 1 / 8)
        self.assertAlmostEqual(row["greatest_user"], 4 / 8)
        self.assertAlmostEqual(row["seconds"], 4 * ROUND_S)
        self.assertAlmostEqual(row["joules"], 4 * sum(ENERGY_J.values()))

    def test_ratio_to_central_is_of_the_seeds_of_both(self):
        runs = [self.scale(self.write(f"a-{n}", run=n), "excess_mse", 3 * n) for n in (1, 2, 3)]
        runs += [self.scale(self.write(f"b-{n}", run=n, method="central"), "excess_mse", n)
                 for n in (1, 2)]  # fmt: skip
        table = error_table(group_runs(runs), "excess_mse").set_index("method")
        self.assertAlmostEqual(table.loc["consensus", "ratio_to_central"], 3)
        self.assertAlmostEqual(table.loc["consensus", "ratio_to_central_half_width"], 0)
        self.assertAlmostEqual(table.loc["central", "ratio_to_central"], 1)

    def test_lines_against_instants_seconds_and_joules(self):
        figure = plot.belief_error(self.load("a"), "excess_mse")
        lines = [axes.lines[0] for axes in figure.axes]
        steps = np.arange(1, 5)
        for line, x in zip(lines, (steps, ROUND_S * steps, sum(ENERGY_J.values()) * steps)):
            np.testing.assert_allclose(line.get_xdata(), x)
            np.testing.assert_allclose(line.get_ydata(), 0.5 ** np.arange(4))
        self.assertEqual({axes.get_yscale() for axes in figure.axes}, {"log"})


class LongNamesTest(BeliefTestCase):
    def test_long_names_of_methods_are_folded(self):
        groups = {"independent samples of all users " * n: [self.load(f"{n}")] for n in (1, 2)}
        figure = plot.belief_error(groups, "excess_mse")
        lines = [text.get_text().splitlines() for text in figure.axes[-1].get_legend().get_texts()]
        self.assertGreater(len(lines[1]), 1)
        self.assertLessEqual(max(len(line) for text in lines for line in text), 60)


class ComplexityTest(BeliefTestCase):
    def test_least_instants_stay_good(self):
        instants = [1, 2, 5, 10, 15]
        wrong = pd.DataFrame([[1, 0, 1, 0, 0], [1, 0, 0, 0, 0]], columns=instants)
        self.assertEqual(least_instants(wrong, 0.05), 10)
        self.assertEqual(least_instants(wrong, 0.5), 2)
        self.assertEqual(least_instants(wrong, 1), 1)
        self.assertTrue(np.isnan(least_instants(pd.DataFrame(np.ones((2, 3))), 0.5)))

    def test_a_seed_counts_as_soon_as_one_user_errs(self):
        runs = [
            self.load(f"{devices}-{n}", run=n, devices=devices, design="common", topology="ring",
                      weights="uniform", delta=0.3, beliefs={"right_from": right})
            for devices, rights in ((4, (1, 1, 2)), (8, (1, 1, 1, 0)))
            for n, right in enumerate(rights, start=1)
        ]  # fmt: skip
        table = complexity_table(runs)
        self.assertEqual(list(table["devices"]), [4, 8])
        self.assertEqual(list(table["seeds"]), [3, 4])
        # One of three seeds is more than 0.3, so the slowest decides; instants begin with 1
        self.assertEqual(list(table["argmax"]), [3, 2])
        self.assertEqual(list(table["confident"]), [4, 3])
        self.assertEqual(list(table["bound"]), [1000, 1000])
        self.assertEqual(list(table["K"]), [0.25, 0.25])
        self.assertEqual(list(table["network"]), ["ring", "ring"])
        row = table.iloc[0]
        self.assertLessEqual(row["argmax_low"], row["argmax"])
        self.assertEqual(row["argmax_high"], 3)
        axes = plot.belief_complexity(runs).axes
        self.assertEqual([one.get_title(loc="left") for one in axes], ["common"])

    def test_runs_that_are_too_short_have_no_n(self):
        run = self.load("a", design="common", beliefs={"right_from": 9})
        row = complexity_table([run]).iloc[0]
        self.assertTrue(np.isnan(row["argmax"]) and np.isnan(row["confident_high"]))
        self.assertIsNotNone(plot.belief_complexity([run]))


    def test_runs_that_differ_in_anything_else_are_no_seeds_of_one_another(self):
        runs = [
            self.load(f"{loss}-{n}", run=n, loss=loss, instants=10 + n, beliefs={"right_from": 1})
            for loss in ("best-effort", "reliable")
            for n in (1, 2)
        ]
        table = complexity_table(runs)
        self.assertEqual(list(table["seeds"]), [2, 2])
        endings = [name.rpartition(", ")[2] for name in table["network"]]
        self.assertEqual(endings, ["loss best-effort", "loss reliable"])


class PlacementTest(BeliefTestCase):
    def test_hops_to_the_user_farthest_away(self):
        places = [("complete", 9, 4), ("star", 9, 0), ("star", 9, 3), ("ring", 9, 4), ("grid", 16, 0),
                  ("grid", 16, 5), ("grid", 13, 0), ("grid", 13, 6)]  # fmt: skip
        self.assertEqual([farthest(*place) for place in places], [1, 1, 2, 4, 6, 4, 12, 6])

    def test_instants_by_the_influence_of_the_witness(self):
        runs = []
        for witness, right in ((0, 0), (1, 1)):
            path = self.write(f"{witness}", design="witness", topology="star", devices=4,
                              witness=witness, beliefs={"right_from": right})  # fmt: skip
            rows = [{"quantity": "influence", "user": user, "other": -1, "value": value}
                    for user, value in enumerate((0.4, 0.2, 0.2, 0.2))]  # fmt: skip
            change_table(path, "theory", lambda theory: pd.concat([theory, pd.DataFrame(rows)]))
            runs.append(load_run(path))
        table = placement_table([*runs, self.load("common", design="common")])
        self.assertEqual(list(table["v"]), [0.4, 0.2])
        self.assertEqual(list(table["hops"]), [1, 2])
        self.assertEqual(list(table["confident"]), [2, 3])
        np.testing.assert_allclose(table["confident_v"], [0.8, 0.6])
        self.assertIsNotNone(plot.belief_placement(runs))


class RisksTest(BeliefTestCase):
    def test_sides_by_probability_of_runs_without_the_truth(self):
        runs = [self.load("right", trueProbability=0.7, beliefs={"right_from": 1})]
        for probability, printed in ((0.8, 0.08), (0.6, 0.05)):
            path = self.write(f"{probability}", trueProbability=probability,
                              beliefs={"right_from": 1})  # fmt: skip
            sides = {"risk_label": 0.1, "risk_total_variation": 0.2, "risk_printed": printed}
            rows = [{"quantity": name, "user": -1, "other": -1, "value": value}
                    for name, value in sides.items()]  # fmt: skip
            change_table(path, "theory", lambda theory: pd.concat([theory, pd.DataFrame(rows)]))
            runs.append(load_run(path))
        table = risks_table(runs)
        self.assertEqual(list(table["true_probability"]), [0.6, 0.8])
        self.assertEqual(list(table["risk_printed"]), [0.05, 0.08])
        self.assertEqual(list(table["risk_label"]), [0.1, 0.1])
        self.assertEqual(list(table["argmax"]), [2, 2])
        self.assertIsNotNone(plot.belief_risks(runs))


class DeviationsTest(BeliefTestCase):
    def test_only_of_runs_with_a_class_that_nobody_has(self):
        path = self.write("novel", method="alone")
        names = ("nll_unseen", "ece_unseen", "novelty_auroc")
        rows = [{"round": 3, "time_s": 4, "metric": name, "users": 3, "mean": 0.1 * place,
                 "least": 0, "greatest": 1} for place, name in enumerate(names, 1)]  # fmt: skip
        change_table(path, "network", lambda network: pd.concat([network, pd.DataFrame(rows)]))
        groups = group_runs([load_run(path), self.load("other")])
        table = deviations_table(groups)
        self.assertEqual(list(table["method"]), ["alone"])
        np.testing.assert_allclose(table[list(names)].iloc[0], [0.1, 0.2, 0.3])
        self.assertEqual(len(plot.belief_deviations(groups).axes), 6)
        self.assertNotIn("novelty_auroc", networks_table(group_runs([self.load("third")])))


class RatesTest(BeliefTestCase):
    def test_liars_and_what_is_learnable_do_not_count(self):
        run = self.load("a", beliefs={"rate": 0.6, "predicted": 0.5, "liars": (2,)})
        self.assertAlmostEqual(rate_measured(run), 0.6)
        self.assertAlmostEqual(rate_predicted(run), 0.5)

    def test_of_w_that_changes_the_rate_of_its_mean_is_predicted(self):
        path = self.write("a", beliefs={"predicted": 0.5})
        change_table(path, "theory", lambda theory: pd.concat([
            theory.assign(quantity=theory["quantity"].replace("predicted_rate", "mean_rate")),
            pd.DataFrame({"quantity": ["predicted_rate"], "user": -1, "other": -1, "value": np.nan}),
        ]))  # fmt: skip
        self.assertAlmostEqual(rate_predicted(load_run(path)), 0.5)

    def test_rates_of_gossip_are_by_seconds(self):
        path = self.write("a", beliefs={"rate": 0.6})
        change_table(path, "theory", lambda theory: theory.replace("nat/instant", "nat/s"))
        self.assertAlmostEqual(rate_measured(load_run(path)), 0.6 / ROUND_S)

    def test_intervals_over_seeds(self):
        runs = [self.load(f"{n}", run=n, outage=0.1, beliefs={"rate": 0.1 * n}) for n in (1, 2, 3)]
        row = rates_table(runs).iloc[0]
        self.assertAlmostEqual(row["measured"], 0.2)
        self.assertAlmostEqual(row["measured_half_width"], 0.1 * THREE, places=4)
        self.assertAlmostEqual(row["ratio"], 0.4)
        self.assertEqual((row["outage"], row["seeds"]), (0.1, 3))


class JoulesTest(BeliefTestCase):
    def test_costs_until_users_are_right_by_outage_and_policy(self):
        runs = [
            self.load(f"{loss}-{outage}-{n}", run=n, loss=loss, outage=outage,
                      beliefs={"right_from": right})
            for loss, outage, right in (("reliable", 0.1, 1), ("best-effort", 0.1, 2),
                                        ("best-effort", 0.5, 7))
            for n in (1, 2)
        ]  # fmt: skip
        table = joules_table(runs).set_index(["setting", "outage"])
        row = table.loc[("loss=best-effort", 0.1)]
        self.assertEqual((row["seeds"], row["reached"], row["instants"]), (2, 2, 3))
        self.assertAlmostEqual(row["seconds"], 3 * ROUND_S)
        self.assertAlmostEqual(row["energy_j"], 3 * sum(ENERGY_J.values()))
        self.assertAlmostEqual(row["radio_j"], 3 * (ENERGY_J["tx"] + ENERGY_J["rx"]))
        self.assertEqual(table.loc[("loss=reliable", 0.1), "instants"], 2)
        never = table.loc[("loss=best-effort", 0.5)]
        self.assertEqual(never["reached"], 0)
        self.assertTrue(np.isnan(never["seconds"]))
        self.assertIsNotNone(plot.belief_joules(runs))

    def test_what_is_computed_for_each_seed_makes_no_line_of_its_own(self):
        runs = []
        for n, asked, deadline in ((1, 0, 5.5), (2, 0, 6.5), (1, 60, 60), (2, 60, 60)):
            path = self.write(f"{asked}-{n}", run=n, deadline=deadline, beliefs={"right_from": 1})
            runs.append(load_run(change_run(path, computed={"deadline": asked})))
        table = joules_table(runs)
        self.assertEqual(dict(zip(table["setting"], table["seeds"])), {"deadline=0": 2, "deadline=60": 2})
        groups = split_by_others(runs, ())
        self.assertEqual([len(group) for group in groups.values()], [2, 2])

    def test_users_that_err_again_were_not_right(self):
        path = self.write("a", loss="reliable", beliefs={"right_from": 1})
        table = pd.read_csv(path / "network.csv")
        table.loc[(table["metric"] == "error") & (table["round"] == 2), "greatest"] = 1
        table.to_csv(path / "network.csv", index=False)
        self.assertEqual(joules_table([load_run(path)])["instants"].iloc[0], 4)

    def test_a_linear_model_has_a_level(self):
        path = self.write("a", loss="reliable")
        run = load_run(change_table(path, "network", lambda table: table[table["metric"] == "excess_mse"]))
        self.assertEqual(joules_table([run], [0.3])["instants"].iloc[0], 3)
        self.assertEqual(joules_table([run], [0.125])["instants"].iloc[0], 4)
        self.assertEqual(joules_table([run])["reached"].iloc[0], 0)


class NetworksTest(BeliefTestCase):
    def test_the_end_and_what_was_sent(self):
        run = self.load("a")
        row = networks_table(group_runs([run])).iloc[0]
        self.assertAlmostEqual(row["accuracy"], 0.3)
        self.assertAlmostEqual(row["accuracy_unseen"], 0.15)
        self.assertAlmostEqual(row["nll"], 1.7)
        self.assertTrue(np.isnan(row["accuracy_seen"]))
        self.assertAlmostEqual(row["sent_mb"], 2 * MESSAGE_BYTES / 1e6)
        figure = plot.belief_networks(run)
        self.assertEqual(len(figure.axes), 5)
        np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), 0.1 * np.arange(4))


class MaliceTest(BeliefTestCase):
    def test_no_liar_first_and_clipped_last(self):
        runs = [
            self.load(f"{lie}-{pooling}", lie=lie, malicious=liars, pooling=pooling,
                      family="discrete", beliefs={"liars": (3,) if liars != "none" else ()})
            for lie, liars in (("nan", "3"), ("wrong", "none"))
            for pooling in ("clipped", "logarithmic")
        ]  # fmt: skip
        table = malice_table(runs)
        self.assertEqual(list(table["lie"]), ["no liar"] * 2 + ["nan"] * 2)
        self.assertEqual(list(table["pooling"]), ["logarithmic", "clipped"] * 2)
        # Device n refuses n messages a round; the liar's own do not count
        self.assertEqual(list(table["refused"]), [4 * 1.5] * 2 + [4 * 1.0] * 2)
        self.assertAlmostEqual(table["excess_mse"].iloc[0], 1 / 8)
        self.assertEqual(table["error"].iloc[0], 0)
        figure = plot.belief_malice(runs)
        labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
        self.assertEqual(labels, ["no liar", "nan"])


    def test_liars_of_other_strength_are_no_seeds_of_one_another(self):
        runs = [self.load(f"{strength}", run=1, lie="wrong", malicious="3", lieStrength=strength)
                for strength in (5, 10)]  # fmt: skip
        self.assertEqual(list(malice_table(runs)["lie"]), ["wrong, lieStrength 5", "wrong, lieStrength 10"])
        runs = [self.load(f"honest-{strength}", run=strength, malicious="none", lieStrength=strength)
                for strength in (5, 10)]  # fmt: skip
        self.assertEqual(list(malice_table(runs)["seeds"]), [2])


class BeliefsTest(BeliefTestCase):
    def test_ellipses(self):
        run = self.load("a", theta="-0.3,0.5,0.8", inputRange="1,1.5", noise=0.8)
        mean, covariance = gaussian_belief(run, 2, 1)
        np.testing.assert_allclose(mean, [2, 2.1, 2.2])
        np.testing.assert_allclose(covariance, np.diag([1, 2, 0.5]))
        figure = plot.beliefs(run)
        self.assertEqual(len(figure.axes), 8)
        ellipses = figure.axes[0].patches
        self.assertEqual(len(ellipses), 3)  # after 1, 3 and 4 instants
        # 95 % of a normal point in the plane are within sqrt(-2 log 0.05) deviations
        radius = np.sqrt(-2 * np.log(0.05))
        sizes = sorted((ellipses[0].get_width(), ellipses[0].get_height()))
        np.testing.assert_allclose(sizes, [2 * radius, 4 * radius], rtol=1e-3)

    def test_an_ellipse_lies_along_its_covariance(self):
        center, width, height, angle = ellipse_of(np.zeros(2), np.array([[2.0, 1.0], [1.0, 2.0]]))
        self.assertEqual(center, (0, 0))
        self.assertAlmostEqual((height / width) ** 2, 3)
        self.assertAlmostEqual((angle + 90) % 180, 45)  # the greater variance is along the height

    def test_bands_are_of_the_noise_too(self):
        run = self.load("a", theta="-0.3,0.5,0.8", inputRange="1,1.5", noise=0.8)
        bands = plot.beliefs(run).axes[1].collections
        widths = [np.ptp(band.get_paths()[0].vertices[:, 1]) for band in bands]
        at_end = 1 + 4 / 8  # variance of intercept and feature 1 at x = 1
        self.assertGreater(widths[0], 2 * 1.96 * np.sqrt(at_end + 0.64))
        self.assertLess(widths[1], widths[0])

    def test_probabilities(self):
        path = self.write("a")
        rows = [(n, 0, f"belief_{m}", 0.1 * n if m else 1 - 0.1 * n, n)
                for n in range(4) for m in (0, 1)]  # fmt: skip
        write_table(path, "beliefs", "round,device,parameter,value,time_s", rows)
        axes = plot.beliefs(load_run(path)).axes[0]
        np.testing.assert_allclose(axes.lines[1].get_ydata(), 0.1 * np.arange(4))
