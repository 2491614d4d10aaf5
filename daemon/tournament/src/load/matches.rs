//! The matches of teams in a report file. It says who is of which team and, where a team does not
//! play in that order, who sits at which board; which teams play each other, their players show.

use std::collections::{BTreeMap, HashMap};

use chess_trf::{Code, Colour, Complaints, Document, LineUp, Pair, Player};

use super::agree::{Told, older_lines};
use super::trf::told;
use super::{Sheet, Unreadable};
use crate::code::ResultCode;
use crate::model::{Match, Points, Team, TeamBye};
use crate::what;

/// The teams and the matches of a round.
#[derive(Default)]
pub(super) struct Teams {
    pub(super) teams: Vec<Team>,
    /// The line of each.
    pub(super) lines: Vec<usize>,
    /// Whether the file numbers them itself.
    pub(super) are_numbered: bool,
    pub(super) matches: Vec<Match>,
    /// What the others have; `None` where everybody plays for himself.
    pub(super) byes: Option<Vec<TeamBye>>,
    pub(super) told: Told,
}

/// What is known of the round.
pub(super) struct Round<'a> {
    number: usize,
    players: HashMap<u16, &'a Player>,
    pub(super) team_of: HashMap<u16, u16>,
    pub(super) teams: &'a [chess_trf::Team],
    /// Whether they stand in lines 310, which also say the order in which a team plays.
    pub(super) have_order: bool,
    pub(super) line_ups: Vec<LineUp>,
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
        line_ups,
        have_order: !document.lines_of("310").is_empty(),
        ..Round::of(listed, &teams, number)
    };
    round.members(wrong);
    round.line_ups(wrong);
    let mut none = Unreadable(Vec::new());
    let said = !round.line_ups.is_empty() || !forfeits.is_empty();
    let mut played = round.opponents(pairs, if said { wrong } else { &mut none });
    // Teams also stand in files of tournaments in which everybody plays for himself.
    if !said && (!none.0.is_empty() || pairs.len() <= played.len()) {
        played.clear();
    }
    for forfeit in forfeits {
        let [one, other] = forfeit.teams;
        round.forfeit_agrees(&forfeit, wrong);
        for team in forfeit.teams.iter().filter(|team| !round.is_there(**team)) {
            wrong.add(
                forfeit.line,
                12,
                what!("no-team", "there is no team {team}", team = team),
            );
        }
        let codes = forfeit.codes.map(ResultCode);
        // The players' own lines may say the same, each with his opponent.
        if round.is_forfeited(forfeit.teams) {
            let said = match (played.get(&one), played.get(&other)) {
                (Some((against, None)), _) if *against == other => Some((one, other, codes)),
                (_, Some((against, None))) if *against == one => {
                    Some((other, one, [codes[1], codes[0]]))
                }
                _ => None,
            };
            if let Some((first, second, codes)) = said {
                played.insert(first, (second, Some(codes)));
                continue;
            }
        }
        if plays(&played, one) || plays(&played, other) {
            let what = what!(
                "forfeit-played",
                "a match that is forfeited, and its players play"
            );
            wrong.add(forfeit.line, 12, what);
        }
        played.insert(one, (other, Some(codes)));
    }
    played.extend(round.alone_at_their_boards(&played));
    let (mut matches, mut odd): (Vec<Match>, Told) = Default::default();
    for (team, (other, forfeit)) in &played {
        let mut found = round.a_match([*team, *other], wrong, &mut odd);
        found.forfeit = *forfeit;
        matches.push(found);
    }
    round.all_play(&played, wrong);
    round.in_order(&mut matches, pairs);
    let is_of_teams = !played.is_empty() || pairs.is_empty();
    let byes = is_of_teams.then(|| round.byes(document, &played, wrong));
    let of = Teams::of(document, &teams);
    Ok(Teams {
        matches,
        byes: byes.transpose()?,
        told: [odd, of.told].concat(),
        ..of
    })
}

impl Teams {
    /// Who there is, without who plays whom.
    fn of(document: &Document, teams: &[chess_trf::Team]) -> Teams {
        let team = |team: &chess_trf::Team| Team {
            number: team.number,
            name: team.name.clone(),
            short: team.short.clone(),
            players: team.players.clone(),
        };
        Teams {
            teams: teams.iter().map(team).collect(),
            lines: teams.iter().map(|team| team.line).collect(),
            are_numbered: !document.lines_of("310").is_empty(),
            told: older_lines(document, teams),
            ..Teams::default()
        }
    }

