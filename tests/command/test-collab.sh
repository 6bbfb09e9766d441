#!/usr/bin/env bash
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of ./collab. What it calls (CMake, apt-get, the scenario) is replaced by stand-ins that log
# their arguments, so that nothing is built or installed.

set -euo pipefail
unset COLLAB_DATA COLLAB_PYTHON COLLAB_CHART_JS # as a user's shell would not have them

SOURCE=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
PROJECT="$WORK/a project" # with a space: every path must be quoted
STUBS=$WORK/stubs
LOG=$WORK/log
ALL_PACKAGES=$WORK/all-packages
FAILURES=0
export SOURCE PROJECT LOG PYTHONPATH=$SOURCE/analysis:$SOURCE/tests/analysis
export PATH=/usr/bin:$PATH # its Python first, as ./collab does; another one may begin slowly

python3 -c 'from collab.setup.requirements import REQUIREMENTS
for requirement in REQUIREMENTS:
    print(requirement.package)' >"$ALL_PACKAGES"

# --- Stand-ins ------------------------------------------------------------------------------------

make_stub() {
    printf '#!/usr/bin/env bash\n' >"$STUBS/$1"
    cat >>"$STUBS/$1"
    chmod +x "$STUBS/$1"
}

# Writes a run folder as the scenario would, at once
make_scenario() {
    make_stub scenario <<'END'
printf 'scenario' >>"$LOG"
printf ' <%s>' "$@" >>"$LOG"
printf '\n' >>"$LOG"
trust='' folder='' run=1
for argument in "$@"; do
    case $argument in
        --PrintArguments=json)
            printf '{"schema": 1, "arguments": [{"name": "runDir"}, {"name": "trust"}], '
            echo '"globals": [], "attributes": []}'
            exit
            ;;
        --trust=*) trust=${argument#*=} ;;
        --runDir=*) folder=${argument#*=} ;;
        --RngRun=*) run=${argument#*=} ;;
        --fail=*) exit "${argument#*=}" ;;
    esac
done
[[ -n $folder ]] || exit 0
python3 -c 'import sys, synthetic_run as s
s.write_run(sys.argv[1], sys.argv[2], int(sys.argv[3]), 0.01 * int(sys.argv[3]))' \
    "$folder" "$trust" "$run"
END
}

make_build_tools() {
    make_stub cmake <<'END'
[[ $1 != --version ]] || exec /usr/bin/cmake --version
echo "cmake $*" >>"$LOG"
if [[ $1 == --preset ]]; then
    mkdir -p build/scenarios
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/CMakeCache.txt
    touch build/build.ninja
else
    mkdir -p "$2/scenarios"
    cp "$(dirname "$0")/scenario" "$2/scenarios/prediction-consensus"
fi
END
    make_stub ninja <<'END'
[[ ! -e $2/scenarios/prediction-consensus ]] || echo 'ninja: no work to do.'
END
    make_stub ctest <<'END'
echo "ctest $*" >>"$LOG"
echo '100% tests passed, 0 tests failed out of 7'
END
}

# Packages are installed if they are in the file $INSTALLED; apt-get adds them there.
make_package_tools() {
    export INSTALLED=$WORK/installed
    make_stub dpkg-query <<'END'
sed 's/^/installed /' "$INSTALLED"
END
    make_stub apt-get <<'END'
echo "apt-get $*" >>"$LOG"
[[ ! -e $INSTALLED.locked ]] || exit 100
[[ ! -e $INSTALLED.unknown || $* != *$(<"$INSTALLED.unknown")* ]] || exit 100
[[ $* != *install* ]] || printf '%s\n' "$@" >>"$INSTALLED"
END
    make_stub apt-cache <<'END'
shift # madison
for package; do [[ -e $INSTALLED.no-$package ]] || echo "$package | 1 | its archive"; done
END
    # Until something is installed it has none
    make_stub python-without-packages <<'END'
exec python3 -S "$@"
END
    make_stub sudo <<'END'
[[ $1 != -n ]] || shift
exec "$@"
END
}

# What each test begins with
make_template() {
    STUBS=$WORK/template-stubs
    TEMPLATE=$WORK/template
    mkdir -p "$TEMPLATE/scenarios/my" "$TEMPLATE/scratch" "$STUBS"
    cp -r "$SOURCE/collab" "$SOURCE/.ci" "$SOURCE/CMakePresets.json" "$TEMPLATE"
    ln -s "$SOURCE/analysis" "$SOURCE/contrib-module" "$TEMPLATE"
    printf 'int\nmain(int argc, char* argv[])\n' >"$TEMPLATE/scenarios/my/prediction-consensus.cc"
    touch "$TEMPLATE/scenarios/my/no-program.cc"
    make_scenario
    make_build_tools
    make_package_tools
    STUBS=$WORK/stubs
}

