#!/usr/bin/env bash
# Runs rustc for cargo (`RUSTC_WRAPPER`), and has the crates under test count which of their branches are taken.
set -euo pipefail

compiler=$1
shift
case " $* " in
*" --crate-name arbiter_core "* | *" --crate-name shakmaty "* | *" --crate-name board_wire "* | \
    *" --crate-name board_driver "* | *" --crate-name firmware "* | *" --crate-name daemon "* | *" --crate-name serde_json "* | \
    *" --crate-name chess_trf "* | *" --crate-name tournament "* | *" --crate-name csv_core "* | \
    *" --crate-name calamine "* | *" --crate-name quick_xml "* | *"/fuzz_targets/"* | *" fuzz_targets/"*)
    exec "$compiler" "$@" --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares
    ;;
*) exec "$compiler" "$@" ;;
esac
