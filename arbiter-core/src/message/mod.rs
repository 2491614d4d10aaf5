//! The sentences: what was seen, what the Law says, what to do. Nothing else in the core holds
//! prose.
//!
//! Each language is a directory of words over the closed set of phrases in [`phrase`]; [`law`] and
//! [`choose`] decide which phrases fit an edition and a class of play, [`fill`] puts squares, moves
//! and players into them.

mod choose;
mod de;
mod en;
mod fill;
mod fr;
mod law;
mod phrase;
#[cfg(test)]
mod tests;

use alloc::{string::String, vec::Vec};

use crate::said::refused::{Open, Why};
use shakmaty::{Chess, Color, Move, Square, uci::UciMove};

use fill::{Join, party, put};
pub(crate) use phrase::Answer;
use phrase::{Outcome, Words, words};

use crate::said::input::{ClaimKind, Setup};
use crate::said::irregularity::{Article, Certainty, Code, Party, Reason};
use crate::said::ruling::{ClaimRight, DoubtKind, GameResult, Penalty, ResultReason};
use crate::said::settings::Language;

/// Longer lists of what is open are cut.
const MOST_OPEN: usize = 12;

/// An irregularity with all that its sentence is about.
pub(crate) struct Case<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) code: Code,
    pub(crate) reason: Option<Reason>,
    pub(crate) by: Party,
    pub(crate) certainty: Certainty,
    pub(crate) article: Article,
    pub(crate) squares: &'a [Square],
    /// The moves that are left; `None` when free.
    pub(crate) required: Option<&'a [Move]>,
    /// The position that `squares`, `required` and `played` are of.
    pub(crate) before: &'a Chess,
    /// What was made of the turn.
    pub(crate) played: Played,
    pub(crate) claim: Option<ClaimRight>,
    pub(crate) penalty: Option<Penalty>,
}

/// What a player made of the turn a breach belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Played {
    /// This legal move.
    Move(Move),
    /// Something else, which stands.
    Other,
    /// Nothing yet.
    NotYet,
    /// Nothing yet: the game has not begun.
    NotBegun,
}

impl Language {
    fn words(self) -> &'static Words {
        match self {
            Language::En => &en::WORDS,
            Language::Fr => &fr::WORDS,
            Language::De => &de::WORDS,
        }
    }
}

/// A few sentences for an irregularity, and how many bytes of them say what was seen and what the
/// Law says: the others say what to do.
pub(crate) fn irregularity(case: &Case<'_>) -> (String, usize) {
    let language = case.setup.options.language.words();
    let mut text = put(
        language.finding,
        &[
            ("{seen}", &case.seen(language)),
            ("{article}", &language.cite(case.article)),
            (
                "{law}",
                &case.filled(language, words(language.law, case.law())),
            ),
        ],
    );
    let told = (language.typeset)(text.clone()).len();
    for act in case.acts() {
        text.push(' ');
        text.push_str(&case.filled(language, words(language.act, act)));
    }
    ((language.typeset)(text), told)
}

/// One sentence for a doubt about what was played in `before`.
pub(crate) fn doubt(
    language: Language,
    kind: DoubtKind,
    squares: &[Square],
    readings: &[Vec<UciMove>],
    before: &Chess,
) -> String {
    let language = language.words();
    let firsts: Vec<Option<UciMove>> = readings
        .iter()
        .map(|moves| moves.first().copied())
        .collect();
    let places = [
        ("{at}", &*language.squares(squares)),
        ("{moves}", &*language.readings(before, &firsts)),
    ];
    (language.typeset)(put(words(language.doubt, kind), &places))
}

/// The answer to a claim. `count`: how many times the position has stood, or how many moves were
/// played, where too few.
pub(crate) fn claim(
    language: Language,
    by: Color,
    kind: ClaimKind,
    answer: Answer,
    count: u32,
    article: Article,
) -> String {
    let language = language.words();
    let places = [
        ("{count}", &*language.count(answer, count)),
        ("{claimed}", words(language.claimed, kind)),
        ("{article}", &*language.cite_within(article)),
    ];
    (language.typeset)(language.fill(words(language.answer, answer), party(by), &places))
}

/// The loss that was proposed falls away.
pub(crate) fn fallen_away(language: Language, article: Article) -> String {
    let language = language.words();
    (language.typeset)(put(
        language.fallen_away,
        &[("{article}", &language.cite_within(article))],
    ))
}

/// Why an order is not carried out. `about`: what the order names.
pub(crate) fn refused(language: Language, why: Why, about: &str) -> String {
    let language = language.words();
    let text = put(words(language.refusal, why), &[("{about}", about)]);
    (language.typeset)(text)
}

/// The same, and what is open instead.
pub(crate) fn refusal(language: Language, why: Why, about: &str, open: &Open) -> String {
    let language = language.words();
    let mut text = put(words(language.refusal, why), &[("{about}", about)]);
    let mut add = |phrase: &str| {
        text.push(' ');
        text.push_str(phrase);
    };
    let mut none = true;
    let lists = [&open.findings, &open.plies, &open.orders];
    for (phrase, list) in language.open_lists.iter().zip(lists) {
        if !list.is_empty() {
            let list = language.list(list, Join::And, MOST_OPEN);
            add(&put(phrase, &[("{list}", &list)]));
            none = false;
        }
    }
    for (phrase, is_so) in
        language
            .open_matters
            .iter()
            .zip([open.restore, open.result, open.paused])
    {
        if is_so {
            add(phrase);
            none = false;
        }
    }
    if none {
        add(language.open_matters[3]);
    }
    (language.typeset)(text)
}

/// How a game ended, and what a proposed result waits for. `loser`: who fell, resigned or offended,
/// where that draws or leaves the game open.
pub(crate) fn ending(
    language: Language,
    result: GameResult,
    proposed: bool,
    reason: ResultReason,
    loser: Color,
    article: Article,
) -> String {
    let language = language.words();
    let (outcome, winner) = match result {
        GameResult::WhiteWins => (Outcome::Won, Color::White),
        GameResult::BlackWins => (Outcome::Won, Color::Black),
        GameResult::Draw => (Outcome::Drawn, !loser),
        GameResult::Open => (Outcome::Open, !loser),
    };
    let places = [("{article}", &*language.cite_within(article))];
    let said = language.fill(
        words(language.ending, (reason, outcome)),
        party(winner),
        &places,
    );
    let waits = if proposed { language.proposed } else { "" };
    (language.typeset)(put(
        "{said}{waits}",
        &[("{said}", &said), ("{waits}", waits)],
    ))
}
