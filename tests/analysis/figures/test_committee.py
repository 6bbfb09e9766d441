# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figure of committee members."""

from folder_test_case import FolderTestCase

from collab import load_run, plot
from collab.figures.committee.members import committee_matrix
from synthetic_run import write_committee, write_run


class CommitteeTest(FolderTestCase):
    def test_members_by_round(self):
        path = write_run(self.folder / "a")
        write_committee(path)
        run = load_run(path)
        matrix = committee_matrix(run)
        even, odd = [1, 0, 1, 0], [0, 1, 0, 1]
        self.assertEqual(matrix.to_numpy().tolist(), [even, odd, even, [1] * 4])
        members, shares = plot.committee(run).axes
        self.assertEqual([bar.get_width() for bar in shares.patches], [0.5, 0.5, 0.5, 1.0])
        self.assertEqual([t.get_text() for t in members.get_yticklabels()], ["0", "1", "2*", "3"])
