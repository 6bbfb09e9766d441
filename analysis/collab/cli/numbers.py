# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Files with the numbers of figures, for pages of the documentation and other programs."""

import subprocess
from collections import Counter
from pathlib import Path

import pandas as pd

from ..statistics.intervals import cells
from ..statistics.quantities import quantity

FORMATS = {"csv": "", "table": "-table"}  # option: what names of its files end with
_ROOT = Path(__file__).resolve().parents[3]


def provenance(runs, command: str) -> str:
    """A line that says where numbers are from: command, runs, their seeds and losses, the versions and
    commits of the programs that made them, and the commit of the analysis."""
    seeds = {run.pair for run in runs}
    parts = [f"{len(runs)} runs of {len(seeds)} seeds", "95 % confidence intervals over seeds",
             f"messages lost: {_losses(runs)}", f"runs by ns-3 collab {_makers(runs)}",
             f"analysis at commit {_commit()}"]  # fmt: skip
    return f"{command}: {'; '.join(parts)}"


def _losses(runs) -> str:
    """The least and greatest share of the messages that a run has lost, for whatever reason: who reads
    how much methods differ must know whether what they sent has arrived."""
    shares = [100 * quantity(run, "lost") for run in runs if len(run.messages)]
    without = sum(run.lacks_messages for run in runs)
    told = [f"{min(shares):.3g} to {max(shares):.3g} % of a run's"] if any(shares) else []
    told += ["none"] if not any(shares) and (shares or not without) else []
    told += [f"no record of {without} of {len(runs)} runs"] if without else []
    return ", ".join(told)


def _makers(runs) -> str:
    """Versions and commits that runs were made by; how many runs each made, if there are several."""
    made = Counter(
        f"{run.versions.get('collab', 'unknown')} at commit {run.versions.get('commit', 'unknown')}"
        for run in runs
    )
    if len(made) == 1:
        return next(iter(made))
    told = ", ".join(f"{maker} ({count})" for maker, count in sorted(made.items()))
    return f"of {len(made)} commits (runs): {told}"


def write_numbers(table: pd.DataFrame, folder: Path, name: str, kind: str, note: str) -> Path:
    """Writes a table as a CSV file, below a line # NOTE that says where it is from; returns the file.

    Of FORMATS "csv" has all digits and columns, "table" is as pages show it: four digits, and an
    interval in the cell of its mean.
    """
    file = folder / f"{name}{FORMATS[kind]}.csv"
    if kind == "table":
        table = cells(table).rename(columns=lambda column: column.replace("_", " "))
    file.write_text(f"# {note}\n{table.to_csv(index=False)}", encoding="utf-8")
    return file


def crosswise(table: pd.DataFrame, rows: str, columns: str, value: str) -> pd.DataFrame:
    """A relation's numbers as texts: a row a value of one setting, a column a value of another.

    A cell says how many runs had no number, if some had none.
    """
    texts = cells(table).reindex(columns=[rows, columns, value]).fillna("").astype(str)
    lacking = table["runs_without"] > 0
    numbers = table["runs_without"][lacking]
    texts.loc[lacking, value] += [f" ({number} missing)" for number in numbers]
    texts[value] = texts[value].str.strip()
    cross = texts.pivot(index=rows, columns=columns, values=value)
    cross = cross.reindex(texts[rows].unique())[texts[columns].unique()].fillna("")
    cross.columns = [f"{columns} {name.removesuffix('.0')}" for name in cross.columns]
    return cross.reset_index()


def _commit():
    """What of the project is checked out, with -dirty if files differ from it."""
    command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty", "--abbrev=12",
               "--exclude=*"]  # fmt: skip
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return result.stdout.strip() if result.returncode == 0 else "unknown"
