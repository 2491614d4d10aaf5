#!/usr/bin/env bash
# Builds what must run on a microcontroller for one: arbiter-core, board-wire and firmware for thumbv6m-none-eabi (RP2040,
# any Cortex-M). A dependency that needs an operating system fails here, not at a board maker's desk.
#
# Uses the toolchain's own library for the target when it is installed (`rustup target add thumbv6m-none-eabi`), else builds
# `core` and `alloc` from the sources that Debian ships (`rustc-web cargo-web rust-web-src`). Libraries need no linker.
set -euo pipefail
cd "$(dirname "$0")/.."

target=thumbv6m-none-eabi
crates=(-p arbiter-core -p board-wire -p firmware)
# Another compiler than the host's may be used: keep its artefacts apart, or each run would rebuild everything.
export CARGO_TARGET_DIR="${BARE_METAL_TARGET_DIR:-$PWD/target/bare-metal}"

has_target() { # does this rustc have a ready library for the target?
    [ -d "$("$1" --print sysroot)/lib/rustlib/$target/lib" ]
}

has_source() { # does this rustc have the library's sources?
    [ -e "$("$1" --print sysroot)/lib/rustlib/src/rust/library/core/Cargo.toml" ]
}

if has_target rustc; then
    echo "bare metal: $(rustc --version), its own $target library"
    cargo build --locked --release --target "$target" "${crates[@]}"
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && has_source /usr/bin/rustc; then
    echo "bare metal: $(/usr/bin/rustc --version), core and alloc from source"
    # build-std is an unstable switch; a stable compiler takes it only when told so.
    PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo build --locked --release -Zbuild-std=core,alloc --target "$target" "${crates[@]}"
else
    echo "bare metal: no $target library and no sources to build one." >&2
    echo "Run 'rustup target add $target', or on Debian 'apt-get install rustc-web cargo-web rust-web-src'." >&2
    exit 1
fi
