#!/bin/bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Checks and times learning on a GPU, and prints one table.
#
# Usage: tests/gpu/check.sh [DEVICE [BUILD]] > TABLE
#   DEVICE  cuda:0 (the default); cpu tries the script without a GPU
#   BUILD   build folder, made if it is not there (build-gpu): with the LibTorch of the installed PyTorch
#
# Needs ns-3 and what CMakeLists.txt looks for; nothing is downloaded. Some minutes on 16 cores, most of them the build.

set -euo pipefail
device=${1:-cuda:0}
build=${2:-build-gpu}
cd "$(dirname "$0")/../.."
if [ ! -e "$build/build.ninja" ]; then
    torch=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')
    cmake -S . -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH="$torch" >&2
fi
ninja -C "$build" scenarios/all test-learning >&2
exec python3 tests/gpu/check.py "$device" "$build"
