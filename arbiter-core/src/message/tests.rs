//! Every sentence in every language: complete, filled in, and set as the language wants it.

use alloc::{format, string::String, vec::Vec};

use shakmaty::{Chess, Color, Position, Square};

use crate::laws::{Rule, of};
use crate::said::input::{Edition, Setup, TimeClass};
use crate::said::ruling::{ClaimWindow, PenaltyEnd};
use crate::said::symbol::SensorClass;

use super::*;

mod in_full;

const CERTAINTIES: [Certainty; 3] = [Certainty::Possible, Certainty::Likely, Certainty::Certain];
const CLASSES: [TimeClass; 3] = [TimeClass::Standard, TimeClass::Rapid, TimeClass::Blitz];

/// Every setup that a sentence can depend on.
fn setups() -> Vec<Setup> {
    let mut all = Vec::new();
    for language in Language::ALL {
        for laws in Edition::ALL {
            for class in CLASSES {
                for supervised in [true, false] {
                    let mut setup = Setup::new(SensorClass::Piece);
                    (setup.laws, setup.class, setup.supervised) = (laws, class, supervised);
                    setup.options.language = language;
                    all.push(setup);
                }
            }
        }
    }
    all
}

/// A sentence is one: nothing empty, no place left open, spaces and signs as they should be.
fn check(language: Language, text: &str) {
    assert!(text.len() > 20, "too short: {text:?}");
    assert!(
        !text.contains(['{', '}', '[', ']']),
        "a place is open: {text}"
    );
    assert!(
        text.ends_with(['.', '?']) && !text.contains(".."),
        "its end: {text}"
    );
    assert!(
        !text.contains("  ") && !text.contains(" .") && !text.contains("()"),
        "its spaces: {text}"
    );
    assert!(
        text.chars().next().is_some_and(char::is_uppercase),
        "its beginning: {text}"
    );
    for (n, sign) in text
        .char_indices()
        .filter(|(_, c)| [':', ';', '!', '?', '»'].contains(c))
    {
        let before = text[..n].chars().next_back();
        let unbroken = before == Some('\u{a0}');
        assert_eq!(unbroken, language == Language::Fr, "{sign:?} in {text}");
    }
    if language == Language::Fr {
        assert!(
            !text.contains(['\'', '"']) && !text.contains("« "),
            "{text}"
        );
        for unmade in [
            " de les ", " à les ", " de le ", " à le ", " que il", " si il",
        ] {
            assert!(!text.contains(unmade), "{unmade:?} in {text}");
        }
    }
}

fn case<'a>(
    setup: &'a Setup,
    code: Code,
    certainty: Certainty,
    before: &'a Chess,
    moves: &'a [Move],
) -> Case<'a> {
    Case {
        setup,
        code,
        reason: None,
        by: Party::White,
        certainty,
        article: of(setup.laws).article_of_code(code),
        squares: &[Square::B1],
        required: Some(moves),
        before,
        played: Played::Other,
        claim: Some(ClaimRight {
            by: Party::Black,
            open: true,
            until: ClaimWindow::Touch,
        }),
        penalty: None,
    }
}

/// Every reason with the results it can bring.
fn endings() -> Vec<(ResultReason, GameResult)> {
    use ResultReason::*;
    let (won, drawn, open) = (GameResult::BlackWins, GameResult::Draw, GameResult::Open);
    let mut all = Vec::new();
    let mut reason = Some(Checkmate);
    while let Some(this) = reason {
        let (results, next): (&[GameResult], _) = match this {
            Checkmate => (&[won], Some(Stalemate)),
            Stalemate => (&[drawn], Some(DeadPosition)),
            DeadPosition => (&[drawn], Some(Fivefold)),
            Fivefold => (&[drawn], Some(SeventyFiveMoves)),
            SeventyFiveMoves => (&[drawn], Some(Threefold)),
            Threefold => (&[drawn], Some(FiftyMoves)),
            FiftyMoves => (&[drawn], Some(FlagFall)),
            FlagFall => (&[won, drawn, open], Some(Resignation)),
            Resignation => (&[won, drawn, open], Some(Agreement)),
            Agreement => (&[drawn], Some(ForfeitIllegalMoves)),
            ForfeitIllegalMoves => (&[won, drawn, open], Some(IllegalPosition)),
            IllegalPosition => (&[drawn], Some(KingsPlaced)),
            KingsPlaced => (&[won, drawn], Some(Entered)),
            // No ruling says it.
            Entered => (&[], Some(Confirmed)),
            Confirmed => (&[], Some(Arbiter)),
            Arbiter => (&[won, drawn, open], Some(Annulled)),
            Annulled => (&[open], None),
        };
        all.extend(results.iter().map(|result| (this, *result)));
        reason = next;
    }
    all
}

