//! What waits for arbiters: read, said to be seen to, ruled.

use std::sync::Arc;

use access::Right;
use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json as value};

use super::author::By;
use super::boards::{bad, order_in, refused_to, right_to, signed};
use super::cut;
use super::guard::have;
use super::problem::Problem;
use super::routes::{Order, Routes, json};
use super::{Desk, REFUSED};
use crate::hall::Ordered;
use crate::incidents::{BoardFault, Incident, IncidentError, Incidents, Say, StepKind, Told};
use crate::office::legible;
use crate::people::Visitor;
use crate::reason::Reason;
use crate::store::Author;

/// All that waits for somebody.
#[derive(Serialize, JsonSchema)]
pub(super) struct AllIncidents {
    /// In the order in which somebody should look at them.
    #[schemars(with = "Vec<Incident>")]
    pub(super) incidents: Vec<Value>,
}

/// One incident is new.
#[derive(Serialize, JsonSchema)]
pub(super) struct OfIncident {
    /// As it is now.
    incident: Incident,
}

/// One incident is other than before.
#[derive(Serialize, JsonSchema)]
pub(super) struct OtherIncident {
    /// Its id, and those of its fields that are others.
    changed: Map<String, Value>,
}

/// One incident is not any more.
#[derive(Serialize, JsonSchema)]
pub(super) struct Settled {
    /// Its id.
    settled: String,
}

/// What somebody says.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Said {
    /// Who, where nobody is asked who he is.
    author: String,
    /// Of what waits: for how many seconds, 1 to 86400. Left out: 300, or 3600 where it waits for a
    /// move.
    seconds: Option<u32>,
    /// Of what waits: only for the next half-move of its game, if that comes before.
    until_move: bool,
    /// Of who is asked to go: his name.
    to: Option<String>,
    /// Of what is done: which step.
    step: Option<StepKind>,
    /// Of clocks that were set: the ruling for which they were, by its name. Where it was taken
    /// back meanwhile, they are to be set back.
    order: Option<String>,
}

/// A ruling on an incident.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Decision {
    /// Its name, unique in the game: one that is repeated counts once.
    id: String,
    /// The `version` of the incident that it was decided upon. Left out: whatever it is now.
    #[serde(default)]
    upon: Option<String>,
    /// What is ordered: one input of an event script.
    #[schemars(with = "Ordered")]
    order: Map<String, Value>,
}

/// To whom somebody hands over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandOver {
    /// The name of whoever goes now.
    to: String,
    /// Who hands over, where nobody is asked who he is.
    #[serde(default)]
    author: String,
}

/// What was handed over.
#[derive(Serialize, JsonSchema)]
pub(super) struct HandedOver {
    /// The incidents, by their ids.
    incidents: Vec<String>,
}

