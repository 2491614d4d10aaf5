//! Teams, their matches, and how these stand.

use std::collections::BTreeSet;

use chess_trf::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::points::Points;
use super::{Pairing, Player, Tournament};
use crate::code::ResultCode;
use crate::refusal::Refusal;

/// A team.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// Its number: the key.
    pub number: u16,
    /// Its name.
    pub name: String,
    /// Its short name, where it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub short: String,
    /// The starting numbers of its players, in the order of their boards.
    pub players: Vec<u16>,
}

/// Two teams in a round, and who sits at their boards. Who plays whom there, with which colour and
/// at which table, is said by the round's pairings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// The two teams; the first has White at the first board.
    pub teams: [u16; 2],
    /// The first board first: a player of either team, `None` where nobody sits.
    pub boards: Vec<[Option<u16>; 2]>,
    /// The whole match was not played: `+` or `-` for each team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<[ResultCode; 2]>,
}

/// What a team has for a round in which it plays nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamBye {
    /// The team.
    pub team: u16,
    /// `F`, `H`, `Z`, or `U` where the pairing gave it.
    pub code: ResultCode,
    /// Match points and game points, where somebody has said what it is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[Points; 2]>,
}

/// What a team's bye comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByeScore {
    /// The team.
    pub team: u16,
    /// What kind of bye it is.
    pub code: ResultCode,
    /// Its match points.
    pub match_points: Points,
    /// Its game points.
    pub game_points: Points,
}

/// How a match stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MatchScore {
    /// The two teams, as in the match.
    pub teams: [u16; 2],
    /// The points of its games as far as they are settled.
    pub game_points: [Points; 2],
    /// The match points, once every game is settled.
    pub match_points: Option<[Points; 2]>,
    /// The boards whose game is not settled, from 1.
    pub open: Vec<u16>,
}

impl Match {
    /// Whether it counts as it was forfeited: none of its games was played after all.
    pub(crate) fn is_forfeited(&self, pairings: &[Pairing]) -> bool {
        let codes = |seats: &[Option<u16>; 2]| side_codes(*seats, pairings);
        let each = self.boards.iter().filter_map(codes).flatten().flatten();
        self.forfeit.is_some() && !each.into_iter().any(|code| code.0.is_played())
    }

    /// Whether those who sit at its boards are each other's opponents.
    pub(crate) fn is_drawn(&self, pairings: &[Pairing]) -> bool {
        let mut boards = self.boards.iter();
        boards.all(|seats| is_paired(*seats, pairings))
    }
}

impl Tournament {
    /// The team of a player.
    pub fn team_of(&self, player: u16) -> Option<&Team> {
        let mut teams = self.teams.values();
        teams.find(|team| team.players.contains(&player))
    }

    /// What a player's team is called: as is said of him, else as the team that has him.
    pub fn team_name(&self, player: &Player) -> String {
        let team = self
            .team_of(player.number)
            .filter(|_| player.team.is_empty());
        team.map_or_else(|| player.team.clone(), |team| team.name.clone())
    }

