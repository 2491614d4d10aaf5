#!/usr/bin/env bash
# A daemon, and a board on which a game is played beside a command:
#   ARBITERD=target/debug/arbiterd tests/livechess/hall.sh GAME.pgn [-- simulate's options] COMMAND...
# The command finds the address of LiveChess in URL and the public folder in FOLDER. MORE is more of the configuration.
# Where a program knows one port only, PORT is 1982.
set -euo pipefail

game=$(realpath "$1")
shift
options=(--hand tidy --noise 0 --speed 8)
if [ "${1:-}" = -- ]; then
    shift
    options=()
    while [ "${1:0:1}" = - ]; do
        options+=("$1" "$2")
        shift 2
    done
fi
port=${PORT:-1982}
arbiterd=$(realpath "${ARBITERD:?}")
dir=$(mktemp -d)
pids=()
end() {
    kill "${pids[@]}" 2>/dev/null || true
    wait || true
    rm -rf "$dir"
}
trap end EXIT

cat >"$dir/hall.toml" <<TOML
[http]
listen = "127.0.0.1:0"
[store]
dir = "store"
[public]
folder = "broadcast"
[livechess]
listen = "127.0.0.1:$port"
${MORE:-}
[[board]]
id = "b01"
port = "line"
kind = "native"
white = "Berg, Anna"
black = "Cole, Ben"
TOML
cd "$dir"
"$arbiterd" serve --config hall.toml 2>log &
pids+=($!)
"$arbiterd" simulate --link line --pgn "$game" --serial EA-1 "${options[@]}" >/dev/null 2>&1 &
pids+=($!)
until curl -fs "http://127.0.0.1:$port/api/v1.0/eboards" 2>/dev/null | grep -q EA-1; do
    sleep 0.1
done
cd - >/dev/null
URL="ws://127.0.0.1:$port/api/v1.0" FOLDER="$dir/broadcast" "$@"
