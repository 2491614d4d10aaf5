# Steps of ci.sh that take more than one command. Sourced, not run.

# A build of ours that warns has failed. Of what others warn in their crates cargo says nothing.
without_warnings() {
    "$@" 2>&1 | tee "$logs/build.txt"
    ! grep -E '^warning: (.* generated [0-9]+ warning|manifest has no)' "$logs/build.txt"
}

# The demonstration ends by itself, after the three rounds of its tournament, and what it wrote can be read by other programs.
demonstration() {
    local dir="$logs/demo"
    rm -rf "$dir"
    logged demo timeout 300 "$ARBITERD" demo --games 12 --speed 0 --seed 1 --http 127.0.0.1:0 --dir "$dir"
    "$python" ci/read_pgn.py "$dir/pgn"
    "$python" tests/open/read.py "$dir/results.trf" >"$dir/results.json"
}

# Side by side. The same inputs in every fresh clone, half a minute of two cores: what passes here passes everywhere, what fails fails
# again. Whoever searches on takes ci-long.sh, or ci/fuzz.sh with more time and a seed of chance.
fuzzing() {
    local target running=()
    for target in events:2000 kinds:60000; do
        ci/fuzz.sh --built "${target%:*}" 600 -seed=1 -runs="${target#*:}" &
        running+=($!)
    done
    for target in "${running[@]}"; do
        wait "$target"
    done
}

# Test programs that mostly wait, for boards, daemons and plugs in real time: in two rows, which are run side by side.
waiting_here="
torture board_faults states doctor sensor_board conform pipeline cli halls lichess swapped unruled old_bytes recordings program
"
waiting_there="
faults feed open live load dgt_bus public outlets kinds detect livechess chess960 serve event foreign acknowledged bus_link
"
waiting="$waiting_here $waiting_there"
# Those that measure real time to the millisecond, or an emulated chip must keep up with it: nothing else may run then.
alone="cortex_m latency pico pty"

# Names of the test programs of all packages that are in neither list: they compute.
computing() {
    cargo metadata --locked --no-deps --format-version 1 | python3 -c '
import json, sys
packages = json.load(sys.stdin)["packages"]
names = {t["name"] for p in packages for t in p["targets"] if "test" in t["kind"]}
print(*sorted(names - set(sys.argv[1:])))' $waiting $alone
}

# Of the whole workspace, as it was built; another choice of packages would be built anew.
cargo_tests() {
    local kind=$1
    shift
    local host
    host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
    counted "$kind" env "CARGO_TARGET_${host}_RUNNER=$PWD/ci/timed.sh" cargo test --locked --workspace --no-fail-fast "$@"
}

# named KIND NAME...: these test programs, whatever package they are of.
named() {
    local kind=$1 name names=()
    shift
    for name in "$@"; do
        names+=(--test "$name")
    done
    cargo_tests "$kind" "${names[@]}"
}

# Both rows; what the second says is shown when the first has ended.
waiting_tests() {
    local status=0
    # shellcheck disable=SC2086 # words
    named waiting-there $waiting_there >"$logs/waiting-there.out" 2>&1 &
    # shellcheck disable=SC2086 # words
    named waiting-here $waiting_here || status=$?
    wait $! || status=$?
    cat "$logs/waiting-there.out"
    [ "$status" -eq 0 ] || again_alone "$status" waiting-here waiting-there
}

computing_tests() {
    local status=0
    cargo_tests units --lib --bins || status=$?
    # shellcheck disable=SC2046 # words
    named computing $(computing) || status=$?
    cargo_tests doc --doc
    [ "$status" -eq 0 ] || again_alone "$status" units computing
}

# again_alone STATUS KIND...: tests share a machine with everything else, and some wait for real time on it. One or two programs that
# fail have it to themselves at the end, and what fails there has failed.
again_alone() {
    local status=$1 failed
    shift
    failed=$(for kind in "$@"; do
        # As cargo names them: `-p package --test name`, `-p package --lib`.
        sed -n 's/^ *`-p [^ ]* \(--test [^ ]*\|--lib\|--bin [^ ]*\)`$/\1/p' "$logs/$kind.log"
    done | sort -u)
    case $(grep -c . <<<"$failed") in
        1 | 2) ;;
        *) return "$status" ;;
    esac
    echo "$failed" >>"$logs/again.txt"
    echo "WARNING: failed beside everything else, tried again alone at the end: $(paste -sd' ' <<<"$failed")" >&2
}