# A fresh project with every package installed, and an empty folder to work in
reset() {
    cd "$WORK"
    rm -rf "$PROJECT" "$STUBS" "$INSTALLED.locked" here
    cp -r "$TEMPLATE" "$PROJECT"
    cp -r "$WORK/template-stubs" "$STUBS"
    cp "$ALL_PACKAGES" "$INSTALLED"
    : >"$LOG"
    mkdir here
    cd here
}

# --- Checks ---------------------------------------------------------------------------------------

# Runs collab of the project in the current folder; sets OUTPUT and CODE
collab() {
    CODE=0
    OUTPUT=$(PATH=$STUBS:$PATH "$PROJECT/collab" "$@" 2>&1) || CODE=$?
}

fail() {
    printf 'FAILED %s: %s\n--- output (exit code %s)\n%s\n--- log\n%s\n' \
        "$TEST" "$1" "$CODE" "$OUTPUT" "$(<"$LOG")"
    FAILURES=$((FAILURES + 1))
}

expect_code() { [[ $CODE == "$1" ]] || fail "exit code is $CODE, not $1"; }

expect_output() { grep -qF -- "$1" <<<"$OUTPUT" || fail "not in the output: $1"; }

# expect CODE TEXT...: the exit code, and texts of the output
expect() {
    local text
    expect_code "$1"
    for text in "${@:2}"; do
        expect_output "$text"
    done
}

expect_log() { grep -qxF -- "$1" "$LOG" || fail "not in the log: $1"; }

expect_lines_in_log() {
    local count
    count=$(grep -cE -- "$2" "$LOG") || true
    [[ $count == "$1" ]] || fail "$count lines of the log match '$2', not $1"
}

expect_file() { [[ -s $1 ]] || fail "no file $1"; }

COMMANDS='demo test build run plot compare collect report sweep reproduce results bench validate data docs doctor completion'

# --- Tests ----------------------------------------------------------------------------------------

test_unknown_command() {
    collab frobnicate
    expect 2 "unknown command 'frobnicate'; allowed: $COMMANDS help"
    [[ $(wc -l <<<"$OUTPUT") == 1 ]] || fail 'more than one line'
    collab
    expect_code 2
}

test_help_lists_all_commands() {
    local command
    collab help
    expect_code 0
    for command in $COMMANDS help; do
        grep -qE "^  $command( |$)" <<<"$OUTPUT" || fail "not in the help: $command"
    done
}

test_unknown_program() {
    collab run no-such-program
    expect 2 "unknown program 'no-such-program'; allowed: prediction-consensus"
    collab run no-program
    expect_code 2
    expect_lines_in_log 0 .
}

test_wrong_options() {
    collab test --preset fast
    expect 2 "unknown preset 'fast'; allowed: release debug sanitize"
    collab demo --seeds 0
    expect_code 2
    collab demo --out
    expect_code 2
    collab demo --trust=static
    expect_code 2
    mkdir full && touch full/file
    collab demo --out full
    expect_code 2
    expect_lines_in_log 0 .
}

test_takes_presets_of_the_user() {
    cat >"$PROJECT/CMakeUserPresets.json" <<'END'
{"version": 6, "configurePresets": [
  {"name": "hidden", "hidden": true, "inherits": "release", "binaryDir": "${sourceDir}/my-${presetName}"},
  {"name": "mine", "inherits": ["hidden", "debug"]}]}
END
    collab test --preset=mine -- -R radio
    expect_code 0
    expect_lines_in_log 1 '^cmake --preset mine$'
    expect_lines_in_log 1 "^cmake --build $PROJECT/my-mine --parallel [1-9][0-9]*\$"
    expect_lines_in_log 1 "^ctest --test-dir $PROJECT/my-mine --output-on-failure --parallel .* -R radio\$"
    collab build --preset hidden
    expect 2 "unknown preset 'hidden'; allowed: release debug sanitize mine"
}

test_a_python_that_is_none() {
    make_stub old-python <<<'exit 1'
    COLLAB_PYTHON=$STUBS/old-python collab doctor
    expect 2 "COLLAB_PYTHON is '$STUBS/old-python'; allowed: a Python of 3.9 or newer"
}

test_test_configures_once() {
    collab test -- -R radio
    expect_code 0
    expect_lines_in_log 1 '^cmake --preset release$'
    expect_lines_in_log 1 '^cmake --build .*/build --parallel [1-9][0-9]*$'
    expect_lines_in_log 1 '^ctest --preset release --parallel [1-9][0-9]* -R radio$'
    : >"$LOG"
    collab test
    expect_lines_in_log 0 ^cmake
    expect_lines_in_log 1 ^ctest
}

test_test_runs_nightly_tests_only_with_all() {
    collab test --all -- -R radio
    expect_code 0
    expect_lines_in_log 1 '^cmake --build .*/build --parallel [1-9][0-9]* --target all nightly$'
    expect_lines_in_log 1 '^ctest --preset release-all --parallel [1-9][0-9]* -R radio$'
}

