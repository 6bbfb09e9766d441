# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How a run is to be told apart from others and drawn, as its run.json says.

A scenario writes into run.json

    "display": {
        "method": "trust",
        "measure": "accuracy_reference",
        "order": ["dynamic", "static", "naive", "local"]
    }

method   the parameter whose values are the methods of the scenario
measure  the column of the table rounds that is the run's own measure of success: what is drawn
         against rounds, seconds, joules and bytes unless --column names another one
order    names of methods in the order in which they are listed and drawn; others follow by name
names    optional, {value of the parameter: name of the method}, where they are not the same
variants optional, names of parameters that make another method of it if they are not at their
         default (which run.json has in "defaults"), such as ["aggregation"]

So a new algorithm needs no change here. Each key may be missing. What older runs lack, and runs of
other programs, is taken from _OLDER_RUNS by the scenario's name, and else guessed: the method is
the first of _USUAL_METHODS that the run has, or the scenario itself; the measure is the first
column of rounds that begins with "accuracy", or the first one that is measured at all.
"""

from dataclasses import dataclass, field
from typing import Mapping, Optional, Tuple

import pandas as pd

# What the scenarios stood for before run.json said it; the order in which scenarios are listed, too
_OLDER_RUNS: Mapping[str, dict] = {
    "prediction-consensus": {
        "method": "trust",
        "measure": ["accuracy_reference"],
        "order": ["dynamic", "static", "naive", "local"],
    },
    "prediction-consensus-toy": {
        "method": "trust",
        "measure": ["accuracy_reference", "squared_error_reference"],
        "order": ["dynamic", "static", "naive", "local"],
    },
    "committee": {
        "method": "selection",
        "measure": ["accuracy_global"],
        "order": ["I", "II"],
        "names": {"I": "CMFL-I", "II": "CMFL-II"},
    },
    "committee-bound": {
        "method": "selection",
        "measure": ["error"],
        "order": ["I", "II"],
        "names": {"I": "CMFL-I", "II": "CMFL-II"},
    },
    "federated": {
        "method": "algorithm",
        "measure": ["accuracy_reference", "accuracy_global"],
        "order": ["fedavg", "fedprox", "scaffold", "feddyn"],
        "variants": ["aggregation"],
        "defaults": {"algorithm": "fedavg", "aggregation": "mean"},
    },
    "distillation": {
        "method": "algorithm",
        "measure": ["accuracy_reference"],
        "order": ["fedmd", "ds-fl", "selective-fd"],
    },
    "gossip": {
        "method": "algorithm",
        "measure": ["accuracy_reference"],
        "order": ["braintorrent", "gossipfl", "segmented", "choco-sgd", "sgp", "epidemic", "dfedavgm",
                  "aircomp", "teleportation"],
    },
}
_USUAL_METHODS = ("trust", "algorithm", "selection")


@dataclass(frozen=True)
class Display:
    """How a run is to be told apart from others and drawn; see above."""

    method: Optional[str] = None  # None for the scenario itself
    measures: Tuple[str, ...] = ()  # the first of them that the run has is its own
    order: Tuple[str, ...] = ()  # names of methods
    names: Mapping[str, str] = field(default_factory=dict)
    variants: Tuple[str, ...] = ()
    defaults: Mapping[str, object] = field(default_factory=dict)

    @property
    def parameters(self) -> Tuple[str, ...]:
        """The parameters that make the name of the method."""
        return (*((self.method,) if self.method else ()), *self.variants)

    def name(self, scenario: str, parameters: Mapping) -> str:
        """The name of a run's method.

        It consists of the parameters that are not at their default, or of the first one alone.
        """
        present = [name for name in self.parameters if name in parameters]
        if not present:
            return scenario
        first, *others = present
        parts = [str(parameters[name]) for name in others if not self._is_usual(name, parameters)]
        if not (parts and self._is_usual(first, parameters)):
            value = str(parameters[first])
            parts.insert(0, self.names.get(value, value))
        return ", ".join(parts)

    def _is_usual(self, name: str, parameters: Mapping) -> bool:
        return name in self.defaults and parameters[name] == self.defaults[name]


def read_display(metadata: Mapping) -> Display:
    """What run.json says, with what is known of its scenario where it says nothing."""
    said = metadata.get("display")
    older = _OLDER_RUNS.get(metadata["scenario"], {})
    told = {**older, **(said if isinstance(said, dict) else {})}
    parameters = metadata["parameters"]
    usual = next((name for name in _USUAL_METHODS if name in parameters), None)
    names = _mapping(told.get("names"))
    return Display(
        method=_text(told.get("method")) or usual,
        measures=(*_texts(told.get("measure")), *_texts(older.get("measure"))),
        order=tuple(names.get(name, name) for name in _texts(told.get("order"))),
        names=names,
        variants=_texts(told.get("variants")),
        defaults={**_mapping(older.get("defaults")), **_mapping(metadata.get("defaults"))},
    )


def scenario_key(scenario: str) -> tuple:
    """Sorts scenarios: those that were not compared with each other before come first, by name."""
    known = list(_OLDER_RUNS)
    return (1, known.index(scenario), "") if scenario in known else (0, 0, scenario)


def choose_measure(display: Display, rounds: pd.DataFrame, metrics: list) -> Optional[str]:
    """The column of rounds that is the run's own measure; None if it has measured nothing."""
    having = [column for column in metrics if rounds[column].notna().any()]
    accuracies = [column for column in having if column.startswith("accuracy")]
    return next((column for column in (*display.measures, *accuracies, *having)
                 if column in having), None)  # fmt: skip


def _text(value) -> Optional[str]:
    return value if isinstance(value, str) and value else None


def _texts(value) -> tuple:
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in values if _text(text))


def _mapping(value) -> dict:
    return value if isinstance(value, dict) else {}
