# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The parameters of runs: what was given, and what differs from the defaults."""

import json

from ..runs.run import Run, read_metadata


def metadata_of(run: Run, in_database: bool = False) -> dict:
    """What run.json says of a run; of one in a database, what that has of it."""
    if not in_database:
        return read_metadata(run.path)
    return {"parameters": run.parameters, "attributes": run.attributes, "seed": run.seed,
            "run": run.run, "versions": run.versions}  # fmt: skip


def parameter_rows(metadata: dict) -> list:
    """A row a parameter: name, value, default (None if not recorded), whether it was changed."""
    defaults = _dictionary(metadata, "defaults")
    rows = []
    for name, value in _dictionary(metadata, "parameters").items():
        default = text_of(defaults[name]) if name in defaults else None
        changed = default is not None and default != text_of(value)
        rows.append(_row(name, value, default, changed, "scenario"))
    for name, value in _dictionary(metadata, "attributes").items():
        rows.append(_row(name, value, None, True, "attribute"))
    rows.append(_row("RngSeed", metadata.get("seed"), "1", metadata.get("seed") != 1, "seed"))
    rows.append(_row("RngRun", metadata.get("run"), "1", metadata.get("run") != 1, "seed"))
    return rows


def radio_rows(metadata: dict) -> list:
    """How radios were set: a name and a text for those of a channel that were set alike."""
    listed = metadata.get("radios")
    radios = [radio for radio in listed if isinstance(radio, dict)] if isinstance(listed, list) else []
    return [(f"radios of nodes {radio.get('nodes')}, channel {radio.get('channel')}",
             ", ".join(f"{key} {text_of(value)}" for key, value in radio.items()
                       if key not in ("nodes", "channel"))) for radio in radios]  # fmt: skip


def texts_of(metadata: dict, key: str) -> list:
    """A list of texts; what is none is left out."""
    listed = metadata.get(key)
    return [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []


def text_of(value) -> str:
    """A value as text, the same for the same value."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def versions_text(run: Run) -> str:
    """The versions of what a run was made with."""
    return text_of(run.versions).strip("{}").replace('"', "")


def _row(name, value, default, changed, kind):
    return {"name": name, "value": text_of(value), "default": default, "changed": changed,
            "kind": kind}  # fmt: skip


def _dictionary(metadata, key):
    value = metadata.get(key)
    return value if isinstance(value, dict) else {}
