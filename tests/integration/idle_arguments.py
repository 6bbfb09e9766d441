#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Gives scenarios arguments that have no effect in a mode, and demands that runs hint at them.

    idle_arguments.py FOLDER_OF_PROGRAMS

Each mode is run twice: with arguments that are of use in it, at which no hint may be, and with idle
ones beside them, each of which must be hinted at and all of which together change no table.
"""

import json
import os
import shlex
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from random_runs import call

SECONDS = 120
RANDHIE = Path(__file__).resolve().parents[1] / "data" / "sets" / "randhie"
# What keeps runs small
SAMPLES = "dataSet=gaussian-classes devices=4 samples=20 testSamples=10 model=linear threads=1"
LEARNERS = f"{SAMPLES} referenceSamples=8 rounds=3"
SMALL = {
    "belief-consensus": "devices=4 instants=6 threads=1",
    "committee": f"{LEARNERS} devices=8 samples=14 activePercent=100",
    "federated": LEARNERS,
    "gossip": LEARNERS,
    "graph-discovery": f"{SAMPLES} rounds=2 iterations=12",
    "prediction-consensus": f"{LEARNERS} pretrainingRounds=1",
}
NETWORKS = f"{SAMPLES} family=mean-field"
SKEW = "labels=3 shares=60,40 sizeExponent=2"
# Scenario, mode, arguments that are idle in it, and some that are not
MODES = (
    (
        "belief-consensus",
        "family=gaussian",
        f"dataSet=gaussian-classes samples=40 referenceSamples=10 referenceSource=clients testSamples=7 "
        f"partition=dirichlet {SKEW} alpha=7 featureRotations=90 featureNoise=0.1 minimumSamples=5 "
        "lowQuality=1 labelNoise=permute replaySamples=7 maxOutage=0.1 lie=overconfident lieStrength=3 "
        "slowdown=9",
        "instantSamples=3 topology=ring pooling=moment precision=float32 interval=0.3 deadline=3 "
        "missing=renormalize loss=reliable evidencePower=network",
    ),
    ("belief-consensus", "family=discrete dataUse=replay", "instantSamples=3", "replaySamples=7"),
    (
        "belief-consensus",
        "family=gaussian method=gossip",
        "interval=0.3 deadline=3 missing=renormalize",
        "topology=ring pooling=moment precision=float32 outage=0.3",
    ),
    (
        "belief-consensus",
        "family=gaussian method=alone",
        "topology=ring weights=metropolis pooling=moment precision=float32 deadline=3 "
        "missing=renormalize loss=reliable evidencePower=network outage=0.3",
        "interval=0.3",
    ),
    (
        "belief-consensus",
        f"{NETWORKS} method=d-psgd",
        "pooling=moment initialDeviation=0.3 predictionDraws=3 labelNoise=permute",
        "missing=renormalize outage=0.3 precision=float64",
    ),
    (
        "belief-consensus",
        f"{NETWORKS} method=d-psgd lowQuality=1",
        "",
        "pooling=clipped clipRadius=0.1 labelNoise=permute",
    ),
    (
        "belief-consensus",
        "family=gaussian links=radio malicious=1 slowDevices=2",
        "",
        "maxOutage=0.1 lie=overconfident lieStrength=3 slowdown=9",
    ),
    ("committee", "", f"{SKEW} targetGroups=3 labelNoise=permute slowdown=9", "alpha=7 batchSize=3"),
    (
        "federated",
        "algorithm=fedsgd",
        "batchSize=3 localSteps=3 localEpochs=2 learningRate=0.3",
        "sgdLearningRate=0.3",
    ),
    (
        "federated",
        "",
        f"{SKEW} targetGroups=3 slowdown=9",
        "alpha=7 labelNoise=permute batchSize=3 localSteps=3 learningRate=0.3",
    ),
    ("federated", "partition=iid", "minimumSamples=5 alpha=7", "localEpochs=2"),
    ("federated", "partition=iid lowQuality=none", "labelNoise=permute", ""),
    ("federated", "partition=labels slowDevices=1", "alpha=7", "labels=3 slowdown=9"),
    ("federated", "partition=quantity", "alpha=7", "sizeExponent=2 minimumSamples=5"),
    ("federated", f"dataSet=randhie dataDir={RANDHIE}", "", "targetGroups=4"),
    ("gossip", "algorithm=segmented replicas=2", "controlTimeout=44 announceTime=4", "loss=best-effort"),
    ("gossip", "algorithm=gossipfl", "", "controlTimeout=44 announceTime=4 localEpochs=2"),
    ("gossip", "algorithm=gossipfl localSteps=2", "localEpochs=2", ""),
    (
        "graph-discovery",
        "downstream=none",
        "rounds=7 model=mlp:7 batchSize=3 learningRate=0.3 localSteps=7 stragglers=1 serverOutage=0.3 "
        "roundDeadline=55 optimizerOptions=maxNorm=1 rateSchedule=step:every=2 labelSmoothing=0.1 "
        "classWeights=balanced augmentation=noise=0.1 components=3 clusters=3 alpha=7",
        "iterations=30 psi=printed buffer=3 budget=1 globalWeight=3 alphaD=0.9 shares=60,40",
    ),
    ("graph-discovery", "downstream=none", "dpSgd=clip=1,noise=1", ""),
    ("graph-discovery", "downstream=scaffold", "learningRate=0.3", "localSteps=7 batchSize=5 rounds=3"),
    (
        "graph-discovery",
        "downstream=fedsgd",
        "learningRate=0.3 localSteps=7 batchSize=5",
        "sgdLearningRate=0.3 stragglers=1 serverOutage=0.3",
    ),
    (
        "graph-discovery",
        "downstream=decentralized peers=2",
        "serverOutage=0.3",
        "learningRate=0.3 localSteps=7 roundDeadline=55",
    ),
    (
        "graph-discovery",
        "downstream=none method=closest",
        "iterations=30 recordInterval=3 psi=printed buffer=3 reduction=0.3 levels=2 budget=1 "
        "budgetWeight=9 globalWeight=3 alphaD=0.9",
        "trust=full",
    ),
    (
        "graph-discovery",
        "downstream=none method=optimum",
        "iterations=30 recordInterval=3 psi=printed buffer=3 reduction=0.3 levels=2",
        "budget=1 budgetWeight=9 globalWeight=3 alphaD=0.9",
    ),
    (
        "graph-discovery",
        "downstream=none method=closest ns3::collab::GraphDiscoveryApplication::EnforceBudget=true",
        "",
        "budget=1 alphaD=0.9 distance=discrete leastLabels=1",
    ),
    ("graph-discovery", "downstream=none trust=full", "trustDensity=0.1", "edges=2"),
    (
        "graph-discovery",
        "downstream=none paradigm=unsupervised components=2",
        "distance=discrete leastLabels=1 thresholdSlack=0.5",
        "clusters=3",
    ),
    (
        "prediction-consensus",
        "trust=local lowQuality=1",
        "consensus=majority-vote lambda=0.1 lowQualityLambda=0.2 referenceBatchSize=3 "
        "referenceOrder=restarted missing=exclude loss=best-effort deadline=33 pretrainingRounds=2",
        "localEpochs=2",
    ),
    (
        "prediction-consensus",
        "trust=oracle lowQuality=1",
        "consensus=majority-vote missing=exclude loss=best-effort deadline=33",
        "lambda=0.1 lowQualityLambda=0.2 referenceBatchSize=3 referenceOrder=restarted",
    ),
    (
        "prediction-consensus",
        "lowQuality=none",
        "lowQualityLambda=0.2 labelNoise=permute",
        "consensus=majority-vote lambda=0.1 missing=exclude loss=best-effort deadline=33",
    ),
    ("prediction-consensus", "models=linear,mlp:5", "model=mlp:7", ""),
)


def read_settings(text):
    """{argument: value} of 'argument=value argument=value ...'."""
    return dict(setting.split("=", 1) for setting in text.split())


def run(program, settings):
    """Hints and tables of a run; raises ValueError if it did not end well."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(program), *(f"--{name}={value}" for name, value in settings.items())]
        done = call([*command, "--runDir=run", "--quiet"], folder, SECONDS)
        if done is None or done.returncode != 0:
            raise ValueError(f"{shlex.join(command)}\n{done.stderr if done else 'did not end'}")
        path = Path(folder) / "run"
        hints = json.loads((path / "run.json").read_text())["hints"]
        return hints, {table.name: table.read_bytes() for table in path.glob("*.csv")}


def find_wrong(folder, scenario, mode, idle, used):
    """What is wrong with a mode, a line each."""
    program = folder / scenario
    usual = {**read_settings(SMALL[scenario]), **read_settings(mode), **read_settings(used)}
    idle = read_settings(idle)
    try:
        hints, tables = run(program, usual)
        all_hints, all_tables = run(program, {**usual, **idle})
    except ValueError as error:
        return [str(error)]

    def is_told(name, lines):
        return any(line.startswith(f"--{name}=") and "has no effect" in line for line in lines)

    changed = sorted(name for name in tables if tables[name] != all_tables.get(name))
    return [
        *(f"a hint at --{name}, which is of use" for name in read_settings(used) if is_told(name, hints)),
        *(f"no hint at --{name}" for name in idle if not is_told(name, all_hints)),
        *(f"idle arguments change {name}" for name in changed),
    ]


def main():
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    folder = Path(sys.argv[1]).resolve()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda mode: find_wrong(folder, *mode), MODES))
    for (scenario, mode, *_), wrong in zip(MODES, found):
        print("".join(f"{scenario} {mode}: {line}\n" for line in wrong), end="")
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main())
