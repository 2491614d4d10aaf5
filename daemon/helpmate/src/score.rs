//! How near to a mate a position looks.
//!
//! No score has to be right: what looks far is searched later, and not left out.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square, attacks};

use crate::sets;

/// In how many ways a position is judged. The search follows each of them by turns.
pub(crate) const WAYS: usize = 2 + PLANS;
/// How many of them are plans for mates in different places.
const PLANS: usize = 4;
/// Squares for a mate that are looked at.
const GOALS: usize = 8;
/// What it costs that the king cannot come to where he is to be mated.
const SHUT: i32 = 6;
/// As far as anything can be.
const FAR: i32 = 16;

/// What the search is for.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    winner: Color,
    /// Where the loser's king may be mated, the easiest squares first.
    squares: Vec<Square>,
    care: Care,
}

/// How closely a plan is looked at. Neither way is better: each finds mates that the other does not
/// come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// The easiest squares alone, and what is missing there.
    Little,
    /// More squares, and also what comes between: whether the king can get there at all, and who
    /// may take the man who is to give check or step into his line.
    Much,
}

/// A position, seen with the eyes of who is to mate.
struct View<'a> {
    board: &'a Board,
    care: Care,
    winner: Color,
    king: Square,
    prey: Square,
    /// The winner's men, and the loser's without his king.
    men: Bitboard,
    others: Bitboard,
    /// What the winner attacks, also behind the loser's king.
    attacked: Bitboard,
    /// What the loser's men attack.
    defended: Bitboard,
}

impl Goal {
    /// With squares where the loser's king may be mated, and for each how many flights it has.
    pub(crate) fn new(winner: Color, mut squares: Vec<(Square, usize)>, care: Care) -> Goal {
        squares.sort_by_key(|(_, flights)| *flights);
        let fewest = squares.first().map(|(_, flights)| *flights);
        squares.retain(|(_, flights)| care == Care::Much || Some(*flights) == fewest);
        squares.truncate(GOALS);
        let squares = squares.into_iter().map(|(square, _)| square).collect();
        Goal {
            winner,
            squares,
            care,
        }
    }

    /// The scores of a position: less is nearer.
    pub(crate) fn scores(&self, pos: &Chess) -> [i32; WAYS] {
        let Some(view) = View::new(pos.board(), self.winner, self.care) else {
            return [0; WAYS];
        };
        let mut scores = [view.net(); WAYS];
        scores[1] = view.simplify();
        let ways = view.ways(&self.squares);
        for (n, plan) in scores[2..].iter_mut().enumerate() {
            let own = self.squares.iter().zip(ways).skip(n).step_by(PLANS);
            let nearest = own.map(|(square, way)| view.plan(*square) + 4 * way).min();
            *plan = nearest.unwrap_or(*plan);
        }
        if self.care == Care::Much && pos.is_check() && pos.turn() != self.winner {
            let answers = pos.legal_moves().len() as i32;
            scores.iter_mut().for_each(|score| *score += answers);
        }
        scores
    }
}

