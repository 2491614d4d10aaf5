#!/usr/bin/env bash
# Builds what must run on a microcontroller for one: arbiter-core, board-wire and firmware for thumbv6m-none-eabi (RP2040,
# any Cortex-M). A dependency that needs an operating system fails here, not at a board maker's desk.
#
# Uses the toolchain's own library for the target when it is installed (`rustup target add thumbv6m-none-eabi`), else builds
# `core` and `alloc` from the sources that Debian ships (`rustc-web cargo-web rust-web-src`). Libraries need no linker.
# BARE_METAL_WAY=target|source chooses by hand. With --can-build it only answers, by its exit status, whether it could.
set -euo pipefail
cd "$(dirname "$0")/.."

target=thumbv6m-none-eabi
crates=(-p arbiter-core -p board-wire -p firmware)
# Another compiler than the host's may be used: keep its artefacts apart, or each run would rebuild everything.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/bare-metal"

has_target() { # does this rustc have a ready library for the target?
    [ -d "$("$1" --print sysroot)/lib/rustlib/$target/lib" ]
}

has_source() { # does this rustc have the library's sources?
    [ -e "$("$1" --print sysroot)/lib/rustlib/src/rust/library/core/Cargo.toml" ]
}

if has_target rustc; then
    way=target
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && has_source /usr/bin/rustc; then
    way=source
else
    way=none
fi
way="${BARE_METAL_WAY:-$way}"
[ "${1:-}" != --can-build ] || { [ "$way" != none ]; exit; }

case $way in
target)
    echo "$(rustc --version) with its own library for $target"
    cargo build --locked --target "$target" "${crates[@]}"
    ;;
source)
    echo "$(/usr/bin/rustc --version) with core and alloc from source for $target"
    # build-std is an unstable switch; a stable compiler takes it only when told so.
    PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo build --locked -Zbuild-std=core,alloc --target "$target" "${crates[@]}"
    ;;
*)
    echo "Nothing here can build for $target." >&2
    echo "Run 'rustup target add $target', or on Debian 'apt-get install rustc-web cargo-web rust-web-src'." >&2
    exit 1
    ;;
esac
