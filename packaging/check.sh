#!/usr/bin/env bash
# What can be said of packages without installing them: packaging/check.sh DIR [--built DIR]
#
# Lints them, asserts how far the units are shut in, opens every page, loads every completion in its own shell, and reads the bill of
# materials with another program. With --built they are made once more from the programs in that directory, and must be the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(realpath "$1")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/package-logs"
mkdir -p "$logs"
. ci/install.sh
logged() { "${@:2}" >"$logs/$1" 2>&1 || { cat "$logs/$1" >&2 && return 1; }; }

for tool in lintian zsh fish man; do
    have "$tool" || apt_install "$([ "$tool" = man ] && echo man-db || echo "$tool")"
done
have systemd-analyze || apt_install systemd

logged lintian lintian --allow-root --fail-on error,warning "$packages"/*.deb

tree=$(mktemp -d "$target/package-check.XXXXXX")
trap 'rm -rf "$tree"' EXIT
for package in "$packages"/*_"$(dpkg --print-architecture)".deb; do
    dpkg-deb -x "$package" "$tree"
done

# The score times ten: 2.0 at most.
systemd-analyze security --offline=true --threshold=20 "$tree/lib/systemd/system/arbiterd.service" | tail -n 1
systemd-analyze security --offline=true --threshold=20 "$tree/lib/systemd/system/sensor-board.service" | tail -n 1

pages=0
for page in "$tree"/usr/share/man/man*/*.gz; do
    [ -z "$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)" ] || { man --warnings -l "$page" 2>&1 >/dev/null && exit 1; }
    pages=$((pages + 1))
done
echo "$pages manual pages open without a warning"

share="$tree/usr/share"
offered() { grep -q '\bcheck-config\b' || { echo "$1 completes no command" >&2 && return 1; }; }
bash --norc -c "source '$share/bash-completion/completions/arbiterd'; COMP_WORDS=(arbiterd check); COMP_CWORD=1; _arbiterd arbiterd check arbiterd; echo \"\${COMPREPLY[@]}\"" | offered bash
zsh -f -c "fpath=('$share/zsh/vendor-completions' \$fpath); autoload -Uz compinit; compinit -u -d '$tree/zcompdump'; whence -w _arbiterd; print -l \${(k)_comps[(R)_arbiterd]}" | grep -x arbiterd >/dev/null
zsh -f -n "$share/zsh/vendor-completions/_arbiterd"
fish --no-config -c "source '$share/fish/vendor_completions.d/arbiterd.fish'; complete -C 'arbiterd check'" | offered fish
echo "completions load in bash, zsh and fish"

python="$target/venv/bin/python"
[ -x "$python" ] || install_python
"$python" -c 'import cyclonedx.validation.json, jsonschema' 2>/dev/null || "$python" -m pip install --quiet 'cyclonedx-python-lib[json-validation]>=8,<12'
for bill in "$share"/doc/*/sbom.cdx.json.gz; do
    gzip -dc "$bill" | "$python" -c '
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(sys.stdin.read())
sys.exit(str(wrong) if wrong else 0)'
done
echo "the bills of materials are CycloneDX 1.5"

if [ "${2:-}" = --built ]; then
    ./package.sh --built "$3" --out "$tree/again" >/dev/null
    cmp "$packages/SHA256SUMS" "$tree/again/SHA256SUMS"
    echo "made twice: the same bytes"
fi
