#!/usr/bin/env bash
# Makes what is installed: ./package.sh [--arch amd64|arm64]... [--built DIR] [--out DIR]
#
# For each architecture (both, unless some are named) a Debian package of arbiterd and one of sensor-board, and a tar.gz of each with the same
# files, into target/packages or DIR. The same commit gives the same bytes. What building needs is installed by name (apt).
#
#   --built DIR   takes the programs of this machine's architecture from DIR and builds nothing: to try the packages, not to ship them
set -euo pipefail
cd "$(dirname "$0")"

architectures=() built="" out=""
while [ $# -gt 0 ]; do
    case $1 in
    --arch) architectures+=("$2") && shift 2 ;;
    --built) built=$(realpath "$2") && shift 2 ;;
    --out) out=$(realpath -m "$2") && shift 2 ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
done
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=${out:-$target/packages}
logs="$target/package-logs"
mkdir -p "$logs" "$out"
here=$(dpkg --print-architecture)
[ ${#architectures[@]} -gt 0 ] || architectures=(amd64 arm64)
[ -z "$built" ] || architectures=("$here")

. ci/steps.sh
. ci/install.sh
. packaging/build.sh
. packaging/lay_out.sh

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | sed -n 1p)
ARBITERD_COMMIT=$(git rev-parse --short=10 HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export ARBITERD_COMMIT SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022

# Pages and completions are the program's own words, and the same everywhere: one that runs here writes them.
words="$target/package-words"
install_packers
if [ -n "$built" ]; then
    native=$built
else
    build "$here"
    native=$(programs "$here")
fi
rm -rf "$words"
"$native/arbiterd" generate man "$words/man"
"$native/arbiterd" generate completions "$words/completions"
help2man --no-info --name="reads a sensor chess board and serves it to arbiterd(1)" "$native/sensor-board" >"$words/man/sensor-board.1"

for architecture in "${architectures[@]}"; do
    if [ -z "$built" ] && [ "$architecture" != "$here" ]; then
        build "$architecture"
    fi
    from=$native
    [ "$architecture" = "$here" ] || from=$(programs "$architecture")
    pack arbiterd "$architecture" "$from"
    pack sensor-board "$architecture" "$from"
done
(cd "$out" && sha256sum -- *.deb *.tar.gz >SHA256SUMS && ls -l -- *.deb *.tar.gz)
