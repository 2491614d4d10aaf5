# Headings, times and the summary of ci.sh. Sourced, not run.

steps_done=0
step_name="start"
step_start=$SECONDS

# step NAME COMMAND...: runs the command under a heading. `set -e` ends the script if it fails; `summary` then says where.
step() {
    step_name=$1
    step_start=$SECONDS
    shift
    printf '\n=== %s\n' "$step_name"
    "$@"
    steps_done=$((steps_done + 1))
    printf -- '--- %s: %d s\n' "$step_name" $((SECONDS - step_start))
}

# counted KIND COMMAND...: runs tests and keeps what they print, for the totals.
counted() {
    local kind=$1
    shift
    "$@" 2>&1 | tee "$logs/$kind.log"
}

# logged NAME COMMAND...: appends what the command says to a log; shows its end when the command fails.
logged() {
    local log="$logs/$1.txt"
    shift
    "$@" >>"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        return 1
    }
}

# The sum of all tests that passed and failed, over cargo's and node's own closing lines.
totals() {
    cat "$logs"/*.log | tr -d '\r' | awk '
        /^test result:/           { passed += $4; failed += $6 }
        /^(#|ℹ) pass [0-9]+$/     { passed += $3 }
        /^(#|ℹ) fail [0-9]+$/     { failed += $3 }
        END                       { printf "total: %d passed, %d failed\n", passed, failed }'
}

finish() {
    printf '\n=== All %d steps passed in %d s\n' "$steps_done" "$SECONDS"
    totals
    step_name=""
}

summary() {
    local status=$?
    if [ "$status" -ne 0 ]; then
        printf '\n=== FAILED at "%s" after %d s (exit status %d); %d steps passed before it\n' \
            "$step_name" $((SECONDS - step_start)) "$status" "$steps_done" >&2
    fi
}
trap summary EXIT
