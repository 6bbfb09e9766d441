#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the tutorial's second program, build/examples/decentralized-sgd, and draws what it writes.
#
#     test-decentralized-sgd.sh PROGRAM

set -euo pipefail

PROGRAM=$1
SHORT=(--devices=4 --rounds=3 --epochs=3)
# shellcheck source=tests/command/example-test.sh
source "$(dirname "${BASH_SOURCE[0]}")/example-test.sh"

test_devices_learn() {
    local first last
    "$PROGRAM" "${SHORT[@]}" --runDir=well
    first=$(mean_of well accuracy_test 0)
    last=$(mean_of well accuracy_test 2)
    is_true "$last > 0.5 && $last > $first" || fail "accuracy $first, and $last at the end"
}

test_weights_have_four_bytes() {
    local weights=$((784 * 200 + 200 + 200 * 10 + 10)) header=23
    awk -F, -v bytes=$((header + 4 * weights)) '
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
        NR > 1 && $column["bytes"] != bytes { exit 1 }
        END { exit NR < 2 }' well/messages.csv || fail 'weights of another size'
}

test_threads_change_nothing() {
    "$PROGRAM" "${SHORT[@]}" --runDir=threads --ns3::collab::LearnerPool::Threads=3
    diff -r -x run.json well threads || fail 'another number of threads gave other tables'
}

test_devices_that_hear_nobody_learn_less() {
    "$PROGRAM" "${SHORT[@]}" --runDir=alone --patience=0
    is_true "$(mean_of alone messages_heard 2) == 0" || fail 'a device without patience has received a model'
    is_true "$(mean_of alone accuracy_test 2) < $(mean_of well accuracy_test 2)" ||
        fail 'the models of others do not help'
}

check_length 120
test_devices_learn
test_weights_have_four_bytes
test_threads_change_nothing
test_devices_that_hear_nobody_learn_less
check_refused --devices=1 --epochs=0 --patience=-1s --epoch=3 --dataDir=/nowhere --runDir=well
check_drawn 'accuracy test' well alone
echo 'all tests passed'
