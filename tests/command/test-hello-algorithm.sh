#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the program of the tutorial, build/examples/hello-algorithm, and draws what it writes.
#
#     test-hello-algorithm.sh PROGRAM

set -euo pipefail

PROGRAM=$1
ROOT=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Mean of column $2 of rounds.csv in folder $1 in round $3, over the devices that have a number
mean_of() {
    awk -F, -v name="$2" -v round="$3" '
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
        NR > 1 && $column["round"] == round && $column[name] != "nan" {
            sum += $column[name]
            ++count
        }
        END { print sum / count }' "$1/rounds.csv"
}

is_true() { awk "BEGIN { exit !($1) }"; }

test_example_is_short() {
    (($(wc -l <"$ROOT/examples/hello-algorithm.cc") <= 150)) || fail 'the example is too long'
}

test_devices_agree() {
    "$PROGRAM" --runDir=well
    is_true "$(mean_of well error 49) < $(mean_of well error 0) / 2" || fail 'no agreement'
    "$PROGRAM" --runDir=again
    diff -r well again || fail 'the same seed gave other bytes'
}

test_bytes_tell_no_more_than_pointers() {
    "$PROGRAM" --runDir=bytes --ns3::collab::Transport::PayloadMode=Bytes
    cmp well/rounds.csv bytes/rounds.csv || fail 'the payload loses something on the wire'
}

test_nan_is_refused() {
    "$PROGRAM" --runDir=broken --broken=2
    is_true "$(mean_of broken bad 49) > 10 && $(mean_of well bad 49) == 0" || fail 'not counted'
    is_true "$(mean_of broken error 49) < $(mean_of broken error 0)" || fail 'NaN was believed'
}

test_bad_arguments_are_one_line() {
    local argument
    for argument in --broken=10 --devices=-1 --device=3 --runDir=well; do
        CODE=0
        OUTPUT=$("$PROGRAM" --runDir=bad "$argument" 2>&1) || CODE=$?
        [[ $CODE == 2 && $(wc -l <<<"$OUTPUT") == 1 ]] || fail "$argument: $CODE, $OUTPUT"
    done
    [[ ! -e bad && ! -e bad.partial ]] || fail 'a refused run has left a folder'
}

test_runs_are_drawn() {
    OUTPUT=$("$ROOT/collab" plot well broken --out figures 2>&1) || fail "$OUTPUT"
    grep -q error <<<"$OUTPUT" || fail "no error in: $OUTPUT"
    [[ -s figures/accuracy.png ]] || fail "error is not drawn over joules: $OUTPUT"
    [[ $OUTPUT != *Traceback* && $OUTPUT != *'left out'* ]] || fail "$OUTPUT"
}

test_example_is_short
test_devices_agree
test_bytes_tell_no_more_than_pointers
test_nan_is_refused
test_bad_arguments_are_one_line
test_runs_are_drawn
echo 'all tests passed'
