//! Who sits at the boards of a match of teams.

use std::collections::{BTreeMap, BTreeSet};

use chess_trf::{Code, LineUp};

use super::Unreadable;
use super::agree::Told;
use super::matches::{Played, Round, plays};
use crate::model::Match;
use crate::what;

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
    pub(super) fn a_match(
        &self,
        teams: [u16; 2],
        wrong: &mut Unreadable,
        told: &mut Told,
    ) -> Match {
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
        told.extend(self.order_agrees(teams, &boards, said, wrong));
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

    /// Whether the file has a team of that number.
    pub(super) fn is_there(&self, team: u16) -> bool {
        self.teams.iter().any(|known| known.number == team)
    }

    /// Looks at each line-up by itself: whose it is, and who is in it twice.
    pub(super) fn line_ups(&self, wrong: &mut Unreadable) {
        let mut lines: BTreeMap<u16, usize> = BTreeMap::new();
        for LineUp {
            line, team, boards, ..
        } in &self.line_ups
        {
            if !self.is_there(*team) {
                wrong.add(
                    *line,
                    9,
                    what!("no-team", "there is no team {team}", team = team),
                );
            }
            if let Some(other) = lines.insert(*team, *line) {
                let what = what!(
                    "line-up-twice",
                    "the line-up of team {team} is there twice: in line {other} as well",
                    team = team,
                    other = other
                );
                wrong.add(*line, 9, what);
            }
            let mut seated = BTreeSet::new();
            for (player, n) in boards.iter().zip(0..) {
                let Some(player) = player else { continue };
                if !seated.insert(player) {
                    let what = what!(
                        "two-boards",
                        "player {player} sits at two boards",
                        player = player
                    );
                    wrong.add(*line, 17 + 5 * n, what);
                }
            }
        }
    }

    /// Tells line-ups of teams that play nobody, and players of a line-up's team who play and are
    /// not in it.
    pub(super) fn all_play(&self, played: &Played, wrong: &mut Unreadable) {
        for line_up in self.line_ups.iter().filter(|l| self.is_there(l.team)) {
            let (line, team) = (line_up.line, line_up.team);
            if !plays(played, team) {
                let what = what!(
                    "team-alone",
                    "team {team} plays nobody in this round",
                    team = team
                );
                wrong.add(line, 9, what);
                continue;
            }
            let of_team = self.team_of.iter().filter(|(_, of)| **of == team);
            let mut missing: Vec<u16> = of_team
                .map(|(player, _)| *player)
                .filter(|player| self.cell(*player).opponent.is_some())
                .filter(|player| !line_up.boards.contains(&Some(*player)))
                .collect();
            missing.sort_unstable();
            for player in missing {
                let what = what!(
                    "no-seat",
                    "player {player} of team {team} plays, and sits at no board",
                    player = player,
                    team = team
                );
                wrong.add(line, 17, what);
            }
        }
    }

    fn check(&self, line_up: &LineUp, teams: [u16; 2], wrong: &mut Unreadable) {
        let LineUp {
            line,
            team,
            opponent,
            ..
        } = *line_up;
        if !teams.contains(&opponent) || opponent == team {
            let what = what!(
                "other-opponents",
                "team {team} does not play team {other}",
                team = team,
                other = opponent
            );
            wrong.add(line, 13, what);
        }
        for (player, n) in line_up.boards.iter().zip(0..) {
            let of = player.map(|player| (player, self.team_of.get(&player)));
            if let Some((player, _)) = of.filter(|(_, of)| *of != Some(&team)) {
                let what = what!(
                    "not-of-team",
                    "player {player} is not of team {team}",
                    player = player,
                    team = team
                );
                wrong.add(line, 17 + 5 * n, what);
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
            let what = match *seats {
                [Some(one), Some(other)] if self.cell(one).opponent != Some(other) => what!(
                    "board-unpaired",
                    "players {one} and {other} sit at a board, and are not paired",
                    one = one,
                    other = other
                ),
                [Some(alone), None] | [None, Some(alone)] => match self.cell(alone).opponent {
                    Some(other) => what!(
                        "board-alone",
                        "player {player} sits at a board alone, and is paired with {other}",
                        player = alone,
                        other = other
                    ),
                    None => continue,
                },
                _ => continue,
            };
            wrong.add(line.unwrap_or(1), 17 + 5 * n, what);
        }
    }
}