/// A list that does not compile when it lacks a variant.
macro_rules! every {
    ($name:ident: $of:ident { $($variant:ident)* }) => {
        fn $name() -> Vec<$of> {
            let known = |x: $of| match x { $($of::$variant)|* => x };
            alloc::vec![$(known($of::$variant)),*]
        }
    };
}
every!(reasons: Reason {
    PieceCannotMoveSo OwnKingInCheck CastlingIllegal CastlingHalfDone EnPassantLate
    EnPassantVictimLeft TwoPiecesMoved KingCaptured PromotionBadPiece Other
});
every!(doubts: DoubtKind {
    AmbiguousMove PromotionPiece CheckSquare TwoHands WhoTouched BoardTurned PiecesExchanged
    PositionUnknown GameEnded ThreadLost
});
every!(claims: ClaimKind { Threefold FiftyMoves TouchMove IllegalMove FlagFall });
every!(refusals: Why {
    NoFinding Decided NoPromotion NoReading NoPly NotPlayable PlayedSo NoPosition PositionUnknown
    NothingStands NotAsked NoGame PausedAlready NotPaused ResultStands NoResult LiesSo NoOffer
    NotPlaying NameTaken NoOrder TakenBack OrderForgotten PlyForgotten
});
every!(answers: Answer {
    Drawn Touched TooFewTimes TooFewMoves NoLegalMove NotHisTurn Shown NotShown NotMade
    TouchedSince MovedSince Decided FlagFallen FlagNotSeen BothFlags
});

fn knight_moves(pos: &Chess) -> Vec<Move> {
    pos.legal_moves()
        .into_iter()
        .filter(|m| m.from() == Some(Square::B1))
        .collect()
}

const PENALTIES: [Option<Penalty>; 4] = [
    None,
    Some(Penalty {
        opponent_ms: 120_000,
        then: None,
    }),
    Some(Penalty {
        opponent_ms: 60_000,
        then: Some(PenaltyEnd::Loss),
    }),
    Some(Penalty {
        opponent_ms: 0,
        then: Some(PenaltyEnd::Draw),
    }),
];

fn sentences(case: &Case<'_>) -> String {
    irregularity(case).0
}

#[test]
fn every_irregularity_has_its_sentences() {
    let pos = Chess::default();
    let moves = knight_moves(&pos);
    let e4 = pos.legal_moves().into_iter().find(|m| m.to() == Square::E4);
    for setup in &setups() {
        for code in Code::ALL {
            for certainty in CERTAINTIES {
                for penalty in PENALTIES {
                    let full = Case {
                        penalty,
                        ..case(setup, code, certainty, &pos, &moves)
                    };
                    check(setup.options.language, &sentences(&full));
                    let nobody = Case {
                        by: Party::Either,
                        required: None,
                        squares: &[],
                        claim: None,
                        ..full
                    };
                    check(setup.options.language, &sentences(&nobody));
                    let closed = Some(ClaimRight {
                        by: Party::White,
                        open: false,
                        until: ClaimWindow::Moves(10),
                    });
                    let limited = closed.map(|right| ClaimRight {
                        by: Party::Either,
                        open: true,
                        ..right
                    });
                    check(
                        setup.options.language,
                        &sentences(&Case {
                            claim: limited,
                            ..nobody
                        }),
                    );
                    let closed = Case {
                        by: Party::Black,
                        played: e4.map_or(Played::NotYet, Played::Move),
                        claim: closed,
                        ..nobody
                    };
                    check(setup.options.language, &sentences(&closed));
                }
            }
        }
    }
}

