//! The events of a store as the acts of people have made them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tournament::{Act, How, Pairing, Refusal, ResultCode, Scope, Tournament};

use super::OfficeError;
use super::answered::{answer, asks};
use super::moved::{BoardMove, Moves};
use super::published::Published;
use super::spoken::{self, ResultSaid};
use crate::hall::View;
use crate::store::{Area, Deeds};

/// The events of a store: the one at hand, and those that are over.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    /// Events that are over, the oldest first.
    pub past: Vec<Tournament>,
    /// The event at hand; empty before anybody has said anything of one.
    pub event: Tournament,
    /// How many acts have made all that.
    pub acts: u64,
    /// What is wrong with the acts in the store; nothing can be done then.
    pub damage: Option<String>,
    /// The boards of the configuration, in its order.
    boards: Vec<String>,
    /// Round and table of the games that go on after all: postponed ones that were resumed, and
    /// those whose result was withdrawn. Their boards may have gone over to others.
    called: BTreeSet<(u16, u16)>,
    /// Who has given the result of a pairing, by event, round and table, where that is known.
    givers: BTreeMap<(usize, u16, u16), String>,
    /// Since when the result of a pairing is confirmed, by event, round and table.
    confirmed: BTreeMap<(usize, u16, u16), Since>,
    /// When each event was opened, by its number, in milliseconds since 1970.
    opened: BTreeMap<usize, i64>,
    /// What was said of how the public sees each event.
    pub(super) published: Published,
    /// What people have said of results, by event and round, in its order.
    spoken: BTreeMap<(usize, u16), Vec<ResultSaid>>,
    /// Which boards came to tables at which games were played.
    moves: Moves,
}

/// Since when a result is confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Since {
    codes: [ResultCode; 2],
    /// Since when there is one, be it another by now, in milliseconds since 1970.
    pub first: i64,
    /// Since when it is this one.
    pub this: i64,
}

impl Book {
    /// What the acts of a store make, as far as they are sound and can be done one after the other.
    pub fn read(deeds: &Deeds, boards: Vec<String>) -> Book {
        let mut book = Book {
            boards,
            ..Book::default()
        };
        for (number, deed) in deeds.of(Area::Event) {
            let act = serde_json::from_str::<Act>(&deed.what).map_err(|error| error.to_string());
            let at = deed.utc.parse::<Timestamp>().unwrap_or_default();
            let by = (&*deed.author.who, at.as_millisecond());
            let done = act.and_then(|act| {
                let done = book.apply_of(by, &act);
                done.map_err(|refusal| refusal.to_string())
            });
            if let Err(what) = done {
                book.damage = Some(format!("act {number} cannot be: {what}"));
                return book;
            }
        }
        if deeds.is_broken {
            book.damage.clone_from(&deeds.damage);
        }
        book
    }

    /// The number of the event at hand: events are counted from 1, as they were opened.
    pub fn number(&self) -> usize {
        self.past.len() + 1
    }

    /// When an event was opened, in milliseconds since 1970, where somebody has.
    pub(crate) fn opened(&self, number: usize) -> Option<i64> {
        self.opened.get(&number).copied()
    }

    /// An event by its number; without one the event at hand.
    ///
    /// # Errors
    /// Where there is none.
    pub fn nth(&self, number: Option<usize>) -> Result<&Tournament, OfficeError> {
        let number = number.unwrap_or(self.number());
        if number == self.number() {
            return Ok(&self.event);
        }
        let past = number.checked_sub(1).and_then(|n| self.past.get(n));
        past.ok_or_else(|| {
            let last = self.number();
            OfficeError::Missing(format!(
                "there is no event {number}: the store's are numbered from 1 to {last} \
                 (`arbiterd event list`)"
            ))
        })
    }

    /// The event of a game by its number, with round and table. The event at hand is looked at
    /// first.
    pub fn seat_of(&self, game: &str) -> Option<(usize, (u16, u16))> {
        let past = (1..self.number()).zip(&self.past).rev();
        let mut all = std::iter::once((self.number(), &self.event)).chain(past);
        all.find_map(|(number, event)| Some((number, event.seat_of(game)?)))
    }

    /// How White and Black of a game are called in its event, where it is of one: names that were
    /// corrected since it began, too.
    pub fn names_in(&self, game: &str) -> Option<[String; 2]> {
        let (number, (round, table)) = self.seat_of(game)?;
        let event = self.nth(Some(number)).ok()?;
        let pairing = event.pairing(round, table).ok()?;
        let name = |number: u16| event.players.get(&number).map(|player| player.name.clone());
        let black = pairing.black.and_then(name);
        Some([name(pairing.white), black].map(Option::unwrap_or_default))
    }

