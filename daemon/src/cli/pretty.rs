//! Announcements as sentences.

use anstyle::Style;
use arbiter_core::irregularity::Certainty;
use arbiter_core::ruling::{Doubt, Irregularity, MoveState, Summary};
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::{Announcement, Ruling};

use super::terminal::{BAD, FAINT, GOOD, NOTICE, STRONG, Screen};

/// One announcement as one line: time, what kind, what it says.
pub(crate) fn line(screen: Screen, announcement: &Announcement) -> String {
    let (tone, kind, text) = say(&announcement.ruling);
    let seconds = announcement.at.0 as f64 / 1000.0;
    let at = screen.paint(FAINT, &format!("{seconds:>10.3}"));
    format!(
        "{at}  {}  {text}",
        screen.paint(tone, &format!("{kind:<12}"))
    )
}

fn say(ruling: &Ruling) -> (Style, &'static str, String) {
    match ruling {
        Ruling::Move {
            ply, san, state, ..
        } => {
            let tone = if *state == MoveState::Made {
                FAINT
            } else {
                GOOD
            };
            let state = if *state == MoveState::Made {
                "made"
            } else {
                "completed"
            };
            (tone, state, format!("{} {san}", number(*ply)))
        }
        Ruling::Revision { from_ply, moves } => (
            NOTICE,
            "revision",
            format!("from {} on: {}", number(*from_ply), list(moves)),
        ),
        Ruling::Obligation { by, article, moves } => (
            FAINT,
            "obligation",
            format!("{} ({article}): {}", side(*by), list(moves)),
        ),
        Ruling::Irregularity(found) => irregularity(found),
        Ruling::Lapsed { id } => (
            FAINT,
            "lapsed",
            format!("finding {id} can no longer be claimed"),
        ),
        Ruling::Withdrawn { id } => (GOOD, "withdrawn", format!("finding {id} was none")),
        Ruling::Doubt(doubt) => self::doubt(doubt),
        Ruling::Restore { fen, squares } if squares.is_empty() => (GOOD, "restored", fen.clone()),
        Ruling::Restore { fen, squares } => {
            let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
            (
                NOTICE,
                "restore",
                format!("{fen}; differs on {}", squares.join(" ")),
            )
        }
        Ruling::DrawClaimable { by, .. } => {
            (NOTICE, "draw", format!("{} may claim a draw", side(*by)))
        }
        Ruling::Claim {
            by,
            accepted,
            article,
            text,
            ..
        } => {
            let answer = if *accepted { "good" } else { "not good" };
            (
                NOTICE,
                "claim",
                format!("{}: {answer} ({article}). {text}", side(*by)),
            )
        }
        Ruling::Result {
            result,
            proposed,
            text,
            ..
        } => {
            let proposed = if *proposed { ", proposed" } else { "" };
            (STRONG, "result", format!("{result}{proposed}: {text}"))
        }
        Ruling::Summary(summary) => self::summary(summary),
    }
}

fn irregularity(found: &Irregularity) -> (Style, &'static str, String) {
    let (tone, certainty) = match found.certainty {
        Certainty::Certain => (BAD, "certain"),
        Certainty::Likely => (NOTICE, "likely"),
        Certainty::Possible => (FAINT, "possible"),
    };
    let Irregularity {
        id,
        code,
        article,
        text,
        ..
    } = found;
    (
        tone,
        "irregularity",
        format!(
            "{id}: {code} ({article}), {certainty}, {}: {text}",
            number(found.ply)
        ),
    )
}

fn doubt(doubt: &Doubt) -> (Style, &'static str, String) {
    let readings: Vec<String> = doubt.readings.iter().map(|moves| list(moves)).collect();
    (
        NOTICE,
        "doubt",
        format!(
            "{} {} [{}]",
            number(doubt.ply),
            doubt.text,
            readings.join(" | ")
        ),
    )
}

fn summary(summary: &Summary) -> (Style, &'static str, String) {
    let found: u32 = summary.irregularities.values().sum();
    let (plies, open) = (summary.moves.len(), summary.doubts.len());
    let text = format!(
        "{plies} plies, {}, {found} irregularities, {open} plies in doubt",
        summary.result
    );
    (STRONG, "summary", text)
}

/// `ply 12`: a script's first ply may be either side's, so there is no move number to give.
fn number(ply: u32) -> String {
    format!("ply {ply}")
}

fn side(colour: arbiter_core::shakmaty::Color) -> &'static str {
    colour.fold_wb("White", "Black")
}

fn list(moves: &[UciMove]) -> String {
    moves
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
