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
//! - `{"incidents": [...]}`: all that waits for somebody, for those who may see it; then
//!   `{"incident": {...}}` is new, `{"changed": {...}}` has the fields of one that are others, with
//!   its id, and `{"settled": ...}` is not any more;
//! - `{"beat": ...}`: nothing happened; the line is alive.
//!
//! A client that says what it watches (`?rest=card&watch=b01`, later
//! `{"rest": "card", "watch": ["b01"]}`) is told of every board only what it asked for, and of that
//! only what has changed.
//!
//! A client that reads too slowly to keep up is told everything anew; one that does not read at all
//! is dropped. Neither holds up a board.

mod depth;
mod watch;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use access::Right;
use arbiter_core::Announcement;
use arbiter_core::settings::Language;
use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::response::Response;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{interval, timeout};

use super::Desk;
use super::doors::Caller;
use super::gallery::{Gallery, message};
use super::incidents::{AllIncidents, OfIncident, OtherIncident, Settled, shown, told_to};
use super::problem::Problem;
use crate::config::Unseen;
use crate::hall::{Live, OfBoard, Update};
use crate::incidents::{Incidents, Told};
use crate::office::News;
use crate::people::{Stand, Visitor};
use depth::Depth;
pub(super) use watch::Asked;
use watch::{Watch, Wish};

/// How often a quiet line says that it is alive. Clients take two missing beats for a dead line.
const BEAT: Duration = Duration::from_secs(5);
/// A client that takes longer than this to read one message is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// How the feed of a session that is over is closed (of the numbers that are an application's own,
/// RFC 6455, 7.4.2).
const ENDED: u16 = 4401;
/// Clients have nothing to say here but what they watch.
const LONGEST_WORD: usize = 1024;
/// How often boards that are not watched are looked at.
const GLANCE: Duration = Duration::from_millis(500);

/// What the feed tells.
pub(super) const MESSAGES: &str = "Text messages, each one JSON object: `hall` (which boards there \
    are; a whole state of each follows), `update` (a board's state, or with plies_from what \
    changed of it), `ruling` (as arbiterd replay writes it, with its board), `event` (something \
    was done to the event; for those who may read it), `incidents` (all that waits for somebody; \
    for those who may see it), `incident` (one that is new), `changed` (the fields of one \
    that are others, with its id), `settled` (the id of one that is not any more), `beat` \
    (the line is alive)";

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
                generator.subschema_for::<AllIncidents>(),
                generator.subschema_for::<OfIncident>(),
                generator.subschema_for::<OtherIncident>(),
                generator.subschema_for::<Settled>(),
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
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Problem> {
    let wrong = |error: QueryRejection| Problem::new(error.status(), error.body_text());
    let Query(asked) = asked.map_err(wrong)?;
    let answer = upgrade?
        .max_message_size(LONGEST_WORD)
        .on_upgrade(|socket| async move {
            let clients = metrics::gauge!("arbiter_console_clients");
            clients.increment(1.0);
            // An error here is a client that went away.
            let shown = asked.shown_to(&visitor);
            let follow = follow(socket, &desk, (&visitor, &shown), asked.wish());
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

async fn follow(
    mut socket: WebSocket,
    desk: &Desk,
    (caller, visitor): (&Visitor, &Visitor),
    wish: Option<Wish>,
) -> Result<(), Gone> {
    let gallery = desk.gallery(visitor);
    let mut feed = gallery.map_or_else(|| desk.hall.subscribe(), Gallery::subscribe);
    let (mut beat, mut ends) = (interval(BEAT), desk.people.ends());
    let (mut counts, mut news) = (desk.hall.counts(), desk.office.news());
    let mut incidents = desk.incidents.as_ref().map(Incidents::subscribe);
    let (mut watch, mut glance) = (wish.map(Watch::new), interval(GLANCE));
    tell_everything(&mut socket, desk, visitor, &mut watch).await?;
    loop {
        tokio::select! {
            heard = feed.recv() => match &mut watch {
                Some(watch) => glimpse(&mut socket, (desk, visitor), watch, heard).await?,
                None => pass_on(&mut socket, desk, visitor, &mut feed, heard).await?,
            },
            said = socket.recv() => match said {
                None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Gone),
                Some(Ok(said)) => hear(&mut socket, (desk, visitor), &mut watch, &said).await?,
            },
            _ = glance.tick() => if let Some(watch) = &mut watch {
                watch.tell_changed(&mut socket, (desk, visitor)).await?;
            },
            heard = news.recv() => tell_event(&mut socket, desk, visitor, heard).await?,
            heard = next(&mut incidents) => {
                tell_incident(&mut socket, desk, visitor, heard).await?;
            }
            Ok(()) = counts.changed() => {
                tell_everything(&mut socket, desk, visitor, &mut watch).await?;
            }
            Ok(()) = ends.changed() => stay(&mut socket, desk, caller).await?,
            _ = beat.tick() => {
                stay(&mut socket, desk, caller).await?;
                tell(&mut socket, &Beat { beat: now() }).await?;
            }
            () = desk.shutdown.cancelled() => {
                return farewell(&mut socket, close_code::AWAY, "the daemon is shutting down").await;
            }
        }
    }
}

/// Ends the feed of somebody whose session is over, or who has other tables by now.
async fn stay(socket: &mut WebSocket, desk: &Desk, visitor: &Visitor) -> Result<(), Gone> {
    match desk.people.stand(visitor) {
        Stand::Same => return Ok(()),
        Stand::Over => farewell(socket, ENDED, "the session is over").await?,
        Stand::Reassigned => {
            let what = "there are other tables: come again";
            farewell(socket, close_code::RESTART, what).await?;
        }
    }
    Err(Gone)
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
            tell_everything(socket, desk, visitor, &mut None).await
        }
    }
}

