#!/usr/bin/env bash
# The long forms of what ci.sh does in short, for a night or before a release: ./ci-long.sh [BASE]
#
#   every fuzz target, with a seed of chance, FUZZ_SECONDS each (600)
#   the accuracy bench: every carried game in every case; fails when the arbiter panics. The figures are printed, not written
#   every breach of the Laws by simulated hands in every game of the cross-section, every position that may or may not be won
#   eight times as many random games, every ply of every carried game, every page in the browser, every test of the Pico's images
#   lints of firmware images, and of an arbiterd without simulated boards
#   proofs that a side cannot mate, put to the mates in PROOF_POSITIONS made-up positions (100,000), others every time
#   packages for both architectures, made twice with the same bytes, checked, and installed, upgraded, removed and purged on a clean Debian, under
#   systemd where that boots; every box of docs/getting-started.md typed there; those for arm64 under an emulator
#   the crates that others may use, built of what would be published
#   torture: TORTURE_KILLS kills of the daemon and about as many of boards (1000), with another seed every time
#   hall and hub killed at every call by which they write while an order goes through both
#   a NATS server between hall and hub, and a cluster of three, killed HALLS_KILLS times (20) while HALLS_ROWS rows (20,000) are written
#   four halls of 250 boards and one hub for a minute, as writers and as daemons with simulated boards; a day of HALLS_DAY rows (7,000,000) mirrored
#   and verified; a hall that is cut off for HALLS_CUT seconds (600) and writes 300 events a second, also from three NATS servers in networks of their
#   own, of which one was killed and one cut off for a minute. The figures are printed
#   whether every ruling is that of the commit BASE, where one is named
#
# Needs what ci.sh installs. Stops at the first failure.
set -euo pipefail
cd "$(dirname "$0")"
exec </dev/null

export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-never}" LONG_FORM=1
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/ci-long"
rm -rf "$logs"
mkdir -p "$logs"

. ci/steps.sh
. ci/install.sh
. ci/runs.sh
export ARBITERD="$target/debug/arbiterd" ARBITER_PYTHON="$python"

each_fuzz_target() {
    local file
    ci/fuzz.sh --build
    for file in $(grep -l 'fuzz_target!' fuzz/fuzz_targets/*.rs); do
        echo "$(basename "$file" .rs):"
        ci/fuzz.sh --built "$(basename "$file" .rs)" "${FUZZ_SECONDS:-600}" -seed="$RANDOM"
    done
}

# It takes another seed every time, and says which. A thousand kills are half an hour.
torture() {
    TORTURE_KILLS="${TORTURE_KILLS:-1000}" \
        counted torture cargo test --locked --workspace --test torture -- --nocapture
}

# One server, and three of which one is killed after the other.
halls() {
    local servers
    for servers in 1 3; do
        HALLS_SERVERS=$servers HALLS_ROWS="${HALLS_ROWS:-20000}" HALLS_KILLS="${HALLS_KILLS:-20}" \
            counted "halls-$servers" cargo test --locked --workspace --test halls -- --nocapture nats::a_server_that_is_killed
    done
    HALLS_POINTS=1 counted halls-points cargo test --locked --workspace --test halls -- --nocapture points::
}

# One after the other: they measure. At this pace each of a thousand boards has a half-move in 20 seconds, as in rapid chess.
hall_sizes() {
    HALLS_BOARDS=250 HALLS_SECONDS=60 HALLS_PACE="${HALLS_PACE:-0.25}" HALLS_DAY="${HALLS_DAY:-7000000}" HALLS_CUT="${HALLS_CUT:-600}" \
        counted halls-sizes cargo test --locked --workspace --test halls -- --nocapture --test-threads=1 sizes:: live:: cluster:: a_hall_that_is_cut_off_in
}

# A hundred thousand are a quarter of an hour.
proofs() {
    local seed=$RANDOM
    echo "HELPMATE_SEED=$seed"
    HELPMATE_SEED=$seed HELPMATE_POSITIONS="${PROOF_POSITIONS:-100000}" \
        cargo test --locked -p helpmate --lib -- --nocapture soundness
}

if [ $# -gt 0 ]; then
    step "Rulings: the same as those of $1" ci/compare-rulings.sh "$1"
fi
step "Accuracy: every game in every case" cargo bench --locked -p tests --bench accuracy
step "Lints: an arbiterd without simulated boards" \
    cargo clippy --locked -p board-driver -p daemon --no-default-features -- -D warnings
step "Build" cargo test --locked --workspace --no-run
step "Bare metal: every image" bash ci/bare-metal.sh
step "Lints: firmware images" bash ci/bare-metal.sh --lint
step "What computes, in full" named long hands mating properties
step "Every ply against an independent chess library" every_ply
step "Pico: its images on an emulated RP2040" counted pico pico_tests
step "Browser: every page" counted browser browser_tests
step "Proofs: that nobody can mate" proofs
step "Crates that others may use: built of what would be published" crates publish --dry-run
step "Packages: of both architectures" ./package.sh
step "Packages: made twice, in two places" packaging/again.sh "$target/packages"
step "Packages: checked" packaging/check.sh "$target/packages"
step "Packages: installed on a clean Debian" packaging/install.sh "$target/packages"
step "Packages: a first evening, as its page says" packaging/evening.sh "$target/packages"
step "Packages: arm64 under an emulator" packaging/arm64.sh "$target/packages"
step "Torture" torture
step "Halls: a NATS server that is killed" halls
step "Halls: many boards, a long day, a long cut" hall_sizes
step "Fuzzing: every target" each_fuzz_target

finish
