#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The same sweep by Snakemake's local executor and by the profile slurm, on a cluster of this
# machine alone: both must write the same bytes. Then a job that is canceled: the rest goes on, and
# the next call runs it. Then one run of three ranks that srun starts, and one whose rank dies. munge, slurmctld and slurmd run as the present user
# on loopback, with all their files in a temporary folder.
# Usage: run-slurm.sh [FOLDER_OF_PROGRAMS]; exits with 77 if Slurm or Snakemake is not installed.

set -euo pipefail

ROOT=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
PROGRAMS=${1:-$ROOT/build/scenarios}
SWEEP=$ROOT/tests/slurm/smoke.yaml
PATH=$PATH:/usr/sbin
PIDS=()

for program in munged slurmctld slurmd sbatch snakemake; do
    if ! command -v "$program" >/dev/null; then
        echo "$program is not installed: apt-get install slurm-wlm munge snakemake"
        exit 77
    fi
done

WORK=$(mktemp -d)
NODE=$(hostname -s)

# The daemons end with this script, however it ends
finish() {
    local code=$?
    if ((code != 0)); then
        tail -n 20 "$WORK"/*.log "$WORK"/*/smoke/engine.log 2>/dev/null || true
    fi
    if ((${#PIDS[@]})); then
        kill "${PIDS[@]}" 2>/dev/null || true
        wait "${PIDS[@]}" 2>/dev/null || true
    fi
    rm -rf "$WORK"
    exit "$code"
}
trap finish EXIT

free_port() {
    /usr/bin/python3 -c 'import socket
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    print(one.getsockname()[1])'
}

# Waits up to a minute until command $@ succeeds
wait_for() {
    local try
    for ((try = 0; try < 300; try++)); do
        if "$@" >/dev/null 2>&1; then
            return
        fi
        sleep 0.2
    done
    echo "in vain: $*"
    exit 1
}

start_munge() {
    mkdir -m 700 "$WORK/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$WORK/munge/key")
    munged --foreground --force --key-file="$WORK/munge/key" --socket="$WORK/munge/socket" \
        --pid-file="$WORK/munge/pid" --log-file="$WORK/munge.log" --seed-file="$WORK/munge/seed" \
        >"$WORK/munged.log" 2>&1 &
    PIDS+=($!)
    wait_for munge --no-input --socket="$WORK/munge/socket"
}

write_configuration() {
    mkdir "$WORK/state" "$WORK/spool"
    cat >"$WORK/slurm.conf" <<END
ClusterName=loopback
SlurmctldHost=$NODE(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$WORK/munge/socket
StateSaveLocation=$WORK/state
SlurmdSpoolDir=$WORK/spool
SlurmctldPidFile=$WORK/slurmctld.pid
SlurmdPidFile=$WORK/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=defer,batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$NODE NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=$NODE Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$WORK/slurm.conf
}

is_idle() { sinfo --noheader --format=%T | grep -qx idle; }

start_slurm() {
    slurmctld -D >"$WORK/slurmctld.log" 2>&1 &
    PIDS+=($!)
    slurmd -D -N "$NODE" >"$WORK/slurmd.log" 2>&1 &
    PIDS+=($!)
    wait_for is_idle
}

# Runs sweep $1 with the programs in $2
sweep() {
    PYTHONPATH=$ROOT/analysis /usr/bin/python3 -m collab sweep "$1" --programs="$2" "${@:3}"
}

run_folders() {
    find "$1" -mindepth 1 -maxdepth 1 -name '????????????????' -type d -printf '%f\n' | sort
}

fail() {
    echo "FAILED: $*"
    exit 1
}

compare_executors() {
    local folder folders jobs
    sweep "$SWEEP" "$PROGRAMS" --out="$WORK/local" --jobs 2
    sweep "$SWEEP" "$PROGRAMS" --out="$WORK/slurm" --profile slurm
    mapfile -t folders < <(run_folders "$WORK/local/smoke")
    ((${#folders[@]} == 8)) || fail "${#folders[@]} runs, not 8"
    diff <(run_folders "$WORK/local/smoke") <(run_folders "$WORK/slurm/smoke") ||
        fail 'the runs have other names'
    for folder in "${folders[@]}"; do
        diff -r "$WORK/local/smoke/$folder" "$WORK/slurm/smoke/$folder" || fail "$folder differs"
    done
    jobs=$(scontrol show jobs --oneliner | grep -c 'JobName=collab-.* JobState=COMPLETED')
    ((jobs == 8)) || fail "$jobs jobs of Slurm are completed, not 8"
    sweep "$SWEEP" "$PROGRAMS" --out="$WORK/slurm" --profile slurm | grep -q '8 points: 8 done' ||
        fail 'not all done'
    echo "8 runs by Slurm $(sinfo --version | sed 's/.* //') and by the local executor:" \
        'the same bytes'
}

is_called() { [[ -s $WORK/programs/calls ]]; }

is_gone() { [[ -z $(squeue --noheader --jobs="$1" --states=RUNNING,COMPLETING 2>/dev/null) ]]; }

cancel_a_job() {
    local code=0 job sweep
    mkdir "$WORK/programs"
    cp "$ROOT/tests/analysis/sweeps/stand_in.py" "$WORK/programs/stand-in"
    cat >"$WORK/waiting.yaml" <<'END'
{schema: 1, scenario: stand-in, arguments: {wait: true}, axes: {grid: {rate: [1, 2, 3]}}}
END
    sweep "$WORK/waiting.yaml" "$WORK/programs" --out="$WORK/slurm" --profile slurm &
    sweep=$!
    wait_for is_called
    job=$(squeue --noheader --states=RUNNING --format=%A | sed -n 1p)
    scancel "$job"
    wait_for is_gone "$job" # else it could still end well
    touch "$WORK/programs/go"
    wait "$sweep" || code=$?
    ((code == 1)) || fail "exit code $code after a job was canceled, not 1"
    # Slurm kills what outlives the batch script, and so maybe before the run is tidied away
    sweep "$WORK/waiting.yaml" "$WORK/programs" --out="$WORK/slurm" --profile slurm |
        grep -E '3 points: 2 done, 1 (to run|begun and not finished)' ||
        fail 'not only the canceled one is run'
    (($(run_folders "$WORK/slurm/waiting" | wc -l) == 3)) || fail 'not all done'
    [[ -z $(find "$WORK/slurm/waiting" -maxdepth 1 -name '*.partial') ]] ||
        fail 'a begun run is left'
}

# Runs a scenario as three ranks with the arguments $@
srun_ranks() {
    srun --mpi="$1" --ntasks=3 --overcommit "$PROGRAMS/gossip" --devices=4 --samples=60 \
        --testSamples=50 "${@:2}"
}

compare_ranks() {
    local code=0
    "$PROGRAMS/gossip" --devices=4 --samples=60 --testSamples=50 --rounds=3 --runDir="$WORK/alone"
    srun_ranks pmix --rounds=3 --runDir="$WORK/ranks" >"$WORK/printed"
    [[ $(grep -c '^wrote ' "$WORK/printed") == 1 ]] || fail 'not one rank alone has printed'
    diff -r "$WORK/alone" "$WORK/ranks" || fail 'three ranks write other bytes'
    srun_ranks none --runDir="$WORK/none" 2>"$WORK/errors" || code=$?
    [[ $code == 2 && $(grep -c 'give srun --mpi=pmix' "$WORK/errors") == 1 ]] ||
        fail "$code: $(cat "$WORK/errors")"
    echo 'one run by srun as three ranks, and in one process: the same bytes'
}

# Prints the process of rank 1
find_rank() {
    local one
    for one in $(pidof "$PROGRAMS/gossip"); do
        if tr '\0' '\n' <"/proc/$one/environ" | grep -qx SLURM_PROCID=1; then
            echo "$one"
            return
        fi
    done
    return 1
}

has_rows() { (($(wc -l <"$WORK/killed.partial/rounds.csv") > 5)); }

kill_a_rank() {
    local code=0 run
    COLLAB_RANK_PATIENCE=3 srun_ranks pmix --rounds=100000 --runDir="$WORK/killed" \
        2>"$WORK/errors" >"$WORK/printed" &
    run=$!
    wait_for has_rows
    kill -KILL "$(find_rank)"
    wait "$run" || code=$?
    ((code != 0)) || fail 'a run without one of its ranks ends well'
    grep -Eq "rank 1 on $NODE is gone|task 1: Killed" "$WORK/errors" ||
        fail "no word of rank 1: $(cat "$WORK/errors")"
    has_rows || fail 'rows are lost'
    echo 'a killed rank has ended its run'
}

main() {
    start_munge
    write_configuration
    start_slurm
    sinfo
    compare_executors
    cancel_a_job
    if [[ -e $PROGRAMS/../lib/libns3-collab-mpi.so ]] && srun --mpi=list 2>&1 | grep -qw pmix; then
        compare_ranks
        kill_a_rank
    fi
}

main
