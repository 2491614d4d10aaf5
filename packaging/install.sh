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
    ! mountpoint -q "$root/sys" || umount --recursive --lazy "$root/sys"
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
inside id arbiter | grep "(arbiter)" >/dev/null || fail "there is no user arbiter"
[ "$(inside stat -c '%a %U' /var/lib/arbiter)" = "700 arbiter" ] || fail "/var/lib/arbiter is not the arbiter's alone"
inside arbiterd --version | grep -F "arbiterd $version" >/dev/null || fail "another version: $(inside arbiterd --version)"
[ ! -e "$root/etc/systemd/system/multi-user.target.wants/arbiterd.service" ] || fail "it starts without having been asked to"
mount -t proc proc "$root/proc"
logged units inside systemd-analyze verify --man=no arbiterd.service sensor-board.service arbiterd-stick@sda1.service arbiterd-stick@sda1.timer
[ ! -s "$logs/units" ] || fail "the units are not as systemd reads them: $(cat "$logs/units")"

# Every rule is read, and of ours none is complained of; that a wrong one would be is tried with one.
mount --rbind --make-rslave /sys "$root/sys"
rules() { inside udevadm test --action=add /sys/class/mem/null 2>&1 || true; }
rules >"$logs/rules"
for file in 60-arbiter-boards 60-sensor-board 90-arbiter-stick; do grep -q "/$file.rules" "$logs/rules" || fail "udev does not read $file.rules"; done
! grep -E '(arbiter|sensor-board)[a-z-]*\.rules:[0-9]+' "$logs/rules" || fail "udev complains of our rules"
echo 'SUBSYSTEM=="hidraw", ATTRS{idVendor=="2d80", MODE="0660"' >"$root/etc/udev/rules.d/99-arbiter-wrong.rules"
rules | grep -Eq 'arbiter-wrong\.rules:1' || fail "udev would not complain"
rm "$root/etc/udev/rules.d/99-arbiter-wrong.rules"
unmount
for page in arbiterd arbiterd-serve arbiter.toml sensor-board; do inside man -w "$page" >/dev/null; done

# begin N: the daemon, and a simulated board of its own.
begin() {
    set -m # groups of their own, which end as a whole
    mount --rbind --make-rslave /dev "$root/dev"
    mount -t proc proc "$root/proc"
    as_arbiter sh -c 'exec timeout 200 arbiterd simulate --speed 60 --seed "$1" --link /tmp/board' sh "$1" >"$logs/board" 2>&1 &
    board=$!
    for _ in $(seq 100); do [ -L "$root/tmp/board" ] && break || sleep 0.1; done
    printf '[http]\nlisten = "127.0.0.1:0"\n[store]\ndir = "/var/lib/arbiter"\n[[board]]\nid = "b01"\nport = "/tmp/board"\n' >"$root/etc/arbiter/arbiter.toml"
    played=$(finished)
    as_arbiter sh -c 'exec timeout 200 arbiterd serve --config /etc/arbiter/arbiter.toml' >"$logs/daemon" 2>&1 &
    daemon=$!
    set +m
}
finished() { as_arbiter sh -c 'cat /var/lib/arbiter/pgn/*.pgn 2>/dev/null' | grep -Ec '^\[Result "(1-0|0-1|1/2-1/2)"\]' || true; }

# play_on: until one more game has come to its PGN. Then both end.
play_on() {
    local found=false
    for _ in $(seq 600); do
        [ "$(finished)" -gt "$played" ] && found=true && break
        sleep 0.2
    done
    rest
    $found || { tail -n 20 "$logs/daemon" "$logs/board" >&2 && fail "no game came to its PGN"; }
}
rest() {
    kill -- "-$board" "-$daemon" 2>/dev/null || true
    wait "$board" "$daemon" 2>/dev/null || true
    daemon="" board=""
    unmount
    rm -f "$root/tmp/board"
}
games() { as_arbiter arbiterd verify --dir /var/lib/arbiter --json | grep -c '"game"' || true; }

say "a game on a simulated board"
begin 1
play_on
before=$(games)
[ "$before" -ge 1 ] || fail "no game in the store"

