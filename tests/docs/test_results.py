# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that the documentation's tables are what the registered reproductions make.

Each table of runs is included by a page, and is of one reproduction, whose present sweeps have as many
runs as the table says that it is made of. Each picture of runs is of one reproduction, too.
"""

import re
import shlex
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))

from collab.sweeps import expand
from collab.sweeps.document import STANDARD
from collab.sweeps.reproduction import load_reproductions, registered, sweeps_of

DOC = ROOT / "contrib-module" / "doc"
SCENARIOS = ROOT / "scenarios"

# Pictures of other things than a reproduction's runs
OTHER_PICTURES = {"architecture.svg", "committee-takeover.png", "demo.gif", "demo.png", "fidelity.png", "link-chain.png",
                  "report.png", "tutorial-sgd.png", "tutorial.png"}  # fmt: skip

# What a table of runs says in its first line
MADE = re.compile(r"# collab (plot, (?P<figure>[^:,]+)(, [^:]+ minus the others)?|compare[^:]*): "
                  r"(?P<runs>[0-9]+) runs of [0-9]+ seeds; ")  # fmt: skip


def made_tables():
    """{path below DOC: match of MADE} of the tables that are made of runs."""
    matches = {
        str(file.relative_to(DOC)): MADE.match(file.read_text(encoding="utf-8"))
        for file in sorted((DOC / "results").glob("*.csv"))
    }
    return {page: match for page, match in matches.items() if match}


def owners():
    """{path below DOC: reproductions that have it among their pages}."""
    owners = {}
    for name in registered(SCENARIOS):
        (reproduction,) = load_reproductions(name, SCENARIOS)
        for page in reproduction.pages:
            owners.setdefault(page, []).append(reproduction)
    return owners


def chooses(reproduction, result):
    """Whether a result is made of some of the runs only."""
    stem = Path(result).stem.removesuffix("-table")
    for _, options in reproduction.calls:
        words = shlex.split(options)
        ending = f"-{words[words.index('--tag') + 1]}" if "--tag" in words else ""
        figures = [words[i + 1] for i, word in enumerate(words) if word == "--figure"]
        if stem in [figure + ending for figure in figures] or "--x" in words and "-against-" in stem:
            if "--where" in words:
                return True
    return False


class PagesTest(unittest.TestCase):
    def test_each_table_is_of_one_reproduction(self):
        names = {page: [one.name for one in of_page] for page, of_page in owners().items()}
        for page in made_tables():
            self.assertEqual(len(names.get(page, [])), 1, f"{page}: {names.get(page)}")
        for page, of_page in names.items():
            self.assertTrue((DOC / page).is_file(), f"{of_page}: no file {page}")

    def test_each_picture_is_of_one_reproduction(self):
        pictures = [f"figures/{file.name}" for file in (DOC / "figures").iterdir() if file.name not in OTHER_PICTURES]
        names = {page: [one.name for one in of_page] for page, of_page in owners().items()}
        for picture in pictures:
            self.assertEqual(len(names.get(picture, [])), 1, f"{picture}: {names.get(picture)}")

    def test_tables_are_made_of_the_runs_of_the_present_sweeps(self):
        of_page, counts = owners(), {}
        for page, match in made_tables().items():
            (reproduction,) = of_page[page]
            result, name = reproduction.pages[page], reproduction.name
            if name not in counts:
                counts[name] = sum(len(expand(one)) for one in sweeps_of(reproduction, STANDARD, SCENARIOS))
            with self.subTest(page=page, reproduction=reproduction.name):
                if match["figure"]:
                    self.assertEqual(f"{match['figure']}-table.csv", result)
                compare = self.assertLessEqual if chooses(reproduction, result) else self.assertEqual
                compare(int(match["runs"]), counts[name])

    def test_each_table_is_included_by_a_page_and_the_other_way_round(self):
        included = set()
        for file in DOC.glob("*.rst"):
            text = file.read_text("utf-8")
            included |= set(re.findall(r"(?:include:: |<)(results/[^>\s]+)", text))
            included |= {f"results/{name}.csv" for name in re.findall(r"(?m)^ *\.\. results-table:: (\S+)", text)}
        present = {str(file.relative_to(DOC)) for file in (DOC / "results").iterdir()}
        self.assertEqual(included, present)


if __name__ == "__main__":
    unittest.main()
