//! The event script and the rulings as JSON: field names and values are a contract with everybody
//! who reads them.

use std::collections::BTreeMap;

use arbiter_core::input::{ClaimKind, Event, Input};
use arbiter_core::irregularity::{Article, Certainty, Code, Party, Reason};
use arbiter_core::refused::{Open, Refused, Why};
use arbiter_core::ruling::{
    Announcement, ClaimRight, ClaimWindow, Doubt, DoubtKind, GameResult, Irregularity, MoveState,
    Penalty, PenaltyEnd, ResultReason, Ruling, Summary,
};
use arbiter_core::shakmaty::{Color, Square, uci::UciMove};
use arbiter_core::{SensorClass, Symbol, Time};
use serde::Serialize;
use serde_json::Value;

/// Every input with every field, as a script writes it.
const EVENTS: &str = r#"
{"at":0,"event":"setup","game":"g1","sensor":"occupancy","laws":"fide-2023","class":"rapid",
 "supervised":false,"clock":false,"polled":true,"fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1",
 "chess960":true,"turned":90,"answers":"recorded","options":{"brush-ms":1,"skew-ms":2,
 "announce-ms":3,"end-of-game-ms":4,"release-ms":5,"release-other-lift-ms":6,"rook-first-ms":150,
 "reread-ms":7,
 "clockless-rest-ms":8,"announced-touch-ms":13,"early-touch-ms":14,"early-press-ms":15,
 "stop-grace-ms":16,"fleeting-ms":9,"adjust-grace-ms":10,"blitz-penalty-ms":11,
 "castling-halfmove":"complete","promotion-order":"strict","chess960-rook-first":"likely",
 "two-hands":"in-the-air","language":"fr"}}
{"at":1,"event":"lift","square":"e2"}
{"at":2,"event":"place","square":"e4"}
{"at":2,"event":"place","square":"e4","seen":"L"}
{"at":2,"event":"place","square":"e4","seen":"D"}
{"at":2,"event":"place","square":"h8","seen":"q"}
{"at":3,"event":"snapshot",
 "board":"rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR"}
{"at":4,"event":"press","by":"white"}
{"at":4,"event":"press","by":"black","white_ms":5000,"black_ms":0}
{"at":5,"event":"adjust","by":"white"}
{"at":6,"event":"flag-fall","by":"black"}
{"at":7,"event":"stop","by":"white"}
{"at":8,"event":"claim","by":"white","kind":"threefold","move":"g1f3"}
{"at":8,"event":"claim","by":"white","kind":"fifty-moves"}
{"at":8,"event":"claim","by":"black","kind":"touch-move","square":"d5"}
{"at":8,"event":"claim","by":"black","kind":"illegal-move"}
{"at":8,"event":"claim","by":"black","kind":"flag-fall"}
{"at":9,"event":"draw","by":"white","step":"offer"}
{"at":9,"event":"draw","by":"black","step":"accept"}
{"at":9,"event":"draw","by":"black","step":"decline"}
{"at":10,"event":"resign","by":"black"}
{"at":11,"event":"arbiter","action":"uphold","id":1}
{"at":11,"event":"arbiter","action":"uphold","id":1,"for_record":true}
{"at":11,"event":"arbiter","action":"dismiss","id":2}
{"at":11,"event":"arbiter","action":"promotion","square":"a8","piece":"n"}
{"at":11,"event":"arbiter","action":"reading","ply":3,"move":"e4d5"}
{"at":11,"event":"arbiter","action":"set-position","fen":"unknown"}
{"at":11,"event":"arbiter","action":"let-stand"}
{"at":11,"event":"arbiter","action":"annul"}
{"at":11,"event":"arbiter","action":"annul","game":"board-7"}
{"at":11,"event":"arbiter","action":"goes-on","game":"board-7"}
{"at":11,"event":"arbiter","action":"result","result":"1-0","game":"board-7"}
{"at":11,"event":"arbiter","action":"board-turned","turned":270}
{"at":11,"event":"arbiter","action":"pause"}
{"at":11,"event":"arbiter","action":"resume"}
{"at":11,"event":"arbiter","action":"result","result":"1/2-1/2"}
{"at":11,"event":"arbiter","action":"report","code":"two-hands","by":"white"}
{"at":11,"event":"arbiter","action":"report","code":"touch-move-own-piece","by":"black",
 "square":"b8"}
{"at":11,"event":"arbiter","action":"report","code":"colours-reversed"}
{"at":11,"event":"arbiter","action":"played","ply":3,"move":"b1b3"}
{"at":11,"event":"arbiter","action":"take-back","order":"o1"}
{"at":11,"event":"arbiter","action":"take-back","order":"o1","author":"Ada"}
{"at":11,"event":"arbiter","action":"uphold","id":1,"code":"two-hands","ply":3,"by":"either"}
{"at":11,"event":"arbiter","action":"dismiss","id":2,"order":"o1","author":"Ada"}
{"at":11,"event":"arbiter","action":"set-position","fen":"unknown","author":"Ada"}
{"at":11,"event":"arbiter","action":"goes-on"}
{"at":11,"event":"arbiter","action":"goes-on","game":"g1"}
{"at":11,"event":"claim","by":"white","kind":"threefold","move":"g1f3","order":"o2"}
{"at":11,"event":"draw","by":"white","step":"offer","order":"o3"}
{"at":11,"event":"resign","by":"black","order":"o4","author":"Ada"}
{"at":11,"event":"adjust","by":"black","order":"o5"}
{"at":11,"event":"press","by":"white","order":"o6"}
{"at":11,"event":"stop","by":"white","order":"o7"}
{"at":11,"event":"flag-fall","by":"white","order":"o8"}
{"at":12,"event":"tick"}
{"at":12,"event":"mating","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","white":"cannot","black":"unknown"}
{"at":12,"event":"mating","fen":"4k3/8/8/8/8/8/8/4K2R w - - 0 1","white":"can","black":"cannot",
 "quick":true}