    /// The same of a file that is read for its players alone.
    pub(super) fn listed(
        document: &Document,
        listed: &[Player],
        wrong: &mut Unreadable,
    ) -> Result<Teams, Unreadable> {
        let teams = document.teams().map_err(told)?;
        Round::of(listed, &teams, 0).members(wrong);
        Ok(Teams::of(document, &teams))
    }

    /// Puts them into a sheet, whose players are told of which team they are.
    pub(super) fn into_sheet(self, sheet: &mut Sheet) {
        for player in &mut sheet.players {
            let mut teams = self.teams.iter();
            let team = teams.find(|team| team.players.contains(&player.number));
            player.team = team.map(|team| team.name.clone()).unwrap_or_default();
        }
        for (line, column, what) in self.told {
            sheet.pass_over(line, column, what);
        }
        sheet.team_lines = self.lines;
        sheet.are_teams_numbered = self.are_numbered;
        (sheet.teams, sheet.matches) = (self.teams, self.matches);
    }
}

/// Who plays whom, and what the others have.
pub(crate) type OfRound = (Vec<Match>, Vec<TeamBye>);

/// The matches of a round as a file has them, and what the other teams have; `None` where it
/// contradicts itself.
///
/// # Errors
/// With everything that cannot be understood.
pub(crate) fn of_round(document: &Document, round: u16) -> Result<Option<OfRound>, Complaints> {
    let (listed, number) = (document.players()?, usize::from(round));
    let Ok(mut pairs) = chess_trf::pairings(&listed, number) else {
        return Ok(None);
    };
    let mut wrong = Unreadable(Vec::new());
    let read = read(document, &listed, number, &mut pairs, &mut wrong);
    Ok(read
        .ok()
        .filter(|_| wrong.0.is_empty())
        .map(|teams| (teams.matches, teams.byes.unwrap_or_default())))
}

/// What is wrong with the teams of the rounds before one.
pub(super) fn wrong_before(
    document: &Document,
    listed: &[Player],
    round: usize,
) -> Vec<(u16, Unreadable)> {
    let before = (1..round).zip(1_u16..).map(|(number, at)| {
        let (mut pairs, _) = chess_trf::sound_pairings(listed, number);
        let mut wrong = Unreadable(Vec::new());
        let read = read(document, listed, number, &mut pairs, &mut wrong);
        (at, read.err().unwrap_or(wrong))
    });
    before.collect()
}

/// By round: what teams have that play nobody.
pub(super) fn all_byes(document: &Document) -> Result<BTreeMap<u16, Vec<TeamBye>>, Unreadable> {
    let mut all: BTreeMap<u16, Vec<TeamBye>> = BTreeMap::new();
    for byes in document.byes().map_err(told)? {
        let code = ResultCode(byes.code);
        let of_team = byes.numbers.into_iter().map(|team| TeamBye {
            team,
            code,
            points: None,
        });
        all.entry(byes.round).or_default().extend(of_team);
    }
    for byes in document.team_byes().map_err(told)? {
        for (team, round) in byes.teams.iter().zip(1..) {
            let bye = team.map(|team| TeamBye {
                team,
                code: ResultCode(Code::PairingBye),
                points: worth_of(&byes),
            });
            all.entry(round).or_default().extend(bye);
        }
    }
    Ok(all)
}

/// What a bye of the pairing is worth, in match points and in game points, where that is told.
fn worth_of(byes: &chess_trf::TeamByes) -> Option<[Points; 2]> {
    match byes.points {
        [Some(of_match), Some(of_games)] => Some([Points(of_match), Points(of_games)]),
        _ => None,
    }
}

/// Of each team that plays, but once for each match: its opponents, and the forfeit.
pub(super) type Played = BTreeMap<u16, (u16, Option<[ResultCode; 2]>)>;

pub(super) fn plays(played: &Played, team: u16) -> bool {
    let mut pairs = played.iter();
    pairs.any(|(one, (other, _))| *one == team || *other == team)
}

impl<'a> Round<'a> {
    fn of(listed: &'a [Player], teams: &'a [chess_trf::Team], number: usize) -> Round<'a> {
        let players = listed.iter().map(|player| (player.number, player));
        Round {
            number,
            players: players.collect(),
            team_of: HashMap::new(),
            teams,
            have_order: false,
            line_ups: Vec::new(),
        }
    }
}

