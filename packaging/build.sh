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

remapped_c() {
    echo "-ffile-prefix-map=$PWD=/arbiter -ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=/cargo"
}

# Runs a program for arm64 on this machine.
emulator="qemu-aarch64-static -L /usr/aarch64-linux-gnu"

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
    local programs=(--locked --release -p daemon -p firmware-linux)
    echo "building for $1"
    export CARGO_INCREMENTAL=0
    if [ "$1" = "$here" ]; then
        CARGO_TARGET_DIR="$target/package-$1" RUSTFLAGS=$(remapped) CFLAGS=$(remapped_c) \
            cargo build --target "$(triple "$1")" "${programs[@]}"
    else
        elsewhere "$1" build "${programs[@]}"
    fi
}

# elsewhere ARCHITECTURE COMMAND...: cargo for another machine, with rustup's standard library for it where rustup has one, else with Debian's
# compiler and Debian's library. What it runs is run under an emulator.
elsewhere() {
    local kind
    kind=$(triple "$1")
    local name=${kind//-/_}
    local upper=${name^^}
    local settings=("CARGO_TARGET_DIR=$target/package-$1" "CARGO_TARGET_${upper}_LINKER=aarch64-linux-gnu-gcc"
        "CARGO_TARGET_${upper}_RUNNER=$emulator" "CC_$name=aarch64-linux-gnu-gcc" "AR_$name=aarch64-linux-gnu-ar" "CFLAGS_$name=$(remapped_c)")
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$kind" ] || { have rustup && logged rustup timeout 120 rustup target add "$kind"; }; then
        env "${settings[@]}" RUSTFLAGS="$(remapped)" cargo "$2" --target "$kind" "${@:3}"
        return
    fi
    debian_library
    env "${settings[@]}" PATH=/usr/bin:/bin RUSTC=/usr/bin/rustc RUSTFLAGS="$(remapped) --sysroot=$target/package-sysroot" \
        /usr/bin/cargo "$2" --target "$kind" "${@:3}"
}

# The standard library as Debian ships it for arm64, of the version of its compiler, taken apart in a place of its own: this machine
# installs nothing of another architecture.
debian_library() {
    local place="$target/package-sysroot"
    have /usr/bin/rustc && [ -x /usr/bin/cargo ] || apt_install rustc-web cargo-web
    local version
    version=$(dpkg-query --show --showformat='${Version}' rustc-web)
    [ "$(cat "$place/version" 2>/dev/null)" != "$version" ] || return 0
    rm -rf "$place"
    mkdir -p "$place"/apt/{lists,cache}/partial
    touch "$place/apt/status"
    local theirs=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Dir::State="$place/apt"
        -o Dir::State::status="$place/apt/status" -o Dir::Cache="$place/apt/cache" --quiet)
    logged apt-arm64 apt-get "${theirs[@]}" update
    (cd "$place" && logged apt-arm64 apt-get "${theirs[@]}" download "libstd-rust-web-dev=$version")
    dpkg-deb --extract "$place"/libstd-rust-web-dev_*.deb "$place/deb"
    mv "$place/deb/usr/lib" "$place/lib"
    rm -r "$place/deb" "$place/apt" "$place"/*.deb
    echo "$version" >"$place/version"
}