    /// How the matches of a round stand, worked out from the results at their boards.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn match_scores(&self, round: u16) -> Result<Vec<MatchScore>, Refusal> {
        let drawn = self.rounds.get(&round).ok_or(Refusal::NoRound(round))?;
        let score = |played: &Match| self.score(played, &drawn.pairings);
        Ok(drawn.matches.iter().map(score).collect())
    }

    /// What the byes of teams in a round come to: what the file says, else what a match is worth
    /// that is won, drawn or lost so at every board.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn bye_scores(&self, round: u16) -> Result<Vec<ByeScore>, Refusal> {
        let drawn = self.rounds.get(&round).ok_or(Refusal::NoRound(round))?;
        let boards = |round: &super::Round| round.matches.iter().map(|m| m.boards.len()).max();
        let known = || self.rounds.values().filter_map(boards).max();
        let boards = boards(drawn).or_else(known).unwrap_or(0);
        let worth = &self.details.worth;
        let score = |bye: &TeamBye| {
            let won_or_lost = match bye.code.0 {
                Code::FullPointBye | Code::PairingBye => worth.match_won,
                Code::HalfPointBye => worth.match_drawn,
                _ => worth.match_lost,
            };
            let of_board = worth.points(bye.code);
            let of_boards = (0..boards).fold(Points::default(), |sum, _| sum.plus(of_board));
            let [match_points, game_points] = bye.points.unwrap_or([won_or_lost, of_boards]);
            ByeScore {
                team: bye.team,
                code: bye.code,
                match_points,
                game_points,
            }
        };
        Ok(drawn.byes.iter().map(score).collect())
    }

    fn score(&self, played: &Match, pairings: &[Pairing]) -> MatchScore {
        let worth = &self.details.worth;
        let (mut points, mut open) = ([Points::default(); 2], Vec::new());
        // Where neither team had anybody at any board, none of them has drawn.
        let mut nobody_came = !played.boards.is_empty();
        for (seats, board) in played.boards.iter().zip(1..) {
            let codes = side_codes(*seats, pairings);
            let is_lost = |code: &ResultCode| code.0 == Code::ForfeitLoss;
            let mut each = codes.iter().flatten().flatten();
            nobody_came &= codes.is_some() && each.all(is_lost);
            match codes {
                Some(codes) => {
                    for (points, code) in points.iter_mut().zip(codes) {
                        let gained = code.map(|code| worth.points(code));
                        *points = points.plus(gained.unwrap_or_default());
                    }
                }
                None => open.push(board),
            }
        }
        let (won, drawn, lost) = (worth.match_won, worth.match_drawn, worth.match_lost);
        let is_won = |code: ResultCode| code.0 == Code::ForfeitWin;
        let forfeit = played.forfeit.filter(|_| played.is_forfeited(pairings));
        let match_points = match forfeit {
            Some(codes) => Some(codes.map(|code| if is_won(code) { won } else { lost })),
            None if !open.is_empty() => None,
            None if nobody_came => Some([lost; 2]),
            None if points[0] > points[1] => Some([won, lost]),
            None if points[0] < points[1] => Some([lost, won]),
            None => Some([drawn; 2]),
        };
        if forfeit.is_some() {
            open.clear();
        }
        MatchScore {
            teams: played.teams,
            game_points: points,
            match_points,
            open,
        }
    }

    pub(super) fn enter_teams(&mut self, teams: &[Team]) -> Result<(), Refusal> {
        let (mut numbers, mut players) = (BTreeSet::new(), BTreeSet::new());
        for team in teams {
            if team.name.trim().is_empty() {
                return Err(Refusal::Empty("a team's name"));
            }
            if !numbers.insert(team.number) {
                return Err(Refusal::TeamTwice(team.number));
            }
        }
        let stay = self.teams.values();
        let stay = stay.filter(|team| !numbers.contains(&team.number));
        for player in stay.chain(teams).flat_map(|team| &team.players) {
            if !self.players.contains_key(player) {
                return Err(Refusal::NoPlayer(*player));
            }
            if !players.insert(*player) {
                return Err(Refusal::TwoTeams(*player));
            }
        }
        let entered = teams.iter().map(|team| (team.number, team.clone()));
        self.teams.extend(entered);
        Ok(())
    }

    pub(super) fn draw_matches(
        &mut self,
        round: u16,
        matches: &[Match],
        byes: &[TeamBye],
    ) -> Result<(), Refusal> {
        let drawn = self.rounds.get(&round).ok_or(Refusal::NoRound(round))?;
        let (mut teams, mut seated) = (BTreeSet::new(), BTreeSet::new());
        for played in matches {
            for team in played.teams {
                if !self.teams.contains_key(&team) {
                    return Err(Refusal::NoTeam(team));
                }
                if !teams.insert(team) {
                    return Err(Refusal::TeamDrawnTwice(team));
                }
            }
            for seats in &played.boards {
                for (player, team) in seats.iter().zip(played.teams) {
                    let Some(player) = *player else { continue };
                    let is_of = |team: &Team| team.players.contains(&player);
                    if !self.teams.get(&team).is_some_and(is_of) {
                        return Err(Refusal::NotOfTeam { player, team });
                    }
                    if !seated.insert(player) {
                        return Err(Refusal::PlayerTwice(player));
                    }
                }
                if !is_paired(*seats, &drawn.pairings) {
                    let [one, other] = seats.map(Option::unwrap_or_default);
                    return Err(Refusal::NotPaired { round, one, other });
                }
            }
        }
        for TeamBye { team, .. } in byes {
            if !self.teams.contains_key(team) {
                return Err(Refusal::NoTeam(*team));
            }
            if !teams.insert(*team) {
                return Err(Refusal::TeamDrawnTwice(*team));
            }
        }
        if let Some(round) = self.rounds.get_mut(&round) {
            round.matches = matches.to_vec();
            round.byes = byes.to_vec();
        }
        Ok(())
    }
}

/// Whether those who sit at a board are each other's opponents. Somebody who sits alone may be in
/// no pairing.
fn is_paired(seats: [Option<u16>; 2], pairings: &[Pairing]) -> bool {
    match seats {
        [Some(_), Some(_)] => pairing_of(seats, pairings).is_some(),
        _ => true,
    }
}

fn pairing_of(seats: [Option<u16>; 2], pairings: &[Pairing]) -> Option<&Pairing> {
    let [one, other] = seats;
    let mut pairings = pairings.iter();
    pairings.find(|p| {
        let sides = [Some(p.white), p.black];
        match (one, other) {
            (Some(_), Some(_)) => sides == [one, other] || sides == [other, one],
            (Some(_), None) => sides == [one, None],
            _ => sides == [other, None],
        }
    })
}

/// How the game at a board ended for the player of the first team and for that of the second.
/// `None` while that is not settled; nobody has a result where nobody sits.
fn side_codes(seats: [Option<u16>; 2], pairings: &[Pairing]) -> Option<[Option<ResultCode>; 2]> {
    if seats == [None, None] {
        return Some([None; 2]);
    }
    let pairing = pairing_of(seats, pairings);
    let Some(pairing) = pairing else {
        // Who sits alone, and is in no pairing, has nothing.
        return seats.contains(&None).then_some([None; 2]);
    };
    let [white, black] = pairing.settled()?;
    let is_white = seats[0] == Some(pairing.white);
    Some(match (is_white, pairing.is_bye()) {
        (true, true) => [Some(white), None],
        (false, true) => [None, Some(white)],
        (true, false) => [Some(white), Some(black)],
        (false, false) => [Some(black), Some(white)],
    })
}
