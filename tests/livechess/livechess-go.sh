#!/usr/bin/env bash
# Follows the one board with the Go client of github.com/herohde/livechess-go, of which a checkout is given, until it has told so many moves. It asks at
# port 1982 of this machine, and needs Go 1.21.
#   livechess-go.sh --peer DIR --moves 20
set -euo pipefail

peer=$2 moves=$4
client=$(mktemp -d)
trap 'rm -rf "$client"' EXIT
(cd "$peer" && go build -o "$client/livechess" ./cmd/livechess)
"$client/livechess" eboards
# What it has read is written as JSON, an event a line.
timeout 120 "$client/livechess" watch | python3 -c "
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event.get('san'):
        print(*event['san'], event.get('match'), flush=True)
    if len(event.get('san') or []) >= $moves:
        sys.exit(0)
sys.exit('it ended before')"
