//! What those are shown who do not see everything: of every board the fields that are for them, and
//! for the public as late as the event wants it. It is made once for all of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use access::Sight;
use serde_json::{Map, Value};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::hall::{BoardState, Hall, Live, OfBoard, Update};
use crate::office::Minors;

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

/// What will be shown at its time.
type Later = VecDeque<(Instant, Arc<str>, Value)>;

impl Gallery {
    /// Follows the hall until the shutdown, `delay` behind it.
    pub(super) fn open(
        hall: Hall,
        (sight, minors): (Sight, Minors),
        delay: Duration,
        shutdown: CancellationToken,
    ) -> Gallery {
        let gallery = Gallery {
            shown: Arc::default(),
            feed: broadcast::channel(FEED).0,
        };
        // So that boards are there at once; their games come when it is time.
        for board in hall.boards() {
            let bare = BoardState {
                name: board.name.clone(),
                ..BoardState::new(&board.id, None)
            };
            gallery
                .shown()
                .insert(board.id.as_str().into(), seen(&bare, sight, &minors));
        }
        let follow = gallery.clone().follow(hall, (sight, minors), delay);
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

    /// What is shown from now on.
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Live> {
        self.feed.subscribe()
    }

    async fn follow(self, hall: Hall, (sight, minors): (Sight, Minors), delay: Duration) {
        let mut feed = hall.subscribe();
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut changed: BTreeSet<String> = hall.boards().iter().map(|b| b.id.clone()).collect();
        let (mut last, mut later) = (BTreeMap::new(), Later::new());
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
                    if !changed.is_empty() {
                        let of = hall.boards().into_iter().filter(|b| changed.contains(&b.id));
                        for board in of {
                            let id = Arc::<str>::from(board.id.as_str());
                            let now = seen(&board, sight, &minors);
                            if last.get(&id) != Some(&now) {
                                last.insert(id.clone(), now.clone());
                                later.push_back((Instant::now() + delay, id, now));
                            }
                        }
                        changed.clear();
                    }
                    self.show(&mut later);
                }
            }
        }
    }

    /// Shows what is due.
    fn show(&self, later: &mut Later) {
        let now = Instant::now();
        while let Some((_, board, state)) = later.pop_front_if(|(due, ..)| *due <= now) {
            self.shown().insert(board.clone(), state.clone());
            let _nobody_looks = self.feed.send(Live {
                json: message(&board, &state).into(),
                board,
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
