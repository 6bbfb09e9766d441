#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Brings faults of the committee back, one at a time, and shows what finds each.

Each fault of fault_list.py is put into a copy of the sources, test-committee and
committee-schedules are built and run there, and a table says which tests and how many random
schedules fail. Exit code 1 if nothing finds a fault. With --check nothing is built: the text of
each fault must be in its file exactly once. With --holes only schedules of an adversary that owns a
part of all devices are played, with each hole of HOLES open again, until one of them finds it, --schedules of
a kind at most; the table says which, and by which oracle.
"""

import argparse
import csv
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fault_list import FAULTS, HOLES, Fault

PROJECT = Path(__file__).resolve().parents[2]
# Tests that play random schedules themselves: committee-schedules plays more of them
RANDOM_TESTS = (
    "CommitteeSafety.RandomSchedules*:CommitteeDevices.Agree*:"
    "CommitteeDevices.HonestOnes*:CommitteeOnTheRadio.*"
)
COUNTS = ("forked", "invalid", "unfinished", "abandoned")
# Columns of federations of which an adversary owns a part
ORACLES = ("forked", "invalid", "unfinished", "foretold", "leaked", "hidden", "oversized")
NONE = Fault("none", ())
SCHEDULES = "committee-schedules"
PROGRAMS = f"test-committee {SCHEDULES}"


def check():
    """Names of faults whose text is not there exactly once."""
    return [
        f"{fault.name}: {edit.old!r} is {count} times in {edit.file}"
        for fault in FAULTS
        for edit in fault.edits
        for count in [(PROJECT / edit.file).read_text().count(edit.old)]
        if count != 1
    ]


def copy_sources(target):
    """Copy what git knows; what is there already and the same keeps its time."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        source, copy = PROJECT / name, target / name
        if not source.is_file() or (copy.is_file() and copy.read_bytes() == source.read_bytes()):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)


