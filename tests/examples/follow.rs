//! Plays games to the arbiter and says what he makes of every ply, for comparison with another
//! program's chess.
//!
//! Standard input: one JSON object a line with `fen`, `chess960` and `moves` (UCI). Standard
//! output: one a line with `plies`; of each the legal moves before it, its SAN and FEN, the draws
//! that can be claimed after it and the result it brought. `tests/differential/compare.py` is the
//! other side.

use std::io::{self, BufRead, Write};

use arbiter_core::input::{Setup, StartFen};
use arbiter_core::ruling::{Announcement, MoveState, Ruling};
use arbiter_core::shakmaty::{CastlingMode, Chess, Move, Position, Square, uci::UciMove};
use arbiter_core::{Event, Input, SensorClass, Symbol, Time, legal_moves};
use daemon::mating::Follower;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Game {
    fen: String,
    chess960: bool,
    moves: Vec<String>,
}

#[derive(Default, Serialize)]
struct Told {
    legal: Vec<String>,
    san: String,
    fen: String,
    claims: Vec<String>,
    result: Option<(String, String)>,
}

fn main() {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let game: Game = serde_json::from_str(&line.expect("a line")).expect("a game");
        let plies =
            follow(&game).unwrap_or_else(|e| panic!("{e}: {} {}", game.fen, game.moves.join(" ")));
        writeln!(out, "{}", serde_json::json!({ "plies": plies })).expect("a reader");
    }
}

/// Plays until the moves or the game are over.
fn follow(game: &Game) -> Result<Vec<Told>, String> {
    let mode = if game.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let fen = StartFen::parse(&game.fen)?;
    let StartFen::Known(start) = &fen else {
        return Err("no position".to_owned());
    };
    let mut pos: Chess = start
        .as_setup()
        .clone()
        .position(mode)
        .map_err(|e| e.to_string())?;
    let setup = Setup {
        fen: Some(fen),
        chess960: game.chess960,
        ..Setup::new(SensorClass::Piece)
    };
    let mut table = Table {
        follower: Follower::new(),
        at: 0,
        said: Vec::new(),
    };
    table.tell(Input::Setup(setup.into()));
    let mut plies = Vec::new();
    for text in &game.moves {
        let uci: UciMove = text.parse().map_err(|_| format!("{text} is no move"))?;
        let m = uci.to_move(&pos).map_err(|e| e.to_string())?;
        let legal = legal_moves(&pos)
            .into_iter()
            .map(|m| m.to_uci(mode).to_string())
            .collect();
        table.said.clear();
        table.play(&mut pos, m);
        plies.push(told(legal, &table.said));
        if plies.last().is_some_and(|told| told.result.is_some()) {
            break;
        }
    }
    Ok(plies)
}

fn told(legal: Vec<String>, said: &[Announcement]) -> Told {
    let mut told = Told {
        legal,
        ..Told::default()
    };
    for announcement in said {
        match &announcement.ruling {
            Ruling::Move {
                san,
                fen,
                state: MoveState::Completed,
                ..
            } => {
                (told.san, told.fen) = (san.clone(), fen.clone());
            }
            Ruling::DrawClaimable { kind, .. } => told.claims.push(name(kind)),
            Ruling::Result { result, reason, .. } => {
                told.result = Some((result.to_string(), name(reason)))
            }
            _ => {}
        }
    }
    told
}

fn name(value: &impl Serialize) -> String {
    serde_json::to_value(value)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// A board that sees pieces, and tidy hands.
struct Table {
    follower: Follower,
    at: u64,
    said: Vec<Announcement>,
}

impl Table {
    fn tell(&mut self, input: Input) {
        self.at += 400;
        let _told_as_rulings = self.follower.handle(
            &Event {
                at: Time(self.at),
                input,
            },
            &mut self.said,
        );
    }

    /// What is captured leaves first; king and rook are both taken up to castle.
    fn play(&mut self, pos: &mut Chess, m: Move) {
        let (before, by) = (pos.board().clone(), pos.turn());
        pos.play_unchecked(m);
        let after = pos.board().clone();
        let castles =
            |sq: Square| matches!(m, Move::Castle { king, rook } if sq == king || sq == rook);
        let mut changed: Vec<Square> = Square::ALL.into_iter().collect();
        changed.retain(|&sq| castles(sq) || before.piece_at(sq) != after.piece_at(sq));
        let rank = |sq: &Square| {
            (
                before.color_at(*sq) == Some(by),
                before.kings().contains(*sq) == m.is_castle(),
            )
        };
        changed.sort_by_key(|sq| (rank(sq).0, !rank(sq).1));
        for &square in changed.iter().filter(|sq| before.piece_at(**sq).is_some()) {
            self.tell(Input::Lift { square });
        }
        changed.sort_by_key(|sq| !after.kings().contains(*sq));
        for &square in changed.iter().filter(|sq| after.piece_at(**sq).is_some()) {
            let seen = SensorClass::Piece.sees(after.piece_at(square));
            debug_assert_ne!(seen, Symbol::Empty);
            self.tell(Input::Place { square, seen });
        }
        self.tell(Input::Press {
            by,
            white_ms: None,
            black_ms: None,
        });
    }
}
