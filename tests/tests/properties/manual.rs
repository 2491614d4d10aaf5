//! A move by hand, in any order that wood allows.

use arbiter_core::shakmaty::{CastlingSide, Chess, Move, Piece, Position, Role, Square};
use arbiter_core::{Event, Input, SensorClass, Time};
use proptest::collection::vec;
use proptest::prelude::*;

/// One grip: a square becomes empty, or a piece stands on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grip {
    Lift(Square),
    Place(Square, Piece),
}

/// How hands go about a move: which grip of those that are possible comes next, and when.
#[derive(Clone, Debug)]
pub(crate) struct Handling {
    /// Which of the possible grips, and how many milliseconds after the last.
    order: Vec<(usize, u64)>,
    /// How a pawn becomes a piece.
    promotion: Promotion,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promotion {
    /// Pawn off, piece on.
    Exchanged,
    /// The pawn is put on the last rank first.
    PawnGoesThere,
}

impl Handling {
    /// Any.
    pub(crate) fn any() -> impl Strategy<Value = Handling> {
        let promotion = prop_oneof![Just(Promotion::Exchanged), Just(Promotion::PawnGoesThere)];
        let order = vec((0..12usize, 160..900u64), 6);
        (order, promotion).prop_map(|(order, promotion)| Handling { order, promotion })
    }

    /// The usual one.
    pub(crate) fn tidy() -> Handling {
        Handling {
            order: vec![(0, 400); 6],
            promotion: Promotion::Exchanged,
        }
    }

    /// Plays `mv`; the square that was touched first.
    pub(crate) fn play(
        &self,
        position: &Chess,
        mv: Move,
        class: SensorClass,
        script: &mut Vec<Event>,
    ) -> Option<Square> {
        let mut left = self.grips(position, mv);
        let mut board = position.board().clone();
        let mut now = script.last().map_or(Time::ZERO, |event| event.at) + 600;
        let mut first = None;
        for (choice, pause) in &self.order {
            // Nothing is put on a square that is not free, and what waits for an earlier grip
            // waits.
            let is_possible = |(after, grip): &(Option<Grip>, Grip)| {
                let is_free =
                    !matches!(grip, Grip::Place(square, _) if board.piece_at(*square).is_some());
                is_free && !left.iter().any(|(_, earlier)| Some(*earlier) == *after)
            };
            let possible: Vec<usize> = (0..left.len()).filter(|n| is_possible(&left[*n])).collect();
            if possible.is_empty() {
                break;
            }
            let (_, grip) = left.remove(possible[choice % possible.len()]);
            now = now + *pause;
            let input = match grip {
                Grip::Lift(square) => {
                    board.discard_piece_at(square);
                    first = first.or(Some(square));
                    Input::Lift { square }
                }
                Grip::Place(square, piece) => {
                    board.set_piece_at(square, piece);
                    Input::Place {
                        square,
                        seen: class.sees(Some(piece)),
                    }
                }
            };
            script.push(Event { at: now, input });
        }
        assert!(left.is_empty(), "{mv:?}: {left:?} could not be done");
        first
    }

    /// Everything that must be done, each with what must be done before it.
    fn grips(&self, position: &Chess, mv: Move) -> Vec<(Option<Grip>, Grip)> {
        let us = position.turn();
        let own = |role: Role| role.of(us);
        let lift = |square| (None, Grip::Lift(square));
        match mv {
            Move::Castle { king, rook } => {
                let side = if rook > king {
                    CastlingSide::KingSide
                } else {
                    CastlingSide::QueenSide
                };
                let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
                let place = |from, to, role| (Some(Grip::Lift(from)), Grip::Place(to, own(role)));
                let king_leg = [lift(king), place(king, king_to, Role::King)];
                let rook_leg = [lift(rook), place(rook, rook_to, Role::Rook)];
                // In Chess960 one of the two may stand there already.
                let legs = [(king != king_to, king_leg), (rook != rook_to, rook_leg)];
                legs.into_iter()
                    .filter(|(moves, _)| *moves)
                    .flat_map(|(_, leg)| leg)
                    .collect()
            }
            Move::EnPassant { from, to } => {
                let victim = Square::from_coords(to.file(), from.rank());
                vec![
                    lift(victim),
                    lift(from),
                    (Some(Grip::Lift(from)), Grip::Place(to, own(Role::Pawn))),
                ]
            }
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                let mut grips: Vec<_> = capture.map(|_| lift(to)).into_iter().collect();
                grips.push(lift(from));
                match promotion {
                    None => grips.push((Some(Grip::Lift(from)), Grip::Place(to, own(role)))),
                    // The new piece may stand there before the pawn has gone.
                    Some(new) if self.promotion == Promotion::Exchanged => {
                        grips.push((None, Grip::Place(to, own(new))));
                    }
                    Some(new) => {
                        return pawn_goes_there(from, to, capture.is_some(), own(role), own(new));
                    }
                }
                grips
            }
            Move::Put { .. } => Vec::new(),
        }
    }
}

/// One after the other: there is no other order.
fn pawn_goes_there(
    from: Square,
    to: Square,
    captures: bool,
    pawn: Piece,
    new: Piece,
) -> Vec<(Option<Grip>, Grip)> {
    let mut grips: Vec<_> = captures
        .then_some((None, Grip::Lift(to)))
        .into_iter()
        .collect();
    grips.push((None, Grip::Lift(from)));
    grips.push((Some(Grip::Lift(from)), Grip::Place(to, pawn)));
    grips.push((Some(Grip::Place(to, pawn)), Grip::Lift(to)));
    grips.push((Some(Grip::Lift(to)), Grip::Place(to, new)));
    grips
}
