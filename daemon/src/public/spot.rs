//! Where a game is played, and which event has it: whatever is asked of how the public sees a game
//! is asked of that event, at that place.

use tournament::Tournament;

use super::gate::Gate;
use super::rules::{Delay, Rules};
use super::unseen;
use crate::hall::BoardState;
use crate::office::Book;

/// Where a game is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'b> {
    /// The event by its number.
    pub(crate) number: usize,
    /// The event that has the game; the one at hand where none has.
    pub(crate) event: &'b Tournament,
    /// The round; `None`: the game is none of a round, though there are rounds.
    pub(crate) round: Option<u16>,
    /// The table.
    pub(crate) table: Option<u16>,
}

impl Spot<'_> {
    /// How late the game is public.
    pub(crate) fn delay(&self, rules: &Rules) -> Delay {
        rules.delay(self.event, self.round, self.table)
    }

    /// Whether its publication is stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        let said = &self.event.publication;
        said.is_stopped(self.round, self.table)
    }

    /// Whether the game may be public at all: where there are rounds, as one of their games.
    pub(crate) fn is_public(&self) -> bool {
        self.round.is_some() && !self.is_stopped()
    }
}

/// The place of a game that is played on a board outside of any event; `round` is as the
/// configuration has it.
pub(crate) fn apart(book: &Book, board: &str, round: &str) -> Option<(u16, u16)> {
    let table = book.table_of(board).filter(|_| book.is_apart())?;
    let round = round.parse().ok().filter(|round| *round > 0);
    Some((round.unwrap_or(1), table))
}

impl Gate {
    /// Where a game is played of a board. One outside of any event keeps the place at which it
    /// began.
    pub(crate) fn spot<'b>(
        &self,
        book: &'b Book,
        game: &str,
        (board, round): (&str, &str),
    ) -> Spot<'b> {
        let seat = book.seat_of(game).or_else(|| unseen::seat(book, game));
        if let Some((number, (round, table))) = seat {
            return Spot {
                number,
                event: book.nth(Some(number)).unwrap_or(&book.event),
                round: Some(round),
                table: Some(table),
            };
        }
        let kept = self.place(game).filter(|_| book.is_apart());
        let place = kept.or_else(|| apart(book, board, round));
        Spot {
            number: book.number(),
            event: &book.event,
            round: place.map(|(round, _)| round),
            table: place.map(|(_, table)| table).or(book.table_of(board)),
        }
    }

    /// Where the game at hand of a board is played, or the next one.
    pub(crate) fn spot_of<'b>(&self, book: &'b Book, board: &BoardState) -> Spot<'b> {
        let game = board.game().unwrap_or_default();
        let spot = self.spot(book, game, (&board.id, &board.round));
        let next = book.next_on(&board.id).filter(|_| game.is_empty());
        Spot {
            round: next.map(|(round, ..)| round).or(spot.round),
            ..spot
        }
    }
}

#[cfg(test)]
mod tests {
    use tournament::{Act, Details, Lateness, Pairing, Player, Scope};

    use super::*;
    use crate::store::Deeds;

    fn book() -> Book {
        let boards = ["b01", "b02"].map(str::to_owned).to_vec();
        Book::read(&Deeds::default(), boards)
    }

    /// A round of one game, at a board.
    fn round(book: &mut Book, game: &str) {
        let player = |number| Player {
            number,
            name: format!("Player {number}"),
            ..Player::default()
        };
        let pairing = Pairing {
            table: Some(1),
            white: 1,
            black: Some(2),
            game: None,
            outcome: None,
            typed: None,
            start: None,
            postponed: false,
            withdrawn: false,
            annulled: false,
            annulled_games: Vec::new(),
        };
        let (round, table, at) = (1, 1, String::new());
        let game = game.to_owned();
        let draw = Act::Draw {
            round,
            date: String::new(),
            players: vec![player(1), player(2)],
            pairings: vec![pairing],
            file: None,
            players_file: None,
            encoding: None,
        };
        for act in [
            draw,
            Act::StartRound { round, at },
            Act::Begin { round, table, game },
        ] {
            book.apply(&act).unwrap();
        }
    }

    fn delay(book: &mut Book, place: Scope, seconds: u32) {
        let by = Some(Lateness { seconds, moves: 0 });
        book.apply(&Act::Delay { place, by }).unwrap();
    }

    fn close_and_open(book: &mut Book) {
        book.event.closed = true;
        let open = Act::Open {
            details: Details::default(),
        };
        book.apply(&open).unwrap();
    }

