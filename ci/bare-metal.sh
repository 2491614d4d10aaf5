#!/usr/bin/env bash
# Builds what runs on a microcontroller, for thumbv6m-none-eabi (RP2040, any Cortex-M): the libraries, then every firmware image.
#
#   ci/bare-metal.sh              everything
#   ci/bare-metal.sh IMAGE...     these images only: the first column of the table below
#   ci/bare-metal.sh --lint       clippy on the images
#   ci/bare-metal.sh --can-build  only answers, by its exit status, whether anything here could
#
# Images land in target/images (under CARGO_TARGET_DIR): NAME.elf for debuggers and emulators, NAME.bin as it lies in flash, and for a
# Raspberry Pi Pico NAME.uf2, to be copied onto it. One that is too large fails.
#
# Uses the toolchain's own library for the target when it is installed (`rustup target add thumbv6m-none-eabi`), else builds
# `core` and `alloc` from the sources that Debian ships (`rustc-web cargo-web rust-web-src lld`). BARE_METAL_WAY=target|source chooses
# by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

# Image, package, features, and the most bytes of flash and RAM it may take (the stack counts apart; `-` is no limit). 32 KiB of flash and 4 KiB of
# RAM are what the smallest microcontrollers have, and QEMU's board stands for those. A Pico has 2 MiB and 264 KiB: half of that RAM keeps evidence,
# and what is left of it is for the stack.
images="
qemu firmware-qemu image 32768 4096
qemu-colour firmware-qemu image,colour 32768 4096
pico-matrix firmware-rp2040 image,matrix - 163840
pico-matrix-lamps firmware-rp2040 image,matrix,lamps - 163840
pico-matrix-dgt3000 firmware-rp2040 image,matrix,dgt3000 - 163840
pico-matrix-lamps-dgt3000 firmware-rp2040 image,matrix,lamps,dgt3000 - 163840
pico-shift-register firmware-rp2040 image,shift-register - 163840
pico-shift-register-lamps firmware-rp2040 image,shift-register,lamps - 163840
pico-shift-register-dgt3000 firmware-rp2040 image,shift-register,dgt3000 - 163840
pico-shift-register-lamps-dgt3000 firmware-rp2040 image,shift-register,lamps,dgt3000 - 163840
pico-hall firmware-rp2040 image,hall - 163840
pico-hall-lamps firmware-rp2040 image,hall,lamps - 163840
pico-hall-dgt3000 firmware-rp2040 image,hall,dgt3000 - 163840
pico-hall-lamps-dgt3000 firmware-rp2040 image,hall,lamps,dgt3000 - 163840
"

target=thumbv6m-none-eabi
crates=(-p arbiter-core -p board-wire -p firmware)
# Another compiler than the host's may be used: keep its artefacts apart, or each run would rebuild everything.
target_dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR="$target_dir/bare-metal"
places="$target_dir/images"
# What the images say they were built of: a commit, and whether something was changed since.
BUILD_ID=${BUILD_ID-$(git describe --always --dirty=-changed --exclude='*' --abbrev=8 2>/dev/null || true)}
export BUILD_ID

has_target() { # does this rustc have a ready library for the target?
    [ -d "$("$1" --print sysroot)/lib/rustlib/$target/lib" ]
}

has_source() { # does this rustc have the library's sources?
    [ -e "$("$1" --print sysroot)/lib/rustlib/src/rust/library/core/Cargo.toml" ]
}

if has_target rustc; then
    way=target
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/ld.lld ] && has_source /usr/bin/rustc; then
    way=source
else
    way=none
fi
way="${BARE_METAL_WAY:-$way}"
[ "${1:-}" != --can-build ] || { [ "$way" != none ]; exit; }

# bare COMMAND ARGUMENT...: cargo for the target, by the chosen way.
bare() {
    local command=$1
    shift
    case $way in
    target) cargo "$command" --locked --target "$target" "$@" ;;
    # build-std is an unstable switch; a stable compiler takes it only when told so. Debian's has no linker of its own for the target.
    source)
        PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
            CARGO_TARGET_THUMBV6M_NONE_EABI_LINKER=/usr/bin/ld.lld \
            CARGO_TARGET_THUMBV6M_NONE_EABI_RUSTFLAGS=-Clinker-flavor=ld.lld \
            /usr/bin/cargo "$command" --locked -Zbuild-std=core,alloc --target "$target" "$@"
        ;;
    esac
}

# Each image is built in a call of its own: features of one must not reach another.
build_image() {
    local name=$1 package=$2 features=$3 flash=$4 ram=$5
    bare build --profile image --package "$package" --features "$features"
    mkdir -p "$places"
    cp "$CARGO_TARGET_DIR/$target/image/$package" "$places/$name.elf"
    local files=(--bin "$places/$name.bin")
    [[ $name != pico-* ]] || files+=(--uf2 "$places/$name.uf2")
    python3 ci/image.py "$places/$name.elf" --flash "$flash" --ram "$ram" "${files[@]}"
}

lint_image() {
    echo "$1"
    bare clippy --quiet --profile image --package "$2" --features "$3" -- -D warnings
}

# each_image COMMAND [IMAGE...]: the command with the row of the table, for these images or all.
each_image() {
    local command=$1 row wanted found=0
    shift
    wanted=" $* "
    while read -r -a row; do
        [ ${#row[@]} -gt 0 ] || continue
        [ $# -eq 0 ] || [[ $wanted == *" ${row[0]} "* ]] || continue
        "$command" "${row[@]}" </dev/null
        found=$((found + 1))
    done <<<"$images"
    [ $# -eq 0 ] || [ $found -eq $# ] || {
        echo "No such image: $*. There are: $(awk 'NF { printf "%s ", $1 }' <<<"$images")" >&2
        exit 2
    }
}

case $way in
target) echo "$(rustc --version) with its own library for $target" ;;
source) echo "$(/usr/bin/rustc --version) with core and alloc from source for $target" ;;
*)
    echo "Nothing here can build for $target." >&2
    echo "Run 'rustup target add $target', or on Debian 'apt-get install rustc-web cargo-web rust-web-src lld'." >&2
    exit 1
    ;;
esac

case ${1:-} in
--lint)
    if [ "$way" = target ] || [ -x /usr/bin/cargo-clippy ]; then
        each_image lint_image
    else
        echo "Debian's compiler comes without clippy: the images are not looked at here"
    fi
    ;;
"")
    bare build "${crates[@]}"
    each_image build_image
    ;;
*) each_image build_image "$@" ;;
esac
