#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Print ratios of benchmarks from the JSON files of one run of Google Benchmark.

Times of a machine mean little elsewhere, ratios of times taken in one run mean more. A ratio is
formed for each repetition; shown are the median and the range.
"""

import argparse
import json
import statistics
import sys
from typing import NamedTuple

TIME = "cpu_time"
MEMORY = "resident_bytes/device"
MODELS = (
    *("linear", "polynomial", "mlp", "netcnn", "lenet", "alexnet", "resnet20", "resnet20:gn"),
    *("conv4", "fc3", "char-lstm", "sentiment-lstm", "efficientnet-b0", "gcn"),
)


class Ratio(NamedTuple):
    """A quotient of two benchmarks, and what it should be."""

    label: str
    numerator: str
    denominator: str  # none for a value by itself
    target: str = ""  # ">= 1", "<= 1.1" or none
    key: str = TIME
    factor: float = 1.0  # for benchmarks whose iterations do not do the same amount of work
    optional: bool = False  # needs what is not always there


def _packet_rows():
    kinds = {
        "delay, energy": "delay_energy",
        "delay": "delay",
        "no delay, energy": "no_delay_energy",
        "no delay": "no_delay",
    }
    others = {"SimpleNetDevice": ("PacketSimple", 1.5, 1.2), "Wi-Fi": ("PacketWifi", 50, 50)}
    for other, (name, target, target_with_energy) in others.items():
        for kind, suffix in kinds.items():
            label = f"sends/s in packet mode ({kind}) / {other}"
            least = target_with_energy if "energy" in suffix else target
            yield Ratio(label, name, f"PacketD2d/{suffix}", f">= {least}")


def _burst_rows():
    kinds = ["broadcast", "unicast", "broadcast_arq", "unicast_arq"]
    for kind in kinds:
        label = f"time of a burst of 200 MB / 1 kB ({kind})"
        yield Ratio(
            label,
            f"SendMessage/burst_{kind}/200000000",
            f"SendMessage/burst_{kind}/1000",
            "" if kind == "broadcast_arq" else "<= 1.1",
        )
    for kind in kinds:
        yield Ratio(
            f"time for 20 MB, packet / burst mode ({kind})",
            f"SendMessage/packet_{kind}/20000000",
            f"SendMessage/burst_{kind}/20000000",
            ">= 1000",
        )


def _shared_rows():
    kinds = {
        "all/1": "one to all",
        "all/3": "three to all, in turns",
        "own/3": "three to one each",
        "one/3": "three to the same one",
        "arq/1": "one to one, stop-and-wait",
        "all_arq/3": "three to all, in turns, stop-and-wait",
    }
    for kind, words in kinds.items():
        yield Ratio(
            f"time for 2 MB on a shared channel, packet / burst mode ({words})",
            f"SendTogether/packet_{kind}",
            f"SendTogether/burst_{kind}",
        )


def _scale_rows():
    for links in ("kept", "new"):
        for count in (1000, 10000):
            yield Ratio(
                f"time a send, N = {count} / N = 100 ({links} links)",
                f"Scale/{links}_links/{count}",
                f"Scale/{links}_links/100",
                "<= 1.5",
                factor=100 / count,
            )
    yield Ratio(
        "memory a device, N = 10000 / N = 1000",
        "Scale/kept_links/10000",
        "Scale/kept_links/1000",
        "<= 1.5",
        MEMORY,
    )
    yield Ratio(
        "memory a device, N = 100000 / N = 1000",
        "Scale/large/100000/iterations:1/repeats:1",
        "Scale/kept_links/1000",
        "<= 1.2",
        MEMORY,
        optional=True,
    )
    # 4 GB for 10000 devices are 5 times what each of 1000 has
    yield Ratio(
        "memory a device, all in range, N = 10000 / N = 1000",
        "AllInRange/large/10000/iterations:1/repeats:1",
        "AllInRange/1000/iterations:1",
        "<= 5",
        MEMORY,
        optional=True,
    )
    yield Ratio(
        "time a send, another power each / the same power, N = 10000",
        "PowerControl/10000",
        "Scale/kept_links/10000",
        "<= 3",
    )
    yield Ratio(
        "time a send, another power each, N = 10000 / N = 100",
        "PowerControl/10000",
        "PowerControl/100",
        factor=0.01,
    )
    yield Ratio("time a send, one of 1000 moves / none", "Move/one", "Move/none", "<= 1.5")
    yield Ratio("time a send, all 1000 move / none", "Move/all", "Move/none")


def _interference_rows():
    kinds = {
        "constant": ("mean powers", "<= 80"),
        "fading": ("fading", "<= 80"),
        "constant_all": ("mean powers, no locks", "<= 80"),
        "fading_all": ("fading, no locks", "<= 80"),
    }
    for kind, (words, target) in kinds.items():
        yield Ratio(
            f"fragment among 50 signals at 24 devices / a sum of their powers ({words})",
            f"InterferenceOfFragments/{kind}/50",
            "SumOfPowers/50",
            target,
        )


def _aggregation_rows():
    rules = ("krum", "median", "trimmed_mean", "mean")
    shapes = [f"{n}/{d}" for n in (25, 100) for d in (100000, 1000000)]
    targets = {"krum": "<= 1.2", "median": "<= 0.333", "trimmed_mean": "<= 0.333"}
    for shape in shapes:
        for rule in rules:
            name = f"Aggregate/{rule}/{shape}"
            label = f"time of {rule} {shape} / numpy"
            yield Ratio(label, name, f"Numpy/{rule}/{shape}", targets.get(rule, ""), optional=True)
        yield Ratio(
            f"time of krum {shape} / inner products by BLAS",
            f"Aggregate/krum/{shape}",
            f"MultiplyByBlas/{shape}",
            "<= 1.2",
            optional=True,
        )
    for shape in shapes:
        for rule in (*rules, "geometric_median_3"):
            yield Ratio(
                f"time of {rule} {shape} / reading the vectors",
                f"Aggregate/{rule}/{shape}",
                f"ReadVectors/{shape}",
            )


def _consensus_rows():
    for size in ("2/1", "10/5"):
        for threads, target in ((1, ""), (2, ">= 3" if size == "10/5" else "")):
            yield Ratio(
                f"wall time of a consensus round {size}, PyTorch by {threads} / ours by 2 threads",
                f"PyTorch/ConsensusRound/{size}/{threads}",
                f"ConsensusRound/{size}/process_time/real_time",
                target,
                key="real_time",
                optional=True,
            )


def _federated_rows():
    name = "FederatedRound"
    tail = "iterations:1"
    yield Ratio(
        "memory a device, a round of FedAvg with NetCNN, N = 1000 / N = 100",
        f"{name}/1000/{tail}/repeats:1",
        f"{name}/100/{tail}",
        "<= 1.2",
        MEMORY,
        optional=True,
    )
    yield Ratio(
        "memory of that round, N = 1000 [GB]",
        f"{name}/1000/{tail}/repeats:1",
        "",
        "<= 3",
        MEMORY,
        factor=1000 / 1e9,
        optional=True,
    )


def _belief_rows():
    yield Ratio(
        "time of instants of 100 users, 30 % lost / nothing lost",
        "BeliefInstants/30",
        "BeliefInstants/0",
        optional=True,
    )
    yield Ratio(
        "time of instants of 100 users, nothing lost / without a network",
        "BeliefInstants/0",
        "BeliefMathematics",
        optional=True,
    )


def _graph_rows():
    name = "GraphDiscoveryMathematics"
    yield Ratio(
        "time of 5000 iterations of graph discovery, N = 25, without a network / numpy",
        f"{name}/25",
        f"Numpy/{name}/25",
        "<= 0.5",
        optional=True,
    )
    yield Ratio(
        "time a device of these iterations, N = 200 / N = 25",
        f"{name}/200",
        f"{name}/25",
        factor=25 / 200,
        optional=True,
    )
    slots = "DiscoverySlots"
    yield Ratio(
        "time of 5000 slots, N = 25, every message on the radio / without a network",
        f"{slots}/25/5000",
        f"{name}/25",
        optional=True,
    )
    for count, iterations in ((50, 2500), (200, 625)):
        yield Ratio(
            f"time a device of slots on the radio, N = {count} / N = 25",
            f"{slots}/{count}/{iterations}",
            f"{slots}/25/5000",
            "<= 1.5",
            optional=True,
        )
    for kind in ("BestEffort", "OneCluster"):
        yield Ratio(
            f"time of 5000 slots, {kind} / reliable messages",
            f"{slots}{kind}/25/5000",
            f"{slots}/25/5000",
            optional=True,
        )


def _training_rows():
    for count in (25, 100, 1000):
        yield Ratio(
            f"steps/s of 2-5-10-4, N = {count} / by LibTorch",
            f"TrainSmall/libtorch/{count}",
            f"TrainSmall/native/{count}",
            ">= 6",
        )
    yield Ratio("time of a step of 784-200-10 / LibTorch loop", "TrainMlpLearner", "TrainMlpLibTorch")
    yield Ratio(
        "time of a step of NetCNN, 64 + 256 / LibTorch loop",
        "TrainNetCnnLearner",
        "TrainNetCnnLibTorch",
    )
    for model in MODELS:
        step = f"time of a step of {model} on 8 samples"
        yield Ratio(
            f"{step} / LibTorch loop", f"TrainModelLearner/{model}", f"TrainModelLibTorch/{model}"
        )
        yield Ratio(
            f"{step} / PyTorch",
            f"TrainModelLearner/{model}",
            f"PyTorch/TrainModel/{model}",
            optional=True,
        )
    for model in ("netcnn", "mlp"):
        name = f"TrainRound/{model}"
        tail = "process_time/real_time"
        yield Ratio(
            f"wall time of a round of {model}, pool of 1 thread / none",
            f"{name}/1/{tail}",
            f"{name}/0/{tail}",
            "<= 1.03",
            key="real_time",
        )
        yield Ratio(
            f"wall time of a round of {model}, pool of 1 thread / 2",
            f"{name}/1/{tail}",
            f"{name}/2/{tail}",
            ">= 1.8" if model == "netcnn" else "",
            key="real_time",
        )
    yield Ratio(
        "time a device of 100 000 weights, N = 1000 / N = 100",
        "TrainManyDevices/sgd/1000",
        "TrainManyDevices/sgd/100",
        "<= 1.5",
        factor=0.1,
    )
    yield Ratio(
        "memory a device trained by Adam, federated / kept as it is, N = 1000",
        "TrainManyDevices/adam_federated/1000",
        "TrainManyDevices/adam/1000",
        "<= 0.4",
        key="trained_bytes/device",
    )


RATIOS = [
    *_training_rows(),
    *_consensus_rows(),
    *_federated_rows(),
    *_belief_rows(),
    *_graph_rows(),
    *_aggregation_rows(),
    *_packet_rows(),
    *_burst_rows(),
    *_shared_rows(),
    *_scale_rows(),
    *_interference_rows(),
    Ratio("finding links, moving / still", "GetLinks/moving", "GetLinks/still"),
    Ratio("change of power, energy / none", "ActivityChange/energy", "ActivityChange/no_energy"),
    Ratio("change of power, energy / event", "ActivityChange/energy", "EmptyEvent"),
]


def load(paths):
    """Return runs by name: a list of results of each benchmark, by repetition."""
    runs = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for result in json.loads(text)["benchmarks"] if text else []:
            if result["run_type"] == "iteration":
                runs.setdefault(result["run_name"], []).append(result)
    return runs


def compute(ratio, runs):
    """Return the ratio for each repetition; nothing if a benchmark was not run."""
    if not ratio.denominator:
        return [ratio.factor * run[ratio.key] for run in runs.get(ratio.numerator, [])]
    pairs = zip(runs.get(ratio.numerator, []), runs.get(ratio.denominator, []))
    return [ratio.factor * a[ratio.key] / b[ratio.key] for a, b in pairs if b[ratio.key]]


def verdict(value, target):
    """Say whether a ratio is what it should be."""
    if not target:
        return ""
    sign, limit = target.split()
    met = value >= float(limit) if sign == ">=" else value <= float(limit)
    return "met" if met else "MISSED"


def print_table(rows):
    """Print rows of a ratio and its values."""
    width = max(len(ratio.label) for ratio, _ in rows)
    line = "{:<%d}  {:>10}  {:>21}  {:>8}  {}" % width
    print(line.format("RATIO", "MEDIAN", "RANGE", "TARGET", "").rstrip())
    for ratio, values in rows:
        median = statistics.median(values)
        spread = f"{min(values):.4g} .. {max(values):.4g}"
        words = (ratio.label, f"{median:.4g}", spread, ratio.target, verdict(median, ratio.target))
        print(line.format(*words).rstrip())


def main():
    """Read arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="written by --benchmark_out")
    parser.add_argument("--all", action="store_true", help="fail if a ratio cannot be formed")
    arguments = parser.parse_args()
    runs = load(arguments.files)
    rows = [(ratio, values) for ratio in RATIOS if (values := compute(ratio, runs))]
    if rows:
        print_table(rows)
    else:
        print("no ratio is formed by these benchmarks alone")
    needed = {ratio for ratio in RATIOS if not ratio.optional}
    missing = sorted(needed - {ratio for ratio, _ in rows})
    if arguments.all and missing:
        print(f"not run: {', '.join(ratio.label for ratio in missing)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
