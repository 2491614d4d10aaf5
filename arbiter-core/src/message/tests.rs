//! Every sentence in every language: complete, filled in, and set as the language wants it.

use alloc::{format, string::String, vec::Vec};

use shakmaty::{Chess, Color, Position, Square};

use crate::laws::{Rule, of};
use crate::said::input::{Edition, Setup, TimeClass};
use crate::said::ruling::{ClaimWindow, PenaltyEnd};
use crate::said::symbol::SensorClass;

use super::*;

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
    assert!(!text.contains(['{', '}']), "a place is open: {text}");
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
            KingsPlaced => (&[won, drawn], Some(Arbiter)),
            Arbiter => (&[won, drawn], None),
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
    AmbiguousMove PromotionPiece CheckSquare TwoHands WhoTouched BoardTurned PositionUnknown
});
every!(claims: ClaimKind { Threefold FiftyMoves TouchMove IllegalMove FlagFall });
every!(answers: Answer { Drawn Touched Wrong NotHisTurn Shown NotShown FlagFallen FlagNotSeen });

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
                    check(setup.options.language, &irregularity(&full));
                    let nobody = Case {
                        by: Party::Either,
                        required: None,
                        squares: &[],
                        claim: None,
                        ..full
                    };
                    check(setup.options.language, &irregularity(&nobody));
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
                        &irregularity(&Case {
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
                    check(setup.options.language, &irregularity(&closed));
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
            let text = irregularity(&Case {
                reason: Some(reason),
                ..case(setup, Code::IllegalMove, Certainty::Certain, &pos, &[])
            });
            check(setup.options.language, &text);
            assert!(!told.contains(&text), "told twice: {text}");
            told.push(text);
        }
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
                check(
                    language,
                    &claim(language, Color::White, kind, answer, article),
                );
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
        ]
    };
    for language in Language::ALL {
        assert_eq!(all(language.words()), all(&en::WORDS), "{language:?}");
    }
}

fn said(setup: &Setup, code: Code, certainty: Certainty, penalty: Option<Penalty>) -> String {
    let pos = Chess::default();
    irregularity(&Case {
        penalty,
        ..case(setup, code, certainty, &pos, &knight_moves(&pos))
    })
}

fn setup(laws: Edition, class: TimeClass, supervised: bool, language: Language) -> Setup {
    let mut setup = Setup::new(SensorClass::Piece);
    (setup.laws, setup.class, setup.supervised) = (laws, class, supervised);
    setup.options.language = language;
    setup
}

#[test]
fn a_finding_in_full() {
    let two = Some(Penalty {
        opponent_ms: 120_000,
        then: None,
    });
    let english = setup(Edition::Fide2023, TimeClass::Standard, true, Language::En);
    assert_eq!(
        said(&english, Code::IllegalMove, Certainty::Certain, two),
        "White completed an illegal move (b1): no legal move leads to what stands on the board. \
         Article 7.5.1: an illegal move is taken back, and what was touched for it must be moved \
         or captured if it can. Stop the clocks and have the position before the move put back. \
         White must then play Na3 or Nc3. Give Black 2 minutes more (Article 7.5.5)."
    );
    let french = setup(Edition::Fide2001, TimeClass::Standard, true, Language::Fr);
    assert_eq!(
        said(&french, Code::CastlingNotCompleted, Certainty::Likely, None),
        "Les Blancs ont touché le cavalier en b1 alors que le roque de ce côté était légal, et \
         ont joué une autre pièce. Article 4.4a (numéro non confirmé)\u{a0}: qui touche son roi et \
         sa tour doit roquer de ce côté, si c’est légal. \
         C’est probable, non prouvé\u{a0}: entendez les joueurs avant de statuer. \
         Si le constat est retenu, la position d’avant le coup est rétablie, et les Blancs \
         doivent jouer Ca3 ou Cc3. \
         Les Noirs peuvent réclamer tant qu’ils n’ont pas touché de pièce (article 4.6)."
    );
}

