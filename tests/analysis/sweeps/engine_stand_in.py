#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""In the place of Snakemake, which takes seconds to begin: runs the jobs that engine.json lists.

SIGTERM lets running points finish; SIGINT, which reaches them too, ends it when they have ended.
"""

import json
import os
import re
import signal
import sys

with open("engine.json", encoding="utf-8") as stream:
    CALL = json.load(stream)
sys.path.insert(0, CALL["package"])
os.environ["PYTHONPATH"] = CALL["package"]

from collab.sweeps.jobs import execute


def begin(mark):
    """Runs a job, known by the mark of its last point, in a process forked from this one."""
    process = os.fork()
    if not process:
        os.closerange(3, 1024)  # the locks that this one holds
        code = 1
        try:
            code = execute.main([re.fullmatch(r"(.*)/points/[0-9a-f]+\.json", mark)[1], *CALL["jobs"][mark]])
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    return process


def main():
    waiting = [mark for mark in CALL["jobs"] if not os.path.exists(mark)]
    running, failed = set(), False

    def stop(number, _frame):
        waiting.clear()
        if number == signal.SIGTERM:
            print("Will exit after finishing currently running jobs.", flush=True)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    jobs = int(sys.argv[sys.argv.index("--cores") + 1])
    while waiting or running:
        while waiting and len(running) < jobs:
            running.add(begin(waiting.pop(0)))
        process, status = os.wait()
        running.discard(process)
        failed |= status != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
