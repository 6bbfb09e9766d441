# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of comparisons at equal costs, against numbers worked out by hand."""

import unittest
from dataclasses import replace
from pathlib import Path


import numpy as np
import pandas as pd
from collab import RunError
from collab.runs.run import make_run
from collab.statistics.comparison.choice import budget_table, choice_table, stretches
from collab.statistics.comparison.frames import COSTS, Entry, comparison_frame, run_frame
from collab.statistics.comparison.fronts import front_table, is_on_front, leaders, mean_curves
from collab.statistics.comparison.guide import dominated, guide_table, sentences
from collab.statistics.comparison.views import (
    accuracies_at_budgets,
    accuracy_table,
    difference_table,
    end_table,
    point_table,
    rank_table,
    summary_table,
)

NAN = float("nan")
T1 = 12.706 / 2**0.5  # half width of two values by their standard deviation


def make(scenario="gossip", rounds=None, devices=None, parameters=None, **tables):
    """A run of two devices with two rounds."""
    table = pd.DataFrame({
        "round": [0, 0, 1, 1], "device": [0, 1, 0, 1], "start_s": 0.0, "end_s": [1.0, 3.0, 5.0, 7.0],
        "accuracy_global": [0.25, 0.5, 0.75, 0.5], "local_loss": [1.0, 1.0, NAN, 1.0],
        "energy_j": [2.0, 4.0, 5.0, 9.0], "bytes_sent": [10, 30, 20, 60],
        "messages_heard": 0, "messages_expected": 0, "messages_refused": 0,
    }).assign(**rounds or {})  # fmt: skip
    listed = [{"device": 0, "low_quality": False, "train_samples": 100},
              {"device": 1, "low_quality": False, "train_samples": 30}]  # fmt: skip
    for device, told in zip(listed, devices or ({}, {})):
        device.update(told)
    metadata = {"scenario": scenario, "seed": 1, "run": 1, "versions": {}, "devices": listed,
                "parameters": {"localSteps": 3, "batchSize": 64, **(parameters or {})}}  # fmt: skip
    return make_run(Path("run"), True, metadata, {"rounds": table, **tables}, pd.DataFrame(
        columns=["table", "column", "type", "unit", "meaning"]))  # fmt: skip


def without(run, *columns):
    """The run without columns of rounds."""
    return replace(run, tables={"rounds": run.tables["rounds"].drop(columns=[*columns])})


def frame_of(*curves):
    """A frame of (protocol, run number, [accuracy], [cost of all kinds]); worst is half of accuracy."""
    rows = [
        {"protocol": protocol, "place": "", "seed": 1, "run": run, "round": number,
         "accuracy": accuracy, "worst": accuracy / 2, **dict.fromkeys(COSTS, cost)}
        for protocol, run, accuracies, costs in curves
        for number, (accuracy, cost) in enumerate(zip(accuracies, costs))
    ]  # fmt: skip
    return pd.DataFrame(rows)


