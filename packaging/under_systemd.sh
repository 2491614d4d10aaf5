#!/bin/sh
# Runs inside a system that booted: the unit plays a game as a user would start it, and its watchdog is tried. What came of it goes into
# /root/outcome.
exec >/root/log 2>&1
outcome() { echo "$*" >/root/outcome && systemctl poweroff && exit; }

systemd-run --unit=board --uid=arbiter --property=RuntimeDirectory=board \
    arbiterd simulate --speed 60 --seed 3 --link /run/board/port
for _ in $(seq 100); do [ -L /run/board/port ] && break || sleep 0.1; done
rm -rf /var/lib/arbiter/pgn
printf '[http]\nlisten = "127.0.0.1:0"\n[store]\ndir = "/var/lib/arbiter"\n[[board]]\nid = "b02"\nport = "/run/board/port"\n' >/etc/arbiter/arbiter.toml
mkdir -p /etc/systemd/system/arbiterd.service.d
printf '[Service]\nWatchdogSec=4\n' >/etc/systemd/system/arbiterd.service.d/soon.conf
systemctl daemon-reload
systemctl start arbiterd || outcome "the unit does not start"
found=false
for _ in $(seq 600); do
    grep -Eqs '^\[Result "(1-0|0-1|1/2-1/2)"\]' /var/lib/arbiter/pgn/*b02*.pgn && found=true && break
    sleep 0.1
done
$found || outcome "no game came to its PGN under the unit"

# A round keeps the machine awake, for as long as it is under way.
arbiter() { runuser -u arbiter -- arbiterd "$@" --dir /var/lib/arbiter; }
awake() { systemd-inhibit --list --no-pager | grep arbiterd >/dev/null; }
printf '[Event "Trial"]\n[Round "1.1"]\n[White "Heron, Per"]\n[Black "Wren, Olga"]\n[Result "*"]\n\n*\n' >/tmp/round1.pgn
chmod 0644 /tmp/round1.pgn
arbiter event new --name Trial && arbiter pairings load /tmp/round1.pgn || outcome "no pairings"
! awake || outcome "sleep is held off before the round"
arbiter round start 1 || outcome "the round does not start"
for _ in $(seq 50); do awake && break || sleep 0.1; done
awake || outcome "sleep is not held off while a round is under way"
arbiter results enter 1.1 1-0 && arbiter round close 1 || outcome "the round does not end"
for _ in $(seq 50); do awake || break; sleep 0.1; done
! awake || outcome "sleep is held off after the round"

sleep 5
[ "$(systemctl show --property=NRestarts --value arbiterd)" = 0 ] || outcome "a healthy daemon was started anew"
systemctl kill --signal=STOP arbiterd
sleep 12
[ "$(systemctl show --property=NRestarts --value arbiterd)" -ge 1 ] || outcome "the watchdog did not start a daemon anew that stands still"
systemctl is-active --quiet arbiterd || outcome "the daemon is not back"
outcome well
