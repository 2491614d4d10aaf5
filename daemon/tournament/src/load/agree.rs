//! Whether what a report file says of its teams agrees. Lines about teams repeat what the lines of
//! players tell, and where both differ, nobody can know which of them is meant.

use chess_trf::{Code, Document, ForfeitedMatch, LineUp};

use super::Unreadable;
use super::fault::What;
use super::matches::Round;
use crate::what;

/// What is told of a file that is taken: a line, a column, and what of it counts.
pub(super) type Told = Vec<(usize, usize, What)>;

impl Round<'_> {
    /// A forfeited match, and what the players of both teams have: those of a team that did not
    /// come have nothing, and of one that did, somebody has his point.
    pub(super) fn forfeit_agrees(&self, forfeit: &ForfeitedMatch, wrong: &mut Unreadable) {
        for (team, code) in forfeit.teams.into_iter().zip(forfeit.codes) {
            let players = self.players_of(team);
            let has = |player: &u16, code| self.cell(*player).code == Some(code);
            let other = if code == Code::ForfeitWin {
                let lost = |p: &&u16| has(p, Code::ForfeitLoss);
                let lost_to_somebody = |p: &&u16| lost(p) && self.cell(**p).opponent.is_some();
                let nobody_came = players.iter().all(|player| lost(&player));
                let first = players.first().filter(|_| nobody_came);
                players.iter().find(lost_to_somebody).or(first)
            } else {
                players.iter().find(|p| has(p, Code::ForfeitWin))
            };
            let Some((player, found)) = other.and_then(|p| Some((*p, self.cell(*p).code?))) else {
                continue;
            };
            let what = what!(
                "forfeit-cell",
                "the match is `{code}` for team {team}, and its player {player} has `{found}`",
                code = code.char(),
                team = team,
                player = player,
                found = found.char()
            );
            wrong.add(forfeit.line, 5, what);
        }
    }

    /// The bye that a team asked for, and what its players have. Programs write an absence for
    /// each of them, or nothing; who has points has those of the bye.
    pub(super) fn bye_agrees(
        &self,
        (line, column): (usize, usize),
        team: u16,
        code: Code,
        wrong: &mut Unreadable,
    ) {
        let is_full = |code| matches!(code, Code::FullPointBye | Code::PairingBye);
        let differs = |found: Code| match found {
            Code::HalfPointBye => code != Code::HalfPointBye,
            Code::ForfeitWin => !is_full(code),
            _ => is_full(found) && !is_full(code),
        };
        let players = self.players_of(team).iter();
        let mut cells = players.filter_map(|player| Some((*player, self.cell(*player).code?)));
        if let Some((player, found)) = cells.find(|(_, found)| differs(*found)) {
            let what = what!(
                "team-bye-cell",
                "team {team} has `{code}` for it, and its player {player} `{found}`",
                team = team,
                code = code.char(),
                player = player,
                found = found.char()
            );
            wrong.add(line, column, what);
        }
    }

    /// Who sits at the boards of a match, and the order in which each of both teams plays: that of
    /// its line 310, unless a line 300 says another one.
    pub(super) fn order_agrees(
        &self,
        teams: [u16; 2],
        boards: &[[Option<u16>; 2]],
        said: [Option<&LineUp>; 2],
        wrong: &mut Unreadable,
    ) -> Option<(usize, usize, What)> {
        let is_in_order = |side: usize| {
            let order = self.players_of(teams[side]);
            let seated = boards.iter().filter_map(|seats| seats[side]);
            let paired = seated.filter(|player| self.cell(*player).opponent.is_some());
            paired
                .map(|player| order.iter().position(|known| *known == player))
                .is_sorted()
        };
        let is_odd = |side: &usize| said[*side].is_none() && !is_in_order(*side);
        let side = (0..2).find(is_odd).filter(|_| self.have_order)?;
        if let Some(line_up) = said[1 - side] {
            let what = what!(
                "no-line-up",
                "team {team} has no line-up, and its players do not sit in its order at these \
                 boards",
                team = teams[side]
            );
            wrong.add(line_up.line, 9, what);
            return None;
        }
        let team = self.teams.iter().find(|team| team.number == teams[side])?;
        let what = what!(
            "order-of-one",
            "the players of teams {one} and {other} do not both sit in the order of their teams, \
             and there is no line 300: the boards are in the order of team {one}",
            one = teams[0],
            other = teams[1]
        );
        let column = team.players_at.first().copied().unwrap_or(team.name_at);
        Some((team.line, column, what))
    }

    fn players_of(&self, team: u16) -> &[u16] {
        let team = self.teams.iter().find(|known| known.number == team);
        team.map_or(&[], |team| &team.players)
    }
}

/// Lines 013 that say otherwise than the lines 310 beside them, which count.
pub(super) fn older_lines(document: &Document, teams: &[chess_trf::Team]) -> Told {
    let told = |older: &chess_trf::Team| {
        let (line, name) = (older.line, &older.name);
        let mut same = teams.iter().filter(|team| team.name == *name).peekable();
        let Some(first) = same.peek().copied() else {
            let what = what!(
                "older-team",
                "there is no team `{name}` in lines 310, which count",
                name = name
            );
            return Some((line, older.name_at, what));
        };
        if same.any(|team| team.players == older.players) {
            return None;
        }
        let what = what!(
            "older-players",
            "team {team}, `{name}`, has other players in line {line}, which counts",
            team = first.number,
            name = name,
            line = first.line
        );
        let column = older.players_at.first().copied().unwrap_or(older.name_at);
        Some((line, column, what))
    };
    document.older_teams().iter().filter_map(told).collect()
}
