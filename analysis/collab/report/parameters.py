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


def part_of(metadata: dict, key: str, kind: type):
    """What run.json says of something; nothing if that is not of its kind."""
    value = metadata.get(key)
    return value if isinstance(value, kind) else kind()


def parameter_rows(metadata: dict) -> list:
    """A row a parameter: name, value, default (None if not recorded), whether it was changed."""
    defaults = {name: text_of(value) for name, value in part_of(metadata, "defaults", dict).items()}
    return [
        *(_row(name, value, defaults.get(name), "scenario")
          for name, value in metadata["parameters"].items()),
        *(_row(name, value, None, "attribute")
          for name, value in part_of(metadata, "attributes", dict).items()),
        _row("RngSeed", metadata["seed"], "1", "seed"),
        _row("RngRun", metadata["run"], "1", "seed"),
    ]  # fmt: skip


def radio_rows(metadata: dict) -> list:
    """How radios were set: a name and a text for those of a channel that were set alike."""
    radios = [radio for radio in part_of(metadata, "radios", list) if isinstance(radio, dict)]
    return [(f"radios of nodes {radio.get('nodes')}, channel {radio.get('channel')}",
             ", ".join(f"{key} {text_of(value)}" for key, value in radio.items()
                       if key not in ("nodes", "channel"))) for radio in radios]  # fmt: skip


def text_of(value) -> str:
    """A value as text, the same for the same value."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def versions_text(run: Run) -> str:
    """The versions of what a run was made with."""
    return text_of(run.versions).strip("{}").replace('"', "")


def _row(name, value, default, kind):
    text = text_of(value)
    changed = kind == "attribute" or default not in (None, text)
    return {"name": name, "value": text, "default": default, "changed": changed, "kind": kind}
