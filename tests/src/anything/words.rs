//! What is said at a table: by players, by the clock, and by the human arbiter.

use arbiter_core::input::{ArbiterAction, ClaimKind, DrawStep, FindingRef, StartFen};
use arbiter_core::irregularity::Code;
use arbiter_core::orientation::Orientation;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Chess, Color, EnPassantMode, Position, Role, Square};
use arbiter_core::{Input, Mating};

use super::bytes::Bytes;

/// Names of orders; some are given twice.
const NAMES: usize = 8;

/// Anything that is no square and no press, now and then under a name.
pub(crate) fn any(game: &Chess, bytes: &mut Bytes<'_>) -> Input {
    let input = anything(game, bytes);
    let order = bytes.flip().then(|| name(bytes));
    input.signed(order, None)
}

fn name(bytes: &mut Bytes<'_>) -> Box<str> {
    bytes.below(NAMES).to_string().into()
}

fn anything(game: &Chess, bytes: &mut Bytes<'_>) -> Input {
    let by = bytes.pick(&Color::ALL);
    match bytes.below(18) {
        16 if bytes.flip() => Input::Suspect {
            squares: (0..bytes.below(3))
                .map(|_| Square::ALL[bytes.below(64)])
                .collect(),
        },
        16 => mating(game, bytes),
        0..=1 => Input::Adjust { by },
        2 => Input::FlagFall { by },
        3 => Input::Stop { by },
        4 => Input::Resign { by },
        5..=6 => Input::Draw {
            by,
            step: bytes.pick(&[DrawStep::Offer, DrawStep::Accept, DrawStep::Decline]),
        },
        7..=9 => claim(game, by, bytes),
        _ => Input::Arbiter(order(game, bytes)),
    }
}

/// Who can mate, right or wrong: of the position that is meant or another.
fn mating(game: &Chess, bytes: &mut Bytes<'_>) -> Input {
    const ANSWERS: [Mating; 3] = [Mating::Can, Mating::Cannot, Mating::Unknown];
    let [white, black] = [bytes.pick(&ANSWERS), bytes.pick(&ANSWERS)];
    Input::Mating {
        fen: Fen::from_position(game, EnPassantMode::Legal).into(),
        white,
        black,
        quick: bytes.flip(),
    }
}

fn claim(game: &Chess, by: Color, bytes: &mut Bytes<'_>) -> Input {
    let kinds = [
        ClaimKind::TouchMove,
        ClaimKind::IllegalMove,
        ClaimKind::Threefold,
        ClaimKind::FiftyMoves,
    ];
    let kind = bytes.pick(&kinds);
    let square = bytes.flip().then(|| Square::ALL[bytes.below(64)]);
    let intended = bytes.flip().then(|| any_move(game, bytes));
    Input::Claim {
        by,
        kind,
        intended,
        square,
    }
}

/// Mostly a legal one.
fn any_move(game: &Chess, bytes: &mut Bytes<'_>) -> UciMove {
    let legal = game.legal_moves();
    if !legal.is_empty() && !bytes.once_in(3) {
        return bytes.pick(&legal).to_uci(game.castles().mode());
    }
    let [from, to] = [Square::ALL[bytes.below(64)], Square::ALL[bytes.below(64)]];
    UciMove::Normal {
        from,
        to,
        promotion: bytes.flip().then_some(Role::Queen),
    }
}

fn order(game: &Chess, bytes: &mut Bytes<'_>) -> ArbiterAction {
    const OFFICERS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    const RESULTS: [GameResult; 4] = [
        GameResult::Open,
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
    ];
    let id = bytes.below(5) as u32;
    match bytes.below(20) {
        0..=1 => ArbiterAction::Uphold(FindingRef {
            for_record: bytes.below(8) == 0,
            ..id.into()
        }),
        2..=3 => ArbiterAction::Dismiss(id.into()),
        4 => ArbiterAction::Promotion {
            square: Square::ALL[bytes.below(64)],
            piece: bytes.pick(&OFFICERS),
        },
        5..=6 => ArbiterAction::SetPosition {
            fen: position(game, bytes),
        },
        7 => ArbiterAction::LetStand,
        8 => ArbiterAction::Annul { game: None },
        9 => ArbiterAction::Pause,
        10 => ArbiterAction::Resume,
        14 => ArbiterAction::BoardTurned {
            turned: bytes.pick(&Orientation::ALL),
        },
        11..=12 => ArbiterAction::Report {
            code: bytes.pick(&Code::ALL),
            by: bytes.flip().then(|| bytes.pick(&Color::ALL)),
            square: bytes.flip().then(|| Square::ALL[bytes.below(64)]),
        },
        13 => ArbiterAction::Reading {
            ply: bytes.below(12) as u32,
            uci: any_move(game, bytes),
        },
        16..=17 => ArbiterAction::Played {
            ply: bytes.below(12) as u32,
            uci: any_move(game, bytes),
        },
        18 => ArbiterAction::TakeBack { order: name(bytes) },
        // Asked or not: mostly it is refused.
        19 => ArbiterAction::GoesOn { game: None },
        _ => ArbiterAction::Result {
            result: bytes.pick(&RESULTS),
            game: None,
        },
    }
}

/// What the players mean to be on the board, a move further, or nothing known.
fn position(game: &Chess, bytes: &mut Bytes<'_>) -> StartFen {
    let mut game = game.clone();
    let legal = game.legal_moves();
    match bytes.below(4) {
        0 => return StartFen::Unknown,
        1 if !legal.is_empty() => game.play_unchecked(bytes.pick(&legal)),
        _ => {}
    }
    StartFen::parse(&Fen::from_position(&game, EnPassantMode::Legal).to_string())
        .unwrap_or(StartFen::Unknown)
}