class Workshop:
    """A copy of the sources, built with one fault at a time."""

    def __init__(self, options):
        self.options = options
        self.sources = options.build_root / "sources"
        self.build = self.sources / "build"

    def prepare(self):
        """Copy and build what there is without any fault."""
        self.sources.mkdir(parents=True, exist_ok=True)
        copy_sources(self.sources)
        command = ["cmake", "--preset", "release", "-S", ".", "-DCOLLAB_WERROR=OFF"]
        subprocess.run(command, cwd=self.sources, check=True, stdout=subprocess.DEVNULL)
        self.launch(self.say_build(SCHEDULES if self.options.holes else PROGRAMS))

    def say_build(self, targets):
        """The command that builds targets."""
        log = self.options.build_root / "build.log"
        command = f"cmake --build {self.build} -j {self.options.jobs} --target {targets}"
        return f"{command} > {log} 2>&1 || {{ cat {log}; exit 1; }}\n"

    def launch(self, script):
        """Run a script of the shell."""
        command = [*shlex.split(self.options.launcher), "sh", "-c", script]
        subprocess.run(command, cwd=self.build, check=True)

    def put(self, fault):
        """Put a fault in; returns the files as they were."""
        before = {}
        for edit in fault.edits:
            path = self.sources / edit.file
            text = path.read_text()
            before.setdefault(path, text)
            path.write_text(text.replace(edit.old, edit.new))
        return before

    def play_holes(self, fault, usual=None):
        """Build with a fault, and play federations, seed by seed, until one differs from the usual finding."""
        before = self.put(fault)
        o = self.options
        finding = {"fault": fault.name, "first": {}, "expelled": {}, "broken": False}
        try:
            self.launch(self.say_build(SCHEDULES))
            for first in range(o.seed, o.seed + o.schedules, o.jobs):
                self.play_seeds(range(first, min(first + o.jobs, o.seed + o.schedules)), finding)
                if usual and say_oracles(finding, usual) != "-":
                    break
        finally:
            for path, text in before.items():
                path.write_text(text)
        return finding

    def play_seeds(self, seeds, finding):
        """Play a federation of each kind for each of the seeds side by side, and add what they print."""
        o = self.options
        logs = self.clear_logs()
        script = "".join(
            f"{{ timeout {o.timeout} {self.build}/tests/committee-schedules --schedules=0 --federation=1"
            f" --seed={seed}; echo rc $?; }} > {logs}/{seed} 2>&1 &\n"
            for seed in seeds
        )
        self.launch(script + "wait\n")
        for seed in seeds:
            add_federations(finding, seed, (logs / str(seed)).read_text())

    def clear_logs(self):
        """An empty folder for what programs print."""
        logs = self.options.build_root / "logs"
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir()
        return logs

    def play(self, fault):
        """Build and run with a fault."""
        before = self.put(fault)
        o = self.options
        logs = self.clear_logs()
        limit = f"timeout {o.timeout} {self.build}/tests"
        script = self.say_build(PROGRAMS)
        script += f"{limit}/test-committee --gtest_filter='-{RANDOM_TESTS}' > {logs}/tests 2>&1 &\n"
        for part in range(o.jobs):
            first, end = (o.schedules * p // o.jobs for p in (part, part + 1))
            play = f"--schedules={end - first} --seed={o.seed + first} --safeOnly=true"
            play += f" --radio={0 if part else o.radio}"
            play += f" --federation={(end - first) // 10}"
            script += f"{limit}/committee-schedules {play} > {logs}/{part} 2> /dev/null &\n"
        try:
            self.launch(script + "wait\n")
        finally:
            for path, text in before.items():
                path.write_text(text)
        parts = [(logs / str(part)).read_text().splitlines() for part in range(o.jobs)]
        return read_finding(fault.name, (logs / "tests").read_text(), parts)


def add_federations(finding, seed, text):
    """Adds what federations of a seed have printed: failures by oracle, and how many devices were expelled."""
    finding["broken"] |= not re.search(r"^rc [01]$", text, re.MULTILINE)
    for kind, story in re.findall(r"^FAILED seed \d+ of (.*?): (.*)$", text, re.MULTILINE):
        oracle = re.sub(r"\d+", "N", story.split(";")[0])
        finding["first"].setdefault(oracle, [seed, kind])
    rows = re.findall(r"^(?:middle of m|random).*?perfect {2,}(.*)$", text, re.MULTILINE)
    finding["expelled"][str(seed)] = sum(int(row.split()[12]) for row in rows)


def print_holes(findings, options):
    """The table of the documentation: holes, and how schedules find them."""
    print(
        f"# tests/committee/faults.py --holes --schedules={options.schedules}; seeds from {options.seed}"
    )
    print_row("Hole", "What is open again", "Found by: oracle (seed and kind of the first)")
    for finding in findings:
        print_row(HOLES.get(finding["fault"], "-"), finding["fault"], say_oracles(finding, findings[0]))


def say_oracles(finding, usual):
    """How schedules find a hole."""
    found = [
        f"{oracle} ({seed}, {kind})"
        for oracle, (seed, kind) in sorted(finding["first"].items(), key=lambda item: item[1][0])
    ]
    for seed, expelled in finding["expelled"].items():
        if expelled < usual["expelled"].get(seed, 0):  # which --keep may not have played
            found.append(f"{expelled} devices are expelled on perfect networks instead of"
                         f" {usual['expelled'][seed]} ({seed})")  # fmt: skip
    if finding["broken"]:
        found.append("does not end")
    return "; ".join(found[:3]) or "-"


def read_finding(name, text, parts):
    """What tests and schedules have printed."""
    begun = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
    passed = set(re.findall(r"^\[       OK \] (\S+)", text, re.MULTILINE))
    finding = {"fault": name, "tests": [test for test in begun if test not in passed]}
    finding.update(dict.fromkeys((*COUNTS, "broken", "expelled", *ORACLES), 0))
    for lines in parts:
        add_counts(finding, lines)
    return finding


def add_counts(finding, lines):
    """Count what committee-schedules has printed."""
    text = "\n".join(lines)
    whole, votes = text.partition("rule, members, network")[::2]
    rows, vote_rows = read_rows(whole), read_rows(votes)
    finding["broken"] += len(rows) < 4 or len(vote_rows) < 4
    for kind, numbers in rows:
        for count, number in zip(COUNTS, numbers[1:4]):
            finding[count] += number
        finding["abandoned"] += numbers[5] if kind.endswith("perfect") else 0
    finding["forked"] += sum(numbers[1] for _, numbers in vote_rows)
    federations = re.findall(
        r"^(?:middle of m|random).*?(perfect|faulty) {2,}(.*)$", text, re.MULTILINE
    )
    for network, numbers in federations:
        counts = [int(number) for number in numbers.split()]
        for oracle, count in zip(ORACLES, counts[1:8]):
            finding[oracle] += count
        finding["expelled"] += counts[12] if network == "perfect" else 0


def read_rows(text):
    """Combinations under the rule byzantine, and their counts."""
    rows = re.findall(r"^byzantine, (.*?) {2,}(.*)$", text, re.MULTILINE)
    return [(kind, [int(number.replace("-", "0")) for number in counts.split()]) for kind, counts in rows]


def is_found(finding):
    """Whether anything finds the fault."""
    return bool(finding["tests"] or finding["broken"] or any(finding[c] for c in COUNTS))


def print_table(findings, options):
    """The table of the documentation."""
    describe = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(describe, cwd=PROJECT, check=True, capture_output=True, text=True)
    print(
        f"# tests/committee/faults.py --schedules={options.schedules} --radio={options.radio};"
        f" seeds from {options.seed}; commit {commit.stdout.strip()}"
    )
    print_row("Fault", "Tests that fail", *(count.capitalize() for count in COUNTS))
    for finding in findings:
        counts = [str(finding[count]) for count in COUNTS]
        if finding["broken"]:
            counts[COUNTS.index("unfinished")] = "does not end"
        print_row(finding["fault"], say_tests(finding["tests"]), *counts)


def say_tests(tests):
    """At most three names, and how many more."""
    names = ", ".join(f"``{test}``" for test in tests[:3]) or "-"
    return names + (f", and {len(tests) - 3} more" if len(tests) > 3 else "")


def print_row(*cells):
    csv.writer(sys.stdout, lineterminator="\n").writerow(cells)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only look for the texts")
    parser.add_argument("--holes", action="store_true", help="play holes against federations")
    parser.add_argument("--schedules", type=int, default=400, help="of each combination")
    parser.add_argument("--radio", type=int, default=0, help="schedules on the simulated radio")
    parser.add_argument("--seed", type=int, default=1, help="of the first schedule")
    parser.add_argument("--only", default="", help="faults whose name has this text")
    parser.add_argument("--build-root", type=Path, help="folder to build in; default: a new one")
    parser.add_argument("--keep", action="store_true", help="do not play again what was played")
    parser.add_argument("--launcher", default="", help="command before build and runs, as flock")
    parser.add_argument("--timeout", type=int, default=300, help="of a program [s]")
    parser.add_argument("--jobs", type=int, default=2, help="of build and schedules")
    return parser.parse_args()


def play_all(options, faults):
    """Findings without any fault, and with each; each one is written down at once."""
    notes = options.build_root / ("holes.json" if options.holes else "findings.json")
    known = json.loads(notes.read_text()) if options.keep and notes.is_file() else {}
    workshop = Workshop(options)
    workshop.prepare()
    for fault in (NONE, *faults):
        if fault.name not in known:
            known[fault.name] = (
                workshop.play_holes(fault, known.get(NONE.name)) if options.holes else workshop.play(fault)
            )
            notes.write_text(json.dumps(known, indent=1))
            print(known[fault.name], file=sys.stderr, flush=True)
    return [known[fault.name] for fault in (NONE, *faults)]


def main():
    options = read_options()
    if problems := check():
        print("\n".join(problems), file=sys.stderr)
        return 1
    if options.check:
        return 0
    faults = [fault for fault in FAULTS if options.only in fault.name]
    if options.holes:
        faults = [f for name in HOLES for f in faults if f.name == name]
    with tempfile.TemporaryDirectory() as folder:
        options.build_root = (options.build_root or Path(folder)).resolve()
        findings = play_all(options, faults)
    if options.holes:
        print_holes(findings, options)
        missed = [f["fault"] for f in findings[1:] if say_oracles(f, findings[0]) == "-"]
        print("".join(f"no schedule finds: {name}\n" for name in missed), end="", file=sys.stderr)
        return 1 if missed or findings[0]["first"] else 0
    print_table(findings, options)
    wrong = [finding["fault"] for finding in findings[1:] if not is_found(finding)]
    for name in wrong:
        print(f"nothing finds: {name}", file=sys.stderr)
    if is_found(findings[0]):
        print(f"something fails without any fault: {findings[0]}", file=sys.stderr)
    return 1 if wrong or is_found(findings[0]) else 0


if __name__ == "__main__":
    sys.exit(main())