class FrameTest(unittest.TestCase):
    def test_means_and_costs(self):
        frame = run_frame(make())
        self.assertEqual(frame["accuracy"].tolist(), [0.375, 0.625])
        self.assertEqual(frame["worst"].tolist(), [0.25, 0.5])
        self.assertEqual(frame["joules"].tolist(), [3, 7])
        self.assertEqual(frame["seconds"].tolist(), [2, 6])
        self.assertEqual(frame["bytes"].tolist(), [20, 40])
        # Device 0: 64 + 36 and 64 again; device 1: 30 three times; device 0 does not train in round 1
        self.assertEqual(frame["samples"].tolist(), [(164 + 90) / 2, (164 + 180) / 2])

    def test_what_is_measured_now_and_then(self):
        frame = run_frame(make(rounds={"accuracy_global": [0.25, 0.5, NAN, NAN]}))
        self.assertEqual(frame["accuracy"].tolist(), [0.375, 0.375])  # at the costs of both rounds
        self.assertEqual(frame["joules"].tolist(), [3, 7])
        late = run_frame(make(rounds={"accuracy_global": [NAN, NAN, 0.75, 0.5]}))
        self.assertEqual(late[["accuracy", "joules"]].to_numpy().tolist(), [[0.625, 7]])
        never = comparison_frame([Entry("a", make(rounds={"accuracy_global": NAN}))])
        self.assertEqual((len(never), never["accuracy"].isna().all()), (1, True))

    def test_bad_and_malicious_devices_do_not_count(self):
        for bad, good in (({"low_quality": True}, {}), ({"malicious": True}, {"malicious": False})):
            frame = run_frame(make(devices=[bad, good]))
            self.assertEqual(frame["accuracy"].tolist(), [0.5, 0.5])
            self.assertEqual(frame["joules"].tolist(), [3, 7])  # but cost as others do

    def test_a_server_sends_too_and_asks_for_training(self):
        server = pd.DataFrame({"round": [0, 1], "bytes_sent": [100, 300]})
        frame = run_frame(make("federated", {"asked": [0, 1, 1, 1]}, server=server))
        self.assertEqual(frame["bytes"].tolist(), [(40 + 100) / 2, (80 + 300) / 2])
        self.assertEqual(frame["samples"].tolist(), [45, 45 + (164 + 90) / 2])

    def test_bytes_that_a_run_does_not_tell_are_not_0(self):
        self.assertTrue(run_frame(make(rounds={"bytes_sent": NAN}))["bytes"].isna().all())

    def test_what_a_server_has_sent_stays_sent(self):
        frame = run_frame(make(server=pd.DataFrame({"round": [0], "bytes_sent": [100]})))
        self.assertEqual(frame["bytes"].tolist(), [(40 + 100) / 2, (80 + 100) / 2])

    def test_what_only_rounding_tells_apart_is_equal(self):
        frames = [run_frame(make(rounds={"accuracy_global": accuracies}))
                  for accuracies in ([0.1, 0.2] * 2, [0.15, 0.15] * 2)]  # fmt: skip
        self.assertNotEqual((0.1 + 0.2) / 2, 0.15)
        pd.testing.assert_frame_equal(*(frame[["accuracy"]] for frame in frames), check_exact=True)

    def test_a_committee_measures_before_it_trains(self):
        frame = run_frame(make("committee"))
        self.assertEqual(frame["accuracy"].tolist(), [0.375, 0.625])
        self.assertEqual(frame["joules"].tolist(), [0, 3])
        self.assertEqual(frame["samples"].tolist(), [0, (164 + 90) / 2])

    def test_passes_and_steps_of_beliefs(self):
        passes = make(parameters={"localSteps": 0, "localEpochs": 2})
        self.assertEqual(run_frame(passes)["samples"].tolist(), [(200 + 60) / 2, (200 + 120) / 2])
        single = make(parameters={"algorithm": "fedsgd", "localEpochs": 2})  # one step on all samples
        self.assertEqual(run_frame(single)["samples"].tolist(), [(100 + 30) / 2, (100 + 60) / 2])
        beliefs = without(make("belief-consensus", {"accuracy": [0.25, 0.5, 0.75, 0.5]}, parameters={
            "localSteps": 0, "steps": 1}), "accuracy_global", "local_loss")  # fmt: skip
        frame = run_frame(beliefs)
        self.assertEqual(frame["accuracy"].tolist(), [0.375, 0.625])
        self.assertEqual(frame["samples"].tolist(), [47, 94])

    def test_a_run_that_does_not_tell_its_samples(self):
        run = make()
        frame = run_frame(replace(run, devices=run.devices.drop(columns="train_samples")))
        self.assertTrue(frame["samples"].isna().all())
        self.assertEqual(frame["joules"].tolist(), [3, 7])
        for left_out in ("asked", "local_loss"):
            self.assertTrue(run_frame(make(rounds={left_out: NAN}))["samples"].isna().all())
        self.assertEqual(run_frame(make("federated", {"asked": 0}))["samples"].tolist(), [0, 0])

    def test_a_run_twice(self):
        run = make()
        frame = comparison_frame([Entry("a", run), Entry("b", run), Entry("a", run, {"n": "3"})])
        self.assertEqual(frame["place"].unique().tolist(), ["", "n=3"])
        with self.assertRaisesRegex(RunError, "share protocol, point, seed"):
            comparison_frame([Entry("a", run), Entry("a", run)])
        with self.assertRaisesRegex(RunError, "rounds has none of accuracy_global, accuracy"):
            run_frame(without(run, "accuracy_global"))


    def test_runs_are_in_the_order_of_their_seeds(self):
        runs = [replace(make(), seed=seed) for seed in (3, 1, 2)]
        frame = comparison_frame([Entry(name, run) for run in runs for name in "ba"])
        self.assertEqual(frame["protocol"].unique().tolist(), ["b", "a"])
        self.assertEqual(frame["seed"].tolist(), [1, 1, 2, 2, 3, 3] * 2)

    def test_a_run_without_a_round_has_no_accuracy_and_the_last_rank(self):
        silent = replace(make(), tables={})
        frame = comparison_frame([Entry("a", silent), Entry("b", make())])
        self.assertEqual(frame["accuracy"].isna().tolist(), [True, False, False])
        ranks = rank_table(accuracies_at_budgets(frame, [1]))
        self.assertEqual(ranks["protocol"].tolist(), ["b", "a"] * 3)
        self.assertEqual(ranks["rank"].tolist(), [1, 2] * 3)
        self.assertEqual(ranks["runs"].tolist(), [1, 0] * 3)
        self.assertEqual(mean_curves(frame)["protocol"].tolist(), ["b", "b"])
        self.assertEqual(len(end_table(frame)), 0)
        none = comparison_frame([Entry("a", silent)])
        self.assertEqual(len(front_table(mean_curves(none))), 0)


