//! The matches of teams in a report file. It says who is of which team and, where a team does not
//! play in that order, who sits at which board; which teams play each other, their players show.

use std::collections::{BTreeMap, HashMap};

use chess_trf::{Code, Colour, Document, LineUp, Pair, Player};

use super::Unreadable;
use super::trf::told;
use crate::code::ResultCode;
use crate::model::{Match, Team};

/// The teams and the matches of a round.
#[derive(Default)]
pub(super) struct Teams {
    pub(super) teams: Vec<Team>,
    pub(super) matches: Vec<Match>,
}

/// What is known of the round.
struct Round<'a> {
    number: usize,
    players: HashMap<u16, &'a Player>,
    team_of: HashMap<u16, u16>,
    teams: &'a [chess_trf::Team],
    line_ups: Vec<LineUp>,
}

/// Reads teams and matches, and puts the pairs into their order: match by match, board by board.
pub(super) fn read(
    document: &Document,
    listed: &[Player],
    number: usize,
    pairs: &mut [Pair],
    wrong: &mut Unreadable,
) -> Result<Teams, Unreadable> {
    let teams = document.teams().map_err(told)?;
    if teams.is_empty() {
        return Ok(Teams::default());
    }
    let is_now = |round: u16| usize::from(round) == number;
    let mut line_ups = document.line_ups().map_err(told)?;
    line_ups.retain(|line_up| is_now(line_up.round));
    let mut forfeits = document.forfeited_matches().map_err(told)?;
    forfeits.retain(|forfeit| is_now(forfeit.round));
    let mut round = Round {
        number,
        players: listed
            .iter()
            .map(|player| (player.number, player))
            .collect(),
        team_of: HashMap::new(),
        teams: &teams,
        line_ups,
    };
    round.members(wrong);
    let mut none = Unreadable(Vec::new());
    let said = !round.line_ups.is_empty() || !forfeits.is_empty();
    let mut played = round.opponents(pairs, if said { wrong } else { &mut none });
    // Teams also stand in files of tournaments in which everybody plays for himself.
    if !said && (!none.0.is_empty() || pairs.len() <= played.len()) {
        played.clear();
    }
    for forfeit in forfeits {
        let [one, other] = forfeit.teams;
        if played.contains_key(&one) || played.contains_key(&other) {
            wrong.add(
                forfeit.line,
                12,
                "a match that is forfeited, and its players play",
            );
        }
        let codes = forfeit.codes.map(ResultCode);
        played.insert(one, (other, Some(codes)));
    }
    let mut matches: Vec<Match> = Vec::new();
    for (team, (other, forfeit)) in played {
        let mut found = round.a_match([team, other], wrong);
        found.forfeit = forfeit;
        matches.push(found);
    }
    round.in_order(&mut matches, pairs);
    let team = |team: &chess_trf::Team| Team {
        number: team.number,
        name: team.name.clone(),
        short: team.short.clone(),
        players: team.players.clone(),
    };
    Ok(Teams {
        teams: teams.iter().map(team).collect(),
        matches,
    })
}

/// Of each team that plays, but once for each match: its opponents, and the forfeit.
type Played = BTreeMap<u16, (u16, Option<[ResultCode; 2]>)>;

impl Round<'_> {
    /// Finds out who is of which team.
    fn members(&mut self, wrong: &mut Unreadable) {
        for team in self.teams {
            if team.name.is_empty() {
                wrong.add(team.line, 9, "the team's name is missing");
            }
            for player in &team.players {
                if !self.players.contains_key(player) {
                    wrong.add(team.line, 74, format!("there is no player {player}"));
                }
                if let Some(other) = self.team_of.insert(*player, team.number) {
                    let text = format!("player {player} is of team {other} as well");
                    wrong.add(team.line, 74, text);
                }
            }
        }
    }

    /// Finds out which teams play each other: those whose players do. The team with White at the
    /// first board comes first.
    fn opponents(&self, pairs: &[Pair], wrong: &mut Unreadable) -> Played {
        let mut opponent: BTreeMap<u16, u16> = BTreeMap::new();
        for pair in pairs {
            let teams = [pair.white, pair.black].map(|player| self.team_of.get(&player).copied());
            let line = self
                .players
                .get(&pair.white)
                .map_or(1, |player| player.line);
            let column = 92 + 10 * (self.number - 1);
            match teams {
                [Some(one), Some(other)] if one != other => {
                    for (team, against) in [(one, other), (other, one)] {
                        let before = opponent.insert(team, against);
                        if let Some(before) = before.filter(|before| *before != against) {
                            let text = format!("team {team} plays teams {before} and {against}");
                            wrong.add(line, column, text);
                        }
                    }
                }
                [Some(team), Some(_)] => {
                    wrong.add(
                        line,
                        column,
                        format!("two players of team {team} are paired"),
                    );
                }
                _ => {
                    let of = if teams[0].is_none() {
                        pair.white
                    } else {
                        pair.black
                    };
                    wrong.add(line, column, format!("player {of} is of no team"));
                }
            }
        }
        let mut played = Played::new();
        for (team, other) in &opponent {
            if team < other {
                let [one, other] = self.white_first([*team, *other]);
                played.insert(one, (other, None));
            }
        }
        played
    }

    fn white_first(&self, [one, other]: [u16; 2]) -> [u16; 2] {
        let order = self.order(one);
        let mut cells = order.iter().map(|player| self.cell(*player));
        let first = cells.find_map(|cell| cell.colour);
        match first {
            Some(Colour::Black) => [other, one],
            _ => [one, other],
        }
    }

    fn cell(&self, player: u16) -> chess_trf::Cell {
        let player = self.players.get(&player);
        player
            .map(|player| player.round(self.number))
            .unwrap_or_default()
    }

    /// Who sits for a team: as its line 300 says, else those of its players who have a game, in the
    /// order of the team, and behind them those who came for one.
    fn order(&self, team: u16) -> Vec<u16> {
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

    fn a_match(&self, teams: [u16; 2], wrong: &mut Unreadable) -> Match {
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

    /// Teams with more match points sit at the first tables, else those with more game points.
    fn in_order(&self, matches: &mut [Match], pairs: &mut [Pair]) {
        let standing = |number: u16| {
            let team = self.teams.iter().find(|team| team.number == number);
            std::cmp::Reverse(team.map(|team| team.points).unwrap_or_default())
        };
        matches.sort_by_key(|m| {
            let mut teams = m.teams.map(|team| (standing(team), team));
            teams.sort_unstable();
            teams
        });
        let seats = matches.iter().flat_map(|m| &m.boards).zip(0_usize..);
        let mut place: HashMap<u16, usize> = HashMap::new();
        for (seats, n) in seats {
            place.extend(seats.iter().flatten().map(|player| (*player, n)));
        }
        pairs.sort_by_key(|pair| place.get(&pair.white).copied().unwrap_or(usize::MAX));
    }
}
