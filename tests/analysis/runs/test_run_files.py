# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of reading run folders: both recorders, older versions, damage."""

import sqlite3
import warnings
from contextlib import closing

from folder_test_case import FolderTestCase, change_run, change_table

import pandas as pd
from collab import RunError, find_runs, load_run, load_sweep
from synthetic_run import convert_to_sqlite, write_committee, write_run, write_table


class RecorderTest(FolderTestCase):
    def test_both_recorders_give_the_same_run(self):
        for trust in ("dynamic", "local"):  # local has no message and no trust
            csv = load_run(write_run(self.folder / f"{trust}-csv", trust))
            sqlite = load_run(convert_to_sqlite(write_run(self.folder / f"{trust}-sqlite", trust)))
            self.assertEqual(set(csv.tables), set(sqlite.tables))
            for name, table in csv.tables.items():
                pd.testing.assert_frame_equal(table, sqlite.tables[name], check_dtype=False)
            pd.testing.assert_frame_equal(csv.columns, sqlite.columns)

    def test_units_come_from_the_run(self):
        columns = load_run(write_run(self.folder / "a")).columns
        row = columns[(columns["table"] == "energy") & (columns["column"] == "tx_j")].iloc[0]
        self.assertEqual((row["unit"], row["meaning"]), ("J", "of energy"))

    def test_further_tables_are_read(self):
        path = write_run(self.folder / "a")
        write_committee(path)
        self.assertEqual(len(load_run(path).table("committee")), 10)
        with self.assertRaisesRegex(RunError, "has no table votes; it has: adversaries, clients"):
            load_run(path).table("votes")

    def test_a_long_table_may_have_texts_at_its_end_only(self):
        path = write_run(self.folder / "a")
        rows = ((n, "" if n < 400_000 else "outage") for n in range(400_001))
        write_table(path, "further", "place,reason", rows)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            table = load_run(path).table("further")
        self.assertEqual(table["reason"].dropna().tolist(), ["outage"])

    def test_half_written_sqlite_file_of_a_killed_run(self):
        path = convert_to_sqlite(write_run(self.folder / "a.partial"))
        with closing(sqlite3.connect(path / "run.sqlite")) as database, database:
            database.execute("DELETE FROM rounds WHERE round = 3 AND device > 1")
            database.execute("DROP TABLE trust")
        run = load_run(path)
        self.assertEqual(run.rounds["round"].max(), 2)
        self.assertTrue(run.trust.empty)
        (path / "run.sqlite").write_bytes(b"")  # killed before its first round
        self.assertTrue(load_run(path).rounds.empty)


class OlderRunTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.path = write_run(self.folder / "a")
        (self.path / "columns.csv").unlink()

    def test_run_without_description_of_its_columns(self):
        run = load_run(self.path)
        self.assertEqual(len(run.rounds), 16)
        self.assertEqual(set(run.columns["table"]), set(run.tables))

    def test_lost_fragments_of_an_older_run_are_unknown(self):
        change_table(self.path, "messages", lambda messages: messages.drop(columns="lost_fragments"))
        self.assertTrue(load_run(self.path).messages["lost_fragments"].isna().all())

    def test_devices_of_a_run_may_lack_a_quality(self):
        run = load_run(change_run(self.path, devices=[{"device": number} for number in range(4)]))
        self.assertEqual((len(run.low_quality), len(run.regular)), (0, 4))

    def test_other_schema_is_named(self):
        for schema in (0, 2):
            change_run(self.path, schema=schema)
            with self.assertRaisesRegex(RunError, f"schema is {schema}; allowed: 1"):
                load_run(self.path)


class DamageTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.path = write_run(self.folder / "a")

    def damage(self, name, old, new):
        file = self.path / name
        text = file.read_text()
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1))

    def expect(self, message):
        with self.assertRaisesRegex(RunError, message):
            load_run(self.path)

    def test_text_in_place_of_a_number(self):
        self.damage("energy.csv", "0,0,10.0,1.0", "0,0,10.0,1.x")
        self.expect("energy.csv: column tx_j: '1.x' in row 1 is no number")

    def test_whole_number_that_is_missing(self):
        rows = [("rounds", "round", "integer", "", ""), ("rounds", "device", "integer", "", "")]
        write_table(self.path, "columns", "table,column,type,unit,meaning", rows)
        self.damage("rounds.csv", "\n1,0,", "\n1,,")
        self.expect("rounds.csv: column device: no number in row 5")

    def test_row_with_too_many_cells(self):
        self.damage("latency.csv", "0,0,train", "0,0,train,train")
        self.damage("latency.csv", "0,1,train", "0,1,train,train,train")
        self.expect("latency.csv: ")

    def test_binary_rubbish(self):
        (self.path / "latency.csv").write_bytes(b"\xff\xfe\x00" * 100)
        self.expect("latency.csv: ")
        convert_to_sqlite(write_run(self.folder / "b"))
        file = self.folder / "b/run.sqlite"
        file.write_bytes(file.read_bytes()[:3000])
        with self.assertRaisesRegex(RunError, "run.sqlite: "):
            load_run(self.folder / "b")
        file.write_bytes(b"rubbish" * 1000)
        with self.assertRaisesRegex(RunError, "run.sqlite: file is not a database"):
            load_run(self.folder / "b")

    def test_damaged_metadata(self):
        for text in ("", "{", "[1]", '{"schema": 1, "scenario": "a"}'):
            (self.path / "run.json").write_text(text)
            self.expect("run.json: ")

    def test_sqlite_file_without_a_table(self):
        convert_to_sqlite(self.path)
        with closing(sqlite3.connect(self.path / "run.sqlite")) as database, database:
            database.execute("DROP TABLE energy")
        self.expect("run.sqlite: table energy is missing")

    def test_sweep_leaves_out_what_cannot_be_read(self):
        write_run(self.folder / "b", "naive")
        write_run(self.folder / "c.partial", "local")
        write_run(self.folder / "failed/d", "local")
        (self.path / "energy.csv").unlink()
        sweep = load_sweep(self.folder)
        self.assertEqual([run.path.name for run in sweep.runs], ["b"])
        self.assertEqual(len(sweep.left_out), 2)
        self.assertIn("a is left out", sweep.left_out[0])
        self.assertIn("energy.csv is missing", sweep.left_out[0])
        self.assertIn("c.partial is left out: it has not finished", sweep.left_out[1])
        self.assertEqual(find_runs([self.folder / "failed"]), [self.folder / "failed/d"])
