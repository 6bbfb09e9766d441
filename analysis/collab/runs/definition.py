# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Which runs are the same one, in whatever folders they are."""

import hashlib
import json

from .run import Run


def definition_of(run: Run) -> str:
    """A digest that is the same for runs with the same results."""
    keys = ("scenario", "parameters", "attributes", "seed", "run", "versions")
    said = {key: getattr(run, key) for key in keys}
    if run.contents:
        said["contents"] = run.contents
    if isinstance(run.versions, dict) and "sources" in run.versions:
        # Commits may differ in what is no source of the program.
        said["versions"] = {**run.versions, "commit": None}
    text = json.dumps(said, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
