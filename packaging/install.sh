#!/usr/bin/env bash
# Installs the packages on a Debian that never saw them, as root: packaging/install.sh DIR [SUITE]
#
# A clean system in a directory (mmdebstrap): install, user and modes, a simulated board's game to its PGN, an upgrade with a live store,
# remove, purge, install again. Where this machine can boot a system in a container, its unit is started too, and its watchdog tried.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(realpath "$1")
suite=${2:-bookworm}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
logs="$target/package-logs"
mkdir -p "$logs"
. ci/install.sh
logged() { "${@:2}" >"$logs/$1" 2>&1 || { cat "$logs/$1" >&2 && return 1; }; }
[ "$(id -u)" -eq 0 ] || { echo "root makes a system; run: sudo $0 $*" >&2 && exit 2; }
have mmdebstrap || apt_install mmdebstrap
here=$(dpkg --print-architecture)

root=$(mktemp -d "${TMPDIR:-/tmp}/arbiter-root.XXXXXX")
daemon="" board=""
ended() {
    for one in $daemon $board; do kill -- "-$one" 2>/dev/null || true; done
    wait 2>/dev/null || true
    unmount
    rm -rf --one-file-system "$root"
}
trap ended EXIT
unmount() {
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    ! mountpoint -q "$root/dev" || umount --recursive --lazy "$root/dev"
}
inside() { chroot "$root" env LC_ALL=C.UTF-8 "$@"; }
as_arbiter() { inside runuser -u arbiter -- "$@"; }
say() { printf -- '--- %s\n' "$*"; }
fail() { echo "$*" >&2 && exit 1; }

say "a clean $suite"
logged mmdebstrap mmdebstrap --variant=minbase --include=systemd,systemd-sysv,dbus,man-db,polkitd,udev "$suite" "$root"
cp "$packages"/*_"$here".deb "$root/root/"
version=$(dpkg-deb -f "$packages/arbiterd_"*"_$here.deb" Version)

say "install"
logged apt inside sh -c "DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends /root/arbiterd_*.deb /root/sensor-board_*.deb"
grep -q "systemctl enable --now arbiterd" "$logs/apt" || fail "it does not say how to go on"
inside id arbiter | grep -q "(arbiter)" || fail "there is no user arbiter"
[ "$(inside stat -c '%a %U' /var/lib/arbiter)" = "700 arbiter" ] || fail "/var/lib/arbiter is not the arbiter's alone"
inside arbiterd --version | grep -qF "arbiterd $version" || fail "another version: $(inside arbiterd --version)"
[ ! -e "$root/etc/systemd/system/multi-user.target.wants/arbiterd.service" ] || fail "it starts without having been asked to"
for page in arbiterd arbiterd-serve arbiter.toml sensor-board; do inside man -w "$page" >/dev/null; done

# play N: the daemon and a simulated board, until the game is in its PGN.
play() {
    set -m # groups of their own, which end as a whole
    mount --rbind --make-rslave /dev "$root/dev"
    mount -t proc proc "$root/proc"
    as_arbiter sh -c 'exec timeout 120 arbiterd simulate --speed 60 --seed "$1" --link /tmp/board' sh "$1" >"$logs/board" 2>&1 &
    board=$!
    for _ in $(seq 100); do [ -L "$root/tmp/board" ] && break || sleep 0.1; done
    printf '[http]\nlisten = "127.0.0.1:0"\n[store]\ndir = "/var/lib/arbiter"\n[[board]]\nid = "b01"\nport = "/tmp/board"\n' >"$root/etc/arbiter/arbiter.toml"
    as_arbiter sh -c 'exec timeout 120 arbiterd serve --config /etc/arbiter/arbiter.toml' >"$logs/daemon" 2>&1 &
    daemon=$!
    local found=false
    for _ in $(seq 600); do
        as_arbiter sh -c 'cat /var/lib/arbiter/pgn/*.pgn 2>/dev/null' | grep -Eq '^\[Result "(1-0|0-1|1/2-1/2)"\]' && found=true && break
        sleep 0.1
    done
    kill -- "-$board" "-$daemon" 2>/dev/null || true
    wait "$board" "$daemon" 2>/dev/null || true
    daemon="" board=""
    set +m
    unmount
    rm -f "$root/tmp/board"
    $found || { tail -n 20 "$logs/daemon" "$logs/board" >&2 && fail "no game came to its PGN"; }
}
games() { as_arbiter arbiterd verify --dir /var/lib/arbiter --json | grep -c '"game"' || true; }

say "a game on a simulated board"
play 1
before=$(games)
[ "$before" -ge 1 ] || fail "no game in the store"

say "upgrade, with games in the store"
dpkg-deb -R "$root/root/arbiterd_${version}_$here.deb" "$root/root/next"
sed -i "s/^Version: .*/Version: $version+next/" "$root/root/next/DEBIAN/control"
dpkg-deb --root-owner-group -b "$root/root/next" "$root/root/next.deb" >/dev/null
logged apt-next inside sh -c "DEBIAN_FRONTEND=noninteractive dpkg --force-confold -i /root/next.deb"
[ "$(games)" = "$before" ] || fail "the upgrade lost games"
grep -q 'port = "/tmp/board"' "$root/etc/arbiter/arbiter.toml" || fail "the upgrade took the configuration"

say "remove, purge, and install again: what was played stays"
inside dpkg --remove arbiterd >/dev/null
[ ! -e "$root/usr/bin/arbiterd" ] || fail "the program is still there"
inside dpkg --purge arbiterd sensor-board >"$logs/purge" 2>&1
grep -q "stay in /var/lib/arbiter" "$logs/purge" || fail "it does not say where the games are"
[ -e "$root/var/lib/arbiter/arbiter.sqlite" ] || fail "the purge deleted the games"
logged apt-again inside sh -c "dpkg -i /root/arbiterd_*.deb"
[ "$(games)" = "$before" ] || fail "the games are not found again"
play 2

say "under systemd"
have systemd-nspawn || apt_install systemd-container
install -m 0755 packaging/under_systemd.sh "$root/root/trial"
printf '[Unit]\nAfter=multi-user.target\n[Service]\nExecStart=/root/trial\n[Install]\nWantedBy=default.target\n' >"$root/etc/systemd/system/trial.service"
inside systemctl enable --quiet trial
timeout --signal=KILL 150 systemd-nspawn --quiet --register=no --keep-unit --boot --directory="$root" --console=pipe </dev/null >"$logs/nspawn" 2>&1 || true
if [ ! -e "$root/root/log" ]; then
    echo "SKIPPED: no system boots in a container on this machine; the unit was not started"
elif ! grep -qx well "$root/root/outcome"; then
    inside journalctl --no-pager --lines 40 --unit arbiterd --unit board >&2
    fail "$(cat "$root/root/outcome" "$root/root/log")"
fi

say "done: installed, upgraded, removed and purged on $suite"