impl View<'_> {
    fn new(board: &Board, winner: Color, care: Care) -> Option<View<'_>> {
        let prey = board.king_of(!winner)?;
        let men = board.by_color(winner);
        let through = board.occupied() & !Bitboard::from(prey);
        let others = board.by_color(!winner) & !Bitboard::from(prey);
        let attacked = attacked_by(board, men, through);
        Some(View {
            board,
            care,
            winner,
            king: board.king_of(winner)?,
            prey,
            men,
            others,
            attacked,
            defended: attacked_by(board, others, board.occupied()),
        })
    }

    /// How open the net is around the king where he stands.
    fn net(&self) -> i32 {
        let zone = attacks::king_attacks(self.prey);
        let flights = (zone & !self.others & !self.attacked).count() as i32;
        let check = if self.attacked.contains(self.prey) {
            -3
        } else {
            0
        };
        flights * 4 + self.rim() * 2 + self.kings() + check + self.need()
    }

    /// How many moves the loser's king needs to each of the squares, around what the winner's king
    /// and pawns attack and around pawns of his own.
    fn ways(&self, goals: &[Square]) -> [i32; GOALS] {
        let (board, none) = (self.board, Bitboard::EMPTY);
        let pawns = sets::attacks(Role::Pawn, self.winner, self.men & board.pawns(), none);
        let shut = attacks::king_attacks(self.king) | pawns | (self.others & board.pawns());
        let mut ways = [FAR; GOALS];
        let mut area = Bitboard::from(self.prey);
        for distance in 0..FAR {
            for (goal, way) in goals.iter().zip(&mut ways) {
                if *way == FAR && area.contains(*goal) {
                    *way = distance;
                }
            }
            let more = area | sets::grown(area) & !shut;
            if more == area {
                break;
            }
            area = more;
        }
        ways
    }

    /// How much is to be done for a mate on this square, once the king is there.
    fn plan(&self, goal: Square) -> i32 {
        let near = attacks::king_attacks(goal);
        let cover: i32 = near
            .into_iter()
            .map(|square| self.cover(square, near))
            .sum();
        cover * 2 + self.check(goal) + self.entry(goal)
    }

    /// Whether the king still has to come there, and cannot.
    fn entry(&self, goal: Square) -> i32 {
        let from = attacks::king_attacks(goal);
        if self.care == Care::Little || self.prey == goal || from.contains(self.prey) {
            return 0;
        }
        if (from & !self.others & !self.attacked).any() {
            0
        } else {
            SHUT
        }
    }

    /// How far a flight square is from being attacked, or blocked by the loser's own man.
    fn cover(&self, flight: Square, near: Bitboard) -> i32 {
        if self.attacked.contains(flight) || self.others.contains(flight) {
            return 0;
        }
        let king = self.king.distance(flight) as i32 - 1;
        let blocker = nearest(flight, self.others & !near & !self.wrong_bishops(flight));
        let officers = self.officers() & !self.wrong_bishops(flight);
        let officer = if officers.any() { 3 } else { FAR };
        king.min(blocker).min(officer)
    }

    /// How far the winner is from attacking this square.
    fn check(&self, goal: Square) -> i32 {
        if self.attacked.contains(goal) {
            // Before the king is there, it only keeps him out.
            return if self.prey == goal { 0 } else { 3 };
        }
        let board = self.board;
        let through = board.occupied() & !Bitboard::from(self.prey);
        let open = !self.others & !Bitboard::from(self.king);
        let safe = open & !self.defended;
        let bishops = board.bishops_and_queens() & !self.wrong_bishops(goal);
        let diagonal = self.line(goal, attacks::bishop_attacks(goal, through) & open, bishops);
        let straight = self.line(
            goal,
            attacks::rook_attacks(goal, through) & open,
            board.rooks_and_queens(),
        );
        let jump = leaps(
            attacks::knight_attacks(goal) & safe,
            board.knights() & self.men,
        );
        diagonal.min(straight).min(jump).min(3 + self.steps())
    }

    /// How far the winner is from a check along lines from one of these squares: it is to stand
    /// where nobody takes it, and nobody comes between.
    fn line(&self, goal: Square, from: Bitboard, men: Bitboard) -> i32 {
        if (men & self.men).is_empty() {
            return FAR;
        }
        let answers = |square: Square| {
            let line = attacks::between(square, goal) | Bitboard::from(square);
            (line & self.defended).count() as i32
        };
        let fewest = match self.care {
            Care::Little => (from & !self.defended).any().then_some(0),
            Care::Much => from.into_iter().map(answers).min(),
        };
        fewest.map_or(4, |fewest| (1 + 2 * fewest).min(4))
    }

    /// Trading off and promoting, when nothing else is to be seen.
    fn simplify(&self) -> i32 {
        let pawns = self.men & self.board.pawns();
        let steps: i32 = pawns.into_iter().map(|pawn| self.steps_of(pawn)).sum();
        let officers = self.officers().count() as i32;
        let others = self.others.count() as i32;
        steps - officers * 4 + others * 3 + self.need() + self.kings() + self.rim()
    }

    fn officers(&self) -> Bitboard {
        self.men & !self.board.pawns() & !self.board.kings()
    }

    /// Bishops that never come to this square.
    fn wrong_bishops(&self, square: Square) -> Bitboard {
        let other = if square.is_light() {
            Bitboard::DARK_SQUARES
        } else {
            Bitboard::LIGHT_SQUARES
        };
        self.board.bishops() & other
    }

    fn kings(&self) -> i32 {
        self.king.distance(self.prey) as i32
    }

    fn rim(&self) -> i32 {
        let edge = |n: u32| n.min(7 - n) as i32;
        edge(self.prey.file().to_u32()) + edge(self.prey.rank().to_u32())
    }

    fn need(&self) -> i32 {
        if (self.men & self.board.rooks_and_queens()).any() {
            0
        } else {
            6 + self.steps().min(6) * 3
        }
    }

    /// Steps of the winner's foremost pawn to its promotion.
    fn steps(&self) -> i32 {
        let pawns = self.men & self.board.pawns();
        pawns
            .into_iter()
            .map(|pawn| self.steps_of(pawn))
            .min()
            .unwrap_or(FAR)
    }

    fn steps_of(&self, pawn: Square) -> i32 {
        let rank = pawn.rank().to_u32() as i32;
        self.winner.fold_wb(7 - rank, rank)
    }
}

/// King's moves from a square to the nearest of these.
fn nearest(square: Square, of: Bitboard) -> i32 {
    let mut area = Bitboard::from(square);
    for distance in 0..8 {
        if area.intersects(of) {
            return distance;
        }
        area = sets::grown(area);
    }
    FAR
}

/// Knight's moves from any of these squares to any of those.
fn leaps(from: Bitboard, to: Bitboard) -> i32 {
    if to.is_empty() {
        return FAR;
    }
    let mut area = from;
    for moves in 0..6 {
        if area.intersects(to) {
            return moves.max(1);
        }
        area |= sets::attacks(Role::Knight, Color::White, area, Bitboard::EMPTY);
    }
    6
}

fn attacked_by(board: &Board, men: Bitboard, occupied: Bitboard) -> Bitboard {
    let sliders = |line: fn(Square, Bitboard) -> Bitboard, of: Bitboard| {
        of.into_iter()
            .fold(Bitboard::EMPTY, |sum, square| sum | line(square, occupied))
    };
    let set = |role, of: Bitboard, colour| sets::attacks(role, colour, of, occupied);
    sliders(attacks::bishop_attacks, men & board.bishops_and_queens())
        | sliders(attacks::rook_attacks, men & board.rooks_and_queens())
        | set(Role::Knight, men & board.knights(), Color::White)
        | set(Role::King, men & board.kings(), Color::White)
        | set(
            Role::Pawn,
            men & board.pawns() & board.white(),
            Color::White,
        )
        | set(
            Role::Pawn,
            men & board.pawns() & board.black(),
            Color::Black,
        )
}
