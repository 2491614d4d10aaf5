#!/usr/bin/env bash
# Every check of this repository, in one script that anyone can run: ./ci.sh
#
# Starts from a Debian machine with Rust and nothing else. What the tests need besides is installed by name (apt, npm, pip)
# when it is missing. Runs as root, or as a user with sudo. Stops at the first failure and says where. Can be repeated.
set -euo pipefail
cd "$(dirname "$0")"
exec </dev/null

# A build machine starts cold and builds once: keeping the pieces for a next build only costs time.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0
export CI=true CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-never}" DEBIAN_FRONTEND=noninteractive
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/ci"
rm -rf "$logs"
mkdir -p "$logs"

. ci/steps.sh
. ci/install.sh
. ci/runs.sh

step "Install what is missing" install_all

step "Format" cargo fmt --all --check
step "Manners" bash ci/manners.sh
step "Diagrams are as their text draws them" "$python" docs/hardware/draw.py --check
step "Lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "Lints: boards on Bluetooth LE, which are built on request" \
    cargo clippy --locked -p board-driver -p daemon --features daemon/bluetooth -- -D warnings
step "Lints: firmware images" bash ci/bare-metal.sh --lint
step "Dependencies: who may know whom" bash ci/dependencies.sh
step "Dependencies: licences, sources, banned crates" "$python" ci/licences.py
step "Documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
step "Bare metal: core, wire and firmware for a microcontroller, every image" bash ci/bare-metal.sh

# One build for everything that follows: the binary, all tests and the examples share it.
step "Build" cargo build --locked --workspace --all-targets
export ARBITERD="$target/debug/arbiterd" ARBITER_PYTHON="$python"

step "Scenarios against an independent chess library" "$python" tests/scenarios/check.py
step "Every ply against an independent chess library" \
    "$python" tests/differential/compare.py "$target/debug/examples/follow" --random 120 \
    board-driver/games/played.tsv board-driver/games/rare.tsv board-driver/games/chess960.tsv
step "Demonstration: the first command, in a hurry" demonstration
# Its packages are needed by the games on such a board, which are among the tests.
step "Pico: its images on an emulated RP2040" counted pico pico_tests
step "Tests: units, scenarios, pipelines over ptys, durability, faults" counted cargo cargo test --locked --workspace
step "Fuzzing: any hands at a table, any script, any board, a minute of each" fuzzing
step "Browser: the console in Chromium" counted node browser_tests

finish
