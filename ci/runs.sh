# Steps of ci.sh that take more than one command. Sourced, not run.

# A build of ours that warns has failed. Of what others warn in their crates cargo says nothing.
without_warnings() {
    "$@" 2>&1 | tee "$logs/build.txt"
    ! grep -E '^warning: .* generated [0-9]+ warning' "$logs/build.txt"
}

# The demonstration ends by itself, after the three rounds of its tournament, and what it wrote can be read by other programs.
demonstration() {
    local dir="$logs/demo"
    rm -rf "$dir"
    logged demo timeout 300 "$ARBITERD" demo --games 12 --speed 0 --seed 1 --http 127.0.0.1:0 --dir "$dir"
    "$python" ci/read_pgn.py "$dir/pgn"
    "$python" tests/open/read.py "$dir/results.trf" >"$dir/results.json"
}

# Side by side. The same inputs in every fresh clone, a minute of two cores: what passes here passes everywhere, what fails fails
# again. Whoever searches on takes ci-long.sh, or ci/fuzz.sh with more time and a seed of chance.
fuzzing() {
    local target running=()
    for target in events:4000 script:60000 kinds:120000; do
        ci/fuzz.sh --built "${target%:*}" 600 -seed=1 -runs="${target#*:}" &
        running+=($!)
    done
    for target in "${running[@]}"; do
        wait "$target"
    done
}

# Test programs that mostly wait, for boards, daemons and plugs in real time.
waiting="
acknowledged board_faults bus_link chess960 cli conform detect dgt_bus doctor event faults foreign kinds load old_bytes open pico pipeline program recordings sensor_board serve states swapped torture unruled
"
# Those that measure real time to the millisecond, or an emulated chip must keep up with it: nothing else may run then.
alone="cortex_m latency pty"

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

computing_tests() {
    local names
    names=$(computing)
    cargo_tests units --lib --bins
    # shellcheck disable=SC2086 # words
    named computing $names
    cargo_tests doc --doc
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

browser_tests() (
    cd tests/browser
    # The console's modules against the types that the program writes.
    npm run --silent types
    node --test
)

# Needs the images that ci/bare-metal.sh has built.
pico_tests() (
    cd tests/pico
    CARGO_TARGET_DIR="$target" node --test
)

# Of the programs that the tests use; ci-long.sh makes the real ones.
packages() {
    ./package.sh --built "$target/debug" --out "$target/packages-tried"
    packaging/check.sh "$target/packages-tried" --built "$target/debug"
}

# Built and installed as a user would, and asked what the program is asked.
python_module() {
    "$python" -c 'import maturin' 2>/dev/null || "$python" -m pip install --quiet 'maturin>=1.8,<2'
    local wheels="$target/wheels" scripts="$target/python-scripts"
    rm -rf "$wheels" "$scripts"
    (cd arbiter-core/python && "$python" -m maturin build --quiet --locked --profile dev --target-dir "$target" --out "$wheels")
    "$python" -m pip install --quiet --force-reinstall "$wheels"/*.whl
    "$target/debug/examples/scripts" "$scripts"
    "$python" arbiter-core/python/tests/test_arbiter.py "$ARBITERD" "$scripts"
}