class BudgetTest(unittest.TestCase):
    FRAME = frame_of(
        ("a", 1, [0.5, 0.6, 0.7], [1, 2, 3]),
        ("b", 1, [0.3, 0.5, 0.8], [2, 4, 6]),
        ("c", 1, [0.9], [9]),
    )

    def at(self, quantile, frame=None):
        """{protocol: (accuracy, ended, rank)} at a budget of joules."""
        reached = accuracies_at_budgets(self.FRAME if frame is None else frame, [quantile])
        reached = reached[reached["view"] == "joules"].set_index("protocol")
        return {name: (row["accuracy"], row["ended"], row["rank"]) for name, row in
                reached.fillna(-1).iterrows()}  # fmt: skip

    def test_the_last_measurement_within_the_budget(self):
        self.assertEqual(self.at(0), {"a": (0.7, 0, 1), "b": (0.3, 0, 2), "c": (-1, 0, 3)})
        self.assertEqual(self.at(0.25), {"a": (0.7, 1, 1), "b": (0.5, 0, 2), "c": (-1, 0, 3)})
        self.assertEqual(self.at(0.5), {"a": (0.7, 1, 2), "b": (0.8, 0, 1), "c": (-1, 0, 3)})
        self.assertEqual(self.at(1), {"a": (0.7, 1, 3), "b": (0.8, 1, 2), "c": (0.9, 0, 1)})

    def test_a_run_that_has_nearly_spent_the_budget_has_not_ended(self):
        frame = frame_of(("a", 1, [0.5], [96]), ("b", 1, [0.6], [94]), ("c", 1, [0.7], [100]))
        self.assertEqual({name: row[1] for name, row in self.at(1, frame).items()},
                         {"a": 0, "b": 1, "c": 0})  # fmt: skip

    def test_budgets_are_those_of_the_seed(self):
        frame = frame_of(
            ("a", 1, [0.1, 0.2], [1, 2]), ("b", 1, [0.3], [2]),
            ("a", 2, [0.4, 0.5], [10, 20]), ("b", 2, [0.6], [20]),
        )  # fmt: skip
        reached = accuracies_at_budgets(frame, [0.5])
        budgets = reached[reached["view"] == "samples"].groupby("run")["budget"].unique()
        self.assertEqual({run: list(values) for run, values in budgets.items()}, {1: [2], 2: [20]})
        ranks = rank_table(reached)
        self.assertEqual(ranks["budget"].unique().tolist(), [11])

    def test_summary_has_all_views_of_one_quantile(self):
        ranks = rank_table(accuracies_at_budgets(self.FRAME, [0, 0.5]))
        table = summary_table(ranks, 0.5).set_index("protocol")
        self.assertEqual(list(table.index)[-1], "c")  # no measurement within the budget
        middle = ranks[(ranks["quantile"] == 0.5) & (ranks["view"] == "seconds")]
        for _, row in middle.iterrows():
            told = table.loc[row["protocol"]]
            self.assertEqual(told["seconds_rank"], row["rank"])
            np.testing.assert_equal(told["seconds_accuracy"], row["accuracy"])

    def test_summary_says_of_how_many_runs_means_are(self):
        frame = frame_of(("a", 1, [0.5], [1]), ("a", 2, [0.7], [1]), ("b", 1, [0.4], [9]), ("b", 2, [0.6], [1]))
        reached = accuracies_at_budgets(frame, [0])
        table = summary_table(rank_table(reached), 0).set_index("protocol")
        self.assertEqual(table["joules_accuracy"]["b"], 0.6)
        self.assertEqual(table["joules_accuracy_present"].fillna("").to_dict(), {"a": "", "b": "1 of 2 runs"})

    def test_ties_share_a_rank_and_a_seed_that_one_lacks_has_none(self):
        frame = frame_of(
            ("a", 1, [0.5], [1]), ("b", 1, [0.5], [1]), ("c", 1, [0.2], [1]),
            ("a", 2, [0.5], [1]), ("b", 2, [0.9], [1]), ("c", 2, [0.2], [1]),
            ("a", 3, [0.1], [1]), ("b", 3, [0.0], [1]),
        )  # fmt: skip
        ranks = rank_table(accuracies_at_budgets(frame, [0.5]))
        ranks = ranks[ranks["view"] == "seconds"]
        self.assertEqual(ranks["protocol"].tolist(), ["b", "a", "c"])
        self.assertEqual(ranks["rank"].tolist(), [1.25, 1.75, 3])
        deviation = np.std([1.5, 2], ddof=1)
        self.assertAlmostEqual(ranks.iloc[1]["rank_half_width"], T1 * deviation)
        self.assertEqual(ranks["runs"].tolist(), [3, 3, 2])
        self.assertAlmostEqual(ranks.iloc[0]["accuracy"], 1.4 / 3)
        self.assertEqual(ranks.iloc[2]["worst"], 0.1)
        self.assertEqual(ranks["rank_present"].fillna("").tolist(), ["2 of 3 runs"] * 2 + [""])
        self.assertEqual(ranks["row"].tolist(), ["R4", "R5", "R6"])


