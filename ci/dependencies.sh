#!/usr/bin/env bash
# The absences that docs/architecture.md promises, checked on the dependency tree as cargo resolves it.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0

# tree PACKAGE: everything the package is built from on any machine, one `name licence` a line. Build scripts and macros run on the
# developer's machine and may be what they like.
tree() {
    cargo tree --locked --package "$1" --target all --edges normal,no-proc-macro --prefix none --format '{p}|{l}' |
        sed -E 's/ v[^|]*\|/|/; s/ \(\*\)$//' | sort -u
}

# without PACKAGE REASON NAME...: none of the names is in the package's tree.
without() {
    local package=$1 reason=$2 name tree
    shift 2
    tree=$(tree "$package")
    for name in "$@"; do
        if grep -q "^$name|" <<<"$tree"; then
            echo "$package must not depend on $name: $reason" >&2
            failed=1
        fi
    done
}

# permissive PACKAGE: can be shipped inside a board of any kind.
permissive() {
    local copyleft
    copyleft=$(tree "$1" | grep -E 'GPL|MPL|EUPL' || true)
    if [ -n "$copyleft" ]; then
        echo "$1 is MIT OR Apache-2.0 and must not contain: $copyleft" >&2
        failed=1
    fi
}

without arbiter-core "it has no IO, no clock, no async and no logging" \
    tokio mio futures-core tracing log serialport rusqlite getrandom jiff chrono time board-wire board-driver daemon
without board-driver "the daemon stands on it" daemon rusqlite axum
for package in board-wire firmware firmware-qemu firmware-rp2040; do
    without "$package" "it knows no chess and needs no operating system" shakmaty arbiter-core board-driver tokio serde_json
    permissive "$package"
done
permissive chess-trf
without chess-trf "it is of use to any program" arbiter-core board-driver daemon shakmaty tokio
without tournament "it says what acts make of a tournament, and has no IO" arbiter-core board-driver daemon tokio rusqlite
without access "it says who may do what, and has no IO" arbiter-core board-driver daemon tokio rusqlite
without replica "it says how a journal gets to a hub, and has no IO" arbiter-core board-driver daemon tokio rusqlite
without helpmate "it is of use to any program" arbiter-core board-driver daemon tokio rand
# A program, and no part of a board: the serial port library's MPL is no obstacle to it, the arbiter's GPL would be.
without firmware-linux "it knows no chess, and is MIT OR Apache-2.0" shakmaty pgn-reader arbiter-core board-driver daemon tokio

[ "$failed" -eq 0 ] && echo "core, driver, wire and firmware depend on nothing they must not know"
exit "$failed"
