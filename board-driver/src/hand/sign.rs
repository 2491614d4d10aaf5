//! The kings on the centre squares: how players tell an electronic board the result.

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{ByColor, Color, Role, Square};

use super::Hand;
use super::course::CENTRE;
use super::departure::Departure;

impl Hand {
    /// Both kings go to the centre: on d5 and e4 White has won, on d4 and e5 Black has, on two
    /// other squares nobody has.
    pub(super) fn show_result(&mut self) {
        let [white, black] = match self.options.result {
            GameResult::WhiteWins => [Square::E4, Square::D5],
            GameResult::BlackWins => [Square::D4, Square::E5],
            GameResult::Draw => [Square::E4, Square::E5],
            GameResult::Open => return,
        };
        self.table.settle();
        self.wait((2_000, 6_000));
        for square in [white, black] {
            // A king that already stands there is lifted with the other one below.
            if self
                .table
                .board
                .piece_at(square)
                .is_some_and(|p| p.role != Role::King)
            {
                self.table.lift(square);
                self.wait((300, 900));
            }
        }
        for colour in Color::ALL {
            if let Some(king) = self.table.board.king_of(colour) {
                self.table.lift(king);
                self.wait((200, 800));
            }
        }
        self.table.place(white, Role::King.of(Color::White));
        self.wait((200, 1_200));
        self.table.place(black, Role::King.of(Color::Black));
    }

    /// The same in the manner of `departure`, kings in either order; says what is shown. `None`
    /// where no king stands as it must.
    pub(super) fn sign_anyhow(&mut self, departure: Departure) -> Option<GameResult> {
        let mut signs = self.signs(departure);
        let wanted: Vec<Sign> = signs
            .iter()
            .filter(|sign| sign.result() == self.options.result)
            .copied()
            .collect();
        if !wanted.is_empty() {
            signs = wanted;
        }
        let sign = self.random.pick(&signs)?;
        self.table.settle();
        self.wait((1_000, 6_000));
        self.show(sign);
        Some(sign.result())
    }

    /// Every pair of squares that can be shown from here.
    fn signs(&self, departure: Departure) -> Vec<Sign> {
        let board = &self.table.board;
        let stand = ByColor::new_with(|colour| board.king_of(colour));
        let pairs = CENTRE.into_iter().flat_map(|white| {
            let blacks = CENTRE.into_iter().filter(move |black| *black != white);
            blacks.map(move |black| Sign(ByColor { black, white }))
        });
        let there = |sign: &Sign| {
            Color::ALL
                .into_iter()
                .filter(|colour| stand[*colour] == Some(sign.0[*colour]))
                .count()
        };
        let fits = |sign: &Sign| match departure {
            Departure::SignOneThere => there(sign) == 1,
            _ => there(sign) < 2,
        };
        pairs.filter(fits).collect()
    }

    /// A king that stands where it should is left there; what stands in the way is taken off.
    fn show(&mut self, Sign(target): Sign) {
        let mut colours = Color::ALL;
        if self.random.chance(500) {
            colours.reverse();
        }
        let moves = |hand: &Hand, colour: Color| {
            let stands = hand.table.board.king_of(colour);
            stands.filter(|stands| *stands != target[colour])
        };
        let in_the_way = colours.into_iter().any(|colour| {
            moves(self, colour).is_some()
                && self.table.board.king_of(!colour) == Some(target[colour])
        });
        let both_first = in_the_way || self.random.chance(400);
        let movers: Vec<(Color, Square)> = colours
            .into_iter()
            .filter_map(|colour| Some((colour, moves(self, colour)?)))
            .collect();
        if both_first {
            for (_, from) in &movers {
                self.table.lift(*from);
                self.wait((100, 900));
            }
        }
        for (colour, from) in movers {
            // Either hand may hold the king while the other clears his square.
            let king_first = both_first || self.random.chance(500);
            if king_first && !both_first {
                self.table.lift(from);
                self.wait((150, 900));
            }
            if self.table.board.piece_at(target[colour]).is_some() {
                self.table.lift(target[colour]);
                self.wait((100, 900));
            }
            if !king_first {
                self.table.lift(from);
                self.wait((150, 900));
            }
            self.table.place(target[colour], colour.king());
            self.wait((150, 1_500));
        }
    }
}

/// The squares where the kings are shown.
#[derive(Clone, Copy)]
struct Sign(ByColor<Square>);

impl Sign {
    /// Both on light squares: White has won; on dark ones Black has.
    fn result(self) -> GameResult {
        match (self.0.white.is_light(), self.0.black.is_light()) {
            (true, true) => GameResult::WhiteWins,
            (false, false) => GameResult::BlackWins,
            _ => GameResult::Draw,
        }
    }
}