"#;

/// One event after the other; a long one takes several lines.
fn events(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start().split_inclusive("}\n")
}

#[test]
fn every_event_is_written_as_it_was_read() {
    for line in events(EVENTS) {
        let event: Event = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let written: Value = serde_json::to_value(&event).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(line).unwrap());
        assert_eq!(serde_json::from_value::<Event>(written).unwrap(), event);
    }
}

#[test]
fn a_setup_needs_only_its_sensor() {
    let event: Event = serde_json::from_str(r#"{"event":"setup","sensor":"colour"}"#).unwrap();
    assert_eq!(
        event,
        Event {
            at: Time(0),
            input: Input::Setup(arbiter_core::Setup::new(SensorClass::Colour).into())
        }
    );
}

/// What a board reports nobody orders.
#[test]
fn only_what_people_say_is_signed() {
    let line = r#"{"at":1,"event":"lift","square":"e2","order":"o1","author":"Ada"}"#;
    let event: Event = serde_json::from_str(line).unwrap();
    let square = Square::E2;
    assert_eq!(event.input, Input::Lift { square });
    let line = r#"{"at":1,"event":"resign","by":"white","order":"o1","author":"Ada"}"#;
    let event: Event = serde_json::from_str(line).unwrap();
    assert_eq!(*event.input.plain(), Input::Resign { by: Color::White });
    let signed = (event.input.order(), event.input.author());
    assert_eq!(signed, (Some("o1"), Some("Ada")));
}

#[test]
fn a_place_without_a_symbol_is_an_occupancy_reading() {
    let event: Event = serde_json::from_str(r#"{"at":1,"event":"place","square":"e4"}"#).unwrap();
    assert_eq!(
        event.input,
        Input::Place {
            square: Square::E4,
            seen: Symbol::Something
        }
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    let bad = [
        (r#"{"event":"lift","square":"i9"}"#, "`i9` is not a square"),
        (r#"{"event":"lift"}"#, "missing field `square`"),
        (
            r#"{"event":"arbiter","action":"take-back"}"#,
            "missing field `order`",
        ),
        (
            r#"{"event":"resign","by":"white","order":""}"#,
            "`order`: a name is not empty",
        ),
        (r#"{"event":"press","by":"red"}"#, "`red` is not a colour"),
        (
            r#"{"event":"place","square":"e4","seen":"x"}"#,
            "`x` is not a symbol",
        ),
        (r#"{"event":"snapshot","board":"..."}"#, "fewer"),
        (
            r#"{"event":"arbiter","action":"promotion","square":"a8","piece":"k"}"#,
            "`k` is not a promotion piece",
        ),
        (
            r#"{"event":"arbiter","action":"shout"}"#,
            "unknown variant `shout`",
        ),
        (
            r#"{"event":"setup","sensor":"x-ray"}"#,
            "unknown variant `x-ray`",
        ),
        (
            r#"{"event":"setup","sensor":"piece","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#,
            "0 white kings",
        ),
        (
            r#"{"event":"setup","sensor":"piece","fen":"nonsense"}"#,
            "`nonsense` is not a FEN",
        ),
        (
            r#"{"event":"setup","sensor":"piece","options":{"brush":1}}"#,
            "unknown field `brush`",
        ),
        (r#"{"event":"dance"}"#, "unknown variant `dance`"),
        (r#"{"at":-1,"event":"tick"}"#, "-1"),
    ];
    for (line, wanted) in bad {
        let error = serde_json::from_str::<Event>(line)
            .expect_err(line)
            .to_string();
        assert!(error.contains(wanted), "{line}: {error}");
    }
}

fn uci(text: &str) -> UciMove {
    text.parse().unwrap()
}

fn irregularity() -> Irregularity {
    Irregularity {
        id: 1,
        code: Code::IllegalMove,
        reason: Some(Reason::PieceCannotMoveSo),
        article: Article::new("7.5.1"),
        by: Party::White,
        ply: 3,
        certainty: Certainty::Certain,
        squares: vec![Square::B1, Square::B3],
        claim: Some(ClaimRight {
            by: Party::Black,
            open: true,
            until: ClaimWindow::Reply,
        }),
        required: Some(vec![uci("b1a3"), uci("b1c3")]),
        penalty: Some(Penalty {
            opponent_ms: 120_000,
            then: Some(PenaltyEnd::Loss),
        }),
        evidence: vec![Event {
            at: Time(5),
            input: Input::Lift { square: Square::B1 },
        }],
        text: "so".into(),
        told: 0,
    }
}

fn bare_irregularity() -> Irregularity {
    Irregularity {
        id: 2,
        code: Code::PieceDisplaced,
        reason: None,
        by: Party::Either,
        certainty: Certainty::Possible,
        claim: None,
        required: None,
        penalty: None,
        evidence: Vec::new(),
        ..irregularity()
    }
}

/// Every ruling, and its line.
fn rulings() -> Vec<(Ruling, &'static str)> {
    let by = Color::White;
    let (kind, article) = (ClaimKind::Threefold, Article::new("9.2"));
    let result = Ruling::Result {
        result: GameResult::WhiteWins,
        proposed: true,
        reason: ResultReason::KingsPlaced,
        article: Article::new("convention"),
        text: "so".into(),
    };
    let doubt = Doubt {
        ply: 2,
        kind: DoubtKind::AmbiguousMove,
        squares: vec![Square::D5, Square::E4],
        readings: vec![vec![uci("e4d5")], vec![uci("e4f5"), uci("a7a8q")]],
        text: "so".into(),
    };
    let summary = Summary {
        moves: vec![uci("e2e4")],
        result: GameResult::Open,
        fen: "f".into(),
        irregularities: BTreeMap::from([(Code::IllegalMove, 2)]),
        doubts: vec![4],
    };
    let made = |state| Ruling::Move {
        ply: 1,
        uci: uci("e1g1"),
        san: "O-O".into(),
        fen: "f".into(),
        state,
    };
    vec![
        (
            made(MoveState::Made),
            r#""ruling":"move","ply":1,"uci":"e1g1","san":"O-O","fen":"f","state":"made""#,
        ),
        (
            made(MoveState::Completed),
            r#""ruling":"move","ply":1,"uci":"e1g1","san":"O-O","fen":"f","state":"completed""#,
        ),
        (
            Ruling::Revision {
                from_ply: 2,
                moves: vec![],
            },
            r#""ruling":"revision","from_ply":2,"moves":[]"#,
        ),
        (
            Ruling::Obligation {
                by,
                article: Article::new("4.3.1"),
                moves: vec![uci("g1f3")],
            },
            r#""ruling":"obligation","by":"white","article":"4.3.1","moves":["g1f3"]"#,
        ),
        (
            Ruling::Irregularity(irregularity()),
            concat!(
                r#""ruling":"irregularity","id":1,"code":"illegal-move","#,
                r#""reason":"piece-cannot-move-so","article":"7.5.1","by":"white","ply":3,"#,
                r#""certainty":"certain","squares":["b1","b3"],"claim":{"by":"black","#,
                r#""open":true,"until":"reply"},"required":["b1a3","b1c3"],"#,
                r#""penalty":{"opponent_ms":120000,"then":"loss"},"evidence":[{"at":5,"#,
                r#""event":"lift","square":"b1"}],"text":"so""#,
            ),
        ),
        (
            Ruling::Irregularity(bare_irregularity()),
            concat!(
                r#""ruling":"irregularity","id":2,"code":"piece-displaced","reason":null,"#,
                r#""article":"7.5.1","by":"either","ply":3,"certainty":"possible","#,
                r#""squares":["b1","b3"],"claim":null,"required":null,"penalty":null,"#,
                r#""evidence":[],"text":"so""#,
            ),
        ),
        (Ruling::Lapsed { id: 3 }, r#""ruling":"lapsed","id":3"#),
        (
            Ruling::Withdrawn { id: 3 },
            r#""ruling":"withdrawn","id":3"#,
        ),
        (
            Ruling::Doubt(doubt),
            concat!(
                r#""ruling":"doubt","ply":2,"kind":"ambiguous-move","squares":["d5","e4"],"#,
                r#""readings":[["e4d5"],["e4f5","a7a8q"]],"text":"so""#,
            ),
        ),
        (
            Ruling::Restore {
                fen: "f".into(),
                squares: vec![Square::A1],
            },
            r#""ruling":"restore","fen":"f","squares":["a1"]"#,
        ),
        (
            Ruling::DrawClaimable { kind, by },
            r#""ruling":"draw-claimable","kind":"threefold","by":"white""#,
        ),
        (
            Ruling::Claim {
                by,
                kind,
                accepted: true,
                article,
                text: "so".into(),
            },
            concat!(
                r#""ruling":"claim","by":"white","kind":"threefold","accepted":true,"#,
                r#""article":"9.2","text":"so""#,
            ),
        ),
        (
            result,
            concat!(
                r#""ruling":"result","result":"1-0","proposed":true,"reason":"kings-placed","#,
                r#""article":"convention","text":"so""#,
            ),
        ),
        (
            Ruling::Refused {
                order: Some("o1".into()),
                because: Box::new(Refused {
                    why: Why::NoFinding,
                    about: "3".to_owned(),
                    open: Open {
                        findings: vec!["1".to_owned()],
                        ..Open::default()
                    },
                }),
                text: "so".into(),
            },
            concat!(
                r#""ruling":"refused","order":"o1","why":"no-finding","about":"3","#,
                r#""open":{"findings":["1"],"restore":false,"result":false,"paused":false},"#,
                r#""text":"so""#,
            ),
        ),
        (
            Ruling::Refused {
                order: None,
                because: Box::new(Refused {
                    why: Why::NotPaused,
                    about: String::new(),
                    open: Open::default(),
                }),
                text: "so".into(),
            },
            concat!(
                r#""ruling":"refused","why":"not-paused","about":"","#,
                r#""open":{"restore":false,"result":false,"paused":false},"text":"so""#,
            ),
        ),
        (
            Ruling::Summary(summary),
            concat!(
                r#""ruling":"summary","moves":["e2e4"],"result":"*","fen":"f","#,
                r#""irregularities":{"illegal-move":2},"doubts":[4]"#,
            ),
        ),
    ]
}

#[test]
fn every_ruling_is_written_to_the_letter() {
    for (ruling, fields) in rulings() {
        let announcement = Announcement {
            at: Time(7),
            game: "g1".into(),
            ruling,
        };
        assert_eq!(
            serde_json::to_string(&announcement).unwrap(),
            format!(r#"{{"at":7,"game":"g1",{fields}}}"#)
        );
    }
}

fn names<T: Serialize>(values: &[T]) -> String {
    let name = |v: &T| {
        serde_json::to_value(v)
            .unwrap()
            .as_str()
            .unwrap()
            .to_string()
    };
    values.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_name_of_the_contract() {
    use Reason::*;
    use ResultReason as R;
    let reasons = [
        PieceCannotMoveSo,
        OwnKingInCheck,
        CastlingIllegal,
        CastlingHalfDone,
        EnPassantLate,
        EnPassantVictimLeft,
        TwoPiecesMoved,
        KingCaptured,
        PromotionBadPiece,
        Other,
    ];
    assert_eq!(
        names(&reasons),
        "piece-cannot-move-so own-king-in-check castling-illegal castling-half-done \
         en-passant-late \
         en-passant-victim-left two-pieces-moved king-captured promotion-bad-piece other"
    );
    let ends = [
        R::Checkmate,
        R::Stalemate,
        R::DeadPosition,
        R::Fivefold,
        R::SeventyFiveMoves,
        R::Threefold,
    ];
    assert_eq!(
        names(&ends),
        "checkmate stalemate dead-position fivefold seventy-five-moves threefold"
    );
    let ends = [
        R::FiftyMoves,
        R::FlagFall,
        R::Resignation,
        R::Agreement,
        R::ForfeitIllegalMoves,
        R::KingsPlaced,
    ];
    assert_eq!(
        names(&ends),
        "fifty-moves flag-fall resignation agreement forfeit-illegal-moves kings-placed"
    );
    assert_eq!(names(&[R::Entered, R::Arbiter]), "entered arbiter");
    assert_eq!(names(&[PenaltyEnd::Loss, PenaltyEnd::Draw]), "loss draw");
    assert_eq!(
        names(&[GameResult::BlackWins, GameResult::Draw]),
        "0-1 1/2-1/2"
    );
    assert_eq!(
        names(&[Certainty::Possible, Certainty::Likely, Certainty::Certain]),
        "possible likely certain"
    );
    let doubts = [
        DoubtKind::PromotionPiece,
        DoubtKind::CheckSquare,
        DoubtKind::TwoHands,
        DoubtKind::WhoTouched,
    ];
    assert_eq!(
        names(&doubts),
        "promotion-piece check-square two-hands who-touched"
    );
    let doubts = [DoubtKind::BoardTurned, DoubtKind::PositionUnknown];
    assert_eq!(names(&doubts), "board-turned position-unknown");
}

#[test]
fn codes_are_written_as_they_are_named() {
    use Code::*;
    let codes = [
        (TouchMoveOwnPiece, "touch-move-own-piece"),
        (TouchMoveOpponentPiece, "touch-move-opponent-piece"),
        (TouchMoveBothColours, "touch-move-both-colours"),
        (CastlingNotCompleted, "castling-not-completed"),
        (CastlingRookFirst, "castling-rook-first"),
        (PromotionChoiceChanged, "promotion-choice-changed"),
        (ReleasedPieceMovedAgain, "released-piece-moved-again"),
        (PieceDisplaced, "piece-displaced"),
        (IllegalMove, "illegal-move"),
        (PawnNotPromoted, "pawn-not-promoted"),
        (ClockPressedWithoutMove, "clock-pressed-without-move"),
    ];
    for (code, name) in codes {
        assert_eq!(code.name(), name);
    }
    for code in Code::ALL {
        assert_eq!(names(&[code]), code.name());
    }
}
