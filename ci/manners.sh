#!/usr/bin/env bash
# What CONTRIBUTING.md asks for and no compiler checks.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
complain() {
    echo "$1" >&2
    failed=1
}

while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || complain "$file: $lines lines; split it (at most 600)"
done < <(git ls-files '*.rs')

# Lines that rustfmt leaves alone: comments and texts.
while read -r hit; do
    complain "$hit: longer than 100 columns"
done < <(git ls-files '*.rs' | xargs python3 -c '
import sys
for name in sys.argv[1:]:
    for number, line in enumerate(open(name, encoding="utf-8"), 1):
        if len(line.rstrip("\n")) > 100:
            print(f"{name}:{number}")')

# Tests that never run, and code that nobody needs.
for pattern in '#\[ignore' 'allow\(dead_code' 'allow\(unused' 'unimplemented!'; do
    while read -r hit; do
        complain "$hit: not here"
    done < <(git grep -nE "$pattern" -- '*.rs' | cut -d: -f1-2)
done

# Links between files of the repository.
while read -r file; do
    while read -r link; do
        path="$(dirname "$file")/${link%%#*}"
        [ -e "$path" ] || complain "$file: dead link $link"
    done < <(sed '/^```/,/^```/d' "$file" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -vE '^(https?:|mailto:|#)' || true)
done < <(git ls-files '*.md')

[ "$failed" -eq 0 ] && echo "files are short, tests run, links lead somewhere"
exit "$failed"