/// What is looked at in a message of the feed.
#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(borrow)]
    ruling: Option<Cow<'a, str>>,
}

/// Something happened on a board: a client that watches is told of it what it asked for, at once
/// where it watches the board itself.
async fn glimpse(
    socket: &mut WebSocket,
    (desk, visitor): (&Desk, &Visitor),
    watch: &mut Watch,
    heard: Result<Live, RecvError>,
) -> Result<(), Gone> {
    let live = match heard {
        Ok(live) if !desk.is_for(visitor, &live.board) => return Ok(()),
        Ok(live) => live,
        Err(RecvError::Closed) => return Err(Gone),
        Err(RecvError::Lagged(_)) => {
            let boards = desk.boards_for(visitor);
            boards.iter().for_each(|board| watch.notice(&board.id));
            return Ok(());
        }
    };
    let kind = serde_json::from_str::<Kind<'_>>(&live.json).map_err(|_| Gone)?;
    match kind.ruling {
        Some(ruling) if !watch.wish().has(&live.board, &ruling) => Ok(()),
        Some(_) => text(socket, live.json.as_ref()).await,
        None if watch.wish().depth(&live.board) == Depth::Whole => {
            watch.tell(socket, (desk, visitor), &live.board).await
        }
        None => {
            watch.notice(&live.board);
            Ok(())
        }
    }
}

/// A client says what it watches from now on. Nothing else that it says means anything.
async fn hear(
    socket: &mut WebSocket,
    (desk, visitor): (&Desk, &Visitor),
    watch: &mut Option<Watch>,
    said: &Message,
) -> Result<(), Gone> {
    let Message::Text(said) = said else {
        return Ok(());
    };
    let Ok(wish) = serde_json::from_str::<Wish>(said) else {
        return Ok(());
    };
    let watch = match watch {
        Some(watch) => {
            watch.change(wish);
            watch
        }
        None => watch.insert(Watch::new(wish)),
    };
    let boards = desk.boards_for(visitor);
    boards.iter().for_each(|board| watch.notice(&board.id));
    watch.tell_changed(socket, (desk, visitor)).await
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
        // Where arbiters look is told to arbiters.
        Ok(news) if news.is_of_observing() && !visitor.may(Right::Records, None) => News {
            table: None,
            ..news
        },
        Ok(news) => news,
        Err(RecvError::Lagged(_)) => as_it_is(desk),
        Err(RecvError::Closed) => return Err(Gone),
    };
    tell(socket, &OfEvent { event }).await
}

/// The next message about incidents; none ever where there are none.
async fn next(incidents: &mut Option<Receiver<Told>>) -> Result<Told, RecvError> {
    match incidents {
        Some(incidents) => incidents.recv().await,
        None => std::future::pending().await,
    }
}

/// Tells what has changed of an incident, where it is for whoever listens; who has missed some is
/// told all.
async fn tell_incident(
    socket: &mut WebSocket,
    desk: &Desk,
    visitor: &Visitor,
    heard: Result<Told, RecvError>,
) -> Result<(), Gone> {
    match heard {
        Ok(told) => match told_to(visitor, &told) {
            Some(json) => send(socket, Message::Text(json.as_ref().into())).await,
            None => Ok(()),
        },
        Err(RecvError::Lagged(_)) => tell_incidents(socket, desk, visitor).await,
        Err(RecvError::Closed) => Err(Gone),
    }
}

/// Tells all that waits for somebody, where that is for whoever listens.
async fn tell_incidents(
    socket: &mut WebSocket,
    desk: &Desk,
    visitor: &Visitor,
) -> Result<(), Gone> {
    match shown(desk, visitor) {
        Some(incidents) => tell(socket, &AllIncidents { incidents }).await,
        None => Ok(()),
    }
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
    /// How long nobody may have looked at what is certain.
    unseen: Unseen,
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
    watch: &mut Option<Watch>,
) -> Result<(), Gone> {
    let boards = desk.boards_for(visitor);
    let names = boards.iter().map(|board| board.id.as_str()).collect();
    let incidents = desk.incidents.as_ref();
    let about = About {
        boards: names,
        version: env!("CARGO_PKG_VERSION"),
        now: now(),
        language: desk.language,
        unseen: incidents.map(Incidents::unseen).unwrap_or_default(),
    };
    tell(socket, &Greeting { hall: about }).await?;
    tell_event(socket, desk, visitor, Ok(as_it_is(desk))).await?;
    tell_incidents(socket, desk, visitor).await?;
    if let Some(watch) = watch {
        watch.forget();
        boards.iter().for_each(|board| watch.notice(&board.id));
        return watch.tell_changed(socket, (desk, visitor)).await;
    }
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

async fn text(socket: &mut WebSocket, text: impl Into<Utf8Bytes>) -> Result<(), Gone> {
    send(socket, Message::Text(text.into())).await
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
