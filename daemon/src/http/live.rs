//! The live feed: first everything, then what changes.
//!
//! Messages, each one JSON object:
//! - `{"hall": {"boards": [...], "version": ..., "now": ..., "language": ...}}`: which boards there
//!   are; what follows is everything;
//! - `{"board": ..., "update": "board", ...}`: a board's state, or (with `plies_from`) what changed
//!   of it;
//! - `{"board": ..., "ruling": ..., ...}`: a ruling, as `arbiterd replay` writes it;
//! - `{"event": {"acts": ..., "act": ..., "round": ..., "table": ...}}`: something was done to the
//!   event, for those who may read it;
//! - `{"beat": ...}`: nothing happened; the line is alive.
//!
//! A client that reads too slowly to keep up is told everything anew; one that does not read at all
//! is dropped. Neither holds up a board.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use access::Right;
use arbiter_core::Announcement;
use arbiter_core::settings::Language;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{interval, timeout};

use super::Desk;
use super::doors::Caller;
use super::gallery::{Gallery, message};
use super::problem::Problem;
use crate::hall::{Live, OfBoard, Update};
use crate::office::News;
use crate::people::Visitor;

/// How often a quiet line says that it is alive. Clients take two missing beats for a dead line.
const BEAT: Duration = Duration::from_secs(5);
/// A client that takes longer than this to read one message is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// How the feed of a session that is over is closed (of the numbers that are an application's own,
/// RFC 6455, 7.4.2).
const ENDED: u16 = 4401;
/// Clients have nothing to say here.
const LONGEST_WORD: usize = 1024;

/// What the feed tells.
pub(super) const MESSAGES: &str = "Text messages, each one JSON object: `hall` (which boards there \
    are; a whole state of each follows), `update` (a board's state, or with plies_from what \
    changed of it), `ruling` (as arbiterd replay writes it, with its board), `event` (something \
    was done to the event; for those who may read it), `beat` (the line is alive)";

/// Any message of the feed, to be described.
pub(super) struct LiveMessage;

impl JsonSchema for LiveMessage {
    fn schema_name() -> Cow<'static, str> {
        "LiveMessage".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                generator.subschema_for::<Greeting<'_>>(),
                generator.subschema_for::<OfBoard<'_, Update<'_>>>(),
                generator.subschema_for::<OfBoard<'_, Announcement>>(),
                generator.subschema_for::<OfEvent>(),
                generator.subschema_for::<Beat>(),
            ]
        })
    }
}

/// Takes a client on.
pub(super) async fn connect(
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    caller: Option<Extension<Arc<Caller>>>,
    Extension(visitor): Extension<Visitor>,
    State(desk): State<Desk>,
) -> Result<Response, Problem> {
    let answer = upgrade?
        .max_message_size(LONGEST_WORD)
        .on_upgrade(|socket| async move {
            let clients = metrics::gauge!("arbiter_console_clients");
            clients.increment(1.0);
            // An error here is a client that went away.
            let follow = follow(socket, &desk, &visitor);
            match &caller {
                None => _ = follow.await,
                Some(Extension(caller)) => {
                    caller.follows();
                    tokio::select! {
                        _gone = follow => {}
                        () = caller.gives_way() => {}
                    }
                }
            }
            clients.decrement(1.0);
        });
    Ok(answer)
}

/// The client went away, or does not read.
struct Gone;

async fn follow(mut socket: WebSocket, desk: &Desk, visitor: &Visitor) -> Result<(), Gone> {
    let gallery = desk.gallery(visitor);
    let mut feed = gallery.map_or_else(|| desk.hall.subscribe(), Gallery::subscribe);
    let (mut beat, mut ends) = (interval(BEAT), desk.people.ends());
    let (mut counts, mut news) = (desk.hall.counts(), desk.office.news());
    tell_everything(&mut socket, desk, visitor).await?;
    loop {
        tokio::select! {
            heard = feed.recv() => pass_on(&mut socket, desk, visitor, &mut feed, heard).await?,
            said = socket.recv() => match said {
                None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Gone),
                Some(Ok(_)) => {}
            },
            heard = news.recv() => tell_event(&mut socket, desk, visitor, heard).await?,
            Ok(()) = counts.changed() => tell_everything(&mut socket, desk, visitor).await?,
            Ok(()) = ends.changed() => stay(&mut socket, desk, visitor).await?,
            _ = beat.tick() => {
                stay(&mut socket, desk, visitor).await?;
                tell(&mut socket, &Beat { beat: now() }).await?;
            }
            () = desk.shutdown.cancelled() => {
                return farewell(&mut socket, close_code::AWAY, "the daemon is shutting down").await;
            }
        }
    }
}

