#!/usr/bin/env bash
# Runs a test program for cargo, which ci.sh asks to by CARGO_TARGET_..._RUNNER, and notes in $TEST_TIMES how long it took:
# seconds, seconds of CPU, package and name.
set -uo pipefail

start=$EPOCHREALTIME
status=0
"$@" || status=$?
end=$EPOCHREALTIME
name=$(basename "$1")
name=$(basename "$PWD")/${name%-*}
line=$(mktemp)
times >"$line"
awk -v start="$start" -v end="$end" -v name="$name" \
    'NR == 2 { gsub(/[ms]/, " "); printf "%7.0f %7.0f  %s\n", end - start, 60 * ($1 + $3) + $2 + $4, name }' \
    "$line" >>"${TEST_TIMES:-/dev/stderr}"
rm -f "$line"
exit "$status"
