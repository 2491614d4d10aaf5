//! What was found, in words and for machines.

use std::io::{self, Write};
use std::time::Instant;

use arbiter_core::shakmaty::Square;
use board_driver::{BoardInfo, BoardKind, Tested, condition};
use daemon::doctor::{Examination, Finding, Weight, tested};
use serde_json::{Value, json};

use crate::cli::terminal::{BAD, GOOD, NOTICE, STRONG, Screen};

/// The board in words: `native T-1: occupancy sensors, clock, lamps`.
pub(super) fn board(kind: BoardKind, info: &BoardInfo) -> String {
    let parts = [
        (info.clock, "clock"),
        (info.lamps, "lamps"),
        (info.adjust, "buttons"),
        (info.levels, "analogue"),
    ];
    let parts: String = parts
        .iter()
        .filter(|(has, _)| *has)
        .map(|(_, part)| format!(", {part}"))
        .collect();
    let serial = if info.serial.is_empty() {
        String::new()
    } else {
        format!(" {}", info.serial)
    };
    format!(
        "{kind}{serial}: {}{parts}",
        format!("{:?}", info.sensor).to_lowercase()
    )
}

/// The board in words, with its firmware, once it has said who it is.
pub(super) fn who(board: &Examination) -> Option<String> {
    let (kind, info) = board.board.as_ref()?;
    let firmware = board.firmware.as_ref();
    let firmware = firmware.map_or(String::new(), |name| format!(", firmware {name}"));
    Some(self::board(*kind, info) + &firmware)
}

/// What is known of the board: name and text, each short enough to stand beside the picture.
pub(super) fn facts(board: &Examination) -> Vec<(&'static str, String)> {
    let (counts, trouble) = (&board.counts, &board.counts.trouble);
    let [white, black] = counts.presses;
    let [light, dark] = counts.adjusts;
    let unwalked = board.unwalked();
    let walk = match unwalked.count() {
        0 => "all 64 seen full and empty".to_owned(),
        left if left > 16 => format!("{} of 64 seen full and empty", 64 - left),
        left => format!("{} of 64; not {}", 64 - left, condition::squares(unwalked)),
    };
    let mut facts = vec![
        (
            "so far",
            format!(
                "{} changes   {} signs of life",
                counts.changes, counts.alive
            ),
        ),
        (
            "repairs",
            format!(
                "{} damaged   {} asked again   {} lost",
                trouble.damaged + trouble.damaged_at_board,
                trouble.repeats,
                counts.lost
            ),
        ),
        (
            "scans",
            format!(
                "{} late   {} failed",
                trouble.late_scans,
                board.failed_scans()
            ),
        ),
        ("walk", walk),
        ("lever", format!("White {white}   Black {black}")),
        ("buttons", format!("White {light}   Black {dark}")),
        ("flicker", flicker(board)),
    ];
    if board.is_analogue() {
        facts.push(("levels", levels(board)));
    }
    facts
}

/// The square that changed most often within a second.
fn flicker(board: &Examination) -> String {
    let most = Square::ALL
        .into_iter()
        .max_by_key(|square| board.squares.changes(*square).1);
    match most.map(|square| (square, board.squares.changes(square))) {
        Some((square, (_, most @ 1..))) => format!("at most {most} changes a second, on {square}"),
        _ => "none".to_owned(),
    }
}

fn levels(board: &Examination) -> String {
    let levels = &board.levels;
    let pieces = levels.weakest().zip(levels.strongest());
    let pieces = pieces.map(|(weakest, strongest)| {
        format!(
            "   weakest {} {} (on {})   strongest {} {}",
            weakest.square, weakest.level.now, weakest.on, strongest.square, strongest.level.now
        )
    });
    format!(
        "noise {}   drift {}{}",
        levels.noise(),
        levels.drift(),
        pieces.unwrap_or_default()
    )
}

/// What is missing of the walk.
pub(super) fn walk(board: &Examination) -> Option<String> {
    let left = board.unwalked();
    (!left.is_empty()).then(|| {
        format!(
            "{} never seen both full and empty",
            condition::squares(left)
        )
    })
}

/// What is missing of clock and buttons.
pub(super) fn controls(board: &Examination) -> Vec<String> {
    let Some((_, info)) = &board.board else {
        return vec!["clock and buttons were not tried".to_owned()];
    };
    let never = |counts: [u64; 2], what: &'static str| {
        let players = ["White", "Black"]
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count == 0);
        players.map(move |(player, _)| format!("{player} never pressed the {what}"))
    };
    let mut missing = Vec::new();
    if info.clock {
        missing.extend(never(board.counts.presses, "clock"));
    }
    if info.adjust {
        missing.extend(never(board.counts.adjusts, "adjust button"));
    }
    if !info.clock && !info.adjust {
        missing.push("the board has neither a clock nor adjust buttons".to_owned());
    }
    missing
}

