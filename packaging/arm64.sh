#!/usr/bin/env bash
# Tries the packages for arm64 on a machine of another kind, under an emulator of its processor (qemu-user): packaging/arm64.sh DIR
#
# The core's own tests; the rulings in every scenario, which must be those of this machine; a game on a simulated board, over
# a pseudo-terminal, to its PGN. Says how large the programs are and how much memory a game takes.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(realpath "$1")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/package-logs"
mkdir -p "$logs"
here=$(dpkg --print-architecture)
built=""
architectures=(arm64)
. ci/install.sh
logged() { "${@:2}" >"$logs/$1" 2>&1 || { tail -n 40 "$logs/$1" >&2 && return 1; }; }
. packaging/build.sh
fail() { echo "$*" >&2 && exit 1; }
say() { printf -- '--- %s\n' "$*"; }
have qemu-aarch64-static || apt_install qemu-user-static

tree=$(mktemp -d "$target/package-arm64.XXXXXX")
board="" daemon=""
ended() {
    for one in $board $daemon; do kill "$one" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$tree"
}
trap ended EXIT
for package in "$packages"/*_arm64.deb; do
    dpkg-deb -x "$package" "$tree"
done
aarch64-linux-gnu-gcc -shared -fPIC -O1 -o "$tree/emulated.so" packaging/emulated.c
emulator+=" -E LD_PRELOAD=$tree/emulated.so"
arbiterd() { $emulator "$tree/usr/bin/arbiterd" "$@"; }
file -b "$tree/usr/bin/arbiterd" "$tree/usr/bin/sensor-board" | grep -vq aarch64 && fail "a program is for another processor"
arbiterd --version

say "how large"
ls -l "$packages"/*_arm64.deb | awk '{ printf "%.1f MB  %s\n", $5 / 1e6, $9 }'
ls -l "$tree/usr/bin/arbiterd" "$tree/usr/bin/sensor-board" | awk '{ printf "%.1f MB  %s\n", $5 / 1e6, $9 }'

say "a game on a simulated board"
mkdir "$tree/hall"
printf '[http]\nlisten = "127.0.0.1:0"\n[store]\ndir = "data"\n[[board]]\nid = "b01"\nport = "board"\n' >"$tree/hall/hall.toml"
cd "$tree/hall"
timeout 300 $emulator "$tree/usr/bin/arbiterd" simulate --speed 20 --seed 1 --link board >"$logs/arm64-board" 2>&1 &
board=$!
for _ in $(seq 200); do [ -L board ] && break || sleep 0.1; done
timeout 300 $emulator "$tree/usr/bin/arbiterd" serve --config hall.toml >"$logs/arm64-daemon" 2>&1 &
daemon=$!
found=false
for _ in $(seq 2400); do
    grep -Eqs '^\[Result "(1-0|0-1|1/2-1/2)"\]' data/pgn/*.pgn && found=true && break
    sleep 0.1
done
$found || { tail -n 20 "$logs/arm64-daemon" "$logs/arm64-board" >&2 && fail "no game came to its PGN"; }
# The emulator's own memory is in it: what it takes for the same program that only says its version is the measure of that.
memory() { awk '/^VmHWM/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"; }
emulated=$(pgrep -P "$daemon")
taken=$(memory "$emulated")
own=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' $emulator "$tree/usr/bin/arbiterd" --version)
echo "the daemon with a game took at most $taken MB, the emulator's own included; that which only says its version $own MB"
kill "$daemon" "$board" && wait "$daemon" "$board" 2>/dev/null || true
daemon="" board=""
arbiterd verify --dir data --json | grep '"damage":null' >/dev/null || fail "the store is damaged"
cp data/pgn/*.pgn "$logs/arm64.pgn"
cd - >/dev/null

say "the same rulings as here"
native="$target/package-native-tree"
rm -rf "$native" && mkdir "$native"
dpkg-deb -x "$packages/arbiterd_"*"_$here.deb" "$native"
logged scripts cargo build --locked --workspace --example scripts
"$target/debug/examples/scripts" "$tree/scripts"
scripts=("$tree"/scripts/*.jsonl)
cmp <(arbiterd replay "${scripts[@]}" 2>&1) <("$native/usr/bin/arbiterd" replay "${scripts[@]}" 2>&1) || fail "a script is ruled otherwise"
echo "${#scripts[@]} event scripts are ruled alike"

say "the tests of the core"
elsewhere arm64 test --locked -p arbiter-core --lib --tests