    const BOARD: (&str, &str) = ("b01", "");

    #[test]
    fn a_game_of_an_event_that_is_over_has_its_rules() {
        let (gate, rules) = (Gate::default(), Rules::default());
        let mut book = book();
        round(&mut book, "a");
        delay(&mut book, Scope::default(), 900);
        assert_eq!(gate.spot(&book, "a", BOARD).delay(&rules).ms, 900_000);
        close_and_open(&mut book);
        let spot = gate.spot(&book, "a", BOARD);
        assert_eq!((spot.number, spot.delay(&rules).ms), (1, 900_000));
        let other = gate.spot(&book, "b", BOARD);
        assert!(!other.is_public(), "no game of the first event");
        assert_eq!(other.delay(&rules).ms, 0);
    }

    #[test]
    fn what_may_not_be_public_is_known_before_any_of_it_is() {
        let gate = Gate::default();
        let mut book = book();
        assert!(gate.spot(&book, "a", BOARD).is_public(), "no event at all");
        round(&mut book, "a");
        assert!(gate.spot(&book, "a", BOARD).is_public());
        assert!(!gate.spot(&book, "b", BOARD).is_public(), "analysis");
        let here = Scope {
            round: Some(1),
            table: Some(1),
        };
        for (place, stopped) in [(here, true), (here, false), (Scope::default(), true)] {
            let reason = String::new();
            let act = Act::Publish {
                place,
                event: None,
                stopped,
                reason,
            };
            book.apply(&act).unwrap();
            assert_eq!(gate.spot(&book, "a", BOARD).is_public(), !stopped);
        }
    }

    #[test]
    fn without_an_event_rules_of_a_round_bind() {
        let (gate, rules) = (Gate::default(), Rules::default());
        let mut book = book();
        let third = Scope {
            round: Some(3),
            table: None,
        };
        delay(&mut book, third, 60);
        assert_eq!(gate.spot(&book, "a", ("b01", "3")).delay(&rules).ms, 60_000);
        assert_eq!(gate.spot(&book, "a", BOARD).round, Some(1));
        assert_eq!(gate.spot(&book, "a", BOARD).delay(&rules).ms, 0);
    }

    #[test]
    fn everything_is_stopped_in_events_that_are_over_too() {
        let gate = Gate::default();
        let mut book = book();
        round(&mut book, "a");
        book.event.closed = true;
        for (stopped, opened) in [(true, false), (false, false), (true, true), (false, true)] {
            if opened && stopped {
                close_and_open(&mut book);
            }
            let act = Act::Publish {
                place: Scope::default(),
                event: None,
                stopped,
                reason: String::new(),
            };
            book.apply(&act).unwrap();
            assert_eq!(gate.spot(&book, "a", BOARD).is_stopped(), stopped);
        }
    }

    /// What is said of one round of an event that is over binds its games, and no others.
    #[test]
    fn a_round_of_an_event_that_is_over_is_stopped_by_itself() {
        let gate = Gate::default();
        let mut book = book();
        round(&mut book, "a");
        close_and_open(&mut book);
        round(&mut book, "b");
        let place = Scope {
            round: Some(1),
            table: None,
        };
        let publish = |number: usize, stopped| Act::Publish {
            place,
            event: Some(number),
            stopped,
            reason: String::new(),
        };
        let stopped =
            |book: &Book| ["a", "b"].map(|game| gate.spot(book, game, BOARD).is_stopped());
        book.apply(&publish(1, true)).unwrap();
        assert_eq!(stopped(&book), [true, false]);
        book.apply(&publish(2, true)).unwrap();
        book.apply(&publish(1, false)).unwrap();
        assert_eq!(stopped(&book), [false, true]);
        let acts = book.acts;
        assert!(book.apply(&publish(3, true)).is_err() && book.apply(&publish(0, true)).is_err());
        assert_eq!((stopped(&book), book.acts), ([false, true], acts));
    }

    /// A game that is shown keeps its place, wherever its board is put.
    #[test]
    fn a_game_without_an_event_stays_at_its_table() {
        let gate = Gate::default();
        let mut book = book();
        gate.put("a", (1, 1));
        for (table, board) in [(1, "b02"), (2, "b01")] {
            let board = board.to_owned();
            book.apply(&Act::Bind { table, board }).unwrap();
        }
        assert_eq!(gate.spot(&book, "a", BOARD).table, Some(1));
        assert_eq!(gate.spot(&book, "b", BOARD).table, Some(2));
    }
}
