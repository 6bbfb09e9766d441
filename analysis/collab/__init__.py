# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads runs of ns-3 collab, collects them in a database, compares them, draws them, and sweeps.

Folders, each of which imports those before it only:

    runs        runs, databases of them, and how runs are put together by what they were given
    statistics  numbers of runs, and tables that compare methods
    figures     a folder for what all algorithms share, and one for the figures of each paper
    report      a run or a sweep as one HTML file
    api         run(), sweep() and load(), for programs and notebooks
    protocols   protocols written in Python: simulate()
    cli         the commands of ./collab
    sweeps      sweeps as data, and running them: it stands alone, below api and cli
    setup       what the project needs, installing and building it: it stands alone too

What is listed below is loaded when it is first used: a point of a sweep needs none of it.
"""

import importlib

_PLACES = {
    "ArgumentError": "protocols.errors",
    "DataFileError": "protocols.errors",
    "ProgramError": "api.programs",
    "Protocol": "protocols.protocol",
    "ProtocolError": "protocols.simulate",
    "Refused": "protocols.message",
    "Results": "api.results",
    "Run": "runs.run",
    "RunError": "runs.errors",
    "Sweep": "runs.sweep_results",
    "SweepError": "sweeps.texts",
    "aggregate": "protocols.mathematics",
    "aggregation_rules": "protocols.mathematics",
    "attacks": "protocols.mathematics",
    "collect": "runs.collection",
    "compress": "protocols.mathematics",
    "compressors": "protocols.mathematics",
    "count_flops": "protocols.mathematics",
    "decompress": "protocols.mathematics",
    "find_runs": "runs.run",
    "forge": "protocols.mathematics",
    "group_runs": "runs.groups",
    "load": "api.results",
    "load_run": "runs.run",
    "load_sweep": "runs.sources",
    "main": "protocols.simulate",
    "mean": "protocols.mathematics",
    "measure": "protocols.mathematics",
    "message": "protocols.message",
    "mix": "protocols.mathematics",
    "on": "protocols.message",
    "paired_differences": "statistics.tables",
    "parameter": "protocols.parameter",
    "partition_dirichlet": "protocols.mathematics",
    "plot": "figures.plot",
    "reach_table": "statistics.thresholds",
    "relation_table": "statistics.relation",
    "run": "api.run",
    "select": "runs.groups",
    "simulate": "protocols.simulate",
    "summary": "statistics.tables",
    "sweep": "api.sweep",
    "table": "protocols.parameter",
    "trust_flops": "protocols.mathematics",
    "trust_weights": "protocols.mathematics",
}

__all__ = list(_PLACES)


def __getattr__(name):
    if name not in _PLACES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    module = importlib.import_module(f".{_PLACES[name]}", __name__)
    return module if name == "plot" else getattr(module, name)
