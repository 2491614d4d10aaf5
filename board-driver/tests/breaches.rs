//! Breaches are committed where a board can show them, and play goes on to the end of the game
//! after each.

#![cfg(feature = "simulators")]

mod support;

use std::collections::BTreeMap;

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::{Color, Move, Piece, Position, Role, Square};
use board_driver::hand::games::{self, Game};
use board_driver::hand::{Act, BREACHES, Deed, Options, Performance, Style, perform};
use support::{positions, replayed};

fn play(game: &Game, seed: u64, breaches: &[(Code, u32)], clock: bool) -> Performance {
    perform(
        &game.start,
        &game.moves,
        Style::Human,
        seed,
        breaches,
        &Options {
            clock,
            ..Options::default()
        },
    )
}

#[test]
fn every_breach_is_committed_in_many_games_and_shows() {
    let mut committed = BTreeMap::new();
    for (seed, game) in (0..).zip(games::sample(games::CROSS_SECTION)) {
        let positions = positions(game);
        for code in BREACHES {
            for wanted in [1, 13] {
                let played = play(game, seed, &[(code, wanted)], true);
                assert_eq!(
                    &replayed(game.start.board(), &played.acts),
                    positions.last().unwrap().board()
                );
                assert_eq!(played.truth.breaches.len() + played.left_out.len(), 1);
                for breach in &played.truth.breaches {
                    assert!(breach.ply >= wanted);
                    *committed.entry(code).or_insert(0) += 1;
                    let ply = breach.ply as usize;
                    let by = positions[ply - 1].turn();
                    let turn = Turn {
                        by,
                        mv: game.moves[ply - 1],
                        acts: turn_of(&played.acts, ply, code),
                    };
                    assert!(turn.shows(code), "{code} at ply {ply}: {:?}", turn.acts);
                }
            }
        }
    }
    assert!(
        BREACHES
            .iter()
            .all(|code| committed.get(code).is_some_and(|n| *n >= 20)),
        "{committed:?}"
    );
}

#[test]
fn several_breaches_fall_to_plies_of_their_own() {
    let wishes = BREACHES.map(|code| (code, 5));
    for (seed, game) in (0..).zip(games::sample(games::CROSS_SECTION)) {
        for clock in [true, false] {
            let played = play(game, seed, &wishes, clock);
            let plies: Vec<u32> = played.truth.breaches.iter().map(|b| b.ply).collect();
            assert!(
                plies.windows(2).all(|p| p[0] < p[1]) && plies.iter().all(|p| *p >= 5),
                "{plies:?}"
            );
            assert_eq!(plies.len() + played.left_out.len(), wishes.len());
            assert_eq!(
                &replayed(game.start.board(), &played.acts),
                positions(game).last().unwrap().board()
            );
        }
    }
}

/// The acts of a ply, from the press before it to its own, or to the one after it where the board
/// is put right then.
fn turn_of(acts: &[Act], ply: usize, code: Code) -> &[Act] {
    let presses: Vec<usize> = (0..acts.len())
        .filter(|i| matches!(acts[*i].deed, Deed::Press { .. }))
        .collect();
    let first = if ply == 1 { 0 } else { presses[ply - 2] + 1 };
    let put_right = !code.is_of_moving();
    let last = presses
        .get(ply - usize::from(!put_right))
        .copied()
        .unwrap_or(acts.len() - 1);
    &acts[first..=last]
}

struct Turn<'a> {
    by: Color,
    mv: Move,
    acts: &'a [Act],
}

impl Turn<'_> {
    fn lifts(&self) -> impl Iterator<Item = (u64, Square, Piece)> + '_ {
        self.acts.iter().filter_map(|a| match a.deed {
            Deed::LiftPiece(sq, piece) => Some((a.at.0, sq, piece)),
            _ => None,
        })
    }

    fn places(&self, square: Square) -> Vec<(u64, Piece)> {
        let on = |a: &Act| match a.deed {
            Deed::PlacePiece(sq, piece) if sq == square => Some((a.at.0, piece)),
            _ => None,
        };
        self.acts.iter().filter_map(on).collect()
    }

    fn presses(&self) -> Vec<(u64, Color)> {
        let press = |a: &Act| match a.deed {
            Deed::Press { by, .. } => Some((a.at.0, by)),
            _ => None,
        };
        self.acts.iter().filter_map(press).collect()
    }

    fn lifted(&self, colour: Color, role: Option<Role>) -> Option<(u64, Square)> {
        self.lifts()
            .find(|(_, _, p)| p.color == colour && role.is_none_or(|r| r == p.role))
            .map(|(at, sq, _)| (at, sq))
    }

    /// After his press the mover has to put a piece of his on the board again.
    fn put_right(&self) -> bool {
        let (first, by) = self.presses()[0];
        let own = |a: &Act| matches!(a.deed, Deed::PlacePiece(_, piece) if piece.color == self.by);
        by == self.by && self.acts.iter().any(|a| a.at.0 > first && own(a))
    }

    fn shows(&self, code: Code) -> bool {
        let first = self.lifts().next().map(|(_, sq, _)| sq);
        match code {
            Code::TouchMoveOwnPiece => self
                .lifted(self.by, None)
                .is_some_and(|(_, sq)| Some(sq) != self.mv.from()),
            Code::TouchMoveOpponentPiece => self
                .lifted(!self.by, None)
                .is_some_and(|(_, sq)| Some(sq) == first && self.places(sq).len() == 1),
            Code::TouchMoveBothColours => {
                let enemy = self
                    .lifted(!self.by, None)
                    .is_some_and(|(_, sq)| !self.places(sq).is_empty());
                enemy && first.is_some_and(|sq| !self.places(sq).is_empty())
            }
            Code::CastlingRookFirst => self
                .lifted(self.by, Some(Role::Rook))
                .zip(self.lifted(self.by, Some(Role::King)))
                .is_some_and(|(rook, king)| rook.0 + 300 < king.0),
            Code::CastlingNotCompleted => {
                let put_back = |role| {
                    self.lifted(self.by, Some(role))
                        .is_some_and(|(_, sq)| !self.places(sq).is_empty())
                };
                !self.mv.is_castle() && put_back(Role::King) && put_back(Role::Rook)
            }
            Code::ReleasedPieceMovedAgain => {
                let mover: Vec<_> = self
                    .lifts()
                    .filter(|(_, _, p)| *p == self.mv.role().of(self.by))
                    .collect();
                mover
                    .iter()
                    .any(|(at, sq, _)| self.places(*sq).iter().any(|(on, _)| on + 500 < *at))
            }
            Code::PromotionChoiceChanged => {
                let shown = self.places(self.mv.to());
                shown.len() == 2 && shown[0].1 != shown[1].1 && shown[0].1.role != Role::Pawn
            }
            Code::IllegalMove | Code::PieceDisplaced => self.put_right(),
            Code::PawnNotPromoted => {
                self.put_right()
                    && self
                        .places(self.mv.to())
                        .iter()
                        .map(|(_, p)| p.role)
                        .take(2)
                        .eq([Role::Pawn, Role::Queen])
            }
            Code::ClockPressedWithoutMove => {
                self.lifts().all(|(at, _, _)| at > self.presses()[0].0) && self.put_right()
            }
            other => panic!("{other} is no handling of pieces"),
        }
    }
}
