#!/usr/bin/env bash
# Types everything that docs/getting-started.md has in its boxes, in order, on a Debian that never saw the program, as root: packaging/evening.sh DIR
#
# DIR has the packages. What the page says of files is written into them; simulated boards are plugged in where it says so. In a directory no
# system boots: there `systemctl` and `journalctl` start the unit's own command, and show what it said. The unit is tried in install.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(realpath "$1")
page=docs/getting-started.md
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/package-logs"
mkdir -p "$logs"
. ci/install.sh
logged() { "${@:2}" >"$logs/$1" 2>&1 || { cat "$logs/$1" >&2 && return 1; }; }
[ "$(id -u)" -eq 0 ] || { echo "root makes a system; run: sudo $0 $*" >&2 && exit 2; }
have mmdebstrap || apt_install mmdebstrap
here=$(dpkg --print-architecture)

root=$(mktemp -d "${TMPDIR:-/tmp}/arbiter-evening.XXXXXX")
ended() {
    for one in "$root"/run/evening/*.pid; do kill "$(cat "$one")" 2>/dev/null || true; done
    sleep 1
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    ! mountpoint -q "$root/dev" || umount --recursive --lazy "$root/dev"
    rm -rf --one-file-system "$root"
}
trap ended EXIT
inside() { chroot "$root" env LC_ALL=C.UTF-8 "$@"; }
as_arbiter() { inside runuser -u arbiter -- "$@"; }
say() { printf -- '--- %s\n' "$*"; }
fail() { echo "$*" >&2 && exit 1; }

say "a clean bookworm"
logged mmdebstrap mmdebstrap --variant=minbase --include=systemd,sudo,polkitd bookworm "$root"
mount --rbind --make-rslave /dev "$root/dev"
mount -t proc proc "$root/proc"
echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
inside useradd --create-home --shell /bin/bash club
echo 'club ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/club"
mkdir -p "$root/run/evening"
cp "$packages"/arbiterd_*_"$here".deb "$root/home/club/"
cat >"$root/usr/local/bin/systemctl" <<'END'
#!/bin/sh
[ "$1" = enable ] || exec /usr/bin/systemctl "$@"
command=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/arbiterd.service)
setsid runuser -u arbiter -- $command >/run/evening/log 2>&1 &
echo $! >/run/evening/daemon.pid
for _ in $(seq 100); do grep -q 'console at' /run/evening/log && exit || sleep 0.1; done
cat /run/evening/log >&2 && exit 1
END
printf '#!/bin/sh\ncat /run/evening/log\n' >"$root/usr/local/bin/journalctl"
chmod 755 "$root/usr/local/bin/systemctl" "$root/usr/local/bin/journalctl"

# A report file of three tables, as a pairing program writes it.
player() { printf '001 %4d m    %-33s %4d GER             1990/01/01  0.0 %4d  %4d %s  \n' "$1" "$2" "$3" "$1" "$4" "$5"; }
{
    printf '012 Club Championship\n'
    player 1 'Berg, Anna' 2010 4 w
    player 2 'Cole, Ben' 1950 5 b
    player 3 'Dupont, Emile' 1900 6 w
    player 4 'Ek, Freja' 1850 1 b
    player 5 'Fox, Ida' 1800 2 w
    player 6 'Gray, Sam' 1750 3 b
} >"$root/home/club/round1.trf"

plug_in() { # plug_in NAME SEED: a board that plays once it is there
    inside setsid runuser -u arbiter -- timeout 300 arbiterd simulate --hand tidy --noise 0 --speed 60 --seed "$2" --link "/tmp/$1" >"$logs/evening-$1" 2>&1 &
    echo $! >"$root/run/evening/$1.pid"
}

# Two results are proposed: by the boards of tables 1 and 2.
are_proposed() { [ "$(as_arbiter arbiterd round show 1 --dir /var/lib/arbiter | grep -c 'proposed$')" -ge 2 ]; }

typed() { # typed FILE: a box for the terminal
    sed "s/_amd64\.deb/_$here.deb/" "$1" >"$root/home/club/typed"
    inside runuser -u club -- env DEBIAN_FRONTEND=noninteractive bash -e -c 'cd ~ && . ./typed' >"$logs/evening" 2>&1 || {
        cat "$1" "$logs/evening" >&2
        fail "this box of $page does not work"
    }
    grep -q 'round start 1' "$1" || return 0
    plug_in board1 1 && plug_in board2 2
    for _ in $(seq 300); do are_proposed && return || sleep 0.5; done
    as_arbiter arbiterd round show 1 --dir /var/lib/arbiter >&2
    tail -n 5 "$root/run/evening/log" "$logs"/evening-board* >&2
    fail "the boards propose no results"
}

written() { # written FILE: a box for the configuration
    local config="$root/etc/arbiter/arbiter.toml"
    if grep -q '^\[http\]' "$1"; then
        sed -i "s|^listen = .*|$(grep '^listen' "$1")|" "$config"
    else
        sed 's|/dev/ttyUSB0|/tmp/board1|; s|/dev/ttyUSB1|/tmp/board2|' "$1" >>"$config"
    fi
}

boxes="$root/run/evening/boxes"
mkdir "$boxes"
awk -v to="$boxes" '/^```[a-z]+$/ { file = sprintf("%s/%02d.%s", to, ++n, substr($0, 4)); next } /^```$/ { close(file); file = ""; next } file { print >file }' "$page"
for box in "$boxes"/*; do
    say "$(head -n 1 "$box")"
    case $box in
    *.sh) typed "$box" ;;
    *.toml) written "$box" ;;
    *) fail "$box: a box of another kind" ;;
    esac
done
grep -Eq 'console at https://[1-9a-f\[]' "$root/run/evening/log" || fail "no address is told that a phone could open"
! grep -q 'console at https://0' "$root/run/evening/log" || fail "an address is told that no phone can open"
grep -q 'Berg, Anna' "$root/home/club/round1.pgn" || fail "the games are not in the PGN"
grep -Eq '^001 +[12] .*(1|0|=) *$' "$root/home/club/round1-results.trf" || fail "the report file has no results"
inside sh -c 'ls /home/club/arbiter-support-*.zip' >/dev/null || fail "there is no file for a report"
say "done: every box of $page works"
