# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of loading runs, on run folders whose numbers follow from a formula."""

import re

from folder_test_case import RunsTestCase, change_devices, change_run, change_table

import synthetic_run
from collab import RunError, find_runs, load_run
from collab.statistics.quantities import quantity
from collab.statistics.tables import summary
from collab.sweeps.finished.archive import excerpts
from collab.sweeps.finished.excerpt import Excerpt
from synthetic_run import write_death, write_run


class LoadRunTest(RunsTestCase):
    def drop(self, path, *starts):
        """Takes rows of a round and device out of rounds and energy."""
        for file in (path / "rounds.csv", path / "energy.csv"):
            lines = file.read_text().splitlines(keepends=True)
            file.write_text("".join(line for line in lines if not line.startswith(starts)))

    def test_reads_metadata_and_tables(self):
        run = load_run(write_run(self.folder / "a", run=3))
        self.assertTrue(run.finished)
        self.assertEqual((run.scenario, run.pair), ("prediction-consensus", (1, 3)))
        self.assertEqual(list(run.low_quality), [2])
        self.assertEqual(list(run.regular), [0, 1, 3])
        self.assertEqual(len(run.rounds), synthetic_run.ROUNDS * synthetic_run.DEVICES)
        self.assertEqual(len(run.messages), 2 * 4 * 3)

    def test_rejects_folder_that_is_no_run(self):
        for load in (lambda: load_run(self.folder), lambda: find_runs([self.folder])):
            with self.assertRaisesRegex(RunError, "is not a run"):
                load()
        with self.assertRaisesRegex(RunError, "is not a folder"):
            find_runs([self.folder / "absent"])

    def test_rejects_metadata_without_devices(self):
        path = change_run(write_run(self.folder / "a"), devices=None)
        with self.assertRaisesRegex(RunError, "not in it: devices"):
            load_run(path)

    def test_rejects_damaged_table_of_finished_run(self):
        path = write_run(self.folder / "a")
        text = (path / "energy.csv").read_text()
        (path / "energy.csv").write_text(text[:-3])
        with self.assertRaisesRegex(RunError, "energy.csv: the last line is cut"):
            load_run(path)
        (path / "energy.csv").write_text(text.replace("tx_j", "tx"))
        with self.assertRaisesRegex(RunError, "columns not in it: tx_j"):
            load_run(path)
        (path / "energy.csv").unlink()
        with self.assertRaisesRegex(RunError, "energy.csv is missing"):
            load_run(path)

    def test_run_of_an_older_version_has_spent_nothing_on_newer_kinds(self):
        path = write_run(self.folder / "a")
        energy = load_run(path).energy
        older = energy.drop(columns=["sleep_j", "d2s_tx_j", "d2s_rx_j"])
        older.to_csv(path / "energy.csv", index=False)
        read = load_run(path).energy
        for column in energy.columns:
            known = column in older.columns
            self.assertEqual(list(read[column]), list(energy[column] if known else 0 * energy.tx_j))

    def test_what_an_archive_left_out_is_not_zero(self):
        path = self.folder / "b"
        path.mkdir()
        keeps = {"rounds": Excerpt(("round", "device", "accuracy_global")), "messages": Excerpt()}
        for name, data in excerpts(write_run(self.folder / "a"), keeps).items():
            (path / name).write_bytes(data)
        run = load_run(path)
        self.assertEqual(run.total("energy_j").count(), 0)
        text = summary({"whole": [run]})
        self.assertIn("regular", text)
        numbers = re.findall(r"(?m)^whole .*", text)[1].split()[1:]
        self.assertEqual(set(numbers[:-1]), {"-"}, text)
        some = excerpts(self.folder / "a", {**keeps, "energy": Excerpt(("round", "device", "time_s", "tx_j"))})
        for name, data in some.items():
            (path / name).write_bytes(data)
        self.assertEqual(load_run(path).total("energy_j").count(), 0)

    def test_means_over_devices_in_an_archive_leave_means_and_totals_as_they_are(self):
        whole = write_run(self.folder / "a")
        change_table(whole, "rounds", lambda rounds: rounds.assign(
            energy_j=(rounds["round"] + 1) * 10.0 ** rounds["device"]))  # fmt: skip
        path = self.folder / "b"
        path.mkdir()
        keeps = {"rounds": Excerpt(("round", "device", "accuracy_global"), means=("energy_j",))}
        for name, data in excerpts(whole, keeps).items():
            (path / name).write_bytes(data)
        some, run = load_run(path), load_run(whole)
        self.assertEqual(list(some.total("energy_j")), [4, 40, 400, 4000])
        self.assertNotEqual(list(some.spent_by_round("energy_j")[0]), list(run.spent_by_round("energy_j")[0]))
        self.assertEqual(list(some.spent_by_round("energy_j").mean(axis=1)),
                         list(run.spent_by_round("energy_j").mean(axis=1)))  # fmt: skip

    def test_partial_run_loses_cut_line_and_begun_round(self):
        path = write_run(self.folder / "a.partial")
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        # The header, three whole rounds, three devices of the last one, and the fourth cut short
        (path / "rounds.csv").write_text("".join(lines[:16]) + lines[16][:-3])
        (path / "trust.csv").unlink()
        run = load_run(path)
        self.assertFalse(run.finished)
        self.assertEqual(len(run.rounds), 3 * synthetic_run.DEVICES)
        self.assertTrue(run.trust.empty)

    def test_partial_run_loses_all_rounds_that_a_device_has_yet_to_end(self):
        path = write_run(self.folder / "a.partial")
        self.drop(path, "2,3,", "3,2,", "3,3,")
        run = load_run(path)
        self.assertEqual(run.rounds.groupby("device")["round"].max().tolist(), [1] * 4)
        for name in ("energy", "latency"):
            self.assertEqual(run.table(name)["round"].max(), 1)
        self.assertTrue(run.messages.empty and run.trust.empty)

    def test_partial_run_of_devices_of_unequal_pace_ends_with_the_slowest(self):
        path = write_run(self.folder / "a.partial")
        self.drop(path, *(f"{number},{device}," for number in (1, 2, 3) for device in (0, 1, 2)))
        self.assertEqual(load_run(path).rounds["round"].max(), 0)
        self.drop(path, "0,2,")
        self.assertTrue(load_run(path).rounds.empty)

    def test_partial_run_goes_on_without_a_device_that_went_off(self):
        path = write_run(self.folder / "a.partial")
        write_death(path)
        # An account that is followed by none of an ended round may be of one that is not yet written
        self.assertEqual(load_run(path).rounds["round"].max(), 1)
        lines = (path / "energy.csv").read_text().splitlines(keepends=True)
        (path / "energy.csv").write_text("".join([*lines[:-2], lines[-1], lines[-2]]))
        run = load_run(path)
        self.assertEqual(run.rounds.groupby("device")["round"].max().tolist(), [3, 3, 3, 1])
        self.assertEqual(run.energy["round"].max(), 3)

    def test_rounds_end_when_those_end_them_who_are_there(self):
        whole = load_run(write_run(self.folder / "whole")).round_ends()
        left = load_run(write_death(write_run(self.folder / "left"))).round_ends()
        self.assertEqual(left.tolist(), whole.tolist())
        # Slow devices that have gone no longer count, but time goes on
        run = load_run(self.folder / "left")
        run.rounds.loc[run.rounds["device"] == 3, "end_s"] *= 100
        ends = run.round_ends()
        self.assertTrue(ends.is_monotonic_increasing)
        self.assertEqual(ends[3], ends[1])

    def test_rejects_a_row_that_is_there_twice(self):
        path = write_run(self.folder / "a")
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        (path / "rounds.csv").write_text("".join([*lines, lines[6]]))
        with self.assertRaisesRegex(RunError, "table rounds has two rows of round 1, device 1"):
            load_run(path)

    def test_regular_devices_are_not_malicious_either(self):
        path = write_run(self.folder / "a")
        run = load_run(change_devices(path, lambda device: {"malicious": device["device"] == 1}))
        self.assertEqual((list(run.malicious), list(run.regular)), ([1], [0, 3]))
        final = run.final("accuracy_reference", run.regular)
        self.assertAlmostEqual(quantity(run, "accuracy_reference"), final)
        lies = run.final("accuracy_reference", run.malicious)
        self.assertAlmostEqual(quantity(run, "accuracy_reference_malicious"), lies)
        self.assertNotEqual(lies, final)

    def test_text_is_no_measure(self):
        path = write_run(self.folder / "a")
        run = load_run(change_table(path, "rounds", lambda rounds: rounds.assign(outcome="agreed")))
        self.assertNotIn("outcome", run.metrics)
        with self.assertRaisesRegex(RunError, "column outcome of rounds is no number"):
            run.final("outcome", run.regular)

    def test_finds_each_run_once(self):
        first = write_run(self.folder / "x/a")
        second = write_run(self.folder / "x/b")
        self.assertEqual(find_runs([self.folder, first]), [first, second])

    def test_silent_device_keeps_its_last_value(self):
        path = write_run(self.folder / "a")
        lines = (path / "rounds.csv").read_text().splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("3,1,")]
        (path / "rounds.csv").write_text("".join(kept))
        accuracy = load_run(path).by_round("accuracy_reference")
        self.assertAlmostEqual(accuracy.loc[3, 1], synthetic_run.accuracy(2, 1))

    def test_trust_matrix_has_devices_as_rows_and_peers_as_columns(self):
        run = load_run(write_run(self.folder / "a"))
        self.assertEqual(run.trust_rounds(), [2, 3])
        matrix = run.trust_matrix(2)
        self.assertEqual(matrix.loc[0, 2], 0.16)
        self.assertEqual(matrix.loc[2, 0], 0.28)
        self.assertEqual(run.trust_matrix(3, "age_rounds").loc[0, 1], 1)