impl Round<'_> {
    /// Finds out who is of which team.
    fn members(&mut self, wrong: &mut Unreadable) {
        for team in self.teams {
            if team.name.is_empty() {
                let what = what!("nameless-team", "the team's name is missing");
                wrong.add(team.line, team.name_at, what);
            }
            for (player, at) in team.players.iter().zip(&team.players_at) {
                if !self.players.contains_key(player) {
                    let what = what!("no-player", "there is no player {player}", player = player);
                    wrong.add(team.line, *at, what);
                }
                let what = match self.team_of.insert(*player, team.number) {
                    Some(other) if other == team.number => what!(
                        "in-team-twice",
                        "player {player} is in team {team} twice",
                        player = player,
                        team = other
                    ),
                    Some(other) => what!(
                        "in-two-teams",
                        "player {player} is of team {team} as well",
                        player = player,
                        team = other
                    ),
                    None => continue,
                };
                wrong.add(team.line, *at, what);
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
                            let what = what!(
                                "two-opponents",
                                "team {team} plays teams {one} and {other}",
                                team = team,
                                one = before,
                                other = against
                            );
                            wrong.add(line, column, what);
                        }
                    }
                }
                [Some(team), Some(_)] => {
                    let what = what!(
                        "within-team",
                        "two players of team {team} are paired",
                        team = team
                    );
                    wrong.add(line, column, what);
                }
                _ => {
                    let of = if teams[0].is_none() {
                        pair.white
                    } else {
                        pair.black
                    };
                    let what = what!("of-no-team", "player {player} is of no team", player = of);
                    wrong.add(line, column, what);
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

    /// Matches in which nobody has an opponent, and of which both line-ups tell: each team came to
    /// boards at which the other did not.
    fn alone_at_their_boards(&self, played: &Played) -> Played {
        let is_free = |team: u16| self.is_there(team) && !plays(played, team);
        let said = self
            .line_ups
            .iter()
            .filter(|said| said.team < said.opponent);
        let both = said.filter(|said| {
            let mut others = self.line_ups.iter();
            let is_mutual =
                others.any(|other| [other.team, other.opponent] == [said.opponent, said.team]);
            is_mutual && is_free(said.team) && is_free(said.opponent)
        });
        both.map(|said| (said.team, (said.opponent, None)))
            .collect()
    }

    /// What the teams have that play nobody: lines 240 and 320.
    fn byes(
        &self,
        document: &Document,
        played: &Played,
        wrong: &mut Unreadable,
    ) -> Result<Vec<TeamBye>, Unreadable> {
        let mut said = Vec::new();
        for byes in document.byes().map_err(told)? {
            if usize::from(byes.round) == self.number {
                let placed = byes.numbers.into_iter().zip((11..).step_by(5));
                let (line, code) = (byes.line, ResultCode(byes.code));
                said.extend(placed.map(|(team, at)| (line, at, team, code, None)));
            }
        }
        for byes in document.team_byes().map_err(told)? {
            let team = byes.teams.get(self.number - 1).copied().flatten();
            let points = worth_of(&byes);
            let at = chess_trf::TeamByes::column(self.number);
            let code = ResultCode(Code::PairingBye);
            said.extend(team.map(|team| (byes.line, at, team, code, points)));
        }
        let mut all: Vec<TeamBye> = Vec::new();
        for (line, at, team, code, points) in said {
            if !self.is_there(team) {
                wrong.add(
                    line,
                    at,
                    what!("no-team", "there is no team {team}", team = team),
                );
            } else if plays(played, team) {
                let what = what!("team-plays", "team {team} plays in this round", team = team);
                wrong.add(line, at, what);
            } else if let Some(other) = all.iter().find(|bye| bye.team == team) {
                let what = what!(
                    "team-bye-twice",
                    "team {team} has `{code}` for it as well",
                    team = team,
                    code = other.code
                );
                wrong.add(line, at, what);
            } else {
                if code.0 != Code::PairingBye {
                    self.bye_agrees((line, at), team, code.0, wrong);
                }
                all.push(TeamBye { team, code, points });
            }
        }
        Ok(all)
    }

    /// Whether no game of two teams was played, as the lines of their players say.
    fn is_forfeited(&self, teams: [u16; 2]) -> bool {
        let theirs = self.team_of.iter().filter(|(_, of)| teams.contains(of));
        let mut cells = theirs.map(|(player, _)| self.cell(*player));
        cells.all(|cell| {
            let is_forfeit = matches!(cell.code, Some(Code::ForfeitWin | Code::ForfeitLoss));
            cell.opponent.is_none() || is_forfeit
        })
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

    pub(super) fn cell(&self, player: u16) -> chess_trf::Cell {
        let player = self.players.get(&player);
        player
            .map(|player| player.round(self.number))
            .unwrap_or_default()
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
