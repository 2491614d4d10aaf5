#!/usr/bin/env bash
# Fuzzes one target for some seconds: ci/fuzz.sh TARGET [SECONDS] [libFuzzer's options]. `ci/fuzz.sh --build` builds all targets,
# `--build TARGET...` these, `--built` before the target takes it as it was built.
# Coverage-guided, on the stable compiler: libFuzzer comes with the crate libfuzzer-sys, and the compiler's own switches instrument what is under test.
# A failing input is kept and printed as an event script.
set -euo pipefail
cd "$(dirname "$0")/.."

build=true
features=(--features files) bins=()
case ${1:-} in
--build)
    shift
    # Without those that read files, and stand on the daemon, half of the build is saved.
    case " $* " in " " | "  " | *" script "* | *" pairings "* | *" trf "* | *" workbook "*) ;; *) features=() ;; esac
    bins=("${@/#/--bin=}")
    set -- "" 0
    ;;
--built) build=false && shift ;;
esac
fuzz_target=${1?a target of fuzz/, or --build}
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
root=$PWD
longest=600
case $fuzz_target in script | pairings | trf) longest=6000 ;; esac
host=$(rustc -vV | sed -n 's/^host: //p')
# Instrumented artefacts stay apart from everybody else's.
tests=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fuzz
# Only what is under test is instrumented; the wrapper leaves other crates alone, which builds and runs faster. All targets at once:
# what they stand on is the same.
if $build; then
    RUSTC_WRAPPER="$root/ci/instrument.sh" cargo build --locked --quiet --manifest-path fuzz/Cargo.toml --release \
        --target "$host" "${features[@]}" "${bins[@]:---bins}"
fi
[ -n "$fuzz_target" ] || exit 0
binary="$CARGO_TARGET_DIR/$host/release/$fuzz_target"
[ -x "$binary" ] || { echo "$binary is not there; fuzz/README.md names the targets" >&2 && exit 2; }

work="$CARGO_TARGET_DIR/work/$fuzz_target"
mkdir -p "$work/corpus" "$work/failed"
case $fuzz_target in
script) # Real scripts; the scenarios are the richest.
    scripts="$tests/debug/examples/scripts"
    if $build || [ ! -x "$scripts" ]; then
        CARGO_TARGET_DIR="$tests" cargo build --locked --quiet -p tests --example scripts
    fi
    [ -n "$(ls -A "$work/corpus")" ] || "$scripts" "$work/corpus"
    ;;
pairings | trf) # Files with a defect, and two without.
    cp daemon/tournament/tests/defective/* daemon/tournament/tests/teams.trf daemon/trf/tests/open.trf "$work/corpus"
    ;;
*) # Long inputs to begin with, else the first minute goes by with short ones.
    python3 -c 'import pathlib, random, sys
for n in range(64): pathlib.Path(sys.argv[1], f"start-{n}").write_bytes(random.Random(n).randbytes(300))' "$work/corpus"
    ;;
esac

# Without random addresses where that is allowed: with the same seed and corpus the same inputs are tried.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()

if ! "${fixed[@]}" "$binary" "$work/corpus" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -len_control=0 \
    -max_len="$longest" -verbosity=0 -print_final_stats=1 -artifact_prefix="$work/failed/" "$@" 2>"$work/log"; then
    tail -n 60 "$work/log" >&2
    failed=$(ls -t "$work"/failed/* 2>/dev/null | head -n 1)
    if [ "$fuzz_target" = events ] && [ -n "$failed" ]; then
        echo "The event script of $failed:" >&2
        PRINT_SCRIPT=1 "$binary" "$failed" >&2 2>/dev/null || true
    fi
    exit 1
fi
grep -E '^stat::(number_of_executed_units|new_units_added|peak_rss_mb)' "$work/log" || tail -n 3 "$work/log"
