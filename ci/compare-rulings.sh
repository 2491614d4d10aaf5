#!/usr/bin/env bash
# Do two versions of the program rule alike, to the byte? The same event scripts go through both, by `arbiterd replay`.
#
#   ci/compare-rulings.sh [OPTION...] BASE [HEAD]
#
# BASE and HEAD are commits, or built programs. Without HEAD it is the working tree as it stands.
#
#   --full         every variant of every scenario, every game of the accuracy bench in every case, games of Chess960, 6,000 times any
#                  hands, the storms (this is what happens without an option)
#   --quick        a cross-section: every variant of every scenario, and some games of every case
#   --cell NAME    games of the bench only, in the case of this name, or those with these words in theirs
#   --games N      games of the bench only, the first N in each case; 500 are those of docs/accuracy.md
#   --help         prints this
#
# The working tree makes the scripts. How many were compared and how many differ is said at the end, the first that differ with what
# differs; script, rulings and diff are kept in target/compare/differences. Exit status 0: nothing differs; 1: something does; 2: it could
# not be found out. Versions that were built, and what a commit's rulings were, are kept in target/compare.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "ci/compare-rulings.sh"; }

options=()
versions=()
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --full) ;;
    --quick) options+=("$1") ;;
    --cell | --games) options+=("$1" "${2:?"$1 needs a value"}") && shift ;;
    -*) echo "$1 is not an option; --help lists them" >&2 && exit 2 ;;
    *) versions+=("$1") ;;
    esac
    shift
done
[ ${#versions[@]} -eq 1 ] || [ ${#versions[@]} -eq 2 ] || { usage >&2 && exit 2; }

place=$(realpath -m "${CARGO_TARGET_DIR:-target}")/compare
mkdir -p "$place"
# Dependencies are built once, for every version. Linking is not optimised: that takes longer than it saves.
export CARGO_TARGET_DIR="$place/build" CARGO_INCREMENTAL=1
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
exec 9>"$place/lock"
flock 9

# build DIRECTORY TO CARGO'S-ARGUMENT...: the program from the sources in a directory.
build() {
    local directory=$1 to=$2
    shift 2
    echo "building $to" >&2
    (cd "$directory" && cargo build --quiet --release --locked "$@" --bin arbiterd) 9>&- || exit 2
    mkdir -p "$(dirname "$to")"
    cp "$CARGO_TARGET_DIR/release/arbiterd" "$to.new"
    mv "$to.new" "$to"
}

# program VERSION: prints where the program is; builds it where need be.
program() {
    local sha
    if [ -f "$1" ] && [ -x "$1" ]; then
        realpath "$1"
        return
    fi
    sha=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "$1 is neither a commit nor a program" >&2 && exit 2; }
    if [ ! -x "$place/$sha/arbiterd" ]; then
        git worktree prune
        if [ -e "$place/source/.git" ]; then
            git -C "$place/source" checkout --quiet --force --detach "$sha"
        else
            git worktree add --quiet --force --detach "$place/source" "$sha"
        fi
        build "$place/source" "$place/$sha/arbiterd" -p daemon
    fi
    echo "$place/$sha/arbiterd"
}

base=$(program "${versions[0]}")
# What a commit says once, it says always.
[[ ! $base =~ /[0-9a-f]{40}/arbiterd$ ]] || options+=(--known "$(dirname "$base")/known")
cargo build --quiet --release --locked -p tests --example compare 9>&- || exit 2
if [ ${#versions[@]} -eq 2 ]; then
    head=$(program "${versions[1]}")
else
    head="$place/tree/arbiterd"
    build . "$head" -p daemon
fi

echo "comparing $head with $base" >&2
status=0
"$CARGO_TARGET_DIR/release/examples/compare" "${options[@]}" "$place/differences" "$base" "$head" || status=$?
exit "$status"
