# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that tables of the documentation are those of the runs that the repository keeps.

All archives have the points of their sweeps, made by the commits that the tables name. By default two of
the tables of some small archives are drawn again; with COLLAB_NIGHTLY set all of all.
"""

import json
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
from collab.sweeps.finished.kept import list_results
from collab.sweeps.reproduction import load_reproduction, sweeps_of

DOC = ROOT / "contrib-module" / "doc"
SCENARIOS = ROOT / "scenarios"
RECORDED = SCENARIOS / "recorded"
DRAWN = 8  # archives
SMALL = 800_000  # bytes of an archive


def write_runs(archive, folder):
    """Writes all runs of an archive, a folder each."""
    for digest, files in read(archive).items():
        for path, data in files.items():
            if path:
                (folder / digest / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / digest / path).write_bytes(data)


class RecordedTest(UndrawnFigures, FolderTestCase):
    @classmethod
    def setUpClass(cls):
        """Archives by the names of their reproductions"""
        super().setUpClass()
        archives = sorted(RECORDED.rglob(f"*{SUFFIX}"))
        cls.archives = {str(archive.relative_to(RECORDED))[: -len(SUFFIX)]: archive for archive in archives}
        assert cls.archives

    def test_archives_have_the_points_of_their_sweeps_by_the_commits_of_the_tables(self):
        for result in list_results(ROOT, list(self.archives)):
            with self.subTest(reproduction=result.name):
                content = read(result.archive)
                sweeps = sweeps_of(load_reproduction(result.name, SCENARIOS), STANDARD, SCENARIOS)
                self.assertEqual(set(content), {digest for sweep in sweeps for digest in expand(sweep)})
                made = {json.loads(files[""])["versions"]["commit"] for files in content.values()}
                self.assertEqual(made, set(result.commits))

    def test_tables_are_those_of_recorded_runs(self):
        archives = [item for item in self.archives.items() if NIGHTLY or item[1].stat().st_size <= SMALL]
        for name, archive in some_of(archives, DRAWN):
            with self.subTest(reproduction=name):
                try:
                    self.check(load_reproduction(name, SCENARIOS), archive)
                finally:
                    shutil.rmtree(self.folder / "runs", ignore_errors=True)

    def check(self, reproduction, archive):
        """Each table of the pages is made of the runs."""
        write_runs(archive, self.folder / "runs")
        results = self.folder / "results" / reproduction.name
        tables = {page: result for page, result in reproduction.pages.items() if result.endswith(".csv")}
        for command, options in reproduction.calls:
            words = [*shlex.split(options.replace("--pdf", "")), "--out", results]
            words = [ROOT / word if str(word).startswith("scenarios/") else word for word in words]
            code, _, errors = self.run_command(main, command, *sorted((self.folder / "runs").iterdir()), *words)
            self.assertEqual(code, 0, errors)
            if not NIGHTLY and sum((results / result).exists() for result in tables.values()) >= 2:
                break
        compared = 0
        for page, result in tables.items():
            if NIGHTLY or (results / result).exists():
                lines = [text.read_text().splitlines()[1:] for text in (DOC / page, results / result)]
                self.assertEqual(*lines, page)  # but for the line that names the commit of the analysis
                compared += 1
        self.assertGreaterEqual(compared, min(len(tables), 2))


if __name__ == "__main__":
    unittest.main()
