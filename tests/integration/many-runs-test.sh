#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs of one process: the bytes that processes of their own write, and what is printed.
# Usage: many-runs-test.sh BELIEF_CONSENSUS GOSSIP

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Prints the line that tells a program to play a run with the arguments $@ and to print into log
list_words() {
    local words
    words=$(printf ',"%s"' "$@")
    printf '{"arguments":[%s],"output":"log"}\n' "${words:1}"
}

# compare PROGRAM ARGUMENT...: runs 2, 3 and 5
compare() {
    local run
    "$@" --runs=2..3,5 --runDir=many >printed.many
    for run in 2 3 5; do
        "$@" --RngRun=$run --runDir=one/$run
    done | sed 's#wrote one/#wrote many/#' >printed.one
    diff -r many one || fail "$1 writes other files"
    diff printed.many printed.one || fail "$1 prints other lines"
    list_words "${@:2}" --RngRun=3 --runDir=many/told | "$1" --runs=- >answers
    [[ $(cat answers) == '{"code":0}' ]] || fail "$1 answers $(cat answers)"
    diff -r many/told one/3 || fail "$1 writes other files when a line tells what to play"
    grep -qx 'wrote many/told' log || fail "$1 has printed $(cat log)"
    ! cmp -s many/2/rounds.csv many/3/rounds.csv || fail "runs 2 and 3 of $1 are the same"
    rm -r many one log
}

compare "$1" --family=gaussian --devices=3 --instants=20
compare "$2" --devices=4 --model=linear --samples=40 --testSamples=50 --rounds=3 --threads=2

# What is wrong is told once, before any run
code=0
"$1" --runs=1..3 --runDir=many --interval=-1 >out 2>err || code=$?
[[ $code == 2 && $(wc -l <err) == 1 && ! -s out && ! -e many ]] || fail "$code: $(cat out err)"

# A run that cannot be loses no other
mkdir -p many/1
code=0
"$1" --runs=1..2 --runDir=many --family=gaussian --devices=3 --instants=5 >out 2>err || code=$?
[[ $code == 2 && $(cat err) == *"run folder 'many/1' exists already"* && -s many/2/run.json ]] ||
    fail "$code: $(cat out err)"

# No run outlives its process, which whoever waits for the process relies on
"$1" --runs=1,2 --runDir=long --family=gaussian --devices=3 --instants=100000000 >out 2>err &
parent=$!
for ((try = 0; try < 300; try++)); do
    [[ ! -e long/1.partial ]] || break
    sleep 0.2
done
child=$(tr -d ' ' <"/proc/$parent/task/$parent/children")
is_gone() { ! grep '^State:' "/proc/$child/status" 2>/dev/null | grep -qv Z; }
kill -KILL "$parent"
wait "$parent" || true
for ((try = 0; try < 50; try++)); do
    is_gone && break
    sleep 0.2
done
if [[ -z $child ]] || ! is_gone; then
    kill -KILL "$child" || true
    fail 'a run goes on'
fi
[[ ! -e long/1 && ! -e long/2.partial ]] || fail 'a run was finished or begun'