test_configures_again_when_presets_change() {
    collab build
    touch -d '+1 minute' "$PROJECT/CMakePresets.json"
    collab build
    expect_lines_in_log 2 '^cmake --preset release$'
}

test_mends_cache_of_another_folder() {
    mkdir "$PROJECT/build"
    echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere' >"$PROJECT/build/CMakeCache.txt"
    touch "$PROJECT/build/build.ninja"
    collab build
    expect_code 0
    expect_lines_in_log 1 '^cmake --preset release --fresh$'
}

test_run_passes_arguments_and_exit_code() {
    collab run prediction-consensus '--name=two words' --fail=7
    expect_code 7
    expect_lines_in_log 1 '^cmake --build .* --target prediction-consensus$'
    expect_log 'scenario <--runDir=runs/prediction-consensus-1> <--name=two words> <--fail=7>'
}

test_run_numbers_its_folders() {
    local number
    mkdir -p runs/prediction-consensus-2.partial
    for number in 1 3 4; do
        collab run prediction-consensus --trust=naive
        expect_code 0
        expect_output "collab: into runs/prediction-consensus-$number"
        expect_file "runs/prediction-consensus-$number/run.json"
    done
    collab run prediction-consensus --runDir=mine
    expect_file mine/run.json
    collab run prediction-consensus --help
    expect_log 'scenario <--help>'
}

test_run_numbers_folders_of_programs_in_scratch() {
    echo 'arguments.Add("runDir", "folder", runDir);' >"$PROJECT/scratch/single.cc"
    mkdir -p "$PROJECT/build/scratch" runs/single-1
    cp "$STUBS/scenario" "$PROJECT/build/scratch/single"
    collab run single
    expect_log 'scenario <--runDir=runs/single-2>'
}

test_run_finds_programs_in_scratch() {
    local program
    mkdir "$PROJECT/scratch/several"
    touch "$PROJECT/scratch/single.cc" "$PROJECT/scratch/several/main.cc" "$PROJECT/scratch/README.md"
    mkdir -p "$PROJECT/build/scratch"
    for program in single several; do
        cp "$STUBS/scenario" "$PROJECT/build/scratch/$program"
        rm -f "$PROJECT/build/scenarios/prediction-consensus" # or nothing is left to be built
        : >"$LOG"
        collab run "$program" --number=1
        expect_code 0
        expect_lines_in_log 1 "^cmake --build .* --target $program\$"
        expect_log 'scenario <--number=1>'
    done
    collab run main
    expect 2 "unknown program 'main'; allowed: prediction-consensus several single"
}

test_demo_runs_three_kinds_of_trust() {
    local trust row
    collab demo --rounds=4
    expect_code 0
    for trust in dynamic naive local; do
        expect_log "scenario <--trust=$trust> <--runDir=runs/demo-1/$trust> <--rounds=4>"
        printf -v row '%-7s     0.723' "$trust"
        expect_output "$row"
    done
    expect_output runs/demo-1/demo.png
    expect_file runs/demo-1/demo.png
    : >"$LOG"
    collab demo --fail=3
    expect 3 'failed with trust dynamic (exit code 3)'
    expect_log 'scenario <--trust=dynamic> <--runDir=runs/demo-2/dynamic> <--fail=3>'
    expect_lines_in_log 1 .
}

test_demo_with_seeds_pairs_the_runs() {
    collab demo --seeds 2 --rounds=4 --out 'my runs'
    expect_code 0
    expect_log 'scenario <--trust=naive> <--runDir=my runs/run-2/naive> <--rounds=4> <--RngRun=2>'
    expect_lines_in_log 6 ^scenario
    expect_output 'dynamic - naive      2'
    expect_file 'my runs/demo.png'
}

test_collect_and_plot() {
    python3 -c 'import synthetic_run as s
for trust in ("dynamic", "naive"):
    s.write_run(f"runs/{trust}", trust)'
    collab collect runs
    expect 0 'results.sqlite: runs 2 added'
    collab plot runs/results.sqlite --x trust --y accuracy_reference --svg
    expect_code 0
    expect_file runs/accuracy_reference-against-trust.svg
    collab collect
    expect 2 'collab collect: the following arguments are required: FOLDER'
}

test_plot_of_no_run() {
    collab plot .
    expect 2 'is not a run'
}

test_report_writes_one_file() {
    printf '/*! Chart.js v3.9.1 */\n' >chart.js
    python3 -c 'import synthetic_run as s
s.write_run("my run")'
    sed -i '/^libjs-chart.js$/d' "$INSTALLED"
    COLLAB_CHART_JS=$PWD/chart.js collab report 'my run'
    expect 0 'wrote my run/report.html'
    expect_file 'my run/report.html'
    expect_lines_in_log 0 ^apt-get
    collab report nothing
    expect 2 'nothing is not a run'
}

