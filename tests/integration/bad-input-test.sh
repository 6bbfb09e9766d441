#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Mistakes on the command line of a real program: one clear line on standard error, exit status 2,
# nothing written. bad-input-test.cc has many more of them.
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

expect "unknown argument '--devise=3'; did you mean --device? --help" --devise=3
expect "--devices=1 is not allowed; it must be 2 to" --devices=1
expect "argument --lambda=0.5 and attribute --ns3::collab::PredictionConsensusApplication::Lambda=0.9" \
    --lambda=0.5 --ns3::collab::PredictionConsensusApplication::Lambda=0.9
expect "--minimumSamples=64 is not allowed; it must be 4 to 40" --samples=40 --minimumSamples=64
expect "$work/nothing" --dataDir="$work/nothing"

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