#[test]
fn every_reason_has_its_words() {
    let pos = Chess::default();
    for setup in setups().iter().filter(|s| s.laws == Edition::Fide2023) {
        let mut told: Vec<String> = Vec::new();
        for reason in reasons() {
            let text = sentences(&Case {
                reason: Some(reason),
                ..case(setup, Code::IllegalMove, Certainty::Certain, &pos, &[])
            });
            check(setup.options.language, &text);
            assert!(!told.contains(&text), "told twice: {text}");
            told.push(text);
        }
    }
}

/// What an arbiter reports himself is not the board's to give reasons for.
#[test]
fn without_a_reason_no_sentence_gives_one() {
    let pos = Chess::default();
    for setup in setups().iter().filter(|s| s.laws == Edition::Fide2023) {
        let reported = case(setup, Code::IllegalMove, Certainty::Certain, &pos, &[]);
        let text = sentences(&reported);
        check(setup.options.language, &text);
        let other = sentences(&Case {
            reason: Some(Reason::Other),
            ..reported
        });
        let told = text
            .split_once("b1)")
            .map(|(_, behind)| behind.chars().next());
        assert_eq!(told, Some(Some('.')), "{text}");
        assert!(other.len() > text.len(), "{other}");
    }
}

#[test]
fn every_doubt_claim_and_ending_has_its_sentence() {
    let pos = Chess::default();
    let knight: Vec<Vec<UciMove>> = knight_moves(&pos)
        .iter()
        .map(|m| alloc::vec![m.to_uci(pos.castles().mode())])
        .collect();
    for language in Language::ALL {
        for kind in doubts() {
            check(
                language,
                &doubt(language, kind, &[Square::B1], &knight, &pos),
            );
        }
        check(language, &fallen_away(language, Article::new("7.5.5")));
        for (reason, result) in endings() {
            for proposed in [true, false] {
                check(
                    language,
                    &ending(
                        language,
                        result,
                        proposed,
                        reason,
                        Color::White,
                        Article::new("5.1.1"),
                    ),
                );
            }
        }
    }
    for setup in setups()
        .iter()
        .filter(|s| s.class == TimeClass::Standard && s.supervised)
    {
        let language = setup.options.language;
        for kind in claims() {
            for answer in answers() {
                let article = of(setup.laws).article(Rule::Threefold);
                for count in 0..4 {
                    check(
                        language,
                        &claim(language, Color::White, kind, answer, count, article),
                    );
                }
            }
        }
    }
}

#[test]
fn every_refusal_says_why_and_what_is_open() {
    let (some, none) = (
        || alloc::vec![String::from("7"), String::from("12")],
        Vec::new,
    );
    let all = Open {
        findings: some(),
        plies: some(),
        orders: some(),
        restore: true,
        result: true,
        paused: true,
    };
    let opens = [Open::default(), all].into_iter().chain([
        Open {
            findings: none(),
            paused: true,
            ..Open::default()
        },
        Open {
            orders: some(),
            ..Open::default()
        },
    ]);
    for open in opens {
        for language in Language::ALL {
            let mut told: Vec<String> = Vec::new();
            for why in refusals() {
                let text = refusal(language, why, "7", &open);
                check(language, &text);
                assert!(!told.contains(&text), "told twice: {text}");
                told.push(text);
            }
        }
    }
}

#[test]
fn the_languages_have_words_for_the_same_phrases() {
    fn keys<K: Copy + core::fmt::Debug>(table: phrase::Table<K>) -> Vec<String> {
        table.iter().map(|(key, _)| format!("{key:?}")).collect()
    }
    let all = |w: &Words| {
        [
            keys(w.seen),
            keys(w.reason),
            keys(w.law),
            keys(w.act),
            keys(w.doubt),
            keys(w.claimed),
            keys(w.answer),
            keys(w.ending),
            keys(w.refusal),
        ]
    };
    for language in Language::ALL {
        assert_eq!(all(language.words()), all(&en::WORDS), "{language:?}");
    }
}
