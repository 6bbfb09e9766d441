# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The machine: its cores and memory, and how many jobs a build has."""

import os
import re
from pathlib import Path
from typing import Set

MEGABYTES_PER_JOB = 2000  # a translation unit that includes LibTorch takes 1.5 GB
_MEMORY = Path("/proc/meminfo")
_PROCESSOR = Path("/proc/cpuinfo")
_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


def features() -> Set[str]:
    """What the processor has, as avx2; empty if the system does not tell."""
    match = re.search(r"^flags\s*:(.*)", _PROCESSOR.read_text(), re.MULTILINE) if _PROCESSOR.exists() else None
    return set(match[1].split()) if match else set()


def memory_megabytes() -> int:
    """The machine's memory, or the container's share of it."""
    match = re.search(r"^MemTotal: *(\d+)", _MEMORY.read_text(), re.MULTILINE)
    machine = int(match[1]) // 1000
    limit = _LIMIT.read_text().strip() if _LIMIT.exists() else "max"
    return machine if limit == "max" else min(machine, int(limit) // 1_000_000)


def jobs_count() -> int:
    """At most one job a core, and not more than there is memory for."""
    given = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    return max(1, min(cores(), memory_megabytes() // MEGABYTES_PER_JOB))
