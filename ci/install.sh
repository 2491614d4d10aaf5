# What the checks need besides Rust, installed by name when it is missing. Sourced by ci.sh, not run.

python="$target/venv/bin/python"

have() { command -v "$1" >/dev/null 2>&1; }

# as_root COMMAND...: runs it as root, by sudo if need be.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo; then
        sudo --non-interactive --preserve-env=DEBIAN_FRONTEND "$@"
    else
        echo "Neither root nor sudo. Have somebody run: $*" >&2
        return 1
    fi
}

# apt_install PACKAGE...: what apt says is kept, and shown only when it fails.
apt_updated=false
apt_install() {
    if ! have apt-get; then
        echo "No apt-get here. Install these, or what corresponds to them, and run again: $*" >&2
        return 1
    fi
    if ! $apt_updated; then
        logged apt as_root apt-get update --quiet
        apt_updated=true
    fi
    echo "installing $*"
    logged apt apt_get_install "$@"
}

# In a session of its own: when these checks are broken off, the package is still installed to the end. What was broken off on this
# machine before, by whomever, is ended first, for until then apt installs nothing.
apt_get_install() {
    local install=(as_root setsid --wait apt-get install --yes --quiet -o DPkg::Lock::Timeout=300 --no-install-recommends "$@")
    "${install[@]}" || { as_root dpkg --configure -a && "${install[@]}"; }
}

# Rust itself is the one thing that must be there; its parts are added where rustup rules.
install_rust_parts() {
    if ! have cargo; then
        echo "cargo is not on the PATH. Install Rust $(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml) or later." >&2
        return 1
    fi
    cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
    cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
}

# A library for the microcontroller target: rustup's, else the sources that Debian ships, which need a linker.
install_bare_metal() {
    if bash ci/bare-metal.sh --can-build; then
        return
    fi
    if have rustup && timeout 120 rustup target add thumbv6m-none-eabi; then
        return
    fi
    apt_install rustc-web cargo-web rust-web-src lld
}

install_node() {
    local major=0
    have node && major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
    if [ "$major" -lt 18 ]; then
        apt_install nodejs npm
    elif ! have npm; then
        apt_install npm
    fi
}

# An independent chess library to check ours against, a serial port library to read simulated boards with, what draws the circuit
# diagrams (another version may place things differently), three readers of tournament report files by others, one of which pairs
# rounds as well, and a client of LiveChess, in a place of their own.
install_python() {
    if "$python" -c 'import chess, serial, schemdraw, trf, caissify_pairings, py4swiss, livechess.local; assert schemdraw.__version__ == "0.23"' 2>/dev/null; then
        return
    fi
    python3 -c 'import venv, ensurepip' 2>/dev/null || apt_install python3 python3-venv
    python3 -m venv --clear "$target/venv"
    "$python" -m pip install --quiet 'chess>=1.11,<2' 'pyserial>=3.5,<4' 'schemdraw==0.23' \
        'trf==1.1.1' 'caissify-pairings==0.5.0' 'py4swiss==0.3.1' 'requests>=2.32,<3' 'more-itertools>=10,<11'
    # It asks for a later Python and for a library of its command line; what is used here runs with any.
    "$python" -m pip install --quiet --no-deps --ignore-requires-python 'livechess==0.1.0'
}

# What the tests under node stand on.
install_packages() (
    cd "$1"
    npm ci --no-fund --no-audit --loglevel=error
)

# The headers that the feature `bluetooth` needs.
install_bluetooth() {
    if ! pkg-config --exists dbus-1 2>/dev/null; then
        apt_install libdbus-1-dev pkg-config
    fi
}

# What builds need.
install_builders() {
    install_rust_parts
    have cc || apt_install gcc libc6-dev # SQLite is built from C
    have c++ || apt_install g++          # libFuzzer from C++
    install_bluetooth
    rustc --version
}

# Turns the wall clock of a daemon (torture). What the torture mounts and limits besides is of every Debian.
install_clock() {
    ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || apt_install faketime
}

# Between halls and hub. Debian starts one for the whole network, which asks nobody who he is.
install_nats() {
    if ! have nats-server; then
        apt_install nats-server
        [ ! -d /run/systemd/system ] || as_root systemctl disable --now nats-server
    fi
}

# NATS servers are cut off from each other in networks of their own.
install_networks() {
    have ip || apt_install iproute2
}

# Kills a program at a call of its choice.
install_strace() {
    have strace || apt_install strace
}

# What everything else needs. It is there before it is needed, while the first build goes on.
install_others() {
    install_bare_metal
    have qemu-system-arm || apt_install qemu-system-arm # runs a firmware image
    install_clock
    install_nats
    install_networks
    install_strace
    install_node
    have chromium || apt_install chromium
    have firefox-esr || apt_install firefox-esr # the main views are tried in it too
    [ -x /usr/games/tkscid ] || apt_install scid # reads our PGN
    install_python
    install_packages tests/pico
    install_packages tests/readers
    install_packages tests/browser
    echo "$("$python" --version), node $(node --version), $(chromium --version)"
}