# A sweep of two points, and a reproduction that uses it
make_sweep() {
    mkdir -p "$PROJECT/scenarios/sweeps/my" "$PROJECT/scenarios/reproductions/my"
    cat >"$PROJECT/scenarios/sweeps/my/small.yaml" <<'END'
schema: 1
scenario: prediction-consensus
axes: {grid: {trust: [dynamic, naive]}}
scales: {smoke: {}}
END
    cat >"$PROJECT/scenarios/reproductions/my/figure.yaml" <<'END'
{schema: 1, title: T, source: S, sweeps: my/small, plots: ['']}
END
}

test_sweep_builds_its_scenario() {
    make_sweep
    collab sweep my/small --dry-run
    expect_code 0
    expect_lines_in_log 1 '^cmake --build .* --target prediction-consensus$'
    expect_output 'trust=naive run 1'
    expect_output 'my/small: 2 points: 2 to run'
    [[ ! -e runs ]] || fail 'it wrote something'
    collab sweep --help
    expect 0 '--dry-run'
}

test_sweep_mistakes() {
    make_sweep
    collab sweep my/smal
    expect 2 "collab sweep: sweep 'my/smal' is unknown; did you mean 'my/small'?"
    sed -i s/prediction-consensus/no-such/ "$PROJECT/scenarios/sweeps/my/small.yaml"
    collab sweep my/small
    expect 2 "unknown program 'no-such'; allowed: prediction-consensus"
    expect_lines_in_log 0 ^cmake
}

test_reproduce_builds_all_scenarios() {
    make_sweep
    cp -- "$PROJECT/scenarios/my/prediction-consensus.cc" "$PROJECT/scenarios/my/other.cc"
    sed s/prediction-consensus/other/ "$PROJECT/scenarios/sweeps/my/small.yaml" \
        >"$PROJECT/scenarios/sweeps/my/other.yaml"
    sed -i 's|my/small|[my/small, my/other]|' "$PROJECT/scenarios/reproductions/my/figure.yaml"
    collab reproduce my/figure --scale smoke
    expect_lines_in_log 1 '^cmake --build .* --target prediction-consensus other$'
}

test_reproduce() {
    make_sweep
    collab reproduce --list
    expect 0 'my/figure  smoke standard  no result'
    expect_lines_in_log 0 .
    collab reproduce my/figure --scale paper
    expect 2 "collab reproduce: --scale 'paper' is unknown; allowed: smoke, standard"
}

# Nothing is installed: neither packages nor what they contain
remove_all() {
    : >"$INSTALLED"
    make_stub snakemake <<<'exit 1'
    touch "$INSTALLED.locked"
}

test_nothing_is_installed_for_lists_and_help() {
    local command
    make_sweep
    remove_all
    collab reproduce --list
    expect 0 'my/figure  smoke standard  no result'
    collab reproduce my/figur
    expect_code 2
    # Of all commands in one process, in which nothing that is installed is found
    collab plot --help
    expect_code 0
    OUTPUT=$(PATH=$STUBS:$PATH python3 -S -c 'from collab.cli.main import COMMANDS, main
for command in COMMANDS:
    try:
        code = main([command, "--help"])
    except SystemExit as end:
        code = end.code
    print("code", code)' 2>&1) || fail 'a help has ended in an exception'
    for command in $COMMANDS; do
        grep -q "^usage: collab $command\b" <<<"$OUTPUT" || fail "no help of $command"
    done
    [[ $(grep -c '^code \(0\|None\)$' <<<"$OUTPUT") == $(wc -w <<<"$COMMANDS") ]] || fail 'not all end well'
    expect_lines_in_log 0 .
    collab sweep my/small
    expect 1 'snakemake'
    expect_lines_in_log 0 ^cmake
}

test_reading_sweeps_needs_one_package() {
    make_sweep
    sed -i '/^python3-/d; /^snakemake$/d' "$INSTALLED"
    make_stub snakemake <<<'exit 1'
    COLLAB_PYTHON=$STUBS/python-without-packages collab reproduce --list
    expect_code 0
    expect_lines_in_log 1 'apt-get .* install'
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends python3-yaml$'
}

# A program that writes results of benchmarks, built already
make_benchmark() {
    local folder=$PROJECT/build/tests/benchmarks
    mkdir -p "$PROJECT/tests/benchmarks" "$folder"
    cp "$SOURCE/tests/benchmarks/print_ratios.py" "$PROJECT/tests/benchmarks"
    make_stub benchmark <<'END'
printf 'benchmark' >>"$LOG"
printf ' <%s>' "$@" >>"$LOG"
printf '\n' >>"$LOG"
for argument in "$@"; do
    case $argument in
        --benchmark_filter=failing) exit 1 ;;
        --benchmark_out=*) file=${argument#*=} ;;
    esac
done
cat >"$file" <<'JSON'
{"benchmarks": [
  {"run_name": "PacketSimple", "run_type": "iteration", "cpu_time": 3.0},
  {"run_name": "PacketSimple", "run_type": "iteration", "cpu_time": 5.0},
  {"run_name": "PacketSimple", "run_type": "aggregate", "cpu_time": 100.0},
  {"run_name": "PacketD2d/delay", "run_type": "iteration", "cpu_time": 2.0},
  {"run_name": "PacketD2d/delay", "run_type": "iteration", "cpu_time": 2.0}
]}
JSON
END
    cp "$STUBS/benchmark" "$folder/collab-bench-learning"
    cp "$STUBS/benchmark" "$folder/collab-bench-consensus"
    cp "$STUBS/benchmark" "$folder/collab-bench-graphs"
    mv "$STUBS/benchmark" "$folder/collab-bench-wireless"
    make_stub cmake <<'END'
echo "cmake $*" >>"$LOG"
END
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$PROJECT" >"$PROJECT/build/CMakeCache.txt"
    touch "$PROJECT/build/build.ninja"
}