class DifferenceTest(unittest.TestCase):
    FRAME = frame_of(
        ("a", 1, [0.5], [1]), ("a", 2, [0.5], [2]), ("b", 1, [0.7], [4]), ("b", 2, [0.9], [4]),
    )  # fmt: skip

    def test_pairs_of_the_same_seed(self):
        table = difference_table(accuracies_at_budgets(self.FRAME, [1]))
        row = table[table["view"] == "joules"].iloc[0]
        self.assertEqual((row["better"], row["worse"], row["pairs"], row["row"]), ("b", "a", 2, "D1"))
        self.assertAlmostEqual(row["difference"], 0.3)
        self.assertAlmostEqual(row["difference_half_width"], T1 * 0.2 / 2**0.5)
        self.assertEqual(row["ended"], 1)  # of a, with 1 and 2 of 4

    def test_no_pair_without_a_measurement(self):
        table = difference_table(accuracies_at_budgets(self.FRAME, [0]))
        self.assertEqual(len(table), 0)

    def test_ends(self):
        row = end_table(self.FRAME).iloc[0]
        self.assertEqual((row["better"], row["worse"], row["pairs"]), ("b", "a", 2))
        self.assertAlmostEqual(row["joules"], 2.5)
        self.assertAlmostEqual(row["joules_half_width"], T1 * 1 / 2**0.5)
        self.assertAlmostEqual(row["joules_ratio"], 4 / 1.5)

    def test_ends_say_of_how_many_pairs_a_cost_is(self):
        row = end_table(self.FRAME.assign(samples=[1, NAN, 4, 4])).iloc[0]
        self.assertEqual((row["pairs"], row["samples"]), (2, 3))
        self.assertEqual(row["samples_present"], "1 of 2 runs")
        self.assertNotIn("joules_present", row)

    def test_curves_have_no_mean_of_a_cost_that_a_run_lacks(self):
        curves = mean_curves(self.FRAME.assign(samples=[1, NAN, 4, 4])).set_index("protocol")
        np.testing.assert_equal(curves["samples"].to_dict(), {"a": NAN, "b": 4})

    def test_ends_of_a_seed_that_one_lacks_do_not_count(self):
        alone = frame_of(("a", 3, [0.1], [90]), ("a", 4, [0.1], [90]), ("b", 5, [0.1], [90]))
        table = end_table(pd.concat([self.FRAME, alone]))
        pd.testing.assert_frame_equal(table, end_table(self.FRAME))
        self.assertEqual(table["pairs"].tolist(), [2])


