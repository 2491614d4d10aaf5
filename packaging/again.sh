#!/usr/bin/env bash
# Makes the packages once more, from a clone of this commit in another directory, and asks whether they are the same bytes: packaging/again.sh DIR
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(realpath "$1")
place=$(mktemp -d "${TMPDIR:-/tmp}/arbiter-again.XXXXXX")
trap 'rm -rf "$place"' EXIT
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "what is not committed is in one of two packages only: commit first" >&2 && exit 2; }
git clone --quiet --no-hardlinks . "$place/source"
mapfile -t architectures < <(sed -n 's/.*  arbiterd_.*_\(.*\)\.deb$/--arch\n\1/p' "$packages/SHA256SUMS")
(cd "$place/source" && CARGO_TARGET_DIR="$place/target" ./package.sh "${architectures[@]}" --out "$place/packages" >"$place/log" 2>&1) || { tail -n 30 "$place/log" >&2 && exit 1; }
diff "$packages/SHA256SUMS" "$place/packages/SHA256SUMS"
echo "the same bytes, twice"
