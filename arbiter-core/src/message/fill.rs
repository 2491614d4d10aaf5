//! Puts what a case is about into the places of a phrase.

use alloc::{format, string::String, vec::Vec};

use shakmaty::san::San;
use shakmaty::{Chess, Color, Move, Position, Role, Square, uci::UciMove};

use crate::said::irregularity::{Article, Code, Party, Reason};

use super::phrase::{Answer, Words, words};
use super::{Case, Played};

/// Longer lists of moves are cut: the ruling carries all of them.
const MOST_MOVES: usize = 6;
/// Longer lists of squares are cut.
const MOST_SQUARES: usize = 8;

/// Whether all of a list are meant, or one of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    And,
    Or,
}

impl Words {
    /// `a, b and c`; of more than `most` the first ones, and how many more. One more is no longer
    /// than to say so.
    pub(super) fn list(&self, items: &[String], join: Join, most: usize) -> String {
        let word = self.and_or[usize::from(join == Join::Or)];
        match items {
            [] => String::new(),
            [one] => one.clone(),
            [all @ .., last] if items.len() <= most + 1 => {
                format!("{} {word} {last}", all.join(", "))
            }
            _ => {
                let more = put(
                    self.more[usize::from(join == Join::Or)],
                    &[("{n}", &format!("{}", items.len() - most))],
                );
                format!("{}{more}", items[..most].join(", "))
            }
        }
    }

    pub(super) fn squares(&self, squares: &[Square]) -> String {
        let names: Vec<String> = squares.iter().map(|sq| format!("{sq}")).collect();
        self.list(&names, Join::And, MOST_SQUARES)
    }

    /// The pieces that stand on `squares`, each with its square.
    fn pieces_on(&self, squares: &[Square], pos: &Chess) -> String {
        if squares.is_empty() {
            return String::from(self.some_piece);
        }
        let mut names = Vec::with_capacity(squares.len());
        for sq in squares {
            let square = format!("{sq}");
            names.push(match pos.board().role_at(*sq) {
                Some(role) => {
                    let places = [("{piece}", self.piece(role)), ("{square}", &*square)];
                    put(self.piece_on, &places)
                }
                None => square,
            });
        }
        self.list(&names, Join::And, MOST_SQUARES)
    }

