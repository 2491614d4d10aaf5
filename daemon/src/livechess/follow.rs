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
    told: Vec<(String, String)>,
    /// What stands on the board after what was told.
    board: String,
    /// The record is not what was told any more.
    pub(super) is_other: bool,
}

/// What a client is told next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    /// Every move since the setup.
    pub(super) san: Vec<String>,
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
            told: Vec::new(),
            is_other: false,
        })
    }

    /// Takes up what the record says now. Returns what is to be told for each move that is new,
    /// or, without any, the one thing that is so now.
    pub(super) fn look(&mut self, line: Option<&Line>, board: Option<&str>) -> Vec<Told> {
        if self.told.is_empty() && !line.is_some_and(|line| self.is_at(line)) {
            let line = line.filter(|line| !self.is_before_next(line, board));
            self.from = line.and_then(|line| self.find(line));
        }
        let new = match (line, &self.from) {
            (Some(line), Some((game, from))) => self.news(line, game, *from),
            // A game that is shown no more takes nothing back.
            _ => Some(Vec::new()),
        };
        self.is_other = new.is_none();
        let new = new.unwrap_or_default();
        let places = match (line, new.is_empty()) {
            (Some(line), false) => line.places(),
            _ => Vec::new(),
        };
        let mut told = Vec::new();
        for played in new {
            self.told.push(played);
            let number = self.from.as_ref().map_or(0, |(_, from)| *from) + self.told.len();
            if let Some(place) = places.get(number) {
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
            san: self.told.iter().map(|(san, _)| san.clone()).collect(),
            matches: !self.is_other && board == Some(self.board.as_str()),
        }
    }

    /// The moves of the record behind those that were told; `None` where it says other ones.
    fn news(&self, line: &Line, game: &str, from: usize) -> Option<Vec<(String, String)>> {
        let moves = line.moves.get(from..).filter(|_| line.game == game)?;
        let new = moves.strip_prefix(self.told.as_slice())?;
        Some(new.to_vec())
    }

    /// Whether the place in the game that is followed is still what was set up: where several moves
    /// come at once and go through it, those before are not passed over.
    fn is_at(&self, line: &Line) -> bool {
        let Some((_, from)) = self.from.as_ref().filter(|(game, _)| *game == line.game) else {
            return false;
        };
        let places = line.places();
        let place = places.get(*from);
        place
            .is_some_and(|place| place.board == self.place.board && place.white == self.place.white)
    }

    /// Whether a game is over, and the pieces stand on the board as the client has them set up: for
    /// the next one.
    fn is_before_next(&self, line: &Line, board: Option<&str>) -> bool {
        let is_there = board == Some(self.place.board.as_str());
        let last = line.places().pop();
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
