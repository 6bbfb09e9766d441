#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# smoke-test.sh PYTHON PROGRAM...: runs benchmarks for a moment and forms all ratios of them. The
# times mean nothing here.

set -euo pipefail

python=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for program in "${@:2}"; do
    "$program" --benchmark_min_time=0.001 --benchmark_filter=-large "--benchmark_out=$folder/${program##*/}.json" >/dev/null
done
"$python" "$(dirname "${BASH_SOURCE[0]}")/print_ratios.py" --all "$folder"/*.json
