# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that tables of the documentation are those of the runs that the repository keeps."""

import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))

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


class RecordedTest(unittest.TestCase):
    def test_tables_are_those_of_recorded_runs(self):
        archives = sorted(RECORDED.rglob(f"*{SUFFIX}"))
        self.assertTrue(archives)
        for archive in archives:
            name = str(archive.relative_to(RECORDED))[: -len(SUFFIX)]
            with self.subTest(reproduction=name), tempfile.TemporaryDirectory() as folder:
                self.check(load_reproduction(name, SCENARIOS), archive, Path(folder))

    def check(self, reproduction, archive, folder):
        """All points are there, and each table of the pages is made of them."""
        points = [point for sweep in sweeps_of(reproduction, STANDARD, SCENARIOS) for point in expand(sweep)]
        runs = write_runs(archive, folder / "runs")
        self.assertEqual(runs, set(points))
        for command, options in reproduction.calls:
            words = [sys.executable, "-B", "-m", "collab", command, *sorted((folder / "runs").iterdir())]
            words += [*shlex.split(options.replace("--pdf", "")), "--out", folder / "results"]
            subprocess.run(words, cwd=ROOT / "analysis", stdout=subprocess.DEVNULL, check=True)
        tables = {page: result for page, result in reproduction.pages.items() if page.endswith(".rst")}
        self.assertTrue(tables)
        for page, result in tables.items():
            lines = [text.read_text().splitlines()[1:] for text in (DOC / page, folder / "results" / result)]
            self.assertEqual(*lines, page)  # but for the line that names the commit of the analysis


if __name__ == "__main__":
    unittest.main()
