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
    return {"parameters": run.parameters, "computed": run.computed, "attributes": run.attributes,
            "seed": run.seed, "run": run.run, "versions": run.versions}  # fmt: skip


def part_of(metadata: dict, key: str, kind: type):
    """What run.json says of something; nothing if that is not of its kind."""
    value = metadata.get(key)
    return value if isinstance(value, kind) else kind()


def parameter_rows(metadata: dict) -> list:
    """A row per parameter: name, value, default (None if not recorded), whether the user changed it,
    and whether the program computed the value from others."""
    defaults = {name: text_of(value) for name, value in part_of(metadata, "defaults", dict).items()}
    given = part_of(metadata, "computed", dict)  # before the program computed the value
    return [
        *(_parameter_row(name, value, defaults.get(name), given)
          for name, value in metadata["parameters"].items()),
        *(_row(name, value, None, "attribute", changed=True)
          for name, value in part_of(metadata, "attributes", dict).items()),
        *(_row(name, value, "1", "seed", changed=value != 1)
          for name, value in (("RngSeed", metadata["seed"]), ("RngRun", metadata["run"]))),
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


def _parameter_row(name, value, default, given):
    changed = default is not None and text_of(given.get(name, value)) != default
    return _row(name, value, default, "scenario", changed, name in given)


def _row(name, value, default, kind, changed, computed=False):
    return {"name": name, "value": text_of(value), "default": default, "changed": changed,
            "computed": computed, "kind": kind}  # fmt: skip
