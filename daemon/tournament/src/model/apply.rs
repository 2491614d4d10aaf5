//! What an act makes of a tournament.

use super::{Pairing, Penalty, PenaltyTime, Round, Source, Stage, Tournament};
use crate::act::Act;
use crate::refusal::Refusal;

impl Tournament {
    /// Does what an act says.
    ///
    /// # Errors
    /// Where that cannot be; nothing is changed then.
    pub fn apply(&mut self, act: &Act) -> Result<(), Refusal> {
        // What was played may still be on its way to the public; a fire alarm asks for no event.
        let is_of_hall = matches!(act, Act::Publish { .. } | Act::Delay { .. } | Act::Halt(_));
        if self.closed && !is_of_hall {
            return Err(Refusal::EventClosed);
        }
        match act {
            Act::Open { details } => return self.open(details),
            Act::Close => match self.under_way() {
                Some((round, _)) => return Err(Refusal::AnotherUnderWay(round)),
                None => match self.unfinished() {
                    open if open.is_empty() => self.closed = true,
                    open => return Err(Refusal::Unfinished(open)),
                },
            },
            Act::PartOf { event } => self.part_of = Some(event.clone()),
            Act::Describe { details } => self.details = details.clone(),
            Act::Draw {
                round,
                date,
                players,
                pairings,
                file,
                players_file,
                encoding,
            } => {
                let source = |file: &String| Source {
                    file: file.clone(),
                    encoding: encoding.clone(),
                };
                let files = [players_file, file].into_iter().flatten().map(source);
                return self.draw(*round, date, (players, pairings), files.collect());
            }
            Act::Undraw { round } => return self.undraw(*round),
            Act::EnterTeams { teams } => return self.enter_teams(teams),
            Act::DrawMatches {
                round,
                matches,
                byes,
            } => return self.draw_matches(*round, matches, byes),
            Act::StartRound { round, at } => return self.start_round(*round, at),
            Act::CloseRound { round } => return self.close_round(*round),
            Act::Bind { table, board } => return self.bind(*table, board),
            Act::Unbind { table } => {
                self.boards.remove(table).ok_or(Refusal::NoBoard(*table))?;
                self.bound = true;
            }
            Act::Begin { round, table, game } => return self.begin(*round, *table, game),
            Act::Annul { round, table } => return self.annul(*round, *table),
            Act::Reinstate { round, table, game } => return self.reinstate(*round, *table, game),
            Act::Propose {
                round,
                table,
                codes,
                how,
            } => return self.propose(*round, *table, *codes, *how),
            Act::Result {
                round,
                table,
                codes,
                how,
                reason,
            } => return self.decide(*round, *table, *codes, *how, reason),
            Act::Confirm { round, table } => return self.confirm(*round, *table),
            Act::Withdraw {
                round,
                table,
                reason,
            } => return self.withdraw(*round, *table, reason),
            Act::Postpone { round, table, .. } => return self.postpone(*round, *table),
            Act::Resume { round, table } => return self.resume(*round, *table),
            Act::Moves {
                round,
                table,
                typed,
                ..
            } => return self.type_moves(*round, *table, typed),
            Act::Shorten { player, short } => {
                if !self.players.contains_key(player) {
                    return Err(Refusal::NoPlayer(*player));
                }
                match short {
                    Some(short) => _ = self.shortened.insert(*player, *short),
                    None => _ = self.shortened.remove(player),
                }
            }
            Act::Publish { place, stopped, .. } => self.publication.stop(*place, *stopped),
            Act::Delay { place, by } => self.publication.delay_by(*place, *by),
            Act::Penalise {
                player,
                round,
                what,
                reason,
                at,
                time,
            } => {
                return self.penalise(Penalty {
                    player: *player,
                    round: *round,
                    what: what.clone(),
                    reason: reason.clone(),
                    at: at.clone(),
                    time: time.or_else(|| PenaltyTime::in_words(what)),
                });
            }
            Act::TakePenaltyBack {
                player,
                round,
                what,
                at,
                ..
            } => return self.take_penalty_back((*player, *round), what, at),
            Act::LayOut { layout } => return self.lay_out(layout),
            Act::Note(note) => return self.note(note),
            Act::Halt(halt) => return self.halt(halt),
            Act::GiveTime(given) => return self.give_time(given),
            Act::TakeTimeBack {
                round, table, at, ..
            } => return self.take_time_back(*round, *table, at),
            Act::Leave {
                round,
                player,
                at,
                having_move,
            } => return self.leave((*round, *player), at, *having_move),
            Act::ComeBack { round, player, at } => return self.come_back(*round, *player, at),
            Act::TakeBreakBack {
                round,
                player,
                left,
                ..
            } => return self.take_break_back((*round, *player), left),
            Act::Observe {
                round,
                table,
                by,
                at,
            } => return self.observe((*round, *table), by, at),
            Act::StopObserving {
                round,
                table,
                by,
                at,
                by_itself,
            } => return self.stop_observing((*round, *table), by, at, *by_itself),
        }
        Ok(())
    }