class LeadersTest(unittest.TestCase):
    CURVES = mean_curves(frame_of(
        ("never", 1, [0.1, 0.2], [10, 100]),  # below all
        ("late", 1, [0.4, 0.9], [100, 1000]),
        ("first", 1, [0.2, 0.3], [1, 50]),  # one and a half decades and a third more
        ("between", 1, [0.5, 0.6], [80, 200]),
    ))  # fmt: skip

    def test_who_has_most_decades_of_the_front(self):
        self.assertEqual(leaders(self.CURVES, ["joules"], 1), ["first"])
        self.assertEqual(leaders(self.CURVES, ["joules"], 2), ["first", "between"])

    def test_then_who_is_most_accurate(self):
        self.assertEqual(leaders(self.CURVES, ["joules"], 3), ["late", "first", "between"])
        self.assertEqual(leaders(self.CURVES, ["joules"], 9), ["never", "late", "first", "between"])


class PointTest(unittest.TestCase):
    def test_the_best_point_of_each_protocol(self):
        frames = [
            frame_of(("a", 1, [0.1, 0.5], [1, 3]), ("a", 2, [0.2, 0.3], [1, 5]),
                     ("b", 1, [0.6], [1])).assign(place="n=1"),
            frame_of(("a", 1, [0.1, 0.4], [1, 3]), ("a", 2, [0.9, 0.5], [1, 5]),
                     ("b", 1, [0.6], [1])).assign(place="n=2"),
        ]  # fmt: skip
        table = point_table(pd.concat(frames))
        told = table[["protocol", "place", "runs", "best", "joules"]].to_numpy().tolist()
        self.assertEqual(told, [["a", "n=1", 2, 0, 4], ["a", "n=2", 2, 1, 4],
                                ["b", "n=1", 1, 1, 1], ["b", "n=2", 1, 0, 1]])  # fmt: skip
        self.assertAlmostEqual(table["accuracy"][0], 0.4)
        self.assertAlmostEqual(table["accuracy_half_width"][0], T1 * 0.2 / 2**0.5)
        crosswise = accuracy_table(table)
        self.assertEqual(list(crosswise)[::2], ["protocol", "n=1_half_width", "n=2_half_width"])
        np.testing.assert_allclose(crosswise["n=2"], [0.45, 0.6])

    def test_a_mean_is_of_all_runs_or_none(self):
        table = point_table(frame_of(("a", 1, [0.5], [1]), ("a", 2, [NAN], [3])).assign(place=""))
        self.assertTrue(np.isnan(table["accuracy"][0]))
        self.assertEqual((table["runs"][0], table["joules"][0]), (2, 2))

    def test_a_place_without_accuracy_is_not_the_best(self):
        none, some = (frame_of(("a", 1, [accuracy], [1])).assign(place=f"{accuracy}")
                      for accuracy in (NAN, 0.4))  # fmt: skip
        for frames in ([none, some], [some, none]):
            table = point_table(pd.concat(frames))
            self.assertEqual(table[table["best"] == 1]["place"].tolist(), ["0.4"])


class FrontTest(unittest.TestCase):
    def test_what_no_other_point_dominates(self):
        costs = [1, 2, 3, 3, 4, 5, 5]
        values = [0.3, 0.2, 0.5, 0.4, 0.5, 0.6, 0.6]
        self.assertEqual(is_on_front(costs, values).tolist(),
                         [True, False, True, False, False, True, True])  # fmt: skip

    def test_stretches_of_protocols(self):
        frame = frame_of(
            ("a", 1, [0.2, 0.4, 0.5], [1, 2, 9]), ("b", 1, [0.3, 0.6, 0.9], [2, 4, 6]),
        )  # fmt: skip
        table = front_table(mean_curves(frame), ["joules"])
        told = table[["protocol", "from", "to", "lowest", "highest"]].to_numpy().tolist()
        self.assertEqual(told, [["a", 1, 2, 0.2, 0.4], ["b", 4, 6, 0.6, 0.9]])

    def test_curves_are_means_over_runs_that_have_the_round(self):
        frame = frame_of(("a", 1, [0.2, 0.4], [1, 2]), ("a", 2, [0.4], [3]))
        curves = mean_curves(frame)
        self.assertEqual(len(curves), 1)
        self.assertAlmostEqual(curves.iloc[0]["accuracy"], 0.3)
        self.assertAlmostEqual(curves.iloc[0]["accuracy_half_width"], T1 * 0.2 / 2**0.5)
        self.assertEqual(curves.iloc[0]["joules"], 2)


