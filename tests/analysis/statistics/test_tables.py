# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the tables that compare methods, on runs whose numbers follow from a formula."""

import json
import shutil

from folder_test_case import RunsTestCase, change_run, change_table

import numpy as np
import pandas as pd
from collab import RunError, load_run, paired_differences, summary
from collab.statistics.costs import went_off
from collab.statistics.ends import end_table
from collab.statistics.tables import pairs_of
from synthetic_run import write_closing, write_death, write_run


class TablesTest(RunsTestCase):
    def test_methods_are_ordered_and_named_by_what_differs(self):
        for name, trust, rate in (("a", "local", 1), ("b", "naive", 2), ("c", "naive", 1)):
            write_run(self.folder / name, trust, rate=rate, runDir=name)
        labels = ["naive, rate=1", "naive, rate=2", "local, rate=1"]
        self.assertEqual(list(self.load_groups()), labels)

    def test_rejects_the_same_run_twice(self):
        write_run(self.folder / "a")
        write_run(self.folder / "b")
        with self.assertRaisesRegex(RunError, "share method, seed and run number"):
            self.load_groups()

    def test_summary_of_one_run(self):
        write_run(self.folder / "dynamic")
        write_run(self.folder / "local", "local")
        accuracy, cost, others = self.rows(summary(self.load_groups()), "dynamic")
        # Devices 0, 1, 3 in round 3: 0.7 + (0 + 0.01 + 0.03) / 3; device 2: 0.7 + 0.02 - 0.2
        self.assertEqual(accuracy, ["0.713", "0.663", "0.613", "0.520", "0.470", "0.420"])
        seconds, joules, kinds = ["10.00", "40.00"], ["5.625", "22.50"], "16.00 8.000 4.000 48.00"
        # 2 of 4 rounds send 1600 B a device; 1 of 12 receivers misses its message
        self.assertEqual(cost, [*seconds, *joules, *kinds.split(), "0.8000", "8.333"])
        self.assertEqual(others, ["2.000", "12.00"])  # asleep and to the server; nothing from it
        self.assertEqual(self.rows(summary(self.load_groups()), "local")[1][-2:], ["0", "-"])

    def test_messages_heard_of_those_expected(self):
        heard = {"dynamic": (3, 1), "naive": (0, 0)}
        for name, (first, others) in heard.items():
            path = write_run(self.folder / name, name)
            rounds = pd.read_csv(path / "rounds.csv")
            rounds["messages_expected"] = 4 * rounds["round"]
            rounds.loc[rounds["device"] == 0, "messages_expected"] *= 2
            rounds["messages_heard"] = others * (rounds["round"] > 0)
            rounds.loc[rounds["device"] == 0, "messages_heard"] *= first
            rounds.to_csv(path / "rounds.csv", index=False)
        text = summary(self.load_groups())
        # Rounds 1 to 3: device 0 hears 3 of 8, 16 and 24 messages, each other one 1 of 4, 8 and 12
        self.assertEqual(self.rows(text, "dynamic")[1][-1], "15.00")
        self.assertEqual(self.rows(text, "naive")[1][-1], "0")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        for name in heard:
            shutil.rmtree(self.folder / name)
        write_run(self.folder / "dynamic", "dynamic")
        self.assertNotIn("heard", summary(self.load_groups()))

    def test_what_devices_that_went_off_were_to_hear_is_not_in_what_was_heard(self):
        for changes in ([write_death], [write_death, write_closing]):
            with self.subTest(changes):
                path = write_run(self.folder / "dynamic")
                for change in changes:
                    change(path)
                self.assertNotIn("went off", summary(self.load_groups()))  # it says nothing of hearing
                change_table(path, "rounds", lambda rounds: rounds.assign(
                    messages_expected=3, messages_heard=3))  # fmt: skip
                text = summary(self.load_groups())
                self.assertIn("\ndevices that went off: 1; unlike lost, heard of expected is", text)
                self.assertEqual(self.rows(text, "dynamic")[1][-2:], ["8.333", "100.0"])
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
                shutil.rmtree(path)
        write_closing(write_run(self.folder / "dynamic"))
        self.assertEqual(list(went_off(load_run(self.folder / "dynamic"))), [])

    def test_summary_fits_the_screen(self):
        self.write_pairs([0.01, 0.02, 0.03])
        groups = self.load_groups()
        for text in (summary(groups), paired_differences(groups)):
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_heading_is_of_all_runs(self):
        write_run(self.folder / "a")
        heading = summary(self.load_groups()).splitlines()[0]
        self.assertEqual(heading, "prediction-consensus: 4 devices, 4 rounds; low quality: devices 2")
        small = write_run(self.folder / "b", "naive")
        devices = json.loads((small / "run.json").read_text())["devices"]
        change_run(small, devices=devices[:2])
        change_table(small, "rounds", lambda told: told[(told["round"] < 3) & (told["device"] < 2)])
        heading = summary(self.load_groups()).splitlines()[0]
        self.assertEqual(heading, "prediction-consensus: 2 to 4 devices, 3 to 4 rounds; "
                         "low quality: devices differ between runs")  # fmt: skip

    def test_summary_says_which_run_is_not_finished(self):
        path = write_run(self.folder / "dynamic.partial")
        self.assertIn(f"not finished: {path}", summary(self.load_groups()))

    def test_paired_differences_ignore_what_pairs_share(self):
        self.write_pairs([0.01, 0.02, 0.03])
        text = paired_differences(self.load_groups())
        row = next(line for line in text.splitlines() if line.startswith("dynamic - naive"))
        # Mean 0.02, standard deviation 0.01, t = 4.303: the runs' own differences do not widen it
        self.assertEqual(row.split()[3:7], ["3", "+0.020", "+-", "0.025"])

    def test_pairs_are_of_the_same_run_number_whoever_lacks_one(self):
        self.write_pairs([0.01, 0.02, 0.03, 0.04])
        shutil.rmtree(self.folder / "run-1/naive")
        shutil.rmtree(self.folder / "run-4/dynamic")
        groups = self.load_groups()
        pairs = pairs_of(groups["dynamic"], groups["naive"])
        self.assertEqual([(a.run, b.run) for a, b in pairs], [(2, 2), (3, 3)])
        row = paired_differences(groups).splitlines()[-1]
        # 0.02 and 0.03: t(1) s / sqrt(2)
        self.assertEqual(row.split()[3:7], ["2", "+0.025", "+-", "0.064"])
        row = end_table(groups, paired=True).iloc[0]
        self.assertEqual(row["pairs"], 2)
        self.assertAlmostEqual(row["accuracy_reference"], 0.025)

    def test_a_mean_is_of_all_runs_or_none(self):
        self.write_pairs([0.01, 0.02])
        file = self.folder / "run-2/naive/rounds.csv"
        lines = file.read_text().splitlines()
        place = lines[0].split(",").index("accuracy_reference")
        cells = [line.split(",") for line in lines[1:]]
        for row in cells:
            row[place] = "nan" if row[0] == "3" else row[place]  # at the end
        lines[1:] = map(",".join, cells)
        file.write_text("\n".join(lines) + "\n")
        table = end_table(self.load_groups()).set_index("method")
        self.assertTrue(np.isfinite(table["accuracy_reference"]["dynamic"]))
        self.assertTrue(np.isnan(table["accuracy_reference"]["naive"]))
        self.assertEqual(table["runs"]["naive"], 2)
        self.assertTrue(np.isfinite(table["joules"]["naive"]))

    def test_no_paired_differences_of_a_single_run(self):
        self.write_pairs([0.01])
        self.assertEqual(paired_differences(self.load_groups()), "")

    @staticmethod
    def rows(text, label):
        """The numbers in the rows of a method."""
        return [line.split()[1:] for line in text.splitlines() if line.split()[:1] == [label]]