/// Ends the feed of somebody whose session is over.
async fn stay(socket: &mut WebSocket, desk: &Desk, visitor: &Visitor) -> Result<(), Gone> {
    match &visitor.session {
        Some((_, session)) if !desk.people.is_alive(session) => {
            farewell(socket, ENDED, "the session is over").await?;
            Err(Gone)
        }
        _ => Ok(()),
    }
}

async fn pass_on(
    socket: &mut WebSocket,
    desk: &Desk,
    visitor: &Visitor,
    feed: &mut Receiver<Live>,
    heard: Result<Live, RecvError>,
) -> Result<(), Gone> {
    match heard {
        Ok(live) if !desk.is_for(visitor, &live.board) => Ok(()),
        Ok(live) => send(socket, Message::Text(live.json.as_ref().into())).await,
        Err(RecvError::Closed) => Err(Gone),
        Err(RecvError::Lagged(missed)) => {
            metrics::counter!("arbiter_console_missed_total").increment(missed);
            *feed = feed.resubscribe();
            tell_everything(socket, desk, visitor).await
        }
    }
}

/// Something was done to the event.
#[derive(Serialize, JsonSchema)]
struct OfEvent {
    event: News,
}

/// Tells what was done to the event, where whoever listens may read it; who has missed some is told
/// that it is to be read anew.
async fn tell_event(
    socket: &mut WebSocket,
    desk: &Desk,
    visitor: &Visitor,
    heard: Result<News, RecvError>,
) -> Result<(), Gone> {
    if !visitor.may(Right::Event, None) {
        return Ok(());
    }
    let event = match heard {
        Ok(news) => news,
        Err(RecvError::Lagged(_)) => as_it_is(desk),
        Err(RecvError::Closed) => return Err(Gone),
    };
    tell(socket, &OfEvent { event }).await
}

fn as_it_is(desk: &Desk) -> News {
    News {
        acts: desk.office.book().acts,
        ..News::default()
    }
}

/// Which boards there are; a whole state of each follows.
#[derive(Serialize, JsonSchema)]
struct Greeting<'a> {
    hall: About<'a>,
}

/// The hall.
#[derive(Serialize, JsonSchema)]
struct About<'a> {
    /// Their ids, in the order of the configuration.
    boards: Vec<&'a str>,
    /// The daemon's.
    version: &'static str,
    /// Milliseconds since 1970.
    now: i64,
    /// The event's, if it has chosen one.
    language: Option<Language>,
}

/// Nothing happened; the line is alive.
#[derive(Serialize, JsonSchema)]
struct Beat {
    /// Milliseconds since 1970.
    beat: i64,
}

async fn tell_everything(
    socket: &mut WebSocket,
    desk: &Desk,
    visitor: &Visitor,
) -> Result<(), Gone> {
    let boards = desk.boards_for(visitor);
    let names = boards.iter().map(|board| board.id.as_str()).collect();
    let about = About {
        boards: names,
        version: env!("CARGO_PKG_VERSION"),
        now: now(),
        language: desk.language,
    };
    tell(socket, &Greeting { hall: about }).await?;
    tell_event(socket, desk, visitor, Ok(as_it_is(desk))).await?;
    if let Some(gallery) = desk.gallery(visitor) {
        let shown = gallery.boards();
        for (board, state) in shown
            .iter()
            .filter(|(board, _)| desk.is_for(visitor, board))
        {
            send(socket, Message::Text(message(board, state).into())).await?;
        }
        return Ok(());
    }
    for state in &boards {
        let of = OfBoard {
            board: &state.id,
            message: &Update::new(state),
        };
        tell(socket, &of).await?;
    }
    Ok(())
}

async fn tell(socket: &mut WebSocket, message: &impl Serialize) -> Result<(), Gone> {
    let json = serde_json::to_string(message).map_err(|_| Gone)?;
    send(socket, Message::Text(json.into())).await
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    timeout(PATIENCE, socket.send(message))
        .await
        .map_err(|_| Gone)?
        .map_err(|_| Gone)
}

async fn farewell(socket: &mut WebSocket, code: u16, why: &'static str) -> Result<(), Gone> {
    let frame = CloseFrame {
        code,
        reason: why.into(),
    };
    send(socket, Message::Close(Some(frame))).await
}

/// Milliseconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