class ChoiceTest(unittest.TestCase):
    # The same two runs of each: b is better by 0.1 and by 0.3, c by 0.2 both times, and from cost 4 on
    FRAME = frame_of(
        ("a", 1, [0.4, 0.5], [1, 2]), ("a", 2, [0.4, 0.5], [1.5, 2]),
        ("b", 1, [0.6], [2]), ("b", 2, [0.8], [2]),
        ("c", 1, [0.7], [4]), ("c", 2, [0.7], [45]),
    )  # fmt: skip

    def table(self, frame=None):
        return choice_table(self.FRAME if frame is None else frame, ["joules"])

    def test_best_and_as_good_within_each_budget(self):
        table = self.table()
        # All runs of a have a measurement from 1.5 on, and no run spends more than 45
        self.assertEqual(table["budget"].tolist(), [2, 5, 10, 20, 50])
        self.assertEqual(table["row"].tolist(), ["C1", "C2", "C3", "C4", "C5"])
        # b is better than a by 0.2 on average, but two runs leave 0 in the interval
        self.assertEqual(table["as_good"].tolist(), ["b, a"] * 4 + ["b, c, a"])
        np.testing.assert_allclose(table["accuracy"], 0.7)
        np.testing.assert_allclose(table["accuracy_half_width"], T1 * 0.2 / 2**0.5)
        self.assertEqual(table["runs"].tolist(), [2] * 5)

    def test_what_is_surely_worse_is_not_as_good(self):
        table = self.table(frame_of(
            ("a", 1, [0.4], [1]), ("a", 2, [0.5], [1]), ("b", 1, [0.6], [2]), ("b", 2, [0.7], [2]),
        ))  # fmt: skip
        self.assertEqual(table["as_good"].tolist(), ["a", "b"])  # always 0.2 better from 2 on
        once = self.table(frame_of(("a", 1, [0.4], [1]), ("b", 1, [0.6], [1])))
        self.assertEqual(once["as_good"].tolist(), ["b, a"])  # one pair says nothing

    def test_the_best_is_so_on_average(self):
        table = self.table(frame_of(
            *(("a", run, [0.5], [1]) for run in (1, 2, 3)),
            *(("b", run, [accuracy], [1]) for run, accuracy in ((1, 0.4), (2, 0.4), (3, 0.9))),
        ))  # fmt: skip
        self.assertEqual(table["as_good"].tolist(), ["b, a"])
        self.assertAlmostEqual(table["accuracy"][0], 1.7 / 3)

    def test_reached_is_what_was_measured_last(self):
        table = self.table(frame_of(("a", 1, [0.5, 0.3], [1, 2])))
        self.assertEqual(table[["budget", "accuracy"]].to_numpy().tolist(), [[1, 0.5], [2, 0.3]])

    def test_budgets_are_round_numbers_over_decades(self):
        table = self.table(frame_of(("a", 1, [0.1, 0.2, 0.3], [0.0, 0.03, 70.0])))
        self.assertEqual(table["budget"].tolist(),
                         [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100])  # fmt: skip
        self.assertEqual(table["accuracy"].tolist(), [0.2] * 10 + [0.3])
        self.assertEqual(len(self.table(frame_of(("a", 1, [0.1], [0])))), 0)

    def test_what_is_reached_for_powers_of_ten(self):
        table = budget_table(self.FRAME, decades=2)  # the greatest cost is 45
        told = table[["budget", "protocol", "accuracy"]].round(9).to_numpy().tolist()
        self.assertEqual(sorted(told), [[10, "a", 0.5], [10, "b", 0.7]])  # a's second run costs 1.5 at first, c's 45
        np.testing.assert_allclose(table["accuracy_half_width"], [0, T1 * 0.2 / 2**0.5], atol=1e-12)
        self.assertEqual(len(budget_table(frame_of(("a", 1, [0.1], [0])))), 3)

    def test_stretches_are_as_long_as_one_stays_as_good(self):
        table = self.table()
        ((place, cost, found),) = stretches(table)
        self.assertEqual((place, cost), ("", "joules"))
        self.assertEqual([(names, [row.row for row in rows]) for names, rows in found],
                         [(["b", "a"], ["C1", "C2", "C3", "C4", "C5"])])  # fmt: skip
        table["as_good"] = ["a, b", "b, a", "c, b", "c", "d, c"]
        ((_, _, found),) = stretches(table)
        self.assertEqual([(names, len(rows)) for names, rows in found], [(["b"], 3), (["c"], 2)])
        self.assertEqual(list(stretches(table.head(0))), [])


