//! A script taken apart into its games, several of which are ruled on at once. What comes of them
//! keeps their order.
//!
//! Everything between the threads is bounded, so the script stays a stream, also within one game.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arbiter_core::{Event, Input};
use daemon::script::Reader;

use super::game::{Batch, Manner, Said, rule};

/// Events handed over at once, so that threads seldom wait for each other.
const MOST_EVENTS: usize = 256;
/// Batches of a game that may wait to be ruled on.
const MOST_BATCHES: usize = 4;
/// Chunks of a game that may wait to be written.
const MOST_CHUNKS: usize = 16;

/// Rules on every game of `script`. Each item is what comes of one game, as it comes; in the order
/// of the script.
///
/// The reading thread ends when nobody wants the games any more, but not before its input gives
/// way.
pub(super) fn rule_all<R: Read + Send + 'static>(
    script: Reader<R>,
    manner: Manner,
) -> io::Result<Receiver<Receiver<Said>>> {
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let (games, inbox) = sync_channel(at_once);
    thread::Builder::new()
        .name("script".to_owned())
        .spawn(move || hand_out(script, &games, manner))?;
    Ok(inbox)
}

/// Reads the script and gives every game to a thread of its own. `None` when nobody wants more.
fn hand_out<R: Read>(
    mut script: Reader<R>,
    games: &SyncSender<Receiver<Said>>,
    manner: Manner,
) -> Option<()> {
    let mut game: Option<SyncSender<Batch>> = None;
    let mut batch = Batch::default();
    while let Some(read) = script.next() {
        let begins = matches!(
            read,
            Ok(Event {
                input: Input::Setup(_),
                ..
            })
        );
        if begins || game.is_none() {
            if let Some(before) = game.take() {
                before.send(std::mem::take(&mut batch)).ok()?;
            }
            game = Some(begin(games, manner)?);
        }
        match read {
            Ok(event) => batch.events.push(event),
            Err(error) => batch.error = Some(error),
        }
        batch.is_drained = script.is_drained();
        if batch.is_drained || batch.error.is_some() || batch.events.len() == MOST_EVENTS {
            game.as_ref()?.send(std::mem::take(&mut batch)).ok()?;
        }
    }
    game?.send(batch).ok()
}

/// The next game begins, once there is room for it.
fn begin(games: &SyncSender<Receiver<Said>>, manner: Manner) -> Option<SyncSender<Batch>> {
    let (said, heard) = sync_channel(MOST_CHUNKS);
    games.send(heard).ok()?;
    let (batches, inbox) = sync_channel(MOST_BATCHES);
    thread::spawn(move || rule(&inbox, &said, manner));
    Some(batches)
}
