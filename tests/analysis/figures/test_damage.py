# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: nightly-all
"""Figures and tables of runs that lack something end in nothing but RunError, told in one line."""

import dataclasses
import json

from folder_test_case import NIGHTLY, FolderTestCase, some_of

from collab import RunError, group_runs, load_run, summary
from collab.cli.plot import main
from collab.figures.plot import FIGURES
from collab.runs.run import check_tables, make_run, read_metadata
from collab.statistics.quantities import quantity, quantity_names
from collab.statistics.tables import outcomes
from synthetic_run import (
    write_bound,
    write_committee,
    write_consensus,
    write_run,
    write_shapes,
)


class Tables(dict):
    """The tables of a run; notes which of them are looked at."""

    def __init__(self, tables):
        super().__init__(tables)
        self.seen = set()

    def __getitem__(self, name):
        self.seen.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self.seen.add(name)
        return super().__contains__(name)


def draw(name, run):
    """Draws a figure with its table; true if it could."""
    groups = group_runs([run])
    try:
        if FIGURES[name].text:
            FIGURES[name].text(groups)
        FIGURES[name](groups)
    except RunError:
        return False
    return True


def tell(run):
    """Everything that tables and relations say of a run."""
    summary(group_runs([run]))
    outcomes(run)
    column = run.metrics[0] if run.metrics else "end_s"
    for name in quantity_names(run):
        if "LEVEL" not in name and "TABLE" not in name:
            # Some are patterns: COLUMN_all, COLUMN_after_N
            quantity(run, name.replace("COLUMN", column).replace("_N", "_1"))


class DamagedTablesTest(FolderTestCase):
    """Nightly: each column and kind of damage; otherwise a sample that differs from table to table."""

    def setUp(self):
        super().setUp()
        self.path = write_run(self.folder / "a", attack="back-gradient")
        for write in (write_bound, write_committee, write_consensus, write_shapes):
            write(self.path)
        self.metadata = read_metadata(self.path)
        self.whole = load_run(self.path)

    def readers(self):
        """The figures that look at each table, {table: names}."""
        readers = {name: [] for name in self.whole.tables}
        for name in FIGURES:
            tables = Tables(self.whole.tables)
            self.assertTrue(draw(name, dataclasses.replace(self.whole, tables=tables)), name)
            for table in tables.seen & set(readers):
                readers[table].append(name)
        return readers

    def damages(self, place, table):
        """Damaged frames and descriptions of a table, {damage: (frame, columns)}."""
        frame, described = self.whole.tables[table], self.whole.columns
        measured = [column for column in frame if column not in ("round", "device", "peer")]
        damages = {
            "without a row": (frame.iloc[:0], described),
            "without numbers": (frame.assign(**dict.fromkeys(measured, float("nan"))), described),
            "with one row": (frame.iloc[:1], described),
        }
        for column in frame:
            of_column = (described["table"] == table) & (described["column"] == column)
            damages[f"without {column}"] = frame.drop(columns=column), described[~of_column]
        if NIGHTLY:
            return damages
        column = list(frame)[(3 * place + 2) % len(frame.columns)]
        chosen = [f"without {column}", *list(damages)[:3]][place % 4]
        return {chosen: damages[chosen]}

    def load(self, table, frame, columns):
        """The run with another table; None if it is refused, or has no round and is left out."""
        tables = {**self.whole.tables, table: frame}
        try:
            check_tables(self.path, tables)
        except RunError:
            return None
        run = make_run(self.path, True, self.metadata, tables, columns)
        return None if run.rounds.empty else run

    def test_damaged_tables(self):
        checked = 0
        for place, (table, names) in enumerate(self.readers().items()):
            for damage, (frame, columns) in self.damages(place, table).items():
                if (run := self.load(table, frame, columns)) is None:
                    continue
                with self.subTest(table=table, damage=damage):
                    tell(run)
                    for name in some_of(names, 3):
                        draw(name, run)
                    checked += 1
        self.assertGreater(checked, len(self.whole.tables) / 2)


class DamagedMetadataTest(FolderTestCase):
    def test_every_key_of_run_json_missing_or_of_another_kind(self):
        path = write_run(self.folder / "a")
        whole = json.loads((path / "run.json").read_text())
        told = [{**whole, key: value} for key in whole for value in (None, 3.5, "text", [1], {})]
        told += [{name: whole[name] for name in whole if name != key} for key in whole]
        told += [{**whole, "display": display} for display in (None, 1, [], {"order": 1},
                 {"method": ["a"]}, {"measure": {}}, {"names": "a"})]  # fmt: skip
        for metadata in told:
            (path / "run.json").write_text(json.dumps(metadata))
            with self.subTest(metadata=str(metadata)[:80]):
                code, output, errors = self.run_command(
                    main, path, "--figure", "committee", "--out", self.folder / "out"
                )
                self.assertIn(code, (0, 2), errors)
                self.assertEqual(len(errors.splitlines()), 1, errors)
                self.assertTrue(errors.startswith("collab plot: "), errors)