    /// Whether a game is of an event and has its result there.
    pub fn has_result(&self, game: &str) -> bool {
        let pairing = self.pairing_of(game);
        pairing.is_some_and(|pairing| pairing.is_settled())
    }

    /// The result of a game that a person has said, as in PGN: `*` for one that PGN cannot say.
    pub fn result_of(&self, game: &str) -> Option<&'static str> {
        let outcome = self.pairing_of(game)?.outcome.as_ref();
        let outcome = outcome.filter(|outcome| outcome.confirmed)?;
        Some(ResultCode::pgn(outcome.codes))
    }

    /// The result of a game that an arbiter has decided, as in PGN.
    pub fn decided_of(&self, game: &str) -> Option<&'static str> {
        let outcome = self.pairing_of(game)?.outcome.as_ref();
        let outcome = outcome.filter(|outcome| outcome.how == How::Arbiter)?;
        Some(ResultCode::pgn(outcome.codes))
    }

    /// When he has, in milliseconds since 1970.
    pub fn decided_at(&self, game: &str) -> Option<i64> {
        self.decided_of(game)?;
        Some(self.result_since(game)?.this)
    }

    /// How that result came.
    pub fn how(&self, game: &str) -> Option<How> {
        Some(self.pairing_of(game)?.outcome.as_ref()?.how)
    }

    /// Since when that is said.
    pub fn result_since(&self, game: &str) -> Option<Since> {
        let (number, (round, table)) = self.seat_of(game)?;
        self.confirmed.get(&(number, round, table)).copied()
    }

    /// Whether the event says that a game has ended, or is played on later: nobody is asked that.
    pub fn has_answer(&self, game: &str) -> bool {
        let pairing = self.pairing_of(game);
        pairing.is_some_and(|pairing| pairing.is_settled() || pairing.is_postponed())
    }

    /// A view of a game without what the event has answered; `None` where that is nothing.
    pub(crate) fn answered(&self, view: &View) -> Option<View> {
        let pairing = self.pairing_of(&view.game)?;
        asks(pairing, view).then(|| {
            let mut view = view.clone();
            answer(pairing, &mut view);
            view
        })
    }

    /// Whether a game is played on later.
    pub fn is_postponed(&self, game: &str) -> bool {
        let pairing = self.pairing_of(game);
        pairing.is_some_and(Pairing::is_postponed)
    }

    /// Round and table of the games that go on after all, and whose boards may have gone over to
    /// others: postponed ones that were resumed, and those whose result was withdrawn.
    pub(crate) fn called(&self) -> impl Iterator<Item = (u16, u16)> {
        self.called.iter().copied()
    }

    fn pairing_of(&self, game: &str) -> Option<&Pairing> {
        let (number, (round, table)) = self.seat_of(game)?;
        self.nth(Some(number)).ok()?.pairing(round, table).ok()
    }

    /// The names of those who play a game of an event, White's first.
    pub(crate) fn players_of(&self, game: &str) -> Option<[String; 2]> {
        let (number, (round, table)) = self.seat_of(game)?;
        let event = self.nth(Some(number)).ok()?;
        let pairing = event.pairing(round, table).ok()?;
        let name = |number| event.players.get(&number).map(|player| player.name.clone());
        Some([name(pairing.white)?, name(pairing.black?)?])
    }

    /// Whether games are played outside of any event: before the store's first has a round.
    pub fn is_apart(&self) -> bool {
        self.past.is_empty() && self.event.rounds.is_empty()
    }

    /// The same boards with what these acts make.
    pub(super) fn again(&self, deeds: &Deeds) -> Book {
        Book::read(deeds, self.boards.clone())
    }

    /// Who has given the result of a pairing: has typed or decided it, also in its game; empty
    /// where a board shows it, or he had no name.
    pub fn giver(&self, event: usize, (round, table): (u16, u16)) -> &str {
        let giver = self.givers.get(&(event, round, table));
        giver.map(String::as_str).unwrap_or_default()
    }

    /// What people have said of the results of a round, in its order.
    pub fn results_said(&self, event: usize, round: u16) -> &[ResultSaid] {
        self.spoken.get(&(event, round)).map_or(&[], Vec::as_slice)
    }

    /// The same of the table of one game.
    pub fn results_said_of(&self, game: &str) -> Vec<ResultSaid> {
        let Some((event, (round, table))) = self.seat_of(game) else {
            return Vec::new();
        };
        let said = self.results_said(event, round).iter();
        said.filter(|said| said.table == table).cloned().collect()
    }

    /// Which boards came to tables at which games of an event went on, in its order.
    pub fn board_moves(&self, event: usize) -> &[BoardMove] {
        self.moves.of(event)
    }

    fn note_spoken(&mut self, by: (&str, i64), act: &Act, before: Option<Option<String>>) {
        let number = self.number();
        if let Act::Undraw { round } = act {
            self.spoken.remove(&(number, *round));
        }
        let said = before.and_then(|before| ResultSaid::of(&self.event, by, act, before));
        if let Some((round, said)) = said {
            self.spoken.entry((number, round)).or_default().push(said);
        }
    }

    fn note_giver(&mut self, who: &str, act: &Act) {
        let (round, table, who) = match *act {
            Act::Propose { round, table, .. } | Act::Result { round, table, .. } => {
                (round, table, who)
            }
            Act::Withdraw { round, table, .. } | Act::Annul { round, table } => (round, table, ""),
            _ => return,
        };
        let place = (self.number(), round, table);
        match who {
            "" => _ = self.givers.remove(&place),
            who => _ = self.givers.insert(place, who.to_owned()),
        }
    }

    fn note_since(&mut self, at: i64, act: &Act) {
        let (round, table) = match *act {
            Act::Result { round, table, .. }
            | Act::Confirm { round, table }
            | Act::Withdraw { round, table, .. }
            | Act::Annul { round, table } => (round, table),
            Act::Undraw { round } => {
                let event = self.number();
                let is_of = |(of, drawn): (usize, u16)| (of, drawn) == (event, round);
                self.confirmed
                    .retain(|(of, drawn, _), _| !is_of((*of, *drawn)));
                return;
            }
            _ => return,
        };
        let place = (self.number(), round, table);
        let pairing = self.event.pairing(round, table).ok();
        let outcome = pairing.and_then(|pairing| pairing.outcome.as_ref());
        let Some(outcome) = outcome.filter(|outcome| outcome.confirmed) else {
            self.confirmed.remove(&place);
            return;
        };
        let codes = outcome.codes;
        let (first, this) = (at, at);
        let since = self
            .confirmed
            .entry(place)
            .or_insert(Since { codes, first, this });
        if since.codes != codes {
            (since.codes, since.this) = (codes, at);
        }
    }

    /// Does what an act says that nobody has put his name to.
    ///
    /// # Errors
    /// Where that cannot be; nothing is changed then.
    pub fn apply(&mut self, act: &Act) -> Result<(), Refusal> {
        self.apply_of(("", 0), act)
    }

    /// Does what somebody's act says, at a moment in milliseconds since 1970. After an event is
    /// closed, another can be opened. Whoever stops everything stops the events too that are over.
    ///
    /// # Errors
    /// Where that cannot be; nothing is changed then.
    pub fn apply_of(&mut self, (who, at): (&str, i64), act: &Act) -> Result<(), Refusal> {
        if self.event.closed && matches!(act, Act::Open { .. }) {
            let next = self.event.after();
            let mut over = std::mem::replace(&mut self.event, next);
            over.configured = Default::default();
            self.past.push(over);
            self.called.clear();
        }
        let before = spoken::before(&self.event, act);
        let mut moves = self.moves.clone();
        let of = (self.number(), &self.event);
        moves.note(of, self.standing(), (who, at), act);
        match act {
            Act::Publish {
                place,
                event: Some(number),
                stopped,
                ..
            } if *number != self.number() => {
                let past = number.checked_sub(1).and_then(|n| self.past.get_mut(n));
                let past = past.ok_or(Refusal::NoEvent(*number))?;
                past.publication.stop(*place, *stopped);
            }
            _ => self.event.apply(act)?,
        }
        match act {
            Act::Open { .. } => _ = self.opened.insert(self.number(), at),
            Act::Resume { round, table } | Act::Withdraw { round, table, .. } => {
                self.called.insert((*round, *table));
            }
            Act::Postpone { round, table, .. } => _ = self.called.remove(&(*round, *table)),
            Act::Undraw { round } => self.called.retain(|(called, _)| called != round),
            _ => {}
        }
        if let Act::Publish {
            place,
            event: None,
            stopped,
            ..
        } = act
            && *place == Scope::default()
        {
            let past = self.past.iter_mut();
            past.for_each(|event| event.publication.stop(*place, *stopped));
        }
        self.moves = moves;
        self.note_giver(who, act);
        self.note_since(at, act);
        self.note_published(at, act);
        self.note_spoken((who, at), act, before);
        self.acts += 1;
        Ok(())
    }

    /// An act with all that it means: whoever says where one board stands leaves the others where
    /// they stood by themselves.
    pub(super) fn in_full(&self, act: &Act) -> Vec<Act> {
        let is_first = !self.event.bound && matches!(act, Act::Bind { .. } | Act::Unbind { .. });
        let stand = self.standing().filter(|_| is_first);
        let stand = stand.map(|(table, board)| Act::Bind { table, board });
        stand.chain([act.clone()]).collect()
    }

    /// Where the boards stand by themselves.
    fn standing(&self) -> impl Iterator<Item = (u16, String)> {
        (1..).zip(self.boards.iter().cloned())
    }

    /// The board on each table that has one.
    pub fn tables(&self) -> BTreeMap<u16, String> {
        match self.event.bound {
            true => self.event.boards.clone(),
            false => self.standing().collect(),
        }
    }

    /// The board on a table.
    pub fn board_of(&self, table: u16) -> Option<&str> {
        match self.event.bound {
            true => self.event.boards.get(&table).map(String::as_str),
            false => {
                let index = usize::from(table).checked_sub(1)?;
                self.boards.get(index).map(String::as_str)
            }
        }
    }

    /// The table on which a board stands.
    pub fn table_of(&self, board: &str) -> Option<u16> {
        match self.event.bound {
            true => self.event.table_of(board),
            false => {
                let place = self.boards.iter().position(|id| id == board)?;
                u16::try_from(place + 1).ok()
            }
        }
    }

    /// What is played on a board when a game begins there now: round, table and pairing.
    pub fn next_on(&self, board: &str) -> Option<(u16, u16, &Pairing)> {
        let table = self.table_of(board)?;
        let (round, pairing) = self.event.next_at(table)?;
        Some((round, table, pairing))
    }

    /// What is to be played out on a board before anything else begins there: round, table and
    /// pairing.
    pub fn open_on(&self, board: &str) -> Option<(u16, u16, &Pairing)> {
        let table = self.table_of(board)?;
        let (round, pairing) = self.event.open_at(table)?;
        Some((round, table, pairing))
    }

    /// Whether a pairing waits for its game on a board, be it in the round that is to be started
    /// next.
    pub fn awaits(&self, board: &str) -> bool {
        let of_next = || {
            let (round, _) = self.event.to_be_started()?;
            self.event.pairing(round, self.table_of(board)?).ok()
        };
        self.next_on(board).is_some() || of_next().is_some_and(Pairing::waits)
    }

    /// Whether two players are drawn for a game on a board, in the round under way or the one that
    /// is to be started next, that has not begun there: it waits, or has a result without a game.
    pub fn is_paired_on(&self, board: &str) -> bool {
        let event = &self.event;
        let round = event.under_way().or_else(|| event.to_be_started());
        let pairing = || {
            let (round, _) = round?;
            event.pairing(round, self.table_of(board)?).ok()
        };
        pairing().is_some_and(|pairing| !pairing.is_bye() && pairing.game.is_none())
    }

    /// The game that is played now at the table on which a board stands.
    pub fn game_on(&self, board: &str) -> Option<&str> {
        let (_, pairing) = self.event.at_hand(self.table_of(board)?)?;
        pairing.game.as_deref()
    }

    /// The board on the table of a game that is played now.
    pub fn board_of_game(&self, game: &str) -> Option<&str> {
        let (round, table) = self.event.seat_of(game)?;
        let (at_hand, _) = self.event.at_hand(table)?;
        self.board_of(table).filter(|_| round == at_hand)
    }

    /// The games that have begun at a table and go on, with round and table.
    pub(crate) fn going_on(&self) -> impl Iterator<Item = (u16, u16, &str)> {
        let rounds = self.event.rounds.iter();
        let pairings = rounds.flat_map(|(round, drawn)| drawn.pairings.iter().map(|p| (*round, p)));
        pairings
            .filter(|(_, pairing)| !pairing.is_settled() && !pairing.is_postponed())
            .filter_map(|(round, pairing)| Some((round, pairing.table?, pairing.game.as_deref()?)))
    }

    /// Whether a game is played now at a table without a board.
    pub fn is_without_board(&self, game: &str) -> bool {
        let seat = self.event.seat_of(game);
        seat.is_some_and(|(round, table)| {
            let at_hand = self.event.at_hand(table);
            at_hand.is_some_and(|(of, _)| of == round) && self.board_of(table).is_none()
        })
    }

    /// Whether a board plays in a round: it begins the games of its pairings, and no others by
    /// itself.
    pub fn is_played_on(&self, board: &str) -> bool {
        let is_open = !self.event.closed && !self.event.rounds.is_empty();
        is_open && self.table_of(board).is_some()
    }

    /// The event with the boards where they stand, whoever said so.
    pub fn with_boards(&self) -> Tournament {
        Tournament {
            boards: self.tables(),
            ..self.event.clone()
        }
    }
}