/// The summary for people.
pub(super) fn write(board: &Examination, findings: &[Finding], now: Instant) -> io::Result<()> {
    let (screen, mut out) = (Screen::stdout(), io::stdout().lock());
    if let Some(who) = who(board) {
        writeln!(out, "{:<8}{who}", "board")?;
    }
    let seconds = now.saturating_duration_since(board.began).as_secs_f32();
    let silence = board.line.longest_silence.as_secs_f32();
    let (reports, bytes) = (board.counts.reports.total(), board.counts.bytes.total());
    let bytes = if bytes == 0 {
        String::new()
    } else {
        format!(", {bytes} bytes")
    };
    writeln!(
        out,
        "{:<8}{seconds:.0} s, {reports} reports{bytes}; silent at most {silence:.1} s",
        "heard"
    )?;
    for (name, text) in facts(board) {
        writeln!(out, "{name:<8}{text}")?;
    }
    for one in board.tested.parts() {
        let (part, verdict) = (tested::name(one.part), tested::verdict(one.verdict));
        writeln!(
            out,
            "{:<8}{part} {verdict}: {}",
            "tested",
            tested::found(one)
        )?;
    }
    for finding in findings {
        let (style, word) = match finding.weight {
            Weight::Wrong => (BAD, "wrong"),
            Weight::Notice => (NOTICE, "notice"),
        };
        writeln!(
            out,
            "{}{}",
            screen.paint(style, &format!("{word:<8}")),
            finding.text
        )?;
    }
    if findings
        .iter()
        .all(|finding| finding.weight != Weight::Wrong)
    {
        writeln!(
            out,
            "{}",
            screen.paint(GOOD.effects(STRONG.get_effects()), "healthy")
        )?;
    }
    Ok(())
}

/// The summary for machines: one object.
pub(super) fn write_json(
    board: &Examination,
    findings: &[Finding],
    now: Instant,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &json(board, findings, now)).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

fn json(board: &Examination, findings: &[Finding], now: Instant) -> Value {
    let (counts, trouble) = (&board.counts, &board.counts.trouble);
    let names = |squares: arbiter_core::shakmaty::Bitboard| -> Vec<String> {
        squares
            .into_iter()
            .map(|square| square.to_string())
            .collect()
    };
    let seconds = now.saturating_duration_since(board.began).as_secs_f64();
    let of_square = |square: Square| {
        let (changes, most) = board.squares.changes(square);
        (changes > 0).then(|| {
            (
                square.to_string(),
                json!({"changes": changes, "most_in_a_second": most}),
            )
        })
    };
    let changed: serde_json::Map<String, Value> =
        Square::ALL.into_iter().filter_map(of_square).collect();
    let levels: Vec<Value> = board
        .levels
        .squares()
        .map(|s| {
            let (square, level) = (s.square.to_string(), s.level);
            json!({
                "square": square, "zero": level.zero, "now": level.now, "noise": level.noise,
                "drift": s.drift, "on": s.on, "off": s.off,
            })
        })
        .collect();
    json!({
        "event": "summary",
        "healthy": findings.iter().all(|finding| finding.weight != Weight::Wrong),
        "findings": findings,
        "board": board.board.as_ref().map(|(kind, info)| of_board(*kind, info)),
        "firmware": board.firmware,
        "seconds": seconds,
        "reports": counts.reports.total(),
        "bytes": counts.bytes.total(),
        "signs_of_life": counts.alive,
        "longest_silence": board.line.longest_silence.as_secs_f64(),
        "changes": counts.changes,
        "lost": counts.lost,
        "damaged": trouble.damaged,
        "damaged_at_board": trouble.damaged_at_board,
        "asked_again": trouble.repeats,
        "late_scans": trouble.late_scans,
        "failed_scans": board.failed_scans(),
        "stuck": names(board.condition.stuck),
        "unsteady": names(board.condition.unsteady),
        "chattered": names(board.squares.chattered),
        "not_walked": names(board.unwalked()),
        "presses": {"white": counts.presses[0], "black": counts.presses[1]},
        "adjusts": {"white": counts.adjusts[0], "black": counts.adjusts[1]},
        "squares": changed,
        "levels": levels,
        "self_test": board.tested.parts().iter().map(of_part).collect::<Vec<_>>(),
    })
}

/// A part that the board has tried, for machines.
pub(super) fn of_part(one: &Tested) -> Value {
    json!({
        "part": tested::name(one.part), "verdict": tested::verdict(one.verdict),
        "found": one.found, "text": tested::found(one),
    })
}

/// The board for machines.
pub(super) fn of_board(kind: BoardKind, info: &BoardInfo) -> Value {
    let BoardInfo {
        serial,
        sensor,
        clock,
        lamps,
        adjust,
        levels,
        map,
        self_test,
        ..
    } = info;
    json!({
        "kind": kind.name(), "serial": serial, "sensor": sensor, "clock": clock,
        "lamps": lamps, "adjust": adjust, "levels": levels, "map": map, "self_test": self_test,
    })
}
