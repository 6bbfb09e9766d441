# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what a checkout says about itself: its version wherever that stands, and what git ignores."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
PROJECT = Path(__file__).resolve().parents[3]


def read(name):
    return (PROJECT / name).read_text(encoding="utf-8")


class VersionTest(unittest.TestCase):
    def test_versions_agree(self):
        version = read("contrib-module/version.txt").strip()
        self.assertRegex(version, r"^\d+\.\d+\.\d+$")
        for name, pattern in (
            ("CITATION.cff", r"^version: (.*)$"),
            ("README.md", r"^  version = \{(.*)\},$"),
            ("CHANGELOG.md", r"\A(?:(?!^## ).*\n)+## (\d\S*)$"),
            ("RELEASE_NOTES.md", r"\A(?:(?!^## ).*\n)+## (\d\S*)$"),
        ):
            with self.subTest(file=name):
                self.assertEqual(re.findall(pattern, read(name), re.MULTILINE), [version])
        self.assertIn('\nversion = { file = "contrib-module/version.txt" }\n', read("pyproject.toml"))

    def test_the_citation_names_title_authors_and_license(self):
        import yaml

        citation = yaml.safe_load(read("CITATION.cff"))
        self.assertEqual((citation["cff-version"], citation["type"]), ("1.2.0", "software"))
        self.assertEqual(citation["authors"], [{"name": "ns-3 collab authors"}])
        self.assertIn(f"SPDX-License-" f"Identifier: {citation['license']}", read("CONTRIBUTING.md"))
        (entry,) = re.findall(r"```bibtex\n(.*?)```", read("README.md"), re.DOTALL)
        for told in (citation["title"], citation["license"], citation["authors"][0]["name"]):
            self.assertIn(told, entry)


@unittest.skipUnless(shutil.which("reuse"), "needs reuse (Debian package reuse)")
class LicenseTest(unittest.TestCase):
    def test_every_file_has_authors_and_license(self):
        command = ["reuse", "--root", PROJECT, "lint"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])


class CommitTest(unittest.TestCase):
    """What an archive of the sources says of its commit, where no Git does."""

    def commit(self, text):
        with tempfile.TemporaryDirectory() as place:
            module, header = Path(place), Path(place) / "constants.h"
            for name in ("build-constants.cmake", "CMakeLists.txt"):
                shutil.copy(PROJECT / "contrib-module" / name, module)
            (module / "commit.txt").write_text(text)
            command = ["cmake", "-D", f"FILE={header}", "-D", "VERSION=1", "-P", module / "build-constants.cmake"]
            subprocess.run(command, check=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": place})
            return re.findall('COLLAB_COMMIT "(.*)"', header.read_text())

    def test_it_is_that_of_the_archive(self):
        self.assertEqual(self.commit("0123456789abcdef0123\n"), ["0123456789ab"])
        self.assertEqual(self.commit("0123456789ab-dirty"), ["0123456789ab-dirty"])

    def test_it_is_unknown_without_an_archive(self):
        self.assertEqual(self.commit(read("contrib-module/commit.txt")), ["unknown"])
        self.assertEqual(self.commit(""), ["unknown"])


@unittest.skipUnless((PROJECT / ".git").exists(), "no checkout of git")
class IgnoredTest(unittest.TestCase):
    def ignored(self, path):
        command = ["git", "-C", PROJECT, "check-ignore", "-q", "--no-index", path]
        return subprocess.run(command, check=False).returncode == 0

    def test_runs_are_ignored_and_sources_are_not(self):
        """Commands write into runs/ of the folder that they are started in, as notebooks do."""
        for path in ("runs/a/run.json", "contrib-module/examples/notebooks/runs/a/run.json"):
            self.assertTrue(self.ignored(path), path)
        for path in ("analysis/collab/runs/new.py", "tests/analysis/runs/test_new.py"):
            self.assertFalse(self.ignored(path), path)


if __name__ == "__main__":
    unittest.main()
