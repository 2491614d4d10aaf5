# Steps of ci.sh that take more than one command. Sourced, not run.

# The demonstration ends by itself, and what it wrote can be read by another program.
demonstration() {
    local dir="$logs/demo"
    rm -rf "$dir"
    logged demo timeout 300 "$ARBITERD" demo --games 8 --speed 0 --seed 1 --http 127.0.0.1:0 --dir "$dir"
    "$python" ci/read_pgn.py "$dir/pgn"
}

# Built one after the other, run side by side; each takes one core. The same inputs in every fresh clone, about a minute of them: what
# passes here passes everywhere, what fails fails again. Whoever searches on takes ci/fuzz.sh with more time and a seed of chance.
fuzzing() {
    local target running=()
    for target in events script kinds; do
        ci/fuzz.sh "$target" 0
    done
    for target in events:8000 script:500000 kinds:300000; do
        ci/fuzz.sh "${target%:*}" 300 -seed=1 -runs="${target#*:}" &
        running+=($!)
    done
    for target in "${running[@]}"; do
        wait "$target"
    done
}

browser_tests() (
    cd tests/browser
    npm ci --no-fund --no-audit --loglevel=error
    node --test
)

# Needs the images that ci/bare-metal.sh has built.
pico_tests() (
    cd tests/pico
    npm ci --no-fund --no-audit --loglevel=error
    CARGO_TARGET_DIR="$target" node --test
)