    /// Only what nobody has said anything of is opened.
    fn open(&mut self, details: &super::Details) -> Result<(), Refusal> {
        if !self.is_unopened() {
            return Err(Refusal::EventOpen(self.details.name.clone()));
        }
        self.details = details.clone();
        Ok(())
    }

    /// Whether nothing is said of it yet. How the public sees games, where boards and tables stand,
    /// and what arbiters noted may be said before, and stays.
    pub fn is_unopened(&self) -> bool {
        let unopened = Tournament {
            publication: self.publication.clone(),
            notes: self.notes.clone(),
            halts: self.halts.clone(),
            ..self.after()
        };
        *self == unopened
    }

    /// An event that is not opened yet, in the same hall: boards and tables stand where they stood.
    pub fn after(&self) -> Tournament {
        Tournament {
            boards: self.boards.clone(),
            layout: self.layout.clone(),
            bound: self.bound,
            configured: self.configured.clone(),
            ..Tournament::default()
        }
    }

    fn type_moves(&mut self, round: u16, table: u16, typed: &super::Typed) -> Result<(), Refusal> {
        if self.round(round)?.stage == Stage::Drawn {
            return Err(Refusal::NotUnderWay(round));
        }
        let pairing = self.pairing_mut(round, table)?;
        if pairing.is_bye() {
            return Err(Refusal::Empty("an opponent"));
        }
        let is_nothing = typed.after == 0 && typed.moves.is_empty();
        pairing.typed = (!is_nothing).then(|| typed.clone());
        Ok(())
    }

    fn start_round(&mut self, number: u16, at: &str) -> Result<(), Refusal> {
        if let Some((other, _)) = self.under_way().filter(|(other, _)| *other != number) {
            return Err(Refusal::AnotherUnderWay(other));
        }
        let round = self.round(number)?;
        match round.stage {
            Stage::Drawn => {
                round.stage = Stage::UnderWay;
                at.clone_into(&mut round.started);
            }
            Stage::UnderWay => return Err(Refusal::Started(number)),
            Stage::Closed => return Err(Refusal::Closed(number)),
        }
        Ok(())
    }

    fn close_round(&mut self, number: u16) -> Result<(), Refusal> {
        let open = self.open_tables(number);
        let round = self.round(number)?;
        match round.stage {
            Stage::Drawn => return Err(Refusal::NotUnderWay(number)),
            Stage::Closed => return Err(Refusal::Closed(number)),
            Stage::UnderWay if open.is_empty() => round.stage = Stage::Closed,
            Stage::UnderWay => {
                return Err(Refusal::Open {
                    round: number,
                    open,
                });
            }
        }
        Ok(())
    }

    fn bind(&mut self, table: u16, board: &str) -> Result<(), Refusal> {
        match (table, board.trim()) {
            (0, _) => return Err(Refusal::TableZero),
            (_, "") => return Err(Refusal::Empty("the board's id")),
            (_, board) => {
                // A board stands on one table.
                self.boards.retain(|_, other| other != board);
                self.boards.insert(table, board.to_owned());
                self.bound = true;
            }
        }
        Ok(())
    }

    fn begin(&mut self, round: u16, table: u16, game: &str) -> Result<(), Refusal> {
        if game.is_empty() {
            return Err(Refusal::Empty("the game's name"));
        }
        let pairings = self.rounds.values().flat_map(|round| &round.pairings);
        let of = |pairing: &&Pairing| pairing.game.as_deref() == Some(game);
        if pairings.into_iter().any(|pairing| of(&pairing)) {
            return Err(Refusal::GameTaken(game.to_owned()));
        }
        self.is_played(round, table)?;
        if self.pairing(round, table)?.is_postponed() {
            return Err(Refusal::Postponed { round, table });
        }
        self.take_game(round, table, game)
    }

