//! The moves that a client follows since it has set up a position.

use super::seen::{Line, Place};

/// The moves since a client's setup. What was told of them stays: the list only grows.
#[derive(Clone, Debug)]
pub(super) struct Follow {
    /// As the client wrote it.
    pub(super) start: String,
    place: Place,
    /// The game, and how many of its moves were made before.
    from: Option<(String, usize)>,
    /// The moves that were told, as clients read them and as `e2e4`.
    sans: Vec<String>,
    ucis: Vec<String>,
    /// What stands on the board after what was told.
    board: String,
    /// The record is not what was told any more, or goes on with what is no legal move.
    is_other: bool,
}

/// What a client is told next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Told {
    /// So many moves since the setup.
    pub(super) count: usize,
    /// The board shows the position after them.
    pub(super) matches: bool,
}

impl Follow {
    /// Follows from a position on. `None` where that is no position.
    pub(super) fn from(start: &str) -> Option<Follow> {
        let place = Place::read(start)?;
        Some(Follow {
            start: start.to_owned(),
            board: place.board.clone(),
            place,
            from: None,
            sans: Vec::new(),
            ucis: Vec::new(),
            is_other: false,
        })
    }

    /// Takes up what the record says now. Returns what is to be told for each move that is new,
    /// or, without any, the one thing that is so now.
    pub(super) fn look(&mut self, line: Option<&Line>, board: Option<&str>) -> Vec<Told> {
        if self.sans.is_empty() && !line.is_some_and(|line| self.is_at(line)) {
            let line = line.filter(|line| !self.is_before_next(line, board));
            self.from = line.and_then(|line| self.find(line));
        }
        let new = match (line, &self.from) {
            (Some(line), Some((game, from))) => self.news(line, game, *from),
            // A game that is shown no more takes nothing back.
            _ => Some(&[][..]),
        };
        // Who follows a line of the record knows that it goes on otherwise.
        let is_stuck = line.is_some_and(|line| line.is_stuck && self.from.is_some());
        self.is_other = new.is_none() || is_stuck;
        let mut told = Vec::new();
        for (san, uci) in new.unwrap_or_default() {
            self.sans.push(san.clone());
            self.ucis.push(uci.clone());
            let number = self.from.as_ref().map_or(0, |(_, from)| *from) + self.sans.len();
            if let Some(place) = line.and_then(|line| line.places().get(number)) {
                self.board.clone_from(&place.board);
            }
            told.push(self.now(board));
        }
        if told.is_empty() {
            told.push(self.now(board));
        }
        told
    }

    /// What is so now.
    pub(super) fn now(&self, board: Option<&str>) -> Told {
        Told {
            count: self.sans.len(),
            matches: !self.is_other && board == Some(self.board.as_str()),
        }
    }

    /// The first so many moves since the setup.
    pub(super) fn moves(&self, count: usize) -> &[String] {
        self.sans.get(..count).unwrap_or(&self.sans)
    }

    /// The moves of the record behind those that were told; `None` where it says other ones.
    fn news<'l>(&self, line: &'l Line, game: &str, from: usize) -> Option<&'l [(String, String)]> {
        let moves = line.moves.get(from..).filter(|_| line.game == game)?;
        let (told, new) = moves.split_at_checked(self.sans.len())?;
        let both = self.sans.iter().zip(&self.ucis);
        let is_told = |((san, uci), told): ((&String, &String), &(String, String))| {
            (san, uci) == (&told.0, &told.1)
        };
        both.zip(told).all(is_told).then_some(new)
    }

    /// Whether the place in the game that is followed is still what was set up: where several moves
    /// come at once and go through it, those before are not passed over.
    fn is_at(&self, line: &Line) -> bool {
        let Some((_, from)) = self.from.as_ref().filter(|(game, _)| *game == line.game) else {
            return false;
        };
        let place = line.places().get(*from);
        place
            .is_some_and(|place| place.board == self.place.board && place.white == self.place.white)
    }

    /// Whether a game is over, and the pieces stand on the board as the client has them set up: for
    /// the next one.
    fn is_before_next(&self, line: &Line, board: Option<&str>) -> bool {
        let is_there = board == Some(self.place.board.as_str());
        let last = line.places().last();
        line.is_over && is_there && last.is_none_or(|last| last.board != self.place.board)
    }

    /// Where in a game the position is that was set up: the last such place, and rather one with
    /// the same castling, which not everybody knows.
    fn find(&self, line: &Line) -> Option<(String, usize)> {
        let places = line.places();
        let last = |same: &dyn Fn(&Place) -> bool| places.iter().rposition(same);
        let alike =
            |place: &Place| place.board == self.place.board && place.white == self.place.white;
        let found = last(&|place| *place == self.place).or_else(|| last(&alike))?;
        Some((line.game.clone(), found))
    }
}
