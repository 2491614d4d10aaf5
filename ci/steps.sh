# Headings, times and the summary of ci.sh. Sourced, not run.

steps_done=0
step_name="start"
step_start=$SECONDS
# Steps that run beside others: process number and name.
beside_pids=() beside_names=()
table="$logs/steps.txt"
export TEST_TIMES="$logs/tests.txt"
: >"$table"
: >"$TEST_TIMES"

# took FILE COMMAND...: runs the command, and writes into the file how many seconds it took, and how many of all processors.
took() (
    file=$1
    shift
    start=$SECONDS
    "$@"
    times >"$file.times"
    awk -v seconds=$((SECONDS - start)) '
        { gsub(/[ms]/, " "); cpu += 60 * ($1 + $3) + $2 + $4 }
        END { printf "%d %.0f\n", seconds, cpu }' "$file.times" >"$file"
)

# note FILE NAME: what a command took, as a line of the table at the end.
note() {
    local seconds cpu
    read -r seconds cpu <"$1"
    printf '%7d %7d  %s\n' "$seconds" "$cpu" "$2" >>"$table"
    steps_done=$((steps_done + 1))
    printf -- '--- %s: %d s, %d s of CPU\n' "$2" "$seconds" "$cpu"
}

# step NAME COMMAND...: runs the command under a heading. `set -e` ends the script if it fails; `summary` then says where.
step() {
    step_name=$1
    step_start=$SECONDS
    shift
    printf '\n=== %s\n' "$step_name"
    took "$logs/took" "$@"
    note "$logs/took" "$step_name"
}

# beside NAME COMMAND...: the same beside what follows, and giving way to it. `join` shows what it said.
beside() { begin "" "$@"; }

# behind NAME COMMAND...: the same, as soon as the last one beside has ended.
behind() { begin "$logs/beside-$((${#beside_names[@]} - 1)).ended" "$@"; }

begin() {
    local before=$1 n=${#beside_names[@]}
    beside_names+=("$2")
    shift 2
    set -m # a process group of its own, which can be ended as a whole
    {
        trap 'touch "$logs/beside-$n.ended"' EXIT
        renice -n 19 -p "$BASHPID" >/dev/null
        until [ -z "$before" ] || [ -e "$before" ]; do sleep 0.3; done
        took "$logs/beside-$n.took" "$@"
    } >"$logs/beside-$n.out" 2>&1 &
    set +m
    beside_pids[n]=$!
}

# join: waits for everything that runs beside, and shows it.
join() {
    local n status
    for n in "${!beside_pids[@]}"; do
        step_name=${beside_names[n]}
        step_start=$SECONDS
        status=0
        wait "${beside_pids[n]}" || status=$?
        unset "beside_pids[n]"
        printf '\n=== %s\n' "$step_name"
        cat "$logs/beside-$n.out"
        [ "$status" -eq 0 ] || return "$status"
        note "$logs/beside-$n.took" "$step_name"
    done
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
    find "$logs" -name '*.log' -exec cat {} + | tr -d '\r' | awk '
        /^test result:/           { passed += $4; failed += $6 }
        /^(#|ℹ) pass [0-9]+$/     { passed += $3 }
        /^(#|ℹ) fail [0-9]+$/     { failed += $3 }
        END                       { printf "total: %d passed, %d failed\n", passed, failed }'
}

# What took how long; `ci/timed.sh` has noted the test programs.
times_taken() {
    printf '\n%7s %7s  %s\n' seconds CPU step
    sort -k1,1nr -s "$table"
    awk '{ cpu += $2 } END { printf "%7s %7d  %s\n", "", cpu, "all" }' "$table"
    [ -s "$TEST_TIMES" ] || return 0
    printf '\n%7s %7s  %s\n' seconds CPU 'test program, the slowest'
    sort -k1,1nr "$TEST_TIMES" | sed -n 1,15p
}

finish() {
    times_taken
    printf '\n=== All %d steps passed in %d s\n' "$steps_done" "$SECONDS"
    totals
    step_name=""
}

summary() {
    local status=$? group
    # What still runs beside, and nothing else: the numbers of others may belong to somebody by now.
    for group in $(jobs -pr); do
        kill -- "-$group" 2>/dev/null || true
    done
    if [ "$status" -ne 0 ]; then
        printf '\n=== FAILED at "%s" after %d s (exit status %d); %d steps passed before it\n' \
            "$step_name" $((SECONDS - step_start)) "$status" "$steps_done" >&2
    fi
}
trap summary EXIT
