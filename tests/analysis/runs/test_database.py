# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the database of runs and of the command that keeps it."""

import os
import shutil
import sqlite3
from contextlib import closing
from unittest import mock

from folder_test_case import FolderTestCase, change_run, change_table

import pandas as pd
from collab import RunError, collect, load_run, load_sweep
from collab.cli.collect import main
from collab.runs import collection
from synthetic_run import convert_to_sqlite, write_bound, write_run


class DatabaseTestCase(FolderTestCase):
    """Has a sweep of four runs and its database's place."""

    def setUp(self):
        super().setUp()
        self.sweep = self.folder / "sweep"
        self.file = self.sweep / "results.sqlite"
        for trust in ("dynamic", "naive"):
            for number in (1, 2):
                path = self.sweep / f"{trust}-{number}"
                write_run(path, trust, number, 0.1 * number, maxOutage=0.4, bursts=None)

    def query(self, sql):
        with closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(sql).fetchall()

    def collect(self, **options):
        """Numbers of runs added, renewed, kept, vanished and left out."""
        report = collect([self.sweep], self.file, **options)
        lists = (report.added, report.renewed, report.kept, report.vanished, report.left_out)
        return tuple(map(len, lists))


class CollectTest(DatabaseTestCase):
    def test_holds_all_runs(self):
        self.assertEqual(self.collect(), (4, 0, 0, 0, 0))
        counts = self.query("SELECT count(*), count(DISTINCT run_id) FROM rounds")
        self.assertEqual(counts, [(64, 4)])
        self.assertEqual(
            self.query("SELECT trust, run, maxOutage FROM wide ORDER BY name"),
            [("dynamic", 1, 0.4), ("dynamic", 2, 0.4), ("naive", 1, 0.4), ("naive", 2, 0.4)],
        )
        joules = self.query("SELECT unit, meaning FROM schema WHERE \"column\" = 'tx_j'")
        self.assertEqual(joules, [("J", "of energy")])
        described = self.query('SELECT "table", "column" FROM schema')
        for (table,) in self.query("SELECT name FROM sqlite_master WHERE type = 'table'"):
            if table != "schema":
                for row in self.query(f"PRAGMA table_info({table})"):
                    self.assertIn((table, row[1]), described)

    def test_gives_back_the_runs(self):
        write_bound(self.sweep / "naive-2")
        convert_to_sqlite(self.sweep / "naive-1")
        self.collect()
        runs = {run.path.name: run for run in load_sweep(self.file).runs}
        self.assertEqual(len(runs), 4)
        for name, run in runs.items():
            original = load_run(self.sweep / name)
            self.assertEqual((run.settings, run.path), (original.settings, original.path.resolve()))
            pd.testing.assert_frame_equal(run.devices, original.devices)
            for table, rows in original.tables.items():
                pd.testing.assert_frame_equal(run.tables[table], rows, check_dtype=False)
        self.assertTrue(runs["dynamic-1"].table("bound").empty)

    def test_runs_have_no_columns_of_other_scenarios(self):
        other = change_run(self.sweep / "naive-2", scenario="other")
        names = {"accuracy_global": "accuracy"}
        change_table(other, "rounds", lambda rounds: rounds.rename(columns=names))
        table = pd.read_csv(other / "rounds.csv")
        described = (other / "columns.csv").read_text().replace("rounds,accuracy_global,", "rounds,accuracy,")
        (other / "columns.csv").write_text(described)
        self.collect()
        runs = {run.path.name: run for run in load_sweep(self.file).runs}
        self.assertEqual(set(runs["naive-2"].rounds), set(table))
        self.assertEqual(set(runs["naive-1"].rounds), set(load_run(self.sweep / "naive-1").rounds))

    def test_second_call_adds_only_what_is_new(self):
        self.collect()
        before = self.file.read_bytes()
        self.assertEqual(self.collect(), (0, 0, 4, 0, 0))
        self.assertEqual(self.file.read_bytes(), before)
        write_run(self.sweep / "local", "local", rate=0.5)
        self.assertEqual(self.collect(), (1, 0, 4, 0, 0))
        self.assertEqual(self.query("SELECT rate FROM wide WHERE trust = 'local'"), [(0.5,)])

    def test_changed_run_is_read_again(self):
        self.collect()
        shutil.rmtree(self.sweep / "naive-1")
        write_run(self.sweep / "naive-1", "naive", 1, 0.3, maxOutage=0.6)
        self.assertEqual(self.collect(), (0, 1, 3, 0, 0))
        self.assertEqual(self.query("SELECT count(*) FROM rounds"), [(64,)])
        outages = self.query("SELECT maxOutage FROM wide WHERE trust = 'naive' ORDER BY run")
        self.assertEqual(outages, [(0.6,), (0.4,)])

    def test_commits_that_leave_the_sources_do_not_make_another_run(self):
        for name, commit, sources in (("naive-1", "a", "1"), ("copy", "b", "1"), ("new", "b", "2")):
            if name != "naive-1":
                shutil.copytree(self.sweep / "naive-1", self.sweep / name)
            versions = {"collab": "0.1.0", "commit": commit, "sources": sources}
            change_run(self.sweep / name, versions=versions)
        report = collect([self.sweep], self.file)
        self.assertEqual((len(report.added), len(report.left_out)), (5, 1))
        self.assertIn("naive-1 is left out: it is the same run as", report.left_out[0])

    def test_report_beside_a_run_does_not_change_it(self):
        self.collect()
        (self.sweep / "naive-1/report.html").write_text("a report")
        self.assertEqual(self.collect(), (0, 0, 4, 0, 0))

    def test_vanished_run_stays_until_it_is_pruned(self):
        self.collect()
        shutil.rmtree(self.sweep / "naive-1")
        self.assertEqual(self.collect(), (0, 0, 3, 1, 0))
        self.assertEqual(len(load_sweep(self.file)), 4)
        self.assertEqual(self.collect(prune=True), (0, 0, 3, 1, 0))
        self.assertEqual(len(load_sweep(self.file)), 3)
        self.assertEqual(self.query("SELECT count(DISTINCT run_id) FROM messages"), [(3,)])

    def test_moved_run_is_not_there_twice(self):
        self.collect()
        os.rename(self.sweep / "naive-1", self.sweep / "moved")
        self.assertEqual(self.collect(), (1, 0, 3, 0, 0))
        shutil.copytree(self.sweep / "moved", self.sweep / "copy")
        self.assertEqual(self.collect()[0], 0)
        self.assertEqual(len(load_sweep(self.file)), 4)

    def test_database_moves_with_its_sweep(self):
        self.collect()
        self.sweep = self.sweep.rename(self.folder / "elsewhere")
        self.file = self.sweep / "results.sqlite"
        self.assertEqual(self.collect(), (0, 0, 4, 0, 0))

    def test_partial_and_damaged_runs_are_left_out_with_a_line_each(self):
        (self.sweep / "naive-1/energy.csv").unlink()
        (self.sweep / "naive-2").rename(self.sweep / "naive-2.partial")
        report = collect([self.sweep], self.file)
        self.assertEqual(len(report.added), 2)
        self.assertEqual(len(report.left_out), 2)
        self.assertIn("naive-1 is left out", report.left_out[0])
        self.assertIn("energy.csv is missing", report.left_out[0])
        self.assertIn("naive-2.partial is left out: it has not finished", report.left_out[1])

    def test_interrupted_call_leaves_whole_runs(self):
        insert, calls = collection._insert_table, []

        def interrupted(connection, run_id, name, *rest):
            calls.append(name)
            if calls.count("messages") == 3:
                raise KeyboardInterrupt
            insert(connection, run_id, name, *rest)

        with mock.patch.object(collection, "_insert_table", interrupted):
            with self.assertRaises(KeyboardInterrupt):
                self.collect()
        for table in ("runs", "rounds", "parameters", "devices"):
            found = self.query(f"SELECT count(DISTINCT run_id) FROM {table}")
            self.assertEqual(found, [(2,)], table)
        self.assertEqual(self.collect(), (2, 0, 2, 0, 0))

    def test_names_with_marks_are_no_trouble(self):
        write_run(self.sweep / "x", "local", **{"it's \"odd\"; --": "a'b", "name": "n", "run": 3})
        self.collect()
        columns = [row[1] for row in self.query("PRAGMA table_info(wide)")]
        self.assertIn("it's \"odd\"; --", columns)
        self.assertIn("parameter name", columns)


