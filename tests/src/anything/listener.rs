//! Holds an arbiter to what is true of everything he says, whatever came in.

use arbiter_core::ruling::{Ruling, Summary};
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::{Announcement, Arbiter, Event, Input, Time};
use serde_json::Value;

/// Most times an arbiter who is left alone may ask to be woken.
const MOST_WAKES: usize = 64;

/// Hears what one arbiter says, and follows the record as a console does that knows nothing else.
#[derive(Debug, Default)]
struct Listener {
    last: Time,
    moves: Vec<UciMove>,
    /// Irregularities told in this game.
    told: u32,
    withdrawn: Vec<u32>,
    lapsed: Vec<u32>,
    summed_up: bool,
    games: usize,
}

/// Everything that is said to `script`, ticks included whenever silence may speak.
///
/// # Panics
/// When the arbiter says what he must not.
pub fn listen(script: &[Event]) -> Vec<Announcement> {
    let (mut arbiter, mut listener, mut said) = (Arbiter::new(), Listener::default(), Vec::new());
    for event in script {
        let heard = said.len();
        arbiter.handle(event, &mut said);
        listener.hear_all(&said[heard..], matches!(event.input, Input::Setup(_)));
        listener.compare(&arbiter, event);
    }
    listener.wait(&mut arbiter, &mut said);
    let heard = said.len();
    arbiter.finish(&mut said);
    listener.hear_all(&said[heard..], false);
    assert!(
        listener.summed_up || script.is_empty(),
        "a game is not summed up"
    );
    said
}

impl Listener {
    /// Hears what was said to one event.
    fn hear_all(&mut self, said: &[Announcement], is_setup: bool) {
        said.iter().for_each(|announcement| self.hear(announcement));
        if is_setup {
            assert!(
                self.summed_up || self.games == 0,
                "the game before is not summed up"
            );
            *self = Listener {
                games: self.games + 1,
                ..Listener::default()
            };
        }
    }

    fn hear(&mut self, announcement: &Announcement) {
        assert!(!self.summed_up, "after the summary: {announcement:?}");
        assert!(
            announcement.at >= self.last,
            "back in time from {:?}: {announcement:?}",
            self.last
        );
        self.last = announcement.at;
        let json = serde_json::to_string(announcement).expect("an announcement is JSON");
        let read: Value = serde_json::from_str(&json).expect("an announcement is read as JSON");
        assert!(read["ruling"].is_string() && read["at"].is_u64(), "{json}");
        match &announcement.ruling {
            Ruling::Move { ply, uci, .. } => self.hear_move(*ply as usize, *uci),
            Ruling::Revision { from_ply, moves } => {
                let kept = *from_ply as usize - 1;
                assert!(
                    kept <= self.moves.len(),
                    "a revision of what was never told: {announcement:?}"
                );
                self.moves.truncate(kept);
                self.moves.extend(moves);
            }
            Ruling::Irregularity(i) => {
                assert!(i.id >= 1 && i.id <= self.told + 1, "numbers ascend: {i:?}");
                assert!(
                    i.required.as_ref().is_none_or(|moves| !moves.is_empty()),
                    "nothing is allowed: {i:?}"
                );
                self.told = self.told.max(i.id);
                // What is told anew is not over.
                self.withdrawn.retain(|id| *id != i.id);
                self.lapsed.retain(|id| *id != i.id);
            }
            Ruling::Lapsed { id } => Self::once(&mut self.lapsed, *id, self.told),
            Ruling::Withdrawn { id } => Self::once(&mut self.withdrawn, *id, self.told),
            Ruling::Obligation { moves, .. } => {
                assert!(!moves.is_empty(), "obliged to nothing: {announcement:?}")
            }
            Ruling::Summary(summary) => self.sum_up(summary),
            _ => {}
        }
    }

    fn hear_move(&mut self, ply: usize, uci: UciMove) {
        assert!(
            ply >= 1 && ply <= self.moves.len() + 1,
            "ply {ply} {uci} after {} plies",
            self.moves.len()
        );
        match self.moves.get(ply - 1) {
            Some(told) => assert_eq!(
                *told, uci,
                "ply {ply} is another move, and no revision said so"
            ),
            None => self.moves.push(uci),
        }
    }

    /// What is over is over once, and was told before.
    fn once(ids: &mut Vec<u32>, id: u32, told: u32) {
        assert!(id >= 1 && id <= told, "{id} was never told");
        assert!(!ids.contains(&id), "{id} is over for the second time");
        ids.push(id);
    }

    fn sum_up(&mut self, summary: &Summary) {
        assert_eq!(
            summary.moves, self.moves,
            "the summary is not what was told"
        );
        let counted: u32 = summary.irregularities.values().sum();
        assert_eq!(
            counted as usize + self.withdrawn.len(),
            self.told as usize,
            "irregularities: {summary:?}"
        );
        let in_order = summary.doubts.windows(2).all(|two| two[0] < two[1]);
        assert!(in_order, "doubts: {:?}", summary.doubts);
        self.summed_up = true;
    }

    /// What the arbiter shows is what he has told; what he waits for does not lie behind him.
    fn compare(&self, arbiter: &Arbiter, event: &Event) {
        let view = arbiter.view().expect("a game is set up");
        let shown: Vec<UciMove> = view.plies.iter().map(|ply| ply.uci).collect();
        assert_eq!(shown, self.moves, "the record shown is not the record told");
        assert_eq!(view.findings.len(), self.told as usize);
        assert!(serde_json::to_vec(&view).is_ok());
        // After an order the silence before it may mean something; after anything else it has been
        // ruled on.
        let wake = arbiter
            .next_wake()
            .filter(|_| !matches!(event.input.plain(), Input::Arbiter(_)));
        assert!(
            wake.is_none_or(|wake| wake >= event.at),
            "waits at {:?} for {wake:?}",
            event.at
        );
    }

    /// Nothing more happens: the arbiter comes to an end of what silence tells him.
    fn wait(&mut self, arbiter: &mut Arbiter, said: &mut Vec<Announcement>) {
        for _ in 0..MOST_WAKES {
            let Some(wake) = arbiter.next_wake() else {
                return;
            };
            let heard = said.len();
            let tick = Event {
                at: wake + 1,
                input: Input::Tick,
            };
            arbiter.handle(&tick, said);
            self.hear_all(&said[heard..], false);
            self.compare(arbiter, &tick);
        }
        panic!("left alone, the arbiter asks to be woken for ever");
    }
}
