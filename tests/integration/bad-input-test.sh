#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Mistakes on the command line: one clear line on standard error, exit status 2, nothing written.
# Usage: bad-input-test.sh PROGRAM

set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect TEXT ARGUMENT...: the program must refuse the arguments with a line that contains TEXT
expect() {
    local text=$1
    shift
    "$program" --runDir="$work/run" "$@" >"$work/out" 2>"$work/err"
    local status=$?
    if [ "$status" -ne 2 ] || [ "$(wc -l <"$work/err")" -ne 1 ] || [ -s "$work/out" ] ||
        ! grep -qF -- "$text" "$work/err" || [ -e "$work/run" ] || [ -e "$work/run.partial" ]; then
        printf 'FAILED: %s: status %s, said:\n' "$*" "$status"
        cat "$work/out" "$work/err"
        failures=$((failures + 1))
    fi
}

expect "unknown argument '--device=3'; allowed are --alpha" --device=3
expect "unknown argument 'ten'" ten
expect "argument '--rounds=many' has no valid value" --rounds=many
expect "argument '--rounds=-3' has no valid value" --rounds=-3
expect "argument '--rounds' has no valid value" --rounds
expect "type 'ns3::collab::D2dChannel' has no attribute 'Noise'; allowed are" --ns3::collab::D2dChannel::Noise=1
expect "unknown type 'ns3::collab::Channel'" --ns3::collab::Channel::NoiseFigure=1
expect "attribute 'Fidelity' of 'ns3::collab::D2dChannel' cannot be 'Exact'" --ns3::collab::D2dChannel::Fidelity=Exact
expect "attribute 'Mtu' of 'ns3::collab::D2dNetDevice' cannot be 'big'" --ns3::collab::D2dNetDevice::Mtu=big
expect "attribute 'NoiseFigure' of 'ns3::collab::D2dChannel' cannot be '-3'" --ns3::collab::D2dChannel::NoiseFigure=-3
expect "attribute 'SlotTime' of 'ns3::collab::D2dNetDevice' cannot be '9parsec'" --ns3::collab::D2dNetDevice::SlotTime=9parsec
expect "global value 'RngRun' cannot be 'first'" --RngRun=first
application=--ns3::collab::PredictionConsensusApplication
expect "argument --lambda=0.5 and attribute $application::Lambda=0.9 are both given" \
    --lambda=0.5 $application::Lambda=0.9
expect "argument --trust=static and attribute $application::TrustMode=Naive are both given" \
    --trust=static $application::TrustMode=Naive
expect "argument --battery=5 and attribute --ns3::" --battery=5 \
    "--$("$program" --PrintTypeIds | grep -o 'ns3::.*BasicEnergySource$')::BasicEnergySourceInitialEnergyJ=7"
expect "give it as --ns3::collab::CollaborationApplication::Rounds" $application::Rounds=3
expect "attribute 'Position' of 'ns3::MobilityModel' cannot be given" --ns3::MobilityModel::Position=1:2:3
expect "--devices=1 is not allowed; it must be 2 to" --devices=1
expect "--alpha=0 is not allowed; it must be greater than 0" --alpha=0
expect "--alpha=-1 is not allowed" --alpha=-1
expect "--lambda=-0.1 is not allowed; it must be 0 or greater" --lambda=-0.1
expect "--dataSet=cifar is not allowed; allowed are" --dataSet=cifar
expect "--models=mlp,linear,netcnn is not allowed; it must be 2 models" --models=mlp,linear,netcnn
expect "--consensus=vote is not allowed; allowed are soft, majority-vote" --consensus=vote
expect "--trust=blind is not allowed; allowed are dynamic, static, naive, local" --trust=blind
expect "recorder 'xml' is not allowed; allowed: csv" --recorder=xml

expect "--model=mlpp is not allowed: " --model=mlpp
expect "alexnet, char-lstm" --model=mlpp
expect "--model=mlp:-5 is not allowed: " --model=mlp:-5
expect "--model=char-lstm is not allowed: " --model=char-lstm
expect "attribute 'Bandwidth' of 'ns3::collab::D2dNetDevice' cannot be '0'" --ns3::collab::D2dNetDevice::Bandwidth=0
expect "attribute 'NoisePower' of 'ns3::collab::D2dChannel' cannot be '-1'" --ns3::collab::D2dChannel::NoisePower=-1

# Matrices of links
small=(--quiet=true --devices=3 --lowQuality=none --rounds=1 --pretrainingRounds=0)
outage=--ns3::collab::D2dChannel::OutageModel=ns3::collab::D2dMatrixOutageModel
power=--ns3::collab::D2dChannel::PropagationLossModel=ns3::collab::D2dMatrixRssModel
printf '0,.1\n.1,0\n' >"$work/two.csv"
printf '0,.1,.1\n.1,0,1.2\n.1,.1,0\n' >"$work/beyond.csv"
printf '0,1e-9,1e-9\n1e-9,0,-1e-9\n1e-9,1e-9,0\n' >"$work/negative.csv"
printf '0,2e-9,1e-9\n1e-9,0,1e-9\n1e-9,1e-9,0\n' >"$work/skew.csv"
expect "node 2 has no row in the 2 x 2 matrix" "${small[@]}" "$outage[FileName=$work/two.csv]"
expect "beyond.csv: line 2, column 3: found 1.2, expected a probability in [0, 1]" \
    "${small[@]}" "$outage[FileName=$work/beyond.csv]"
expect "negative.csv: line 2, column 3: found -1e-09, expected a positive power" "${small[@]}" "$power[FileName=$work/negative.csv]"
expect "skew.csv" "${small[@]}" "$power[FileName=$work/skew.csv|Symmetric=true]"
expect "$work/none.csv: cannot be opened" "${small[@]}" "$power[FileName=$work/none.csv]"

# Data files
data=/usr/share/datasets/fashion-mnist
expect "$work/nothing" --dataDir="$work/nothing"
mkdir "$work/data"
copy_data() {
    rm -f "$work"/data/*
    cp "$data"/* "$work/data"
}
copy_data
zcat "$data/train-images-idx3-ubyte.gz" | head -c 100000 >"$work/data/train-images-idx3-ubyte"
rm "$work/data/train-images-idx3-ubyte.gz"
expect "$work/data/train-images-idx3-ubyte" --dataDir="$work/data"
copy_data
head -c 4000 "$data/train-images-idx3-ubyte.gz" >"$work/data/train-images-idx3-ubyte.gz"
expect "$work/data/train-images-idx3-ubyte.gz" --dataDir="$work/data"
copy_data
printf 'no magic here, none at all' >"$work/data/t10k-labels-idx1-ubyte"
rm "$work/data/t10k-labels-idx1-ubyte.gz"
expect "$work/data/t10k-labels-idx1-ubyte" --dataDir="$work/data"

# A run folder that exists
mkdir "$work/old"
echo kept >"$work/old/rounds.csv"
"$program" --runDir="$work/old" >/dev/null 2>"$work/err"
if [ $? -ne 2 ] || ! grep -qF "run folder '$work/old' exists already" "$work/err" ||
    [ "$(cat "$work/old/rounds.csv")" != kept ]; then
    echo "FAILED: an existing run folder"
    cat "$work/err"
    failures=$((failures + 1))
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
