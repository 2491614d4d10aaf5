//! A match of teams after a substitution: who sits at its boards, once others are paired there.

use super::{Match, Pairing, Tournament};

/// Who sits at a board, for either team.
pub(crate) type Seats = [Option<u16>; 2];

impl Tournament {
    /// A match as it is once its round is drawn otherwise; `None` where the two teams do not play
    /// each other any more.
    pub(crate) fn reseated(
        &self,
        played: &Match,
        before: &[Pairing],
        drawn: &[Pairing],
    ) -> Option<Match> {
        let of_team = |place: usize, player: u16| {
            let team = self.teams.get(&played.teams[place]);
            team.is_some_and(|team| team.players.contains(&player))
        };
        let seats = |pairing: &Pairing| {
            let (one, other) = (pairing.white, pairing.black?);
            let sides = [[one, other], [other, one]];
            let fits = |[a, b]: &[u16; 2]| of_team(0, *a) && of_team(1, *b);
            sides.into_iter().find(fits).map(|sides| sides.map(Some))
        };
        let is_theirs = |player| of_team(0, player) || of_team(1, player);
        let mut games = drawn.iter().filter(|pairing| !pairing.is_bye());
        let is_drawn = played.is_drawn(drawn);
        if !is_drawn && games.any(|p| p.players().any(is_theirs) && seats(p).is_none()) {
            return None;
        }
        let mut left: Vec<(Seats, Option<u16>)> = drawn
            .iter()
            .filter_map(|pairing| Some((seats(pairing)?, pairing.table)))
            .filter(|(seats, _)| !played.boards.contains(seats))
            .collect();
        if is_drawn && left.is_empty() {
            return Some(played.clone());
        }
        let mut boards: Vec<Seats> = played.boards.clone();
        for board in &mut boards {
            let is_full = board[0].is_some() && board[1].is_some();
            if is_full && drawn.iter().any(|pairing| seats(pairing) == Some(*board)) {
                continue;
            }
            *board = taken(&mut left, *board, table_of(*board, before))
                .unwrap_or_else(|| alone(*board, drawn));
        }
        boards.extend(left.into_iter().map(|(seats, _)| seats));
        let is_played = boards
            .iter()
            .any(|[one, other]| one.is_some() && other.is_some());
        (is_played || is_drawn).then(|| white_first(played, boards, drawn))
    }
}

/// Takes the pair that sits at a board now: the one at its table, else that of one who sat there.
fn taken(left: &mut Vec<(Seats, Option<u16>)>, board: Seats, table: Option<u16>) -> Option<Seats> {
    let at_table = left
        .iter()
        .position(|(_, at)| table.is_some() && *at == table);
    let of = |place: usize| {
        let sat = board[place];
        left.iter()
            .position(|(seats, _)| sat.is_some() && seats[place] == sat)
    };
    let found = at_table.or_else(|| of(0)).or_else(|| of(1));
    found.map(|place| left.remove(place).0)
}

/// The table of those who sit at a board.
pub(crate) fn table_of(board: Seats, pairings: &[Pairing]) -> Option<u16> {
    let sits = |player| board.contains(&Some(player));
    let mut pairings = pairings.iter().filter(|pairing| !pairing.is_bye());
    pairings.find(|pairing| pairing.players().all(sits))?.table
}

/// Who of a board has come for a game that is no more; of two the one who has more for it.
fn alone(board: Seats, drawn: &[Pairing]) -> Seats {
    let worth = |player: Option<u16>| {
        let mut byes = drawn.iter().filter(|pairing| pairing.is_bye());
        let his = byes.find(|bye| Some(bye.white) == player)?;
        Some(his.settled().map_or(0, |[code, _]| code.0.half_points()))
    };
    match board.map(worth) {
        [None, None] => [None; 2],
        [one, other] if one >= other => [board[0], None],
        _ => [None, board[1]],
    }
}

/// The team with White at the first board comes first.
pub(crate) fn white_first(played: &Match, boards: Vec<Seats>, drawn: &[Pairing]) -> Match {
    let has_white = |player: &Option<u16>| {
        let mut games = drawn.iter().filter(|pairing| !pairing.is_bye());
        games.any(|pairing| Some(pairing.white) == *player)
    };
    let mut full = boards
        .iter()
        .filter(|[one, other]| one.is_some() && other.is_some());
    let is_turned = full.next().is_some_and(|[_, other]| has_white(other));
    let turned = |seats: Seats| [seats[1], seats[0]];
    let [one, other] = played.teams;
    match is_turned {
        false => Match {
            boards,
            ..played.clone()
        },
        true => Match {
            teams: [other, one],
            boards: boards.into_iter().map(turned).collect(),
            forfeit: played.forfeit.map(|[one, other]| [other, one]),
        },
    }
}