    fn take_game(&mut self, round: u16, table: u16, game: &str) -> Result<(), Refusal> {
        let pairing = self.pairing_mut(round, table)?;
        if let Some(game) = pairing.game.clone() {
            return Err(Refusal::HasGame { round, table, game });
        }
        (pairing.game, pairing.annulled) = (Some(game.to_owned()), false);
        Ok(())
    }

    fn annul(&mut self, round: u16, table: u16) -> Result<(), Refusal> {
        self.is_played(round, table)?;
        let pairing = self.pairing_mut(round, table)?;
        match &pairing.outcome {
            Some(outcome) if outcome.confirmed => Err(Refusal::Confirmed { round, table }),
            _ => {
                pairing.annulled |= pairing.game.is_some();
                pairing.annulled_games.extend(pairing.game.take());
                pairing.outcome = None;
                Ok(())
            }
        }
    }

    /// A result that a person has confirmed meanwhile stays, and is that of the game.
    fn reinstate(&mut self, round: u16, table: u16, game: &str) -> Result<(), Refusal> {
        if self.annulled_seat_of(game) != Some((round, table)) {
            let game = game.to_owned();
            return Err(Refusal::NotAnnulled { round, table, game });
        }
        self.take_game(round, table, game)?;
        let pairing = self.pairing_mut(round, table)?;
        pairing.annulled_games.retain(|none| none != game);
        Ok(())
    }

    /// A round that is under way is played, and of a closed one what was postponed.
    pub(super) fn is_played(&mut self, round: u16, table: u16) -> Result<(), Refusal> {
        let stage = self.round(round)?.stage;
        match stage {
            Stage::UnderWay => Ok(()),
            Stage::Closed if !self.pairing(round, table)?.is_settled() => Ok(()),
            Stage::Drawn | Stage::Closed => Err(Refusal::NotUnderWay(round)),
        }
    }

    fn postpone(&mut self, round: u16, table: u16) -> Result<(), Refusal> {
        let pairing = self.pairing_mut(round, table)?;
        if pairing.is_settled() {
            return Err(Refusal::Confirmed { round, table });
        }
        if pairing.is_postponed() {
            return Err(Refusal::Postponed { round, table });
        }
        pairing.postponed = true;
        Ok(())
    }

    fn resume(&mut self, round: u16, table: u16) -> Result<(), Refusal> {
        let pairing = self.pairing_mut(round, table)?;
        if !pairing.is_postponed() {
            return Err(Refusal::NotPostponed { round, table });
        }
        pairing.postponed = false;
        Ok(())
    }

    fn penalise(&mut self, penalty: Penalty) -> Result<(), Refusal> {
        if !self.players.contains_key(&penalty.player) {
            return Err(Refusal::NoPlayer(penalty.player));
        }
        self.round(penalty.round)?;
        if penalty.what.trim().is_empty() {
            return Err(Refusal::Empty("the penalty"));
        }
        self.penalties.push(penalty);
        Ok(())
    }

    /// The moment says which: two of a round may read alike. Without one, as acts had none before,
    /// the later one of those goes.
    fn take_penalty_back(
        &mut self,
        (player, round): (u16, u16),
        what: &str,
        at: &str,
    ) -> Result<(), Refusal> {
        let is_meant = |p: &Penalty| match at {
            "" => p.what == what,
            at => p.at == at,
        };
        let is_it = |p: &Penalty| (p.player, p.round) == (player, round) && is_meant(p);
        let place = self.penalties.iter().rposition(is_it);
        let place = place.ok_or(Refusal::NoPenalty { player, round })?;
        self.penalties.remove(place);
        Ok(())
    }

    pub(super) fn round(&mut self, number: u16) -> Result<&mut Round, Refusal> {
        let round = self.rounds.get_mut(&number);
        round.ok_or(Refusal::NoRound(number))
    }

    pub(super) fn pairing_mut(&mut self, round: u16, table: u16) -> Result<&mut Pairing, Refusal> {
        let mut pairings = self.round(round)?.pairings.iter_mut();
        let found = pairings.find(|pairing| pairing.table == Some(table));
        found.ok_or(Refusal::NoPairing { round, table })
    }
}
