#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Times a well-known cell of federated learning, three times: 1000 clients, 10 of them a round, 100
# rounds of FedAvg, logistic regression on images of 28 x 28, batches of 10, SGD with a rate of 0.03.
# Prints what contrib-module/doc/results/federated-cell.txt has. Takes the folder of the build.

set -euo pipefail
build=${1:?folder of the build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
arguments=(--devices=1000 --participation=0.01 --rounds=100 --localEpochs=2 --batchSize=10
    --learningRate=0.03 --optimizer=sgd --model=linear --samples=59 --partition=iid
    --lowQuality=none --testSamples=7371)
echo "commit $(git -C "$(dirname "$0")" rev-parse --short HEAD), $(nproc) cores"
echo "build/scenarios/federated ${arguments[*]}"
for i in 1 2 3; do
    begin=$(date +%s%N)
    "$build/scenarios/federated" "${arguments[@]}" --runDir="$folder/$i" >/dev/null
    tenths=$((($(date +%s%N) - begin) / 100000000))
    echo "run $i: $((tenths / 10)).$((tenths % 10)) s"
done
/usr/bin/python3 - "$folder/1/rounds.csv" <<'END'
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
print(f"accuracy on 7371 test samples after round {last['round']}: {float(last['accuracy_global']):.3f}")
END