    pub(super) fn piece(&self, role: Role) -> &'static str {
        self.pieces[usize::from(role) - 1]
    }

    /// A move in algebraic notation, in the letters of the language.
    pub(super) fn san(&self, pos: &Chess, m: Move) -> String {
        let english = format!("{}", San::from_move(pos, m));
        let mut text = String::with_capacity(english.len());
        for c in english.chars() {
            text.push(match Role::from_char(c) {
                Some(role) if c.is_ascii_uppercase() => self.letters[usize::from(role) - 1],
                _ => c,
            });
        }
        text
    }

    /// Moves of which one is meant.
    pub(super) fn moves(&self, pos: &Chess, moves: &[Move]) -> String {
        let names: Vec<String> = moves.iter().map(|m| self.san(pos, *m)).collect();
        self.list(&names, Join::Or, MOST_MOVES)
    }

    /// First moves of hypotheses that differ, played in `pos`; from-to where a move is not legal
    /// there. One may hold none.
    pub(super) fn readings(&self, pos: &Chess, firsts: &[Option<UciMove>]) -> String {
        let mut names: Vec<String> = Vec::new();
        for first in firsts {
            let name = match first {
                None => String::from(self.no_move),
                Some(uci) => match uci.to_move(pos) {
                    Ok(m) => self.san(pos, m),
                    Err(_) => format!("{uci}"),
                },
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        self.list(&names, Join::Or, MOST_MOVES)
    }

    /// `Article 4.3.1` at the head of a sentence, and whether its number was read.
    pub(super) fn cite(&self, article: Article) -> String {
        put(self.article[form(article)], &[("{number}", article.number)])
    }

    /// The same in parentheses.
    pub(super) fn cite_within(&self, article: Article) -> String {
        put(self.within[form(article)], &[("{number}", article.number)])
    }

    /// How many times, or how many moves: what a claim comes to by the record.
    pub(super) fn count(&self, answer: Answer, count: u32) -> String {
        let n = format!("{count}");
        let phrase = match answer {
            Answer::TooFewMoves => self.moves[count.min(2) as usize],
            _ => self.times[count.min(3) as usize],
        };
        put(phrase, &[("{n}", &n)])
    }

    /// `2 minutes`.
    pub(super) fn time(&self, minutes: u64) -> String {
        put(
            self.minutes[usize::from(minutes != 1)],
            &[("{n}", &format!("{minutes}"))],
        )
    }

    /// Fills the places of the players, and those `more` names.
    pub(super) fn fill(&self, phrase: &str, by: Party, more: &[(&str, &str)]) -> String {
        let mine = self.players[player(by)];
        let theirs = self.players[player(other(by))];
        let (by, other) = (capital(mine[0]), capital(theirs[0]));
        let players = [
            ("{by}", mine[0]),
            ("{to-by}", mine[1]),
            ("{of-by}", mine[2]),
            ("{By}", by.as_str()),
            ("{other}", theirs[0]),
            ("{to-other}", theirs[1]),
            ("{of-other}", theirs[2]),
            ("{Other}", other.as_str()),
        ];
        put(&put(phrase, more), &players)
    }
}

impl Case<'_> {
    /// Fills every place of `phrase`.
    pub(super) fn filled(&self, language: &Words, phrase: &str) -> String {
        let required = self.required.unwrap_or_default();
        let reason = self.reason.unwrap_or(Reason::Other);
        // What an arbiter has seen himself needs no reason.
        let phrase = match self.reason {
            Some(_) => phrase,
            None => phrase
                .strip_suffix("{reason}")
                .map_or(phrase, |said| said.trim_end_matches(is_before_reason)),
        };
        // Where nothing is required it is not known which piece it was.
        let mover = required.first().map(|m| language.piece(m.role()));
        let number = self
            .setup_moves()
            .or(self.laws().colours_reversed_until)
            .unwrap_or_default();
        language.fill(
            &choose(phrase, !self.squares.is_empty()),
            self.by,
            &[
                ("{did}", &self.did(language)),
                ("{reason}", words(language.reason, reason)),
                ("{at}", &language.squares(self.squares)),
                ("{piece}", &language.pieces_on(self.squares, self.before)),
                ("{mover}", mover.unwrap_or(language.some_piece)),
                ("{moves}", &language.moves(self.before, required)),
                ("{minutes}", &language.time(self.minutes())),
                ("{number}", &format!("{number}")),
                (
                    "{penalty-article}",
                    &language.cite_within(self.penalty_article()),
                ),
                (
                    "{claim-article}",
                    &language.cite_within(self.claim_article()),
                ),
            ],
        )
    }

    /// What was played, as far as it is known.
    fn did(&self, language: &Words) -> String {
        match self.played {
            Played::Move(m) => put(language.did[0], &[("{san}", &language.san(self.before, m))]),
            Played::Other => String::from(language.did[1]),
            Played::NotYet | Played::NotBegun => String::from(language.did[2]),
        }
    }

    /// What was seen.
    pub(super) fn seen(&self, language: &Words) -> String {
        let origin = match self.played {
            Played::Move(m) => m.from(),
            Played::Other | Played::NotYet | Played::NotBegun => None,
        };
        let may_be_bound = self.code.is_of_moving() || self.code == Code::IncorrectDrawClaim;
        let moved_it = origin.is_some_and(|from| self.squares == [from]);
        let required = self.required.unwrap_or_default();
        let phrase = if may_be_bound && moved_it && required.iter().all(|m| m.from() != origin) {
            language.not_required
        } else if self.is_unplayed() {
            words(language.unplayed, self.code)
        } else {
            words(language.seen, self.code)
        };
        self.filled(language, phrase)
    }
}

/// What parts a sentence from its reason, in any language.
fn is_before_reason(c: char) -> bool {
    c == ':' || c.is_whitespace()
}

/// `phrase` with what it has in brackets, or without.
fn choose(phrase: &str, with: bool) -> String {
    let mut text = String::with_capacity(phrase.len());
    for (n, part) in phrase.split(['[', ']']).enumerate() {
        if with || n % 2 == 0 {
            text.push_str(part);
        }
    }
    text
}

/// Read, not read, none.
fn form(article: Article) -> usize {
    match article {
        Article { number: "none", .. } => 2,
        Article { unconfirmed, .. } => usize::from(unconfirmed),
    }
}

/// Replaces each place by its text.
pub(super) fn put(phrase: &str, places: &[(&str, &str)]) -> String {
    let mut text = String::from(phrase);
    for (place, value) in places {
        text = text.replace(place, value);
    }
    text
}

fn player(party: Party) -> usize {
    match party {
        Party::White => 0,
        Party::Black => 1,
        Party::Either => 2,
    }
}

fn other(party: Party) -> Party {
    match party {
        Party::White => Party::Black,
        Party::Black => Party::White,
        Party::Either => Party::Either,
    }
}

/// The party that wins a game, or whose claim it was.
pub(super) fn party(colour: Color) -> Party {
    Party::from(colour)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
