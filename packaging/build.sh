# Builds the programs of an architecture. Sourced by package.sh, not run.

triple() {
    case $1 in
    amd64) echo x86_64-unknown-linux-gnu ;;
    arm64) echo aarch64-unknown-linux-gnu ;;
    *) echo "no packages are made for $1" >&2 && return 2 ;;
    esac
}

# Where the programs of an architecture are, once built.
programs() { echo "$target/package-$1/$(triple "$1")/release"; }

# Paths of this machine are in no program, so that any machine makes the same one.
remapped() {
    echo "--remap-path-prefix=$PWD=/arbiter --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
}

# What makes packages out of programs.
install_packers() {
    have dpkg-shlibdeps || apt_install dpkg-dev
    have help2man || apt_install help2man
    have strip || apt_install binutils
    have cc || [ -n "$built" ] || apt_install gcc libc6-dev
    if [[ " ${architectures[*]} " == *" arm64 "* ]] && [ "$here" != arm64 ]; then
        have aarch64-linux-gnu-gcc || apt_install gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    fi
}

# build ARCHITECTURE
build() {
    local kind
    kind=$(triple "$1")
    echo "building for $1"
    export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$target/package-$1"
    local flags="-ffile-prefix-map=$PWD=/arbiter -ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    if [ "$1" = "$here" ]; then
        RUSTFLAGS=$(remapped) CFLAGS=$flags cargo build --locked --release --target "$kind" -p daemon -p firmware-linux
    else
        build_elsewhere "$kind" "$flags"
    fi
    CARGO_TARGET_DIR=$target
}

# For another machine: with rustup's standard library for it where that is installed, else with one that is built from the sources that
# Debian ships.
build_elsewhere() {
    local kind=$1 flags=$2
    local name=${kind//-/_}
    local upper=${name^^}
    export "CARGO_TARGET_${upper}_LINKER=aarch64-linux-gnu-gcc" "CC_$name=aarch64-linux-gnu-gcc" "AR_$name=aarch64-linux-gnu-ar" "CFLAGS_$name=$flags"
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$kind" ]; then
        RUSTFLAGS=$(remapped) cargo build --locked --release --target "$kind" -p daemon -p firmware-linux
        return
    fi
    [ -d /usr/lib/rustlib/src ] || [ -d /usr/src/rustc-* ] || apt_install rustc-web cargo-web rust-web-src
    PATH=/usr/bin:/bin RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="$(remapped) --remap-path-prefix=/usr/src=/src" \
        /usr/bin/cargo -Zbuild-std=std,panic_unwind build --locked --release --target "$kind" -p daemon -p firmware-linux
}
