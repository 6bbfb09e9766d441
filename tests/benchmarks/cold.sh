#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# cold.sh [COMMIT]: how long ./collab demo and then ./collab test take for somebody who comes new, on
# a Debian 12 that has nothing but git and with an empty compiler cache. Makes that system in a
# temporary folder (as root, by debootstrap) and prints a row for the table in CONTRIBUTING.md. Exits
# with 77 where it cannot. FOLDER=... says where; COMMANDS="demo" leaves the tests out.

set -euo pipefail

PROJECT=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
COMMIT=$(git -C "$PROJECT" rev-parse --short=12 "${1:-HEAD}")
COMMANDS=${COMMANDS:-demo test}
MIRROR=http://deb.debian.org/debian
readonly PROJECT COMMIT COMMANDS MIRROR

if [[ $(id -u) != 0 ]] || ! command -v debootstrap >/dev/null; then
    echo 'cold.sh needs root and the Debian package debootstrap' >&2
    exit 77
fi
FOLDER=${FOLDER:-$(mktemp -d)}
SYSTEM=$FOLDER/debian-12
readonly FOLDER SYSTEM

# shellcheck disable=SC2317 # called by trap
leave() {
    local place
    for place in dev/pts dev sys proc; do
        ! mountpoint -q "$SYSTEM/$place" || umount "$SYSTEM/$place"
    done
    rm -rf --one-file-system "$SYSTEM"
}
trap leave EXIT

make_system() {
    local place
    debootstrap --variant=minbase bookworm "$SYSTEM" "$MIRROR"
    cp /etc/resolv.conf "$SYSTEM/etc"
    for place in proc sys dev dev/pts; do
        mount --bind "/$place" "$SYSTEM/$place"
    done
    inside / apt-get -q update
    inside / apt-get -q install -y --no-install-recommends ca-certificates git
    git clone --quiet "$PROJECT" "$SYSTEM/collab"
    git -C "$SYSTEM/collab" checkout --quiet --detach "$COMMIT"
}

# inside FOLDER COMMAND...: a command in the new system, that knows nothing of this one
inside() {
    chroot "$SYSTEM" env -i -C "$1" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 CI=true "${@:2}" </dev/null
}

# Each line of a command with the seconds since its start
with_seconds() {
    local line
    SECONDS=0
    while IFS= read -r line; do
        printf '%d %s\n' "$SECONDS" "$line"
    done
    printf '%d end\n' "$SECONDS"
}

# seconds LOG PATTERN: when a line of a log first matched; that of its end if none did
seconds() { awk -v pattern="$2" '$0 ~ pattern || $2 == "end" { print $1; exit }' "$1"; }

measure() {
    inside /collab ./collab "$1" 2>&1 | with_seconds | tee "$FOLDER/$1.log" || status=1
}

make_system
status=0
for command in $COMMANDS; do
    measure "$command"
done

# A command installs until CMake begins to configure; it builds until programs run.
readonly CONFIGURES='Preset CMake variables' RUNS='collab: trust|^[0-9]+ Test project'
row="$(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1) | $COMMIT"
total=0
for command in $COMMANDS; do
    log=$FOLDER/$command.log
    installed=$(seconds "$log" "$CONFIGURES") built=$(seconds "$log" "$RUNS") ended=$(seconds "$log" ' end$')
    row+=" | $installed | $((built - installed)) | $((ended - built))"
    total=$((total + ended))
done
echo "| $row | $total |"
exit "$status"