test_bench_prints_ratios() {
    make_benchmark
    collab bench wireless Packet
    expect_code 0
    expect_lines_in_log 1 '^cmake --build .* --target collab-bench-wireless$'
    expect_lines_in_log 1 '^benchmark <--benchmark_filter=Packet> <--benchmark_repetitions=3> '
    expect_output 'sends/s in packet mode (delay) / SimpleNetDevice           2'
    expect_output '1.5 .. 2.5    >= 1.5  met'
    collab bench
    expect_code 0
    expect_lines_in_log 4 '^benchmark <--benchmark_filter=[.]> '
}

test_bench_runs_a_baseline() {
    make_benchmark
    cat >"$PROJECT/tests/benchmarks/wireless_baseline.py" <<'END'
import sys
assert sys.argv[1] == "--filter=Packet"
with open(sys.argv[2].removeprefix("--out="), "w") as file:
    file.write('{"benchmarks": [{"run_name": "PacketWifi", "run_type": "iteration", "cpu_time": 200}]}')
END
    collab bench wireless Packet
    expect 0 'sends/s in packet mode (delay) / Wi-Fi                   100'
}

test_bench_usage() {
    make_benchmark
    collab bench wireless Packet more
    expect_code 2
    expect_output "bench was given 'more' too much; allowed: [PROGRAM] [FILTER]"
    expect_output 'PROGRAM one of: learning consensus graphs wireless'
    collab bench --fast
    expect 2 "unknown option '--fast'; allowed: [PROGRAM] [FILTER]"
    collab bench failing
    expect 1 'the benchmarks of learning failed'
}

test_bench_configures_anew_when_its_library_was_missing() {
    make_benchmark
    echo 'benchmark_DIR:PATH=benchmark_DIR-NOTFOUND' >>"$PROJECT/build/CMakeCache.txt"
    collab bench
    expect_code 0
    expect_lines_in_log 1 '^cmake --preset release'
}

