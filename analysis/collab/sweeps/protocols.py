# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The list of protocols that are compared: which of them a run is of, and what names it has for what."""

from dataclasses import dataclass
from pathlib import Path
from typing import List, Mapping, Optional

from .document import read_document
from .program import Executable
from .protocol_file import is_protocol
from .texts import SweepError, canonical

FILE = "comparison/parts/protocols.yaml"  # in the folder of sweeps
_RATES = ("learningRate", "sgdLearningRate")


@dataclass(frozen=True)
class Protocol:
    """An entry of the list."""

    name: str
    scenario: str
    arguments: Mapping  # that tell it from others of its scenario, {name: text}
    common: Mapping  # what the scenario calls an argument: what the comparison does; None: nothing

    def name_of(self, own: str) -> Optional[str]:
        """What the comparison calls an argument of the scenario; None if it does not speak of it."""
        return self.common.get(own, own)


def read_protocols(file: Path) -> List[Protocol]:
    """The entries of a list of protocols; raises SweepError for a mistake in it."""
    parts = read_document(file).parts
    if not parts:
        raise SweepError(f"{file}: it has no parts, so it lists no protocol")
    for part in parts:
        if not (part.name and part.scenario):
            raise SweepError(f"{file}: a protocol has a name and a scenario")
    called = {part.name: _own_names(part) for part in parts}
    return [
        Protocol(part.name, _scenario(part), _distinguishing(part, parts, called), _common(part))
        for part in parts
    ]


def find_protocol(protocols: List[Protocol], scenario: str, settings: Mapping) -> Optional[Protocol]:
    """The protocol of a run by its scenario and settings; None if it is none of them.

    Words (such as the algorithm) must be those of the protocol; numbers, which a sweep may change,
    decide between protocols with the same words: by how many are the same, and then by how few are not.
    Rates of learning, which searches change, decide only between those that are as near. Raises SweepError if two are as near.
    """
    told = {name: canonical(_text(value)) for name, value in settings.items()}
    near = {}
    for protocol in protocols:
        same = {name: told.get(name) == value for name, value in protocol.arguments.items()}
        words = [is_same for name, is_same in same.items() if not _is_number(protocol.arguments[name])]
        if protocol.scenario == scenario and all(words):
            rates = sum(is_same for name, is_same in same.items() if name in _RATES)
            right = sum(same.values()) - rates
            wrong = sum(not is_same for name, is_same in same.items() if name not in _RATES)
            near.setdefault((right, -wrong, rates), []).append(protocol)
    if not near:
        return None
    nearest = near[max(near)]
    if len(nearest) > 1:
        names = " and ".join(protocol.name for protocol in nearest)
        raise SweepError(f"a run of {scenario} is as much {names}")
    return nearest[0]


def _scenario(part):
    """What runs of the part say that their scenario is."""
    is_file = is_protocol(part.scenario)
    return Executable.protocol(part.scenario).name if is_file else part.scenario


def _own_names(part):
    """The part's arguments by the names of its scenario."""
    return {
        own: value
        for name, value in part.arguments.items()
        for own in part.called.get(name, [name])
    }


def _distinguishing(part, parts, called):
    """The arguments of a part in which not all parts of its scenario are the same."""
    others = [called[other.name] for other in parts if other.scenario == part.scenario]
    return {
        name: value
        for name, value in called[part.name].items()
        if any(other.get(name) != value for other in others)
    }


def _common(part):
    renamed = {name: None for name, own in part.called.items() if name not in own}
    return {**renamed, **{own: name for name, names in part.called.items() for own in names}}


def _text(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
