# shellcheck shell=bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of the tutorial's programs share. PROGRAM is the program; the working directory is an
# empty folder, which is removed at the end.

ROOT=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Mean of column $2 of rounds.csv in folder $1 in round $3, over the devices
mean_of() {
    awk -F, -v name="$2" -v round="$3" '
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
        NR > 1 && $column["round"] == round { sum += $column[name]; ++count }
        END { print sum / count }' "$1/rounds.csv"
}

is_true() { awk "BEGIN { exit !($1) }"; }

# The program has at most $1 lines
check_length() {
    (($(wc -l <"$ROOT/examples/$(basename "$PROGRAM").cc") <= $1)) || fail 'the example is too long'
}

# Each of the arguments $@ is refused by one line with exit code 2, and leaves nothing
check_refused() {
    local argument code output
    for argument in "$@"; do
        code=0
        output=$("$PROGRAM" --runDir=bad "$argument" 2>&1) || code=$?
        [[ $code == 2 && $(wc -l <<<"$output") == 1 ]] || fail "$argument: $code, $output"
    done
    [[ ! -e bad && ! -e bad.partial ]] || fail 'a refused run has left a folder'
}

# The runs $2... are drawn, with $1 as what they measure
check_drawn() {
    local measure=$1 output
    shift
    output=$("$ROOT/collab" plot "$@" --figure accuracy --out figures 2>&1) || fail "$output"
    grep -q "$measure" <<<"$output" || fail "no $measure in: $output"
    [[ -s figures/accuracy.png ]] || fail "$measure is not drawn over joules: $output"
    [[ $output != *Traceback* && $output != *'left out'* ]] || fail "$output"
}
