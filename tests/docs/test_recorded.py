# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that tables of the documentation are those of the runs that the repository keeps.

By default two of the tables of each reproduction; with COLLAB_NIGHTLY set all.
"""

import shlex
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "analysis"))
from folder_test_case import NIGHTLY, ROOT, FolderTestCase, UndrawnFigures, some_of

from collab.cli.main import main
from collab.sweeps import expand
from collab.sweeps.document import STANDARD
from collab.sweeps.finished.archive import SUFFIX, read
from collab.sweeps.reproduction import load_reproduction, sweeps_of

DOC = ROOT / "contrib-module" / "doc"
SCENARIOS = ROOT / "scenarios"
RECORDED = SCENARIOS / "recorded"


def write_runs(archive, folder):
    """Writes all runs of an archive, a folder each; returns their digests."""
    content = read(archive)
    for digest, files in content.items():
        for path, data in files.items():
            if path:
                (folder / digest / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / digest / path).write_bytes(data)
    return set(content)


class RecordedTest(UndrawnFigures, FolderTestCase):
    def test_tables_are_those_of_recorded_runs(self):
        archives = sorted(RECORDED.rglob(f"*{SUFFIX}"))
        self.assertTrue(archives)
        for archive in archives:
            name = str(archive.relative_to(RECORDED))[: -len(SUFFIX)]
            with self.subTest(reproduction=name):
                try:
                    self.check(load_reproduction(name, SCENARIOS), archive)
                finally:
                    shutil.rmtree(self.folder / "runs", ignore_errors=True)

    def check(self, reproduction, archive):
        """All points are there, and each table of the pages is made of them."""
        points = [point for sweep in sweeps_of(reproduction, STANDARD, SCENARIOS) for point in expand(sweep)]
        runs = write_runs(archive, self.folder / "runs")
        self.assertEqual(runs, set(points))
        results = self.folder / "results" / reproduction.name
        for command, options in some_of(reproduction.calls, 2):
            words = [*shlex.split(options.replace("--pdf", "")), "--out", results]
            words = [ROOT / word if str(word).startswith("scenarios/") else word for word in words]
            code, _, errors = self.run_command(main, command, *sorted((self.folder / "runs").iterdir()), *words)
            self.assertEqual(code, 0, errors)
        compared = 0
        tables = {page: result for page, result in reproduction.pages.items() if result.endswith("-table.csv")}
        for page, result in tables.items():
            if NIGHTLY or (results / result).exists():
                lines = [text.read_text().splitlines()[1:] for text in (DOC / page, results / result)]
                self.assertEqual(*lines, page)  # but for the line that names the commit of the analysis
                compared += 1
        self.assertGreaterEqual(compared, min(len(tables), 2))


if __name__ == "__main__":
    unittest.main()