# Ours reads what others write, and others read what ours has filled in.
report_files() {
    "$python" daemon/tournament/tests/oracle.py "$target/debug/examples/fill" 200
    "$python" daemon/trf/tests/oracle.py "$target/debug/examples/read" 100
    if [ -z "${BBPPAIRINGS:-}" ]; then
        echo "WARNING: BBPPAIRINGS names no bbpPairings: nothing was tried with what it generates" >&2
        return 0
    fi
    cargo test --locked -p tournament --test generated
}

# Pages that the short form leaves out: whole evenings, another browser, every part of the floor, what is public.
browser_long="away devices evenings firefox floor hub keys moreviews moves nopointer overruled pastdoubt public publication said trial zoom"

browser_tests() (
    cd tests/browser
    # The console's modules against the types that the program writes.
    npm run --silent types
    local files=(*.test.mjs) name
    if [ "${LONG_FORM:-}" != 1 ]; then
        for name in $browser_long; do
            mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -vx "$name.test.mjs")
        done
    fi
    # Two at a time: they wait for pages most of the time.
    if node --test --test-reporter=tap --test-concurrency=2 "${files[@]}" 2>&1 | tee "$logs/browser.tap"; then exit 0; fi
    # As of programs that wait: one or two files have the machine to themselves at the end.
    sed -n "s#^ *location: '.*/\([a-z0-9-]*\.test\.mjs\):.*#\1#p" "$logs/browser.tap" | sort -u >"$logs/again-browser.txt"
    local failed
    failed=$(wc -l <"$logs/again-browser.txt")
    [ "$failed" -ge 1 ] && [ "$failed" -le 2 ] || exit 1
    echo "WARNING: failed beside everything else, tried again alone at the end: $(paste -sd' ' "$logs/again-browser.txt")" >&2
)

browser_again() (
    cd tests/browser
    # shellcheck disable=SC2046 # words
    node --test --test-reporter=tap --test-concurrency=1 $(cat "$logs/again-browser.txt")
)

# Needs the images that ci/bare-metal.sh has built. The short form looks at what a board says and does on every wiring; the long one at clocks, lamps,
# loaders and a full ring of evidence besides.
pico_tests() (
    cd tests/pico
    local files=(about board runs selftest update)
    [ "${LONG_FORM:-}" != 1 ] || mapfile -t files < <(basename -as .test.mjs -- *.test.mjs)
    CARGO_TARGET_DIR="$target" node --test "${files[@]/%/.test.mjs}"
)

# Of the programs that the tests use; ci-long.sh makes the real ones.
packages() {
    ./package.sh --built "$target/debug" --out "$target/packages-tried"
    packaging/check.sh "$target/packages-tried" --built "$target/debug"
}

# The crates that others may use, as they would be published: everything that is asked of one is there, and nothing is missing in it.
crates() {
    local chosen=() crate
    for crate in $(python3 ci/published.py); do
        chosen+=(-p "$crate")
    done
    without_warnings cargo "$@" --locked "${chosen[@]}"
}

# Every ply of random games and of carried ones; in the short form the carried ones with rare moves, and Chess960.
every_ply() {
    local random=60 games=(rare chess960)
    [ "${LONG_FORM:-}" != 1 ] || random=120 games+=(played)
    games=("${games[@]/#/board-driver/games/}")
    "$python" tests/differential/compare.py "$target/debug/examples/follow" --random "$random" "${games[@]/%/.tsv}"
}

# Built and installed as a user would, and asked what the program is asked.
python_module() {
    "$python" -c 'import maturin, mypy' 2>/dev/null || "$python" -m pip install --quiet 'maturin>=1.8,<2' 'mypy>=1.11,<2'
    local wheels="$target/wheels" scripts="$target/python-scripts"
    rm -rf "$wheels" "$scripts"
    (cd arbiter-core/python && "$python" -m maturin build --quiet --locked --profile dev --target-dir "$target" --out "$wheels")
    # One wheel for every Python from 3.9 on.
    "$python" -m pip install --quiet --force-reinstall "$wheels"/arbiter_core-*-cp39-abi3-*.whl
    # Whoever is given it is given its licence.
    "$python" -m zipfile --list "$wheels"/arbiter_core-*.whl | grep 'licenses/LICENSE ' >/dev/null
    # Its stubs say what it has, and the example is typed by them.
    "$python" -m mypy.stubtest arbiter_core
    "$python" -m mypy arbiter-core/python/examples/warn.py
    "$target/debug/examples/scripts" "$scripts"
    "$python" arbiter-core/python/tests/test_arbiter.py "$ARBITERD" "$scripts"
}
