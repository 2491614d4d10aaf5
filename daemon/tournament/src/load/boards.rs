//! Who sits at the boards of a match of teams.

use chess_trf::{Code, LineUp};

use super::Unreadable;
use super::matches::Round;
use crate::model::Match;

impl Round<'_> {
    /// Who sits for a team: as its line 300 says, else those of its players who have a game, in the
    /// order of the team, and behind them those who came for one.
    pub(super) fn order(&self, team: u16) -> Vec<u16> {
        let mut said = self.line_ups.iter();
        if let Some(said) = said.find(|line_up| line_up.team == team) {
            return said.boards.iter().flatten().copied().collect();
        }
        let players = self.teams.iter().find(|other| other.number == team);
        let players = players.map_or(&[][..], |team| &team.players);
        let plays = players.iter().filter(|p| self.cell(**p).opponent.is_some());
        let came = |player: &&u16| {
            let cell = self.cell(**player);
            let forfeit = matches!(cell.code, Some(Code::ForfeitWin | Code::ForfeitLoss));
            cell.opponent.is_none() && forfeit
        };
        plays.chain(players.iter().filter(came)).copied().collect()
    }

    /// A match of two teams, and who sits at its boards.
    pub(super) fn a_match(&self, teams: [u16; 2], wrong: &mut Unreadable) -> Match {
        let said = teams.map(|team| self.line_ups.iter().find(|l| l.team == team));
        for line_up in said.into_iter().flatten() {
            self.check(line_up, teams, wrong);
        }
        let boards = match said {
            [Some(one), Some(other)] => {
                let count = one.boards.len().max(other.boards.len());
                let seat = |l: &LineUp, board: usize| l.boards.get(board).copied().flatten();
                let seats = (0..count).map(|board| [seat(one, board), seat(other, board)]);
                seats.collect()
            }
            [_, Some(other)] => {
                let seats = self.opposite(&other.boards, teams[0]);
                seats.into_iter().map(|[b, a]| [a, b]).collect()
            }
            [Some(one), None] => self.opposite(&one.boards, teams[1]),
            [None, None] => {
                let order = self.order(teams[0]).into_iter().map(Some);
                self.opposite(&order.collect::<Vec<_>>(), teams[1])
            }
        };
        self.are_paired(&boards, said, wrong);
        Match {
            teams,
            boards,
            forfeit: None,
        }
    }

    /// Puts the opponents of a line-up beside it; at boards that it leaves empty those who came for
    /// a game and have none.
    fn opposite(&self, seated: &[Option<u16>], team: u16) -> Vec<[Option<u16>; 2]> {
        let order = self.order(team);
        let alone = order.iter().filter(|p| self.cell(**p).opponent.is_none());
        let mut alone = alone.copied();
        let mut boards: Vec<[Option<u16>; 2]> = Vec::new();
        for player in seated {
            let opponent = match player {
                Some(player) => self.cell(*player).opponent,
                None => alone.next(),
            };
            boards.push([*player, opponent]);
        }
        boards.extend(alone.map(|player| [None, Some(player)]));
        boards
    }

    fn check(&self, line_up: &LineUp, teams: [u16; 2], wrong: &mut Unreadable) {
        let LineUp {
            line,
            team,
            opponent,
            ..
        } = *line_up;
        if !teams.contains(&opponent) || opponent == team {
            wrong.add(
                line,
                13,
                format!("team {team} does not play team {opponent}"),
            );
        }
        for (player, n) in line_up.boards.iter().zip(0..) {
            let of = player.map(|player| (player, self.team_of.get(&player)));
            if let Some((player, _)) = of.filter(|(_, of)| *of != Some(&team)) {
                let text = format!("player {player} is not of team {team}");
                wrong.add(line, 17 + 5 * n, text);
            }
        }
    }

    fn are_paired(
        &self,
        boards: &[[Option<u16>; 2]],
        said: [Option<&LineUp>; 2],
        wrong: &mut Unreadable,
    ) {
        let line = said
            .into_iter()
            .flatten()
            .map(|line_up| line_up.line)
            .next();
        for (seats, n) in boards.iter().zip(0..) {
            let [Some(one), Some(other)] = *seats else {
                continue;
            };
            if self.cell(one).opponent != Some(other) {
                let text = format!("players {one} and {other} sit at a board, and are not paired");
                wrong.add(line.unwrap_or(1), 17 + 5 * n, text);
            }
        }
    }
}