#[test]
fn each_edition_says_its_own_rule() {
    use Code::*;
    use Edition::*;
    use TimeClass::*;
    let two = Some(Penalty {
        opponent_ms: 120_000,
        then: None,
    });
    let lost = Some(Penalty {
        opponent_ms: 0,
        then: Some(PenaltyEnd::Loss),
    });
    type Row = (
        Edition,
        TimeClass,
        bool,
        Code,
        Option<Penalty>,
        &'static str,
    );
    let table: &[Row] = &[
        (
            Fide2005,
            Standard,
            true,
            PawnNotPromoted,
            two,
            "may choose the piece anew",
        ),
        (
            Fide2009,
            Standard,
            true,
            PawnNotPromoted,
            two,
            "may choose the piece anew",
        ),
        (
            Fide2014,
            Standard,
            true,
            PawnNotPromoted,
            two,
            "have a queen of White’s colour put on b1",
        ),
        (
            Fide2009,
            Rapid,
            false,
            PawnNotPromoted,
            two,
            "Step in without a claim (Article A.4c)",
        ),
        (
            Fide2009,
            Rapid,
            false,
            IllegalMove,
            two,
            "Act only if Black claims it before making a move (Article A.4c)",
        ),
        (
            Fide2009,
            Blitz,
            false,
            IllegalMove,
            None,
            "it is a claim to the win (Article B.3c)",
        ),
        (
            Fide2014,
            Rapid,
            false,
            IllegalMove,
            lost,
            "White loses the game (Article A.4b)",
        ),
        (
            Fide2018,
            Rapid,
            false,
            IllegalMove,
            two,
            "Once Black has made the next move, the position stands (Article A.4.2)",
        ),
        (
            Fide1974,
            Standard,
            true,
            IllegalMove,
            None,
            "gives no time for it",
        ),
        (
            Fide1974,
            Standard,
            true,
            ClockOtherHand,
            None,
            "The Laws: this edition has no rule of its own",
        ),
        (
            Fide2014,
            Standard,
            true,
            ClockPressedWithoutMove,
            None,
            "is no illegal move, but the arbiter may penalise it",
        ),
        (
            Fide2017,
            Standard,
            true,
            ClockPressedWithoutMove,
            two,
            "counts as an illegal move",
        ),
        (
            Fide2001,
            Standard,
            true,
            PromotionChoiceChanged,
            None,
            "once the hand has released the piece",
        ),
        (
            Fide2005,
            Standard,
            true,
            PromotionChoiceChanged,
            None,
            "as soon as the piece has touched",
        ),
        (
            Fide2009,
            Rapid,
            false,
            TouchMoveOwnPiece,
            None,
            "Act only if Black asks for it before touching a piece (Article 4.7)",
        ),
        (
            Fide2023,
            Standard,
            true,
            TouchMoveOwnPiece,
            None,
            "Black may claim it until touching a piece (Article 4.8)",
        ),
        (
            Fide2014,
            Standard,
            true,
            TwoHands,
            None,
            "each move is made with one hand. Whether to warn",
        ),
        (
            Fide2017,
            Standard,
            true,
            TwoHands,
            two,
            "counts as an illegal move. Stop the clocks",
        ),
        (
            Fide2018,
            Standard,
            true,
            TwoHands,
            two,
            "once the clock has been pressed",
        ),
        (
            Fide2023,
            Rapid,
            true,
            IncorrectDrawClaim,
            two,
            "Give Black 1 minute more (Article 9.5.3)",
        ),
        (
            Fide2023,
            Blitz,
            true,
            IncorrectDrawClaim,
            two,
            "White must then play Na3 or Nc3",
        ),
        (
            Fide2009,
            Blitz,
            false,
            PositionSetupWrong,
            None,
            "until each player has made 3 moves",
        ),
        (
            Fide2017,
            Standard,
            true,
            ColoursReversed,
            None,
            "before both players have made 10 moves",
        ),
        (
            Fide2014,
            Standard,
            true,
            ColoursReversed,
            None,
            "unless the arbiter rules otherwise",
        ),
    ];
    for (laws, class, supervised, code, penalty, expected) in table {
        let text = said(
            &setup(*laws, *class, *supervised, Language::En),
            *code,
            Certainty::Certain,
            *penalty,
        );
        assert!(
            text.contains(expected),
            "{laws:?} {class:?} {code:?}: {text}"
        );
    }
}

#[test]
fn long_lists_are_cut() {
    let pos = Chess::default();
    let all = pos.legal_moves();
    let setup = setup(Edition::Fide2023, TimeClass::Standard, true, Language::En);
    let case = case(
        &setup,
        Code::TouchMoveOwnPiece,
        Certainty::Certain,
        &pos,
        &all,
    );
    let text = irregularity(&case);
    assert!(text.contains(" or one of 14 more."), "{text}");
}
