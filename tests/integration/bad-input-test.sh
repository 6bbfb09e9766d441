#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
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

# expect TEXT FOLDER ARGUMENT...: the program must refuse with a line that contains TEXT, before it
# writes into the run folder
expect() {
    local text=$1 folder=$2
    shift 2
    "$program" --runDir="$folder" "$@" >"$work/out" 2>"$work/err"
    local status=$?
    if [ "$status" -ne 2 ] || [ "$(wc -l <"$work/err")" -ne 1 ] || [ -s "$work/out" ] ||
        ! grep -qF -- "$text" "$work/err" || [ -e "$work/run" ] || [ -e "$work/run.partial" ]; then
        printf 'FAILED: %s: status %s, said:\n' "$*" "$status"
        cat "$work/out" "$work/err"
        failures=$((failures + 1))
    fi
}

expect "unknown argument '--devise=3'; did you mean --device? --help" "$work/run" --devise=3
expect "$work/nothing" "$work/run" --dataDir="$work/nothing"

# A run folder that exists
mkdir "$work/old"
echo kept >"$work/old/rounds.csv"
expect "run folder '$work/old' exists already" "$work/old"
[ "$(cat "$work/old/rounds.csv")" = kept ] || failures=$((failures + 1))

echo "$failures failures"
[ "$failures" -eq 0 ]
