#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the bridge to Python costs: the same protocols in Python and C++, one after the other.

Usage: python_protocols.py BUILD [ROUNDS]    as ./collab bench python calls it

Prints a row a step: device rounds a second in Python and in C++, and their ratio; what is measured is
the time that more rounds take, so that starting is not in it. Then decentralized SGD of a model in
PyTorch beside that of the module's learner, aggregation rules on arrays beside those of C++, and the
memory of 100 devices with a model each.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "analysis"), str(ROOT / "contrib-module/examples")]

DEVICES = 10
FEW = 20  # rounds of the run whose time is taken off


def protocol():
    """A protocol whose rounds are one step."""
    import collab

    class Steps(collab.Protocol):
        number = collab.message(value="float32")
        what = collab.parameter("exchange", choices=["sleep", "compute", "exchange"])
        metrics = {"heard": "numbers that came"}

        async def round(self):
            heard = ()
            if self.what == "sleep":
                await self.sleep(0.001)
            elif self.what == "compute":
                await self.compute("compute", lambda: 0, flops=1000)
            else:
                self.broadcast(self.number(value=1))
                heard = await self.hear(self.number, timeout=0.1)
            self.report(heard=len(heard))

    return Steps


def seconds(call) -> float:
    """How long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def rate(run, rounds: int) -> float:
    """Device rounds a second, of run(number of rounds)."""
    return DEVICES * (rounds - FEW) / (seconds(lambda: run(rounds)) - seconds(lambda: run(FEW)))


def steps(build: Path, rounds: int, folder: Path) -> None:
    """Prints the rates of steps."""
    import collab

    made = protocol()
    names = iter(range(10**6))

    def in_python(what):
        return lambda count: collab.main(
            made, [f"--runDir={folder / str(next(names))}", f"--devices={DEVICES}", "--quiet",
                   f"--rounds={count}", f"--what={what}", "--maxOutage=1e-6"],
        )  # fmt: skip

    def in_cpp(what):
        program = build / "tests/benchmarks/collab-bench-python"
        return lambda count: subprocess.run(
            [program, f"--what={what}", f"--rounds={count}", f"--devices={DEVICES}",
             f"--runDir={folder / str(next(names))}"],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    print("| device rounds a second of | Python | C++ | ratio |\n| --- | --- | --- | --- |")
    for what in ("sleep", "compute", "exchange"):
        in_python(what)(FEW)  # what is loaded once
        python, cpp = rate(in_python(what), rounds), rate(in_cpp(what), rounds)
        print(f"| {what} | {python:.0f} | {cpp:.0f} | {python / cpp:.2f} |", flush=True)


def learning(build: Path, folder: Path) -> None:
    """Prints the times of decentralized SGD."""
    import collab
    from decentralized_sgd import DecentralizedSgd

    def in_python(count):
        return collab.main(
            DecentralizedSgd, [f"--runDir={folder / f'sgd-{count}'}", f"--devices={DEVICES}",
                               f"--rounds={count}", "--samples=267", "--minimumSamples=50",
                               "--alpha=0.5", "--quiet", "--maxOutage=1e-6", "--hidden=200",
                               "--testSamples=1000"],
        )  # fmt: skip

    def in_cpp(count):
        subprocess.run([build / "examples/decentralized-sgd", f"--rounds={count}",
                        f"--devices={DEVICES}", f"--runDir={folder / f'cpp-{count}'}"],
                       check=True, stdout=subprocess.DEVNULL)  # fmt: skip

    some, more = 4, 24
    times = [seconds(lambda: run(more)) - seconds(lambda: run(some)) for run in (in_python, in_cpp)]
    python, cpp = (DEVICES * (more - some) / one for one in times)
    # The module's learner also measures its models before they are averaged
    print(f"| decentralized SGD, an MLP of 159 010 weights | {python:.0f} | {cpp:.0f} |"
          f" {python / cpp:.2f} |")  # fmt: skip


def rules(build: Path) -> None:
    """Prints the times of aggregation rules, of 25 vectors of 100 000 elements."""
    import numpy as np

    import collab

    program = build / "tests/benchmarks/collab-bench-learning"
    vectors = list(np.random.default_rng(1).normal(size=(25, 100000)).astype(np.float32))
    print("\n| aggregation of 25 vectors of 100 000 | Python [ms] | C++ [ms] | ratio |")
    print("| --- | --- | --- | --- |")
    for rule, name in (("mean", "mean"), ("median", "median"), ("krum:f=5", "krum")):
        python = 1e3 * collab.measure(lambda rule=rule: collab.aggregate(vectors, rule), 20)
        command = [program, f"--benchmark_filter=Aggregate/{name}/25/100000$",
                   "--benchmark_format=json", "--benchmark_min_time=0.2"]  # fmt: skip
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        cpp = json.loads(told)["benchmarks"][0]["real_time"]
        print(f"| {rule} | {python:.2f} | {cpp:.2f} | {python / cpp:.2f} |", flush=True)


def memory(folder: Path) -> None:
    """Prints the memory of 100 devices, in a process of its own."""
    code = (
        "import collab, resource, sys; from decentralized_sgd import DecentralizedSgd\n"
        "collab.simulate(DecentralizedSgd, into=sys.argv[1], devices=int(sys.argv[2]), rounds=1,"
        " samples=80, minimumSamples=20, progress=False, outage=1e-6)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path[:2])}
    sizes = [
        int(subprocess.run([sys.executable, "-c", code, str(folder / f"m{devices}"), str(devices)],
                           check=True, capture_output=True, text=True,
                           env=environment).stdout.splitlines()[-1])
        for devices in (2, 100)
    ]  # fmt: skip
    print(f"\n100 devices with a model each: {sizes[1]} MB, {(sizes[1] - sizes[0]) / 98:.1f} MB per"
          f" device (2 devices: {sizes[0]} MB)")  # fmt: skip


def main() -> None:
    """Prints all."""
    build = Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    os.environ["COLLAB_BUILD"] = str(build)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        steps(build, rounds, Path(folder))
        learning(build, Path(folder))
        rules(build)
        memory(Path(folder))


if __name__ == "__main__":
    main()