class GuideTest(unittest.TestCase):
    @staticmethod
    def choice(number, budget, as_good, accuracy=0.5, cost="joules", place=""):
        return {"row": f"C{number}", "place": place, "cost": cost, "budget": budget, "runs": 2,
                "accuracy": accuracy, "as_good": as_good}  # fmt: skip

    @staticmethod
    def end(accuracy, half_width, joules, joules_half_width, ratio):
        costs = {}
        for cost in COSTS:
            costs.update({cost: 1.0, f"{cost}_half_width": 0.1, f"{cost}_ratio": 2.0})
        costs.update(joules=joules, joules_half_width=joules_half_width, joules_ratio=ratio)
        return {"row": "E1", "place": "", "better": "a", "worse": "b", "accuracy": accuracy,
                "accuracy_half_width": half_width, **costs}  # fmt: skip

    def guide(self, choices=(), ends=()):
        return sentences(guide_table(pd.DataFrame(list(choices)), pd.DataFrame(list(ends))))

    def test_what_to_choose_for_each_cost(self):
        told = self.guide([
            self.choice(1, 5.0, "a"), self.choice(2, 10.0, "a, b", 0.612),
            self.choice(3, 20.0, "c, d, e", 0.7), self.choice(4, 50.0, "f", 0.75),
            self.choice(5, 2e4, "a", cost="bytes"), self.choice(6, 1e6, "b", cost="bytes"),
            self.choice(7, 10.0, "a", cost="seconds", place="n=3"),
        ])  # fmt: skip
        self.assertEqual(told, [
            "By energy: up to 10 J a (0.612; C1 to C2), at 20 J c, d or e (0.7; C3), from 50 J on f (0.75;"
            " C4).",
            "By traffic: up to 20 kB a (0.5; C5), from 1 MB on b (0.5; C6).",
            "With n=3, by time: whatever is spent, a (0.5; C7).",
        ])  # fmt: skip
        self.assertEqual(self.guide(), [])

    def test_a_number_has_the_name_of_who_reached_it(self):
        told = self.guide([self.choice(1, 5.0, "b, a", 0.4), self.choice(2, 10.0, "c, a, b", 0.8)])
        self.assertEqual(told, ["By energy: whatever is spent, a or b (c: 0.8; C1 to C2)."])

    def test_less_of_a_cost_and_more_accurate(self):
        told = self.guide(ends=[self.end(0.1, 0.02, -5.0, 1.0, 0.5)])
        self.assertEqual(told, ["Over whole runs a took less energy (5 +- 1 J) than b and was more"
                                " accurate (+0.1 +- 0.02; E1)."])  # fmt: skip
        self.assertEqual(dominated(pd.DataFrame([self.end(0.1, 0.02, -5.0, 1.0, 0.5)]))["row"].tolist(), ["E1"])
        swept = [self.choice(1, 5.0, "a", place="n=1"), self.choice(2, 5.0, "a", place="n=2")]
        told = self.guide(swept, [self.end(0.1, 0.02, -5.0, 1.0, 0.5)])
        self.assertEqual([sentence[:8] for sentence in told], ["With n=1", "With n=2"])
        for unsure in (self.end(0.1, 0.1, -5.0, 1.0, 0.5), self.end(0.1, 0.02, -5.0, 5.0, 0.5),
                       self.end(0.1, 0.02, -5.0, 1.0, 0.95), self.end(0.1, NAN, -5.0, NAN, 0.5)):  # fmt: skip
            self.assertEqual(self.guide(ends=[unsure]), [])
