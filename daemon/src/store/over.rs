//! A game that is over ends where it was over: what is moved on its board afterwards, before the
//! next game begins there, is in the journal and not of the game. What was said of it then, printed
//! and signed, stays true.

use arbiter_core::input::ArbiterAction;
use arbiter_core::view::Phase;
use arbiter_core::{Arbiter, Input};

use super::Game;
use crate::hall;
use crate::session::is_settled;

impl Game {
    /// The game without what its board saw once it was over; the whole one where it is not.
    /// Orders and words of players stay, whenever they were given. `since`: since when somebody
    /// has said how it ended, in milliseconds since 1970.
    #[must_use]
    pub fn until_over(mut self, since: Option<i64>) -> Game {
        let is_after = |wall: &i64| since.is_some_and(|since| *wall > since);
        let (mut was_over, mut is_stopped) = (false, false);
        let mut completed = 0;
        // Of each event: whether the game was over before it, and whether it is of the record.
        let mut heard = Vec::with_capacity(self.events.len());
        self.retold(None, |event, arbiter| {
            match event.input.plain() {
                Input::Arbiter(ArbiterAction::Pause) => {
                    is_stopped = event.input.order().is_some_and(is_settled);
                }
                Input::Arbiter(ArbiterAction::Resume) => is_stopped = false,
                _ => {}
            }
            let before = was_over;
            let is_paused = arbiter.state() == Some(Phase::Paused);
            was_over = has_ended(arbiter) || (is_paused && is_stopped);
            // Whoever mates presses after it: that is of his move.
            let done = if was_over { completed_in(arbiter) } else { 0 };
            let completes = before && done != completed;
            completed = done;
            heard.push((before, completes || is_said(&event.input)));
        });
        let over = heard.iter().zip(&self.walls);
        let over: Vec<bool> = over.map(|((over, _), w)| *over || is_after(w)).collect();
        if !was_over && since.is_none() {
            return self;
        }
        let last = over.iter().rposition(|over| !over);
        let is_kept = |n: usize| Some(n) <= last || heard[n].1;
        let kept: Vec<usize> = (0..self.events.len()).filter(|n| is_kept(*n)).collect();
        self.walls = kept.iter().map(|n| self.walls[*n]).collect();
        let mut n = 0..;
        self.events
            .retain(|_| n.next().is_some_and(|n| kept.binary_search(&n).is_ok()));
        self
    }
}

/// Whether a person has ordered or said it: a board says nothing in anybody's name.
fn is_said(input: &Input) -> bool {
    input.order().is_some() || matches!(input.plain(), Input::Arbiter(_))
}

/// Whether a game has a result that waits for nobody.
fn has_ended(arbiter: &Arbiter) -> bool {
    let view = (arbiter.state() == Some(Phase::Ended)).then(|| hall::view(arbiter, None));
    let result = view.flatten().and_then(|view| view.result);
    result.is_some_and(|result| !result.proposed)
}

/// How many half-moves of a game are completed.
fn completed_in(arbiter: &Arbiter) -> usize {
    let view = arbiter.view_with(
        |plies| plies.after(0).filter(|ply| ply.completed).count(),
        |_| (),
    );
    view.map_or(0, |view| view.plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{GameRow, Tags};
    use arbiter_core::Event;

    const MATE: &str = r#"{"event":"setup","game":"g","sensor":"piece"}
{"event":"lift","at":1000,"square":"f2"}
{"event":"place","at":1200,"square":"f3","seen":"P"}
{"event":"press","at":1400,"by":"white"}
{"event":"lift","at":2000,"square":"e7"}
{"event":"place","at":2200,"square":"e5","seen":"p"}
{"event":"press","at":2400,"by":"black"}
{"event":"lift","at":3000,"square":"g2"}
{"event":"place","at":3200,"square":"g4","seen":"P"}
{"event":"press","at":3400,"by":"white"}
{"event":"lift","at":4000,"square":"d8"}
{"event":"place","at":4200,"square":"h4","seen":"q"}
{"event":"press","at":5400,"by":"black"}
"#;
    const AFTER: &str = r#"{"event":"lift","at":9000,"square":"e1"}
{"event":"place","at":9200,"square":"e2","seen":"K"}
{"event":"press","at":9400,"by":"white"}
{"event":"arbiter","at":9500,"action":"report","code":"clock-other-hand","order":"7"}
{"event":"lift","at":9600,"square":"a7"}
"#;

    fn game(script: &str) -> Game {
        let events: Vec<Event> = crate::script::Reader::new("script", script.as_bytes())
            .collect::<Result<_, _>>()
            .expect("a script");
        let walls = events.iter().map(|event| 1000 + event.at.0 as i64);
        Game {
            row: GameRow {
                id: "g".to_owned(),
                board: "b01".to_owned(),
                tags: Tags::default(),
                started: String::new(),
                ended: None,
                result: "*".to_owned(),
                plies: 0,
                annulled: false,
                damage: None,
            },
            walls: walls.collect(),
            events,
            ending: None,
        }
    }

    #[test]
    fn a_mate_is_over_with_its_press() {
        let whole = game(MATE);
        let cut = game(&format!("{MATE}{AFTER}")).until_over(None);
        assert_eq!(cut.events[..whole.events.len()], whole.events);
        let after = &cut.events[whole.events.len()..];
        assert_eq!(after.len(), 1, "the order alone: {after:?}");
        assert_eq!(cut.walls.len(), cut.events.len());
    }

    #[test]
    fn what_is_taken_back_afterwards_is_kept() {
        let annulled = r#"{"event":"arbiter","at":7000,"action":"annul","order":"a"}
{"event":"arbiter","at":8000,"action":"take-back","order":"a"}
{"event":"lift","at":9000,"square":"e1"}
"#;
        let cut = game(&format!("{MATE}{annulled}")).until_over(Some(6500));
        let whole = game(&format!("{MATE}{annulled}"));
        assert_eq!(cut.events[..], whole.events[..whole.events.len() - 1]);
    }

    #[test]
    fn a_game_that_goes_on_is_whole() {
        let script: String = MATE.lines().take(10).map(|l| format!("{l}\n")).collect();
        let whole = game(&script);
        assert_eq!(whole.clone().until_over(None), whole);
    }

    #[test]
    fn what_somebody_has_said_ends_it() {
        let script: String = MATE.lines().take(10).map(|l| format!("{l}\n")).collect();
        let cut = game(&script).until_over(Some(3400));
        assert_eq!(cut.events.len(), 7, "until the press at 2.4 s");
    }
}