class BadDatabaseTest(DatabaseTestCase):
    def expect(self, message):
        for use in (self.collect, lambda: load_sweep(self.file)):
            with self.assertRaisesRegex(RunError, message):
                use()

    def test_damaged_file(self):
        self.collect()
        data = bytearray(self.file.read_bytes())
        data[100:9000] = b"x" * 8900
        self.file.write_bytes(data)
        self.expect("malformed; remove it and collect the runs anew")

    def test_other_schema(self):
        self.collect()
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("PRAGMA user_version = 7")
        self.expect("schema is 7; allowed: 1; remove it and collect the runs anew")

    def test_database_of_something_else(self):
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("CREATE TABLE guests (name)")
        self.expect("is not a database of runs")
        self.assertEqual(self.query("SELECT name FROM sqlite_master"), [("guests",)])

    def test_file_that_is_no_database(self):
        self.file.write_text("not a database, but a text that is long enough\n" * 10)
        with self.assertRaisesRegex(RunError, "file is not a database"):
            self.collect()
        self.assertTrue(self.file.read_text().startswith("not a database"))

    def test_empty_file_is_a_new_database(self):
        self.file.write_bytes(b"")
        self.assertEqual(self.collect()[0], 4)


class CommandTest(DatabaseTestCase):
    def test_says_what_it_did(self):
        output = self.call(main, self.sweep)
        self.assertEqual(output, f"{self.file}: runs 4 added\n")
        (self.sweep / "naive-1/energy.csv").unlink()
        shutil.rmtree(self.sweep / "naive-2")
        code, output, errors = self.run_command(main, self.sweep)
        self.assertEqual(code, 0)
        self.assertIn("runs 2 as they were, 1 vanished, 1 left out", output)
        self.assertEqual(len(errors.splitlines()), 2)

    def test_several_folders_and_another_place(self):
        folders = [self.sweep / "naive-1", self.sweep / "dynamic-1"]
        code, _, _ = self.run_command(main, *folders, "--out", self.folder / "two.sqlite")
        self.assertEqual((code, len(load_sweep(self.folder / "two.sqlite"))), (0, 2))
        self.assertFalse(self.file.exists())

    def test_mistake_is_one_line_and_exit_code_2(self):
        cases = ([], ["--fast", self.sweep], [self.folder / "none"],
                 [self.sweep, "--out", self.folder / "none/a.sqlite"])  # fmt: skip
        for arguments in cases:
            self.assert_refused("^collab collect: ", main, *arguments)
