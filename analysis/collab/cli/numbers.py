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

FORMATS = ("csv", "rst")
_ROOT = Path(__file__).resolve().parents[3]


def provenance(runs, command: str) -> str:
    """A line that tells where numbers are from: command, runs, their seeds and losses, the versions and
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


def write_numbers(table: pd.DataFrame, file: Path, note: str) -> None:
    """Writes a table with a comment of where it is from, as .csv or as .rst by the file's name.

    In .csv all digits and columns are kept; lines of comments begin with #. In .rst an interval is
    in the cell of its mean.
    """
    text = _as_rst(table, note) if file.suffix == ".rst" else _as_csv(table, note)
    file.write_text(text, encoding="utf-8")


def crosswise(table: pd.DataFrame, rows: str, columns: str, value: str) -> pd.DataFrame:
    """A relation's numbers as texts: a row a value of one setting, a column a value of another.

    A cell says how many runs had no number, if some had none.
    """
    texts = cells(table).reindex(columns=[rows, columns, value]).fillna("").astype(str)
    lacking = table["runs_without"] > 0
    numbers = table["runs_without"][lacking]
    texts.loc[lacking, value] += [f" ({number} missing)" for number in numbers]
    cross = texts.pivot(index=rows, columns=columns, values=value)
    cross = cross.reindex(texts[rows].unique())[texts[columns].unique()].fillna("")
    cross.columns = [f"{columns} {name.removesuffix('.0')}" for name in cross.columns]
    return cross.reset_index()


def _as_csv(table, note):
    return f"# {note}\n{table.to_csv(index=False)}"


def _as_rst(table, note):
    """A list-table, of which a page can include the file."""
    texts = cells(table)
    rows = [[column.replace("_", " ") for column in texts], *texts.to_numpy().tolist()]
    lines = [f".. {note}", "", ".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        lines += [f"   {'* -' if place == 0 else '  -'} {cell}".rstrip()
                  for place, cell in enumerate(row)]  # fmt: skip
    return "\n".join(lines) + "\n"


def _commit():
    """What of the project is checked out, with -dirty if files differ from it."""
    command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty", "--abbrev=12",
               "--exclude=*"]  # fmt: skip
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return result.stdout.strip() if result.returncode == 0 else "unknown"