say "alerts, by Prometheus itself"
logged apt-prometheus inside sh -c "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends prometheus"
logged promtool inside promtool check rules /usr/share/arbiterd/prometheus/arbiter.rules.yml
cp packaging/prometheus/*.yml "$root/tmp/"
logged promtool inside promtool test rules /tmp/arbiter.rules.test.yml

say "a stick that is plugged in"
have mkfs.ext4 || apt_install e2fsprogs
truncate --size 16M "$root/root/stick" && mkfs.ext4 -q -L ARBITER "$root/root/stick"
if stick=$(losetup --find --show "$root/root/stick"); then
    mount --rbind --make-rslave /dev "$root/dev"
    for said in "copied to" "nothing is new since"; do
        inside /usr/lib/arbiterd/to-stick "$stick" | grep "$said" >/dev/null || fail "the stick was not given a copy: $said"
    done
    mkdir -p "$root/mnt/stick"
    mount "$stick" "$root/mnt/stick"
    as_arbiter sh -c 'arbiterd restore /mnt/stick/arbiter/arbiter-*.sqlite --dir /tmp/again' >/dev/null
    [ "$(as_arbiter arbiterd verify --dir /tmp/again --json)" = "$(as_arbiter arbiterd verify --dir /var/lib/arbiter --json)" ] || fail "the copy on the stick is another store"
    umount "$root/mnt/stick"
    losetup --detach "$stick"
    unmount
else
    echo "SKIPPED: this machine has no loop devices; no stick was written"
fi

say "upgrade, with games in the store"
dpkg-deb -R "$root/root/arbiterd_${version}_$here.deb" "$root/root/next"
sed -i "s/^Version: .*/Version: $version+next/" "$root/root/next/DEBIAN/control"
dpkg-deb --root-owner-group -b "$root/root/next" "$root/root/next.deb" >/dev/null
begin 2
for _ in $(seq 300); do grep -q "game begins" "$logs/daemon" && break || sleep 0.1; done
logged apt-next inside sh -c "DEBIAN_FRONTEND=noninteractive dpkg --force-confold -i /root/next.deb"
kill -0 "$daemon" 2>/dev/null || fail "the upgrade ended the daemon in a game"
play_on
[ "$(games)" -gt "$before" ] || fail "the upgrade lost games"
before=$(games)
grep -q 'port = "/tmp/board"' "$root/etc/arbiter/arbiter.toml" || fail "the upgrade took the configuration"

say "a store of an older version, and one of a newer"
older="$root/tmp/older" newer="$root/tmp/newer"
for place in "$older" "$newer"; do
    install -d -m 0700 "$place"
    cp daemon/tests/journals/0.1.0-next-game/arbiter.sqlite "$place/"
done
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version = 999")' "$newer/arbiter.sqlite"
inside chown -R arbiter: /tmp/older /tmp/newer
as_arbiter arbiterd event list --dir /tmp/older >/dev/null
ls "$older"/arbiter.sqlite.version-* >/dev/null || fail "no copy was made of the older store"
said=$(as_arbiter arbiterd event list --dir /tmp/newer 2>&1) && fail "a newer store is taken"
[ "$(printf '%s\n' "$said" | wc -l)" = 1 ] && grep -q "newer arbiterd" <<<"$said" || fail "of a newer store is said: $said"

say "remove, purge, and install again: what was played stays"
inside systemctl enable --quiet arbiterd sensor-board
inside dpkg --remove arbiterd >/dev/null
[ ! -e "$root/usr/bin/arbiterd" ] || fail "the program is still there"
inside dpkg --purge arbiterd sensor-board >"$logs/purge" 2>&1
grep -q "stay in /var/lib/arbiter" "$logs/purge" || fail "it does not say where the games are"
[ -e "$root/var/lib/arbiter/arbiter.sqlite" ] || fail "the purge deleted the games"
left=$(inside find /etc \( -name '*arbiter*' -o -name 'sensor-board*' \))
[ -z "$left" ] || fail "the purge leaves $left"
logged apt-again inside sh -c "dpkg -i /root/arbiterd_*.deb"
[ "$(games)" = "$before" ] || fail "the games are not found again"
begin 3
play_on

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
