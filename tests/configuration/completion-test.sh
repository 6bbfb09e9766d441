#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What a shell offers for the arguments of a scenario.
# Usage: completion-test.sh PREDICTION_CONSENSUS

set -u
program=$1
failures=0
eval "$("$program" --PrintCompletion=bash)"

# offer EXPECTED WORD...: for these words of a command line, bash must offer exactly that
offer() {
    local expected=$1
    shift
    COMP_WORDS=(prediction-consensus "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _prediction_consensus
    if [ "${COMPREPLY[*]-}" != "$expected" ]; then
        printf 'FAILED: %s: offered %s\n' "$*" "${COMPREPLY[*]-}"
        failures=$((failures + 1))
    fi
}

offer "--lambda=" --lam
offer "--model= --models=" --model
offer "--models=" --models
offer "dynamic static naive ideal local oracle" --trust =
offer "static" --trust = st
offer "--trust=naive" --trust=n
offer "true false" --quiet =
offer "reliable" --trust = local --loss = re
offer "" --loss = x
complete -p prediction-consensus | grep -q -- "-F _prediction_consensus prediction-consensus" || {
    echo "FAILED: nothing is registered"
    failures=$((failures + 1))
}
"$program" --PrintCompletion=zsh | head -1 | grep -q bashcompinit || {
    echo "FAILED: zsh"
    failures=$((failures + 1))
}
"$program" --PrintCompletion=fish 2>/dev/null
[ $? -eq 2 ] || {
    echo "FAILED: fish is not refused"
    failures=$((failures + 1))
}
echo "$failures failures"
[ "$failures" -eq 0 ]
