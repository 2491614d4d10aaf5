//! What those are shown who do not see everything: of every board the fields that are for them, and
//! for the public as late as the event wants it. It is made once for all of them.

mod before;
mod earlier;
mod followed;
mod later;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use access::Sight;
use serde_json::{Map, Value};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::clock::Steady;
use crate::hall::{BoardState, Hall, Live, OfBoard, Update};
use crate::office::Minors;
use crate::store::Store;
use followed::Followed;

pub(super) use before::{Awaited, AwaitedOn, Before};
pub(super) use later::Terms;

/// How often it is looked what has changed.
const LOOK: Duration = Duration::from_millis(200);
/// Messages a slow listener may fall behind before it is told everything anew.
const FEED: usize = 1024;

/// A view of the hall. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Gallery {
    shown: Arc<Mutex<BTreeMap<Arc<str>, Value>>>,
    feed: broadcast::Sender<Live>,
}

/// How much later a board is shown than it is, as it is now.
pub(super) type TermsOf = Arc<dyn Fn(&BoardState) -> Terms + Send + Sync>;

/// Who plays a game of the event, as they are called now, and how often somebody was erased so far:
/// names are never late.
pub(super) type CalledOf = Arc<dyn Fn(Option<&str>) -> (Option<[String; 2]>, u64) + Send + Sync>;

impl Gallery {
    /// Follows the hall until the shutdown, on these terms. What of its games is due already, by
    /// the journal, is shown at once.
    pub(super) fn open(
        (hall, store): (Hall, Store),
        (sight, minors): (Sight, Minors),
        (terms, called, awaited): (TermsOf, CalledOf, AwaitedOn),
        shutdown: CancellationToken,
    ) -> Gallery {
        let gallery = Gallery {
            shown: Arc::default(),
            feed: broadcast::channel(FEED).0,
        };
        let mut followed = Followed::new((sight, minors), (terms, called));
        let clock = Steady::new();
        // So that boards are there at once; games that are held back come when it is time.
        let boards = hall.boards();
        for board in &boards {
            let bare = followed.seen(&earlier::bare(board));
            gallery.shown().insert(board.id.as_str().into(), bare);
        }
        let (late, prompt): (Vec<_>, Vec<_>) = boards
            .into_iter()
            .partition(|board| followed.is_late(board));
        for board in &prompt {
            followed.take(board, clock.now());
        }
        gallery.show(followed.look(clock.now()));
        let late = (late, awaited);
        let follow = gallery.clone().follow((hall, store), followed, late, clock);
        tokio::spawn(async move {
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = follow => {}
            }
        });
        gallery
    }

    /// Every board as it is shown, in the order of their ids.
    pub(super) fn boards(&self) -> BTreeMap<Arc<str>, Value> {
        self.shown().clone()
    }

    /// A board as it is shown.
    pub(super) fn board(&self, id: &str) -> Option<Value> {
        self.shown().get(id).cloned()
    }

    /// What is shown from now on.
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Live> {
        self.feed.subscribe()
    }

    async fn follow(
        self,
        (hall, store): (Hall, Store),
        mut followed: Followed,
        (late, awaited): (Vec<Arc<BoardState>>, AwaitedOn),
        clock: Steady,
    ) {
        let mut feed = hall.subscribe();
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for board in late {
            let awaited = awaited(&board.id);
            self.recall((&hall, &store), &mut followed, (board, awaited), clock)
                .await;
        }
        let mut changed: BTreeSet<String> = hall.boards().iter().map(|b| b.id.clone()).collect();
        loop {
            tokio::select! {
                heard = feed.recv() => match heard {
                    Ok(live) => drop(changed.insert(live.board.as_ref().to_owned())),
                    Err(RecvError::Lagged(_)) => {
                        changed.extend(hall.boards().iter().map(|board| board.id.clone()));
                    }
                    Err(RecvError::Closed) => return,
                },
                _ = look.tick() => {
                    let now = clock.now();
                    if !changed.is_empty() {
                        let of = hall.boards().into_iter().filter(|b| changed.contains(&b.id));
                        of.for_each(|board| followed.take(&board, now));
                        changed = followed.robbed();
                    }
                    self.show(followed.look(now));
                }
            }
        }
    }

    /// Shows of a board what of its games was due before it was followed here.
    async fn recall(
        &self,
        (hall, store): (&Hall, &Store),
        followed: &mut Followed,
        (board, awaited): (Arc<BoardState>, Option<Awaited>),
        clock: Steady,
    ) {
        let elsewhere = hall.boards().into_iter();
        let elsewhere: Vec<Arc<BoardState>> = elsewhere.filter(|b| b.id != board.id).collect();
        let (store, of) = (store.clone(), board.clone());
        let read = spawn_blocking(move || {
            let is_elsewhere = |game: &str| elsewhere.iter().any(|other| other.has(game));
            earlier::games(&store, &of, is_elsewhere)
        });
        match read.await {
            Ok(Ok(mut games)) => {
                let now = clock.now();
                if let Some(awaited) = awaited {
                    awaited.stand_in(&board, &mut games);
                }
                for (seen, state) in games.into_iter().flatten() {
                    followed.take(&Arc::new(state), seen.min(now));
                }
                followed.take(&board, now);
                followed.look_back(&board.id);
                self.show(followed.look(now));
            }
            Ok(Err(error)) => {
                let board = &board.id;
                tracing::error!(board, %error, "what was public of its games cannot be told");
            }
            Err(_) => {}
        }
    }

    /// Shows boards otherwise.
    fn show(&self, changed: Vec<(Arc<str>, Value)>) {
        for (id, state) in changed {
            if self.shown().insert(id.clone(), state.clone()).as_ref() == Some(&state) {
                continue;
            }
            let _nobody_looks = self.feed.send(Live {
                json: message(&id, &state).into(),
                board: id,
            });
        }
    }

    fn shown(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, Value>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is seen of a board.
fn seen(board: &BoardState, sight: Sight, minors: &Minors) -> Value {
    let mut state = serde_json::to_value(board).unwrap_or_default();
    if let Value::Object(fields) = &mut state {
        access::show_board(sight, fields);
        if sight == Sight::Public {
            shorten(fields, minors);
        }
    }
    state
}

/// Shortens the names of minors in what the public is shown.
pub(super) fn shorten(fields: &mut Map<String, Value>, minors: &Minors) {
    for side in ["white", "black"] {
        let name = fields.get(side).and_then(Value::as_str);
        if let Some(short) = name.and_then(|name| minors.short(name)) {
            fields.insert(side.to_owned(), short.into());
        }
    }
    if let Some(next) = fields.get_mut("next").and_then(Value::as_object_mut) {
        shorten(next, minors);
    }
}

/// A board's state as the feed tells it.
pub(super) fn message(board: &str, state: &Value) -> String {
    let mut state = state.clone();
    if let Value::Object(fields) = &mut state {
        fields.remove("id");
        fields.insert("update".to_owned(), Update::WORD.into());
    }
    // Plain data always has a JSON form.
    serde_json::to_string(&OfBoard {
        board,
        message: &state,
    })
    .unwrap_or_default()
}