/// The answer to a ruling that was taken.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Decided")]
pub(super) struct Done {
    /// The name by which it can be taken back; `null` where it cannot.
    order: Option<String>,
    /// It was taken before: nothing was done now.
    again: bool,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let routes = routes
        .get("/api/faults", faults, "What was wrong with boards")
        .about("For reports, the oldest first. What passed within three seconds is not kept.")
        .gives("Faults", json::<Vec<BoardFault>>())
        .refuses([StatusCode::CONFLICT]);
    let mut routes = routes
        .get(
            "/api/incidents",
            all,
            "What waits for somebody at any table, and who sees to it",
        )
        .about(
            "Of findings, doubts, positions to be put back, claims, results that are proposed or \
             missing, and faults. Grouped by game and turn, the most urgent first. They outlive \
             their game. An operator is shown faults only.",
        )
        .gives("Incidents", json::<Vec<Incident>>())
        .refuses([StatusCode::CONFLICT]);
    routes = said(routes.post("/api/incidents/{id}/seen", seen, "Say that you look at it"));
    routes = said(routes.post(
        "/api/incidents/{id}/going",
        going,
        "Say that you are on the way",
    ));
    routes = said(routes.post("/api/incidents/{id}/send", send, "Ask somebody else to go"));
    routes = said(routes.post(
        "/api/incidents/{id}/left",
        left,
        "Say that you are not, any more",
    ));
    routes = said(routes.post(
        "/api/incidents/{id}/later",
        later,
        "Let it wait for a while",
    ));
    routes = said(routes.post("/api/incidents/{id}/awake", awake, "Let it wait no longer"));
    routes = said(routes.post("/api/incidents/{id}/tick", tick, "Say that a step is done"));
    routes
        .post(
            "/api/incidents/hand-over",
            hand_over,
            "Hand over to another, at the end of a shift",
        )
        .about(
            "Of all incidents at which whoever asks is on the way, the other is from now on. Each \
             is an act of its own.",
        )
        .reads::<HandOver>("to", value!({ "to": "Ben", "author": "Ada" }))
        .gives("It is written down", json::<HandedOver>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .post("/api/incidents/{id}/rule", rule, "Rule on it")
        .about(
            "Every ruling has an `id`: sent again, it counts once. With `upon`, one that was \
             decided upon something else than what is there now is refused with 409 and what has \
             changed. What takes half-moves out of the record is asked first, as for a board.",
        )
        .takes(Order {
            content: json::<Decision>(),
            examples: vec![(
                "uphold",
                value!({
                    "id": "a1", "upon": "1:open:certain",
                    "order": {"event": "arbiter", "action": "uphold", "id": 1}
                }),
            )],
            required: true,
        })
        .gives("It is in the journal", json::<Done>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

/// What all have in common that say something of an incident.
fn said(routes: Routes) -> Routes {
    routes
        .reads::<Said>("said", value!({ "author": "Ada" }))
        .gives("It is written down", json::<Incident>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

/// What somebody is told of a change.
pub(super) fn told_to(visitor: &Visitor, told: &Told) -> Option<Arc<str>> {
    match visitor.may(Right::Findings, None) {
        true => Some(told.json.clone()),
        false if visitor.may(Right::Devices, None) => told.of_device.clone(),
        false => None,
    }
}

/// What somebody is shown of them; `None` where there is nothing that he might be.
pub(super) fn shown(desk: &Desk, visitor: &Visitor) -> Option<Vec<Value>> {
    let all = desk.incidents.as_ref()?.all();
    let sees_all = visitor.may(Right::Findings, None);
    let of = |incident: Incident| match sees_all {
        true => serde_json::to_value(incident).ok(),
        false => incident.of_device(),
    };
    let is_any = sees_all || visitor.may(Right::Devices, None);
    is_any.then(|| all.into_iter().filter_map(of).collect())
}

fn running(desk: &Desk) -> Result<&Incidents, Problem> {
    let error = "no daemon runs on this store: start it first";
    let none = || Problem::refused(Reason::new("no-daemon", error));
    desk.incidents.as_ref().ok_or_else(none)
}

async fn all(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Vec<Value>>, Problem> {
    running(&desk)?;
    Ok(Json(shown(&desk, &visitor).unwrap_or_default()))
}

async fn faults(State(desk): State<Desk>) -> Result<Json<Vec<BoardFault>>, Problem> {
    Ok(Json(running(&desk)?.faults()))
}

type Wanted = Result<Path<String>, PathRejection>;
type SaidBody = Result<Json<Said>, JsonRejection>;
type Answer = Result<Json<Value>, Problem>;

/// Makes a handler of what is said.
macro_rules! says {
    ($($name:ident => $say:expr;)*) => {$(
        async fn $name(
            State(desk): State<Desk>,
            Extension(visitor): Extension<Visitor>,
            By(author): By,
            id: Wanted,
            body: SaidBody,
        ) -> Answer {
            let (Path(id), Json(said)) = (id?, body?);
            let say: fn(&Said) -> Result<Say, Problem> = $say;
            let say = say(&said)?;
            say_of(&desk, (&visitor, author), &id, said, say).await
        }
    )*};
}

says! {
    seen => |_| Ok(Say::Seen);
    going => |_| Ok(Say::Going);
    send => to_whom;
    left => |_| Ok(Say::Left);
    later => wait;
    awake => |_| Ok(Say::Awake);
    tick => step;
}

fn wait(said: &Said) -> Result<Say, Problem> {
    let until_move = said.until_move;
    let usual = if until_move { 3600 } else { 300 };
    let seconds = said.seconds.unwrap_or(usual);
    if !(1..=86_400).contains(&seconds) {
        return Err(bad(format!("seconds: {seconds} is not 1 to 86400")));
    }
    let now = jiff::Timestamp::now().as_millisecond();
    Ok(Say::Later {
        until: now + i64::from(seconds) * 1000,
        until_move,
    })
}

fn to_whom(said: &Said) -> Result<Say, Problem> {
    let to = said.to.as_deref().unwrap_or_default().trim();
    legible(&[("the name", to)])?;
    match to.is_empty() {
        true => Err(bad("to: say whom".to_owned())),
        false => Ok(Say::Sent(to.to_owned())),
    }
}

fn step(said: &Said) -> Result<Say, Problem> {
    match said.step {
        Some(step @ (StepKind::Clocks | StepKind::ClocksBack)) => {
            Ok(Say::Ticked(step, said.order.clone()))
        }
        Some(_) => Err(bad(
            "step: the board itself says when that is done".to_owned()
        )),
        None => Err(bad("step: say which, such as `clocks`".to_owned())),
    }
}

async fn say_of(
    desk: &Desk,
    (visitor, author): (&Visitor, Author),
    id: &str,
    said: Said,
    say: Say,
) -> Answer {
    let incidents = running(desk)?;
    let (right, table) = match incidents.one(id) {
        Ok(incident) => (right_at(&incident), incident.table),
        // It was settled before this was heard.
        Err(unknown) if !incidents.fell(id, &say) => return Err(unknown.into()),
        Err(_) => {
            let (game, _) = id.rsplit_once('.').unwrap_or((id, ""));
            let seat = desk.office.book().event.seat_of(game);
            (Right::Rule, seat.map(|(_, table)| table))
        }
    };
    if !is_asked(incidents, id, visitor, &say) {
        have(visitor, right, table.map(u32::from))?;
    }
    // Where people are asked who they are, it is known who there is.
    if let Say::Sent(to) = &say
        && !visitor.who.name.is_empty()
    {
        desk.people.is_known(to, right == Right::Rule)?;
    }
    let who = match author.who.is_empty() {
        true => said.author,
        false => author.who,
    };
    let author = Author { who, ..author };
    let incident = incidents.say(&author, id, say).await?;
    let whole = || serde_json::to_value(&incident).unwrap_or_default();
    Ok(Json(match visitor.may(Right::Findings, None) {
        true => whole(),
        false => incident.of_device().unwrap_or_default(),
    }))
}

async fn hand_over(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    body: Result<Json<HandOver>, JsonRejection>,
) -> Result<Json<HandedOver>, Problem> {
    let Json(order) = body?;
    let incidents = running(&desk)?;
    let who = match author.who.is_empty() {
        true => order.author,
        false => author.who.clone(),
    };
    let to = order.to.trim().to_owned();
    legible(&[("the name", &to), ("the author", &who)])?;
    if who.is_empty() || to.is_empty() || who == to {
        let text = "say who hands over, and to whom else";
        let reason = Reason::new("hand-over-names", text);
        return Err(Problem::because(StatusCode::UNPROCESSABLE_ENTITY, reason));
    }
    let is_his = |incident: &Incident| incident.going.as_ref().is_some_and(|by| by.who == who);
    let his: Vec<Incident> = incidents.all().into_iter().filter(is_his).collect();
    // Where people are asked who they are, it is known who there is.
    if !visitor.who.name.is_empty() {
        let rules = his.iter().any(|incident| right_at(incident) == Right::Rule);
        desk.people.is_known(&to, rules)?;
    }
    for incident in &his {
        let right = right_at(incident);
        have(&visitor, right, incident.table.map(u32::from))?;
    }
    let author = Author { who, ..author };
    let mut handed = Vec::new();
    for incident in his {
        let done = incidents.say(&author, &incident.id, Say::Handed(to.clone()));
        match done.await {
            Ok(_) => handed.push(incident.id),
            // The play has settled it meanwhile.
            Err(IncidentError::Unknown(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Json(HandedOver { incidents: handed }))
}

/// Whether somebody says whether he goes where he was asked to go, or has said so: at whichever
/// table.
fn is_asked(incidents: &Incidents, id: &str, visitor: &Visitor, say: &Say) -> bool {
    let Ok(incident) = incidents.one(id) else {
        return false;
    };
    let name = &visitor.who.name;
    let is_sent = incident.sent.is_some_and(|sent| sent.to == *name);
    let is_going = incident.going.is_some_and(|by| by.who == *name);
    let is_of_going = matches!(say, Say::Going | Say::Left);
    is_of_going && !name.is_empty() && (is_sent || is_going) && visitor.may(Right::Findings, None)
}

/// The right that is asked for to see to an incident.
fn right_at(incident: &Incident) -> Right {
    match incident.is_of_board() {
        true => Right::Devices,
        false => Right::Rule,
    }
}

async fn rule(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    id: Wanted,
    query: cut::Known,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Done>, Problem> {
    let (Path(id), body) = (id?, body?);
    let decision: Decision = serde_json::from_slice(&body).map_err(|e| bad(e.to_string()))?;
    let incidents = running(&desk)?;
    let name = decision.id.clone();
    // Where it was settled by this very ruling, it may be gone by now.
    let _alone = incidents.alone().await;
    if incidents.was_given(&id, &name) {
        return Ok(Json(Done {
            order: Some(name),
            again: true,
        }));
    }
    let input = input(&decision)?;
    // Whoever has just ordered something at the board is heard first.
    let _other = match incidents.one(&id) {
        Ok(known) => {
            let alone = match known.game.is_empty() {
                true => cut::alone_at(&desk, &known.board).await,
                false => desk.hall.alone_with(&known.game).await,
            };
            incidents.reread(&known.game, &known.board).await;
            Some(alone)
        }
        Err(_) => None,
    };
    let incident = incidents.one(&id).map_err(|unknown| {
        let may = visitor.may(Right::Findings, None) && taken_back(&input).is_none();
        let ruled = may.then(|| incidents.settled_by(&id)).flatten();
        ruled.map_or(unknown, |what| IncidentError::Stale(Box::new(what)))
    })?;
    have(&visitor, right_to(&input), incident.table.map(u32::from))?;
    let changed = decision
        .upon
        .as_deref()
        .and_then(|upon| incident.differs_from(upon));
    changed.map_or(Ok(()), |what| Err(IncidentError::Stale(Box::new(what))))?;
    match incident.game.is_empty() {
        true => cut::known(&desk, &incident.board, &input, query).await?,
        false => cut::known_of_game(&desk, &incident.game, &input, query).await?,
    }
    let input = signed(input, &visitor);
    let hint = TakesBack::of(&desk, &incident.game, &input);
    let (hall, game, board) = (&desk.hall, &incident.game, &incident.board);
    let given = match game.is_empty() {
        true => hall.order(board, input).await,
        false => hall.rule(game, board, input).await,
    };
    hint.is(given.is_ok());
    let order = given.map_err(|error| refused_to(&visitor, error))?;
    incidents.gave(&id, &name);
    // Whoever rules next is told of it.
    incidents.reread(&incident.game, &incident.board).await;
    Ok(Json(Done {
        order,
        again: false,
    }))
}

/// Somebody takes an order back, or does nothing of the kind: where it is told, he is named.
pub(super) struct TakesBack<'a> {
    incidents: Option<&'a Incidents>,
    game: &'a str,
    order: Option<String>,
}

impl<'a> TakesBack<'a> {
    pub(super) fn of(desk: &'a Desk, game: &'a str, input: &Input) -> TakesBack<'a> {
        let order = taken_back(input).map(str::to_owned);
        let incidents = desk.incidents.as_ref();
        if let (Some(incidents), Some(order)) = (incidents, &order) {
            incidents.takes_back(game, order, Some(input.author().unwrap_or_default()));
        }
        TakesBack {
            incidents,
            game,
            order,
        }
    }

    /// Whether it was taken back, or refused.
    pub(super) fn is(self, taken: bool) {
        if let (Some(incidents), Some(order), false) = (self.incidents, &self.order, taken) {
            incidents.takes_back(self.game, order, None);
        }
    }
}

/// The order that is taken back, where one is.
fn taken_back(input: &Input) -> Option<&str> {
    match input.plain() {
        Input::Arbiter(ArbiterAction::TakeBack { order }) => Some(order),
        _ => None,
    }
}

/// What is ordered, under the name of the ruling.
fn input(decision: &Decision) -> Result<arbiter_core::Input, Problem> {
    let mut order = decision.order.clone();
    if order.get("action").and_then(Value::as_str) != Some("take-back") {
        order.insert("order".to_owned(), decision.id.clone().into());
    }
    let line = Value::Object(order).to_string();
    order_in(line.as_bytes())
}

impl From<IncidentError> for Problem {
    fn from(error: IncidentError) -> Problem {
        let status = match error {
            IncidentError::Unknown(_) => StatusCode::NOT_FOUND,
            IncidentError::Stale(reason) | IncidentError::Refused(reason) => {
                return Problem::refused(*reason);
            }
            IncidentError::Journal(_) | IncidentError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, error.to_string())
    }
}