# The programs of the validation: they copy the tables in the source folder
make_validation() {
    local program
    mkdir -p "$PROJECT/build/tests"
    for program in fidelity-proof link-chain; do
        make_stub "$program" <<'END'
name=${0##*/}
printf '%s <%s>\n' "$name" "$*" >>"$LOG"
[[ ! -e $PROJECT/disagree ]] || exit 1
if [[ $name == link-chain ]]; then table=chain; else table=fidelity; fi
arguments=$*
cp "$SOURCE/tests/validation/$table.csv" "${arguments##*--csv=}"
END
        mv "$STUBS/$program" "$PROJECT/build/tests"
    done
    make_stub cmake <<'END'
echo "cmake $*" >>"$LOG"
END
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$PROJECT" >"$PROJECT/build/CMakeCache.txt"
    touch "$PROJECT/build/build.ninja"
}

test_validate_draws_figures() {
    make_validation
    collab validate --out=figures
    expect_code 0
    expect_lines_in_log 1 '^cmake --build .* --target fidelity-proof link-chain$'
    expect_file figures/fidelity.png
    expect_file figures/chain.png
    collab validate --fast
    expect 2 "unknown option '--fast'; allowed: --out DIR, --replay FOLDER"
    touch "$PROJECT/disagree"
    collab validate
    expect 1 'the fidelities disagree'
}

test_validate_replays_a_run() {
    make_validation
    make_stub replay-prediction-consensus <<'END'
printf 'replay <%s>' "$1" >>"$LOG"
printf ' <%s>' "${@:2}" >>"$LOG"
echo >>"$LOG"
END
    mv "$STUBS/replay-prediction-consensus" "$PROJECT/build/tests"
    collab validate --replay 'a run' --trust=dynamic --threads=1
    expect_code 0
    expect_lines_in_log 1 '^cmake --build .* --target replay-prediction-consensus$'
    expect_lines_in_log 1 '^replay <--folder=a run> <--trust=dynamic> <--threads=1>$'
    collab validate --replay
    expect 2 '--replay needs a value'
}

test_data_lists_all_sets() {
    collab data
    expect_code 0
    grep -qE '^usps +2 file\(s\) missing +.*/a project/data/usps$' <<<"$OUTPUT" || fail 'no usps'
    grep -qE '^gaussian-classes +generated$' <<<"$OUTPUT" || fail 'no gaussian-classes'
    expect_lines_in_log 0 .
}

test_data_says_what_is_missing() {
    collab data usps
    expect 1 'from      https://www.csie.ntu.edu.tw/' "into      $PROJECT/data/usps" '  missing  usps.bz2'
    mkdir -p "$PROJECT/data/usps"
    echo 1 >"$PROJECT/data/usps/usps"
    : >"$PROJECT/data/usps/usps.t" # an empty file is none
    collab data usps
    expect 1 '  here     usps, 2 bytes' '  missing  usps.t.bz2'
    echo 1 >"$PROJECT/data/usps/usps.t.bz2"
    collab data usps
    expect 0 '  here     usps.t.bz2, 2 bytes'
    collab data
    grep -qE '^usps +complete ' <<<"$OUTPUT" || fail 'usps is not complete'
}

test_data_of_a_package() {
    collab data randhie
    expect_output 'or install the Debian package python3-statsmodels'
    local packaged=/usr/lib/python3/dist-packages/statsmodels/datasets/randhie
    [[ -d $packaged ]] || packaged=$PROJECT/data/randhie
    expect_output "into      $packaged"
    COLLAB_DATA=$SOURCE/tests/data/sets collab data randhie
    expect 0 '  here     randhie.csv, '
}

test_data_takes_another_folder_and_patterns() {
    COLLAB_DATA=$SOURCE/tests/data/sets collab data femnist
    expect 0 '  here     femnist.safetensors, '
    COLLAB_DATA=$WORK/none collab data femnist
    expect_code 1
    expect_output '  missing  train/*.json'
    expect_output '  missing  femnist.safetensors'
    expect_output 'then      ./collab data convert femnist'
    collab data synthetic-writers
    expect 0 'it needs no files'
}

test_data_converts_what_is_there() {
    mkdir -p "$PROJECT/data"
    cp -r "$SOURCE/tests/data/sets/shakespeare" "$PROJECT/data"
    rm "$PROJECT/data/shakespeare/shakespeare.safetensors"
    collab data
    grep -qE '^shakespeare +not converted ' <<<"$OUTPUT" || fail 'shakespeare is converted'
    collab data get shakespeare
    expect 1 '  here     train/*.json: 1 file(s)' 'then      ./collab data convert shakespeare'
    collab data convert shakespeare
    expect 0 "$PROJECT/data/shakespeare/shakespeare.safetensors: 2 samples, 1 of the test part"
    cmp "$PROJECT/data/shakespeare/shakespeare.safetensors" \
        "$SOURCE/tests/data/sets/shakespeare/shakespeare.safetensors" || fail 'another file'
    collab data shakespeare
    expect_code 0
}

test_data_converts_other_files() {
    printf 'x,y\n1,a\n2,b\n' >"$WORK/some.csv"
    collab data convert "$WORK/some.csv" --out "$WORK/some.safetensors" --label y
    expect 0 "$WORK/some.safetensors: 2 samples"
    collab data convert "$WORK/some.csv" --label y
    expect 2 'data convert needs --out FILE'
    collab data convert "$WORK/none.csv" --out "$WORK/some.safetensors"
    expect 2 'none.csv: does not exist'
    collab data convert --help
    expect 0 '--standardize'
    collab data convert "$WORK/some.csv" --frobnicate
    expect 2 "unknown option '--frobnicate'"
}

test_data_get_downloads_nothing() {
    # shellcheck disable=SC2016 # expanded by the stand-in
    make_stub curl <<<'echo called >>"$LOG"'
    collab data get usps
    expect_code 1
    expect_output 'Nothing was downloaded.'
    expect_output 'curl --fail --location --output usps.t.bz2 https://www.csie.ntu.edu.tw/'
    expect_output '8ea070ee2aca1ac39742fdd1ef5ed118  usps.t.bz2'
    collab data get cifar-10
    expect_output 'tar xzf cifar-10-binary.tar.gz'
    collab data get femnist
    expect 1 'Get it from https://github.com/TalwalkarLab/leaf'
    expect_lines_in_log 0 .
    COLLAB_DATA=$SOURCE/tests/data/sets collab data get randhie
    expect 0 '  here     randhie.csv, '
    collab data get
    expect 2 'data get needs a name; allowed: [NAME | get NAME | convert SOURCE ... | links INPUT OUTPUT ...]'
}

test_data_get_installs_a_package() {
    # As a machine without the package has it
    mkdir -p "$PROJECT/data/fashion-mnist"
    collab data get fashion-mnist
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends dataset-fashion-mnist$'
    touch "$INSTALLED.locked"
    collab data get fashion-mnist
    expect 1 'dataset-fashion-mnist could not be installed by apt-get'
}

test_data_usage() {
    collab data no-such-set
    expect 2 "unknown data set 'no-such-set'; allowed: california-housing cifar-10 "
    [[ $(wc -l <<<"$OUTPUT") == 1 ]] || fail 'more than one line'
    collab data 'usps|usps'
    expect_code 2
    collab data usps more
    expect_code 2
}

test_docs_builds_pages() {
    mkdir -p "$WORK/modules/sphinx"
    touch "$WORK/modules/sphinx/__init__.py"
    cat >"$WORK/modules/sphinx/__main__.py" <<'END'
import os, sys
with open(os.environ["LOG"], "a") as log:
    log.writelines(f"sphinx <{word}>\n" for word in sys.argv[-3:])
sys.exit(os.path.exists(os.environ["PROJECT"] + "/broken"))
END
    make_stub doxygen <<'END'
echo "doxygen $*, $COLLAB_MODULE, ${PWD##*/}" >>"$LOG"
[[ ! -e $PROJECT/foul ]]
END
    mkdir pages # Sphinx is a stub
    PYTHONPATH=$WORK/modules collab docs --out=pages
    expect_code 0
    expect_lines_in_log 1 '^cmake --build .* --target appendices$'
    expect_log "sphinx <collab_appendices=$PROJECT/build/appendices>"
    expect_log "doxygen $PROJECT/contrib-module/doc/Doxyfile, $PROJECT/contrib-module, pages"
    expect_log "sphinx <$PROJECT/contrib-module/doc>"
    expect_log 'sphinx <pages>'
    expect_output 'wrote pages/index.html'
    : >"$LOG"
    PYTHONPATH=$WORK/modules collab docs --out=pages --no-appendices
    expect_code 0
    expect_lines_in_log 0 '^cmake --build'
    expect_lines_in_log 0 'collab_appendices'
    touch "$PROJECT/foul"
    PYTHONPATH=$WORK/modules collab docs --out=pages
    expect 1 'Doxygen could not write the pages of the C++ interface'
    touch "$PROJECT/broken"
    PYTHONPATH=$WORK/modules collab docs
    expect 1 'the documentation has errors'
    COLLAB_PYTHON=$STUBS/python-without-packages collab docs
    expect 1 'docs needs Sphinx (Debian package python3-sphinx)'
    collab docs --fast
    expect 2 "unknown option '--fast'; allowed: --out DIR --no-appendices"
}

test_installs_what_it_can() {
    sed -i '/^python3-yaml$/d; /^python3-pandas$/d' "$INSTALLED"
    echo python3-yaml >"$INSTALLED.unknown"
    CI=true COLLAB_PYTHON=$STUBS/python-without-packages collab test
    rm "$INSTALLED.unknown"
    expect_output 'the packages could not all be installed by apt-get'
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends python3-pandas$'
}

test_installs_only_what_is_missing() {
    sed -i /python3-pandas/d "$INSTALLED"
    COLLAB_PYTHON=$STUBS/python-without-packages collab test
    expect 0 'python3-pandas           analysis: tables'
    expect_lines_in_log 1 'apt-get .* update$'
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends python3-pandas$'
}

test_build_installs_what_is_missing() {
    sed -i /ninja-build/d "$INSTALLED"
    make_stub ninja <<<'exit 1'
    collab build
    expect_code 0
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends ninja-build$'
}

test_goes_on_without_a_package_whose_content_is_there() {
    sed -i '/^cmake$/d' "$INSTALLED"
    collab test
    expect_code 0
    expect_lines_in_log 0 ^apt-get
}

test_installs_what_few_commands_need_only_for_them() {
    sed -i /snakemake/d "$INSTALLED"
    # The stand-in says that no snakemake is here, wherever the tests run
    make_stub snakemake <<<'exit 1'
    CI='' collab test
    expect_code 0
    expect_lines_in_log 0 ^apt-get
    collab test --all
    expect_code 0
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends snakemake$'
    sed -i /snakemake/d "$INSTALLED"
    touch "$INSTALLED.locked"
    collab test --all
    expect_code 0
    collab doctor
    expect_output 'snakemake (for sweep, reproduce, test --all)'
    grep -qE '^sweeps: runs the points +- +7 +optional' <<<"$OUTPUT" || fail 'not optional'
}

test_installs_what_this_system_has() {
    sed -i '/^python3-yaml$/d; /^python3-pandas$/d' "$INSTALLED"
    touch "$INSTALLED.no-python3-yaml"
    CI=true COLLAB_PYTHON=$STUBS/python-without-packages collab doctor
    expect_output 'This system has no package python3-yaml: CMake finds'
    expect_output 'apt-get install --no-install-recommends python3-pandas'
    CI=true COLLAB_PYTHON=$STUBS/python-without-packages collab test
    rm "$INSTALLED.no-python3-yaml"
    expect_output 'this system has no package python3-yaml'
    expect_lines_in_log 1 'apt-get .* install -y --no-install-recommends python3-pandas$'
}

test_stops_when_needed_packages_cannot_be_installed() {
    sed -i /python3-pandas/d "$INSTALLED"
    touch "$INSTALLED.locked"
    COLLAB_PYTHON=$STUBS/python-without-packages collab test
    expect 1 'needed and not here'
    expect_lines_in_log 0 ^cmake
}

test_warns_of_another_blas() {
    mkdir -p "$WORK/x86_64-linux-gnu"
    touch "$WORK/x86_64-linux-gnu/libblas.so.3"
    # shellcheck disable=SC2016 # expanded by the stand-in
    make_stub ldd <<<'echo "libblas.so.3 => $WORK/x86_64-linux-gnu/libblas.so.3 (0x0)"'
    make_stub update-alternatives <<<'echo /usr/lib/blas/libblas.so.3; echo /usr/lib/openblas/it'
    WORK=$WORK collab run prediction-consensus
    expect_code 0
    expect_output 'which is not OpenBLAS'
    expect_output 'update-alternatives --set libblas.so.3-x86_64-linux-gnu /usr/lib/openblas/it'
    collab doctor
    expect 1 'update-alternatives --set libblas.so.3-x86_64-linux-gnu /usr/lib/openblas/it'
}

test_doctor_lists_what_is_missing() {
    local item
    sed -i /python3-pandas/d "$INSTALLED"
    COLLAB_PYTHON=$STUBS/python-without-packages OPENBLAS_CORETYPE=Haswell collab doctor
    expect_code 1
    for item in g++ cmake ninja-build ccache libns3-dev libtorch-dev libfmt-dev libgtest-dev \
        OPENBLAS_CORETYPE memory 'processor cores' 'Python interpreter'; do
        expect_output "$item"
    done
    expect_output 'apt-get install --no-install-recommends python3-pandas'
}

# offer EXPECTED WORD...: for these words of a command line, bash offers exactly that
offer() {
    local expected=$1
    shift
    COMP_WORDS=("$PROJECT/collab" "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _collab
    [[ ${COMPREPLY[*]-} == "$expected" ]] || fail "$*: bash offers ${COMPREPLY[*]-}"
}

test_completion() {
    make_sweep
    collab completion bash
    expect_code 0
    eval "$OUTPUT"
    offer 'report reproduce' rep
    offer 'reproduce' repr
    offer 'prediction-consensus' run pre
    offer 'release debug sanitize' test --preset =
    offer 'debug' build --preset de
    offer 'my/small' sweep m
    offer 'smoke standard' sweep my/small --scale s
    offer '--scale=smoke' sweep my/small --scale=sm
    offer '--jobs' sweep my/small --j
    offer 'my/figure' reproduce ''
    offer 'get' data ge
    offer 'usps' data get u
    offer '' data usps ''
    offer 'femnist radioml-2016.10a sentiment140 shakespeare svhn' data convert ''
    offer '--standardize' data convert some.csv --sta
    offer 'none features all channels' data convert some.csv --standardize ''
    offer '--where' plot runs --wh
    collab build
    cp "$STUBS/scenario" "$PROJECT/build/scenarios/prediction-consensus"
    offer '--trust=' run prediction-consensus --tru
    collab completion fish
    expect 2 "invalid choice: 'fish'"
    collab completion zsh
    expect_output 'compdef _collab collab'
}

test_ci_ends_with_the_closing_lines() {
    CODE=0
    OUTPUT=$(PATH=$STUBS:$PATH "$PROJECT/.ci/run") || CODE=$?
    expect_code 0
    [[ $(tail -n 1 <<<"$OUTPUT") == '100% tests passed, 0 tests failed out of 7' ]] ||
        fail 'the closing lines are not the last ones'
    make_stub ctest <<<'exit 8'
    OUTPUT=$(PATH=$STUBS:$PATH "$PROJECT/.ci/run") || CODE=$?
    expect_code 8
}

main() {
    local tests
    make_template
    tests=$(declare -F | sed -n 's/^declare -f \(test_\)/\1/p')
    for TEST in ${1:-$tests}; do
        reset
        "$TEST"
    done
    ((FAILURES == 0)) || exit 1
    printf 'all of %s tests passed\n' "$(wc -w <<<"${1:-$tests}")"
}

main "$@"
