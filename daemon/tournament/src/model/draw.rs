//! A round is drawn: what was not started takes its new shape, what was started stays.

use std::collections::BTreeSet;

use super::{Pairing, Player, Round, Source, Stage, Tournament};
use crate::load::called;
use crate::plan::stood;
use crate::refusal::Refusal;

impl Tournament {
    pub(super) fn draw(
        &mut self,
        number: u16,
        date: &str,
        (players, pairings): (&[Player], &[Pairing]),
        sources: Vec<Source>,
    ) -> Result<(), Refusal> {
        self.may_be_drawn(number, players, pairings)?;
        self.keep_names(number, players, pairings);
        let before = self.rounds.remove(&number).unwrap_or_default();
        let mut drawn: Vec<Pairing> = pairings.to_vec();
        for pairing in &mut drawn {
            let mut stood = before.pairings.iter();
            match stood.find(|p| p.is_pair(pairing)) {
                Some(stood) if stood.has_begun() => *pairing = stood.clone(),
                // What says nothing of a result, or of a start, takes none back; but what a hub
                // deals says all of a start. A game that is played later is so at whatever table,
                // and whoever has White.
                Some(stood) => {
                    if stood.is_same(pairing) {
                        let drawn = (pairing.outcome.take(), pairing.start.take());
                        let start = stood.start.clone().filter(|_| self.part_of.is_none());
                        pairing.outcome = drawn.0.or_else(|| stood.outcome.clone());
                        pairing.start = drawn.1.or(start);
                        pairing.withdrawn = stood.withdrawn;
                        pairing.annulled = stood.annulled;
                        pairing.annulled_games.clone_from(&stood.annulled_games);
                    }
                    pairing.postponed = stood.postponed;
                }
                None => {}
            }
        }
        drawn.sort_by_key(|pairing| (pairing.table.is_none(), pairing.table, pairing.white));
        let date = if date.is_empty() { &before.date } else { date };
        // A match stays while its teams play each other, whoever sits at its boards.
        let matches = before.matches.iter();
        let matches = matches.filter_map(|m| self.reseated(m, &before.pairings, &drawn));
        let matches = matches.collect();
        let mut gone = before.gone;
        gone.extend(before.pairings.iter().flat_map(Pairing::players));
        for player in drawn.iter().flat_map(Pairing::players) {
            gone.remove(&player);
        }
        let mut files = before.files;
        files.retain(|known| sources.iter().all(|source| source.file != known.file));
        files.extend(sources);
        let round = Round {
            date: date.to_owned(),
            stage: before.stage,
            started: before.started,
            pairings: drawn,
            matches,
            byes: before.byes,
            files,
            gone,
        };
        self.rounds.insert(number, round);
        self.undrawn.remove(&number);
        for player in players {
            self.players.insert(player.number, player.clone());
        }
        Ok(())
    }

    /// Keeps what those were called before who have another name from now on.
    fn keep_names(&mut self, round: u16, players: &[Player], pairings: &[Pairing]) {
        let stood = stood(self, round, players, pairings);
        let former = |player: &Player| {
            let old = *stood.get(&player.number)?;
            // Whose name was taken away has none.
            let names = self
                .names_of(old)
                .filter(|name| **name != player.name && **name != called(old));
            let names: BTreeSet<String> = names.cloned().collect();
            (!names.is_empty()).then_some((player.number, names))
        };
        let former: Vec<_> = players.iter().filter_map(former).collect();
        self.former
            .retain(|number, _| players.iter().all(|player| player.number != *number));
        self.former.extend(former);
    }

    /// A round that was drawn by mistake is none any more, as long as nobody has played in it, and
    /// nothing was said of it.
    pub(super) fn undraw(&mut self, number: u16) -> Result<(), Refusal> {
        let round = self.rounds.get(&number).ok_or(Refusal::NoRound(number))?;
        if round.stage == Stage::Closed {
            return Err(Refusal::Closed(number));
        }
        let is_used = |p: &&Pairing| p.has_begun() || p.is_postponed();
        let used = round.pairings.iter().filter(is_used);
        let tables: Vec<u16> = used.filter_map(|pairing| pairing.table).collect();
        let said = [
            (
                self.penalties.iter().any(|p| p.round == number),
                "a penalty",
            ),
            (self.notes.iter().any(|n| n.round == Some(number)), "a note"),
            (self.breaks.iter().any(|b| b.round == number), "a break"),
            (self.times.iter().any(|t| t.round == number), "given time"),
            (
                self.observed.iter().any(|o| o.round == number),
                "an observation",
            ),
        ];
        let said = said.into_iter().find(|(is, _)| *is).map(|(_, what)| what);
        if !tables.is_empty() || said.is_some() {
            return Err(Refusal::Used {
                round: number,
                tables,
                said,
            });
        }
        self.rounds.remove(&number);
        self.undrawn.insert(number);
        Ok(())
    }

    fn may_be_drawn(
        &self,
        number: u16,
        players: &[Player],
        pairings: &[Pairing],
    ) -> Result<(), Refusal> {
        if number == 0 {
            return Err(Refusal::RoundZero);
        }
        let (mut numbers, mut tables, mut seated) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for player in players {
            if !numbers.insert(player.number) {
                return Err(Refusal::NumberTwice(player.number));
            }
            if player.name.trim().is_empty() {
                return Err(Refusal::Empty("a player's name"));
            }
        }
        for pairing in pairings {
            match pairing.table {
                Some(0) => return Err(Refusal::TableZero),
                Some(table) if !tables.insert(table) => return Err(Refusal::TableTwice(table)),
                None if !pairing.is_bye() => return Err(Refusal::Empty("a game's table")),
                _ => {}
            }
            for player in pairing.players() {
                if !self.players.contains_key(&player) && !numbers.contains(&player) {
                    return Err(Refusal::NoPlayer(player));
                }
                if !seated.insert(player) {
                    return Err(Refusal::PlayerTwice(player));
                }
            }
        }
        self.keeps_what_has_begun(number, pairings)
    }

    fn keeps_what_has_begun(&self, number: u16, pairings: &[Pairing]) -> Result<(), Refusal> {
        let Some(before) = self.rounds.get(&number) else {
            return Ok(());
        };
        let begun = before.pairings.iter().filter(|p| p.has_begun());
        for stood in begun {
            let stays = pairings
                .iter()
                .any(|p| p.table == stood.table && p.is_same(stood));
            if !stays {
                let table = stood.table.unwrap_or_default();
                return Err(Refusal::Begun {
                    round: number,
                    table,
                });
            }
        }
        match before.stage {
            Stage::Closed => Err(Refusal::Closed(number)),
            Stage::Drawn | Stage::UnderWay => Ok(()),
        }
    }
}
