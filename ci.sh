#!/usr/bin/env bash
# Every check of this repository, in one script that anyone can run: ./ci.sh
#
# Starts from a Debian machine with Rust and nothing else. What the tests need besides is installed by name (apt, npm, pip)
# when it is missing. Runs as root, or as a user with sudo. Stops at the first failure and says where. Can be repeated.
# What would take too long here has a short form here and its long form in ci-long.sh.
set -euo pipefail
cd "$(dirname "$0")"
exec </dev/null

# A build machine starts cold and builds once: keeping the pieces for a next build only costs time.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0
# Nobody steps through these programs; without lines in backtraces they are built and linked sooner.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}"
export CI=true CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-never}" DEBIAN_FRONTEND=noninteractive
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/ci"
rm -rf "$logs"
mkdir -p "$logs"

. ci/steps.sh
. ci/install.sh
. ci/runs.sh

# What is `beside` goes on while the steps after it run, in the time that they leave; `join` waits for it.
step "Install what builds need" install_builders
beside "Install what tests need" install_others
step "Format" cargo fmt --all --check
step "Manners" bash ci/manners.sh
step "Dependencies: who may know whom" bash ci/dependencies.sh
# With every feature; the build below looks at the usual ones, and ci-long.sh at an arbiterd without simulated boards.
step "Lints, boards on Bluetooth LE included" \
    cargo clippy --locked --workspace --all-targets --features daemon/bluetooth -- -D warnings
join
step "Diagrams are as their text draws them" "$python" docs/hardware/draw.py --check
step "Dependencies: licences, sources, banned crates" "$python" ci/licences.py
step "Dependencies: how old what is known against them is" "$python" ci/advisories.py

# One build for everything that follows: the binary, all tests and the examples share it.
beside "Bare metal: core, wire and firmware for a microcontroller, every image" bash ci/bare-metal.sh
step "Build" without_warnings cargo test --locked --workspace --no-run
export ARBITERD="$target/debug/arbiterd" ARBITER_PYTHON="$python"

# Half of the tests wait for boards in real time. What computes does it meanwhile.
beside "Tests that compute: units, scenarios, properties" computing_tests
beside "Fuzzing: targets that need no daemon" ci/fuzz.sh --build events kinds
behind "Fuzzing: any hands at a table, any board" fuzzing
behind "Documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --features daemon/bluetooth
behind "Packages: laid out, linted, their units, pages and completions" packages
step "Tests that wait: pipelines over ptys, faults, torture" waiting_tests
step "Browser: the console in Chromium" counted browser browser_tests
step "Demonstration: the first command, in a hurry" demonstration
step "Scenarios against an independent chess library" "$python" tests/scenarios/check.py
step "Every ply against an independent chess library" every_ply
step "Crates that others may use, as they would be published" crates package --no-verify --allow-dirty
step "Tournament report files against three independent readers" report_files
step "The arbiter as a Python module" python_module
join
step "Pico: its images on an emulated RP2040" counted pico pico_tests
# shellcheck disable=SC2086 # words
step "Tests in real time: latency, a board's pace, an emulated Cortex-M" named alone $alone
if [ -s "$logs/again-browser.txt" ]; then
    step "Browser: pages that failed beside everything else, alone" counted browser-again browser_again
fi
if [ -s "$logs/again.txt" ]; then
    # shellcheck disable=SC2046 # words
    step "Tests that failed beside everything else, alone" cargo_tests again $(cat "$logs/again.txt")
fi

finish
