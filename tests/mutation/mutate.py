#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Measures the tests: changes the module, one change a mutant, and sees which tests notice.

Mutants are drawn by a seed over all layers: another operator or constant, a dropped statement, two
swapped arguments, a condition turned. All are woven into one copy of the module behind a switch, so
that one build serves them. Each is tried with the tests of its layer that reach it, then with the
other tests that do. What passes all of them survives.

    tests/mutation/mutate.py --folder DIR --results FILE.csv            # 200 mutants and more
    tests/mutation/mutate.py --folder DIR --results NEW.csv --again OLD.csv   # the same, compared
"""

import argparse
import csv
import random
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import candidates
import trial
from workshop import HERE, MODULE, PROJECT, Workshop, layer_of, read_candidates

COLUMNS = ("id", "layer", "file", "line", "operator", "original", "changed", "verdict", "by", "seconds")
# Tests of a layer that are not named like it
ALSO = {"helper": {"configuration", "wireless"}, "wireless": {"wireless-kept-links"}}
KILLED = ("killed by its layer", "killed by others")
JUDGED = HERE / "results/judged.csv"  # mutants that change nothing that anyone can see, and why


def parse_arguments(words=None):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--folder", type=Path, required=True, help="where the copy is built")
    parser.add_argument("--results", type=Path, required=True, help="table to write")
    parser.add_argument("--again", type=Path, help="try the mutants of this table, and compare")
    parser.add_argument("--sample", type=int, help="with --again: only so many of its killed ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=220, help="mutants, shared among layers")
    parser.add_argument("--least", type=int, default=6, help="mutants per layer at least")
    parser.add_argument("--layers", default=".*", help="regular expression of layers")
    parser.add_argument("--tests", default=".*", help="regular expression of CTest's names")
    parser.add_argument("--others", action="store_true", help="with tests that are no GoogleTest ones")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time")
    return parser.parse_args(words)


def choose(options, project=PROJECT):
    """A function that gives the mutants to take, without those that are unfit."""
    layers = re.compile(options.layers)
    known = [m for m in read_candidates(project) if layers.fullmatch(layer_of(m.file))]
    if options.again:
        wanted = {row["id"] for row in rows_again(options)}
        return lambda unfit: [m for m in known if m.identity in wanted - unfit]
    return lambda unfit: candidates.draw(known, options.seed, options.count, options.least, unfit, layer_of)


def rows_again(options) -> list:
    """The rows of older results that are tried again."""
    rows = read_table(options.again)
    if options.sample is None:
        return rows
    killed = [row for row in rows if row["verdict"] in KILLED]
    return random.Random(options.seed).sample(killed, min(options.sample, len(killed)))


def read_table(file: Path) -> list:
    """The rows of results."""
    with open(file, newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


class Measurement:
    """Trying each mutant with the programs that reach it; not those that the table has already."""

    def __init__(self, options, workshop, programs):
        self.options = options
        self.mutants = workshop.mutants
        self.programs = programs
        known = {row["id"]: row for row in read_table(options.results)} if options.results.is_file() else {}
        self.rows = {n: known[m.identity] for n, m in self.mutants.items() if m.identity in known}

    def find_reached(self, folder: Path) -> None:
        """Run all programs once; cases that fail without a mutant are left out."""

        def find(program):
            trial.find_reached(program, folder / f"reached-{program.name}")
            return program

        with ThreadPoolExecutor(self.options.jobs) as pool:
            for program in pool.map(find, self.programs):
                note = f"without a mutant fail: {' '.join(program.failed)}" if program.failed else ""
                print(f"{program.name:<28} {program.seconds:7.1f} s {len(program.reached):4} mutants"
                      f" reached  {note}", flush=True)  # fmt: skip
        self.programs = [program for program in self.programs if program.cases]

    def try_all(self) -> None:
        """Try all mutants and write the table as it grows."""
        with ThreadPoolExecutor(self.options.jobs) as pool:
            left = sorted(set(self.mutants) - set(self.rows))
            for number, row in pool.map(self.try_one, left):
                self.rows[number] = row
                print(f"{row['verdict']:<20} {row['file']}:{row['line']} {row['operator']}"
                      f"  {row['by']}", flush=True)  # fmt: skip
                self.write()

    def try_one(self, number: int):
        """Number and row of a mutant."""
        mutant = self.mutants[number]
        layer = layer_of(mutant.file)
        own = {layer, *ALSO.get(layer, ())}
        reaching = [program for program in self.programs if program.reaches(number)]
        reaching.sort(key=lambda one: (one.name not in own, one.seconds_for(number)))
        begin = time.monotonic()
        verdict, killer = ("survived" if reaching else "not reached"), ""
        for program in reaching:
            failure = trial.try_mutant(program, number)
            if failure:
                verdict = KILLED[program.name not in own]
                killer = f"{program.name}: {failure}"
                break
        values = (mutant.identity, layer, mutant.file, mutant.line, mutant.operator,
                  words(mutant.original), words(mutant.changed), verdict, killer,
                  f"{time.monotonic() - begin:.1f}")  # fmt: skip
        return number, dict(zip(COLUMNS, values))

    def write(self) -> None:
        """Write what there is."""
        with open(self.options.results, "w", newline="", encoding="utf-8") as table:
            writer = csv.DictWriter(table, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows[number] for number in sorted(self.rows))


def words(text: str) -> str:
    """A statement in one line."""
    return " ".join(text.split())


def summary(rows: list) -> str:
    """A table of verdicts by layer, and what nothing killed."""
    verdicts = (*KILLED, "survived", "not reached")
    lines = ["| layer | mutants | " + " | ".join(verdicts) + " |", "| --- " * 6 + "|"]
    for layer in [*sorted({row["layer"] for row in rows}), "all"]:
        own = [row for row in rows if layer in (row["layer"], "all")]
        counts = (sum(row["verdict"] == verdict for row in own) for verdict in verdicts)
        lines.append(f"| {layer} | {len(own)} | " + " | ".join(map(str, counts)) + " |")
    judged = {row["id"]: row["reason"] for row in read_table(JUDGED)} if JUDGED.is_file() else {}
    killed = sum(row["verdict"] in KILLED for row in rows)
    visible = sum(row["verdict"] in KILLED or row["id"] not in judged for row in rows)
    lines.append(f"killed: {killed} of {visible} that change behavior ({killed / max(visible, 1):.1%})")
    for row in rows:
        if row["verdict"] not in KILLED:
            if row["id"] in judged:
                lines.append(f"no change of behavior: {row['file']}:{row['line']}: {judged[row['id']]}")
                continue
            lines.append(f"{row['verdict']}: {MODULE}{row['file']}:{row['line']} {row['operator']}:"
                         f" {row['original']}  ->  {row['changed'] or '(nothing)'}")  # fmt: skip
    return "\n".join(lines)


def compare(old: list, new: list) -> list:
    """Lines about mutants that were killed and are not any more."""
    now = {row["id"]: row for row in new}
    lines = []
    for row in old:
        if row["verdict"] in KILLED and now.get(row["id"], {}).get("verdict", "") not in KILLED:
            verdict = now.get(row["id"], {}).get("verdict", "its statement is not there any more")
            lines.append(f"killed before by {row['by']}, now: {verdict}: {row['file']}:{row['line']}"
                         f" {row['original']}  ->  {row['changed'] or '(nothing)'}")  # fmt: skip
    return lines


def main():
    """The command."""
    options = parse_arguments()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(folder, options.jobs, options.others)
    workshop.prepare(choose(options))
    print(f"{len(workshop.mutants)} mutants; {len(workshop.unfit)} did not compile and were replaced")
    programs = trial.read_programs(workshop.build, re.compile(options.tests), options.others)
    measurement = Measurement(options, workshop, programs)
    measurement.find_reached(folder)
    measurement.try_all()
    rows = [measurement.rows[number] for number in sorted(measurement.rows)]
    print(summary(rows))
    if options.again:
        lost = compare(rows_again(options), rows)
        print("\n".join(lost) or "no mutant survives that was killed before")
        sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
