#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the tutorial's first program, build/examples/hello-algorithm, and draws what it writes.
#
#     test-hello-algorithm.sh PROGRAM

set -euo pipefail

PROGRAM=$1
# shellcheck source=tests/command/example-test.sh
source "$(dirname "${BASH_SOURCE[0]}")/example-test.sh"

test_devices_agree() {
    "$PROGRAM" --runDir=well
    is_true "$(mean_of well error 49) < $(mean_of well error 0) / 2" || fail 'no agreement'
    "$PROGRAM" --runDir=again
    diff -r well again || fail 'the same seed gave other bytes'
}

test_error_is_that_of_the_tutorial() {
    local error
    error=$(printf '%.3f' "$(mean_of well error 49)")
    grep -q "number is $error away" "$ROOT/contrib-module/doc/collab-tutorial.rst" ||
        fail "the tutorial does not say that the error is $error"
}

test_bytes_tell_no_more_than_pointers() {
    "$PROGRAM" --runDir=bytes --ns3::collab::Transport::PayloadMode=Bytes
    cmp well/rounds.csv bytes/rounds.csv || fail 'the message loses something on the wire'
}

check_length 90
test_devices_agree
test_error_is_that_of_the_tutorial
test_bytes_tell_no_more_than_pointers
check_refused --devices=0 --devices=-1 --device=3 --runDir=well
check_drawn error well bytes
echo 'all tests passed'
