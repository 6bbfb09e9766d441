#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How long committees last: runs committee-schedules --takeover, writes the tables and draws the figure of the
documentation, the probability that a committee is lost by a round.

Usage: committee_takeover.py BUILD [RUNS]
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

PROJECT = Path(__file__).resolve().parents[2]
PAGES = PROJECT / "contrib-module" / "doc"
sys.path.insert(0, str(PROJECT / "analysis"))

from collab.figures.style import method_line, new_figure, styled  # noqa: E402

SIZES = ((100, 12), (100, 25))  # K, C
PARTS = (5, 10, 20)


def main(build, runs=200):
    with tempfile.TemporaryDirectory() as folder:
        options = ["--schedules=0", f"--takeover={runs}", "--largest=100", f"--tables={folder}/committee"]
        subprocess.run([build / "tests" / "committee-schedules", *options], check=True)
        for name in ("committee-takeover", "committee-takeover-drawn"):
            shutil.copy(f"{folder}/{name}.csv", PAGES / "results")
        rounds = pd.read_csv(f"{folder}/committee-takeover-rounds.csv", comment="#")
        takeover_figure(rounds).savefig(PAGES / "figures" / "committee-takeover.png", dpi=100)


@styled
def takeover_figure(table):
    """A panel a federation and owned part, a line a rule of elections."""
    figure = new_figure(10, 5.6)
    panels = figure.subplots(len(SIZES), len(PARTS), sharex=True, sharey=True)
    for row, (devices, members) in zip(panels, SIZES):
        for axes, percent in zip(row, PARTS):
            chosen = table[(table.devices == devices) & (table.members == members) & (table.percent == percent)]
            for place, (rule, line) in enumerate(chosen.groupby("rule", sort=False)):
                color, style = method_line(place)
                axes.plot(line["round"], line["lost"], style, color=color, label=rule)
            axes.set_xscale("log")
            axes.set_title(f"K = {devices}, C = {members}, {percent} % owned", fontsize=9)
    for axes in panels[-1]:
        axes.set_xlabel("round")
    for axes in panels[:, 0]:
        axes.set_ylabel("P(lost by the round)")
    panels[0, 0].legend(fontsize=8)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:]))
