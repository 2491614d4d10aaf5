//! What findings say in full, and how each edition says its own rule.

use super::*;

fn said(setup: &Setup, code: Code, certainty: Certainty, penalty: Option<Penalty>) -> String {
    let pos = Chess::default();
    sentences(&Case {
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
        "White completed an illegal move (b1). Article 7.5.1: an illegal move is taken back, and \
         what was touched for it must be moved or captured if it can. Stop the clocks and have the \
         position before the move put back. White must then play Na3 or Nc3. Give Black 2 \
         minutes more (Article 7.5.5)."
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
    let text = sentences(&case);
    assert!(text.contains(" or one of 14 more."), "{text}");
}

#[test]
fn one_more_is_said_in_full() {
    let pos = Chess::default();
    let all: Vec<Move> = pos.legal_moves().into_iter().take(7).collect();
    for language in [Language::En, Language::De, Language::Fr] {
        let setup = setup(Edition::Fide2023, TimeClass::Standard, true, language);
        let case = case(
            &setup,
            Code::TouchMoveOwnPiece,
            Certainty::Certain,
            &pos,
            &all,
        );
        let text = sentences(&case);
        assert!(!text.contains(" 1 "), "{text}");
        let last = format!("{}", shakmaty::san::San::from_move(&pos, all[6]));
        let last = last.trim_start_matches(|c: char| c.is_ascii_uppercase());
        assert!(text.contains(last), "{last}: {text}");
    }
}

#[test]
fn what_happened_says_not_what_to_do() {
    let two = Some(Penalty {
        opponent_ms: 120_000,
        then: Some(PenaltyEnd::Loss),
    });
    let pos = Chess::default();
    for language in [Language::En, Language::De, Language::Fr] {
        let setup = setup(Edition::Fide2023, TimeClass::Standard, true, language);
        let (text, told) = irregularity(&Case {
            penalty: two,
            ..case(&setup, Code::IllegalMove, Certainty::Likely, &pos, &[])
        });
        let happened = &text[..told];
        assert!(
            happened.contains("b1") && happened.contains("7.5.1"),
            "{happened}"
        );
        assert!(happened.ends_with('.') && told < text.len() - 80, "{text}");
    }
}
