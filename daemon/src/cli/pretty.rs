//! Announcements as sentences, in the language of their game.

mod words;

use anstyle::Style;
use arbiter_core::irregularity::Certainty;
use arbiter_core::ruling::{Doubt, Irregularity, MoveState, Summary};
use arbiter_core::settings::Language;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Color, Role};
use arbiter_core::{Announcement, Ruling};

use super::terminal::{BAD, FAINT, GOOD, NOTICE, STRONG, Screen};
use words::{filled, in_words};

/// One announcement as one line: time, what kind, what it says.
pub(crate) fn line(screen: Screen, language: Language, announcement: &Announcement) -> String {
    let (tone, kind, text) = Teller(language).say(&announcement.ruling);
    let seconds = announcement.at.0 as f64 / 1000.0;
    let seconds = format!("{seconds:>10.3}");
    let seconds = match language {
        Language::En => seconds,
        Language::Fr | Language::De => seconds.replace('.', ","),
    };
    let (at, kind) = (screen.paint(FAINT, &seconds), in_words(language, kind));
    format!(
        "{at}  {}  {text}",
        screen.paint(tone, &format!("{kind:<12}"))
    )
}

/// Says it in one language.
#[derive(Clone, Copy)]
struct Teller(Language);

impl Teller {
    fn put(self, phrase: &str, places: &[(&str, &str)]) -> String {
        filled(self.0, phrase, places)
    }

    fn say(self, ruling: &Ruling) -> (Style, &'static str, String) {
        match ruling {
            Ruling::Move {
                ply, san, state, ..
            } => {
                let (tone, kind) = match state {
                    MoveState::Made => (FAINT, "made"),
                    MoveState::Completed => (GOOD, "completed"),
                };
                (tone, kind, format!("{} {}", self.ply(*ply), self.san(san)))
            }
            Ruling::Revision { from_ply, moves } => {
                let places = [("{ply}", &*self.ply(*from_ply)), ("{moves}", &list(moves))];
                (
                    NOTICE,
                    "revision",
                    self.put("from {ply} on: {moves}", &places),
                )
            }
            Ruling::Obligation { by, article, moves } => (
                FAINT,
                "obligation",
                format!("{} ({article}): {}", self.side(*by), list(moves)),
            ),
            Ruling::Irregularity(found) => self.irregularity(found),
            Ruling::Lapsed { id } => {
                let places = [("{id}", &*id.to_string())];
                let text = self.put("finding {id} can no longer be claimed", &places);
                (FAINT, "lapsed", text)
            }
            Ruling::Withdrawn { id } => {
                let places = [("{id}", &*id.to_string())];
                (
                    GOOD,
                    "withdrawn",
                    self.put("finding {id} was none", &places),
                )
            }
            Ruling::Doubt(doubt) => self.doubt(doubt),
            Ruling::Restore { fen, squares } if squares.is_empty() => {
                (GOOD, "restored", fen.clone())
            }
            Ruling::Restore { fen, squares } => {
                let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
                let places = [("{fen}", &**fen), ("{squares}", &squares.join(" "))];
                (
                    NOTICE,
                    "restore",
                    self.put("{fen}; differs on {squares}", &places),
                )
            }
            Ruling::DrawClaimable { by, .. } => {
                let places = [("{by}", self.side(*by))];
                (NOTICE, "draw", self.put("{by} may claim a draw", &places))
            }
            Ruling::Claim {
                by,
                accepted,
                article,
                text,
                ..
            } => {
                let answer = if *accepted { "good" } else { "not good" };
                let answer = in_words(self.0, answer);
                let (by, article) = (self.side(*by), article.to_string());
                let places = [
                    ("{by}", by),
                    ("{answer}", answer),
                    ("{article}", &*article),
                    ("{text}", &**text),
                ];
                (
                    NOTICE,
                    "claim",
                    self.put("{by}: {answer} ({article}). {text}", &places),
                )
            }
            Ruling::Result {
                result,
                proposed,
                text,
                ..
            } => {
                let proposed = if *proposed { ", proposed" } else { "" };
                let places = [
                    ("{result}", &*result.to_string()),
                    ("{proposed}", in_words(self.0, proposed)),
                    ("{text}", &**text),
                ];
                (
                    STRONG,
                    "result",
                    self.put("{result}{proposed}: {text}", &places),
                )
            }
            Ruling::Refused { order, text, .. } => {
                let order = order.as_deref().map(|order| {
                    let places = [("{order}", order)];
                    self.put("order {order}: ", &places)
                });
                (
                    NOTICE,
                    "refused",
                    format!("{}{text}", order.unwrap_or_default()),
                )
            }
            Ruling::Summary(summary) => self.summary(summary),
        }
    }

    fn irregularity(self, found: &Irregularity) -> (Style, &'static str, String) {
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
        let places = [
            ("{id}", &*id.to_string()),
            ("{code}", &*code.to_string()),
            ("{article}", &*article.to_string()),
            ("{certainty}", in_words(self.0, certainty)),
            ("{ply}", &*self.ply(found.ply)),
            ("{text}", &**text),
        ];
        let phrase = "{id}: {code} ({article}), {certainty}, {ply}: {text}";
        (tone, "irregularity", self.put(phrase, &places))
    }

    fn doubt(self, doubt: &Doubt) -> (Style, &'static str, String) {
        let readings: Vec<String> = doubt.readings.iter().map(|moves| list(moves)).collect();
        let (ply, readings) = (self.ply(doubt.ply), readings.join(" | "));
        (
            NOTICE,
            "doubt",
            format!("{ply} {} [{readings}]", doubt.text),
        )
    }

    fn summary(self, summary: &Summary) -> (Style, &'static str, String) {
        let found: u32 = summary.irregularities.values().sum();
        let places = [
            ("{plies}", &*summary.moves.len().to_string()),
            ("{result}", &*summary.result.to_string()),
            ("{found}", &*found.to_string()),
            ("{open}", &*summary.doubts.len().to_string()),
        ];
        let phrase = "{plies} plies, {result}, {found} irregularities, {open} plies in doubt";
        (STRONG, "summary", self.put(phrase, &places))
    }

    /// `ply 12`: a script's first ply may be either side's, so there is no move number to give.
    fn ply(self, ply: u32) -> String {
        self.put("ply {n}", &[("{n}", &*ply.to_string())])
    }

    fn side(self, colour: Color) -> &'static str {
        in_words(self.0, colour.fold_wb("White", "Black"))
    }

    /// A move in the letters of the language.
    fn san(self, san: &str) -> String {
        san.chars()
            .map(|c| match Role::from_char(c) {
                Some(role) if c.is_ascii_uppercase() => words::letter(self.0, role),
                _ => c,
            })
            .collect()
    }
}

fn list(moves: &[UciMove]) -> String {
    moves
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
