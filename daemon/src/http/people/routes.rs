//! The addresses of people, and how they are described.

use access::{Invitation, Petition, Session};
use axum::http::StatusCode;
use schemars::JsonSchema;

use super::pairing::{self, Claim, Code, Decision, Invited, Screen, Waiting};
use super::{
    Arbiter, Change, Digits, Done, First, In, Login, Me, Proof, accounts, add, arbiters, assign,
    authority, change_password, log_in, log_out, me, person, pin, prove, reset, revoke,
    revoke_session, sessions, set_up,
};
use crate::http::routes::{Order, Routes, json, text};
use crate::office::{Erased, Known, Whom};
use crate::people::{Account, Assignment, Fresh, NewAccount};

/// Where people are let in.
pub(in crate::http) fn routes() -> Routes {
    use StatusCode as Is;
    const TOLD: [StatusCode; 4] = [
        Is::UNPROCESSABLE_ENTITY,
        Is::LENGTH_REQUIRED,
        Is::PAYLOAD_TOO_LARGE,
        Is::SERVICE_UNAVAILABLE,
    ];
    const OPEN: [StatusCode; 2] = [Is::CONFLICT, Is::TOO_MANY_REQUESTS];
    const KNOWN: [StatusCode; 3] = [Is::CONFLICT, Is::UNAUTHORIZED, Is::TOO_MANY_REQUESTS];
    const PROVED: [StatusCode; 1] = [Is::PRECONDITION_REQUIRED];
    Routes::default()
        .get(
            "/api/people/me",
            me,
            "Who asks, as far as the service knows",
        )
        .gives("Who", json::<Me>())
        .post(
            "/api/people/setup",
            set_up,
            "Make the first chief arbiter, by the setup link",
        )
        .takes(body::<First>(
            "first",
            serde_json::json!({
                "secret": "what stands after the # of the link",
                "name": "Ada", "password": "rainy tuesday harbour",
            }),
        ))
        .gives("Let in: a cookie is set", json::<In>())
        .refuses(TOLD)
        .refuses(OPEN)
        .post("/api/people/login", log_in, "Log in by a password")
        .takes(body::<Login>(
            "login",
            serde_json::json!({
                "name": "Ada", "password": "rainy tuesday harbour",
            }),
        ))
        .gives("Let in: a cookie is set", json::<In>())
        .refuses(TOLD)
        .refuses(KNOWN)
        .post("/api/people/logout", log_out, "Leave")
        .gives("Left", json::<Done>())
        .refuses(KNOWN)
        .post(
            "/api/people/password",
            change_password,
            "Change the own password",
        )
        .takes(body::<Change>(
            "change",
            serde_json::json!({
                "current": "rainy tuesday harbour", "new": "seven quiet lanterns",
            }),
        ))
        .gives(
            "Changed: other sessions of the account are over",
            json::<Done>(),
        )
        .refuses(TOLD)
        .refuses(KNOWN)
        .post("/api/people/prove", prove, "Give the own password again")
        .takes(body::<Proof>(
            "proof",
            serde_json::json!({"password": "rainy tuesday harbour"}),
        ))
        .gives(
            "For ten minutes accounts and devices may be changed",
            json::<Done>(),
        )
        .refuses(TOLD)
        .refuses(KNOWN)
        .post(
            "/api/people/pin",
            pin,
            "Choose the PIN of this device, or give it",
        )
        .about("Asked of paired devices with which one may rule, where `[http] device-pin` is set.")
        .takes(body::<Digits>(
            "digits",
            serde_json::json!({"pin": "204917"}),
        ))
        .gives("Right", json::<Done>())
        .refuses(TOLD)
        .refuses(KNOWN)
        .post(
            "/api/people/pair",
            pairing::pair,
            "Bring the code of an invitation, once",
        )
        .takes(body::<Code>(
            "code",
            serde_json::json!({"code": "7K3M-Q2XD"}),
        ))
        .gives("The chief arbiter is asked", json::<Waiting>())
        .refuses(TOLD)
        .refuses(OPEN)
        .post(
            "/api/people/screen",
            pairing::screen,
            "Ask for a code for a screen to show",
        )
        .gives("The code", json::<Waiting>())
        .refuses(OPEN)
        .post(
            "/api/people/collect",
            pairing::collect,
            "Ask what became of the own petition",
        )
        .takes(body::<Claim>(
            "claim",
            serde_json::json!({"secret": "of the petition"}),
        ))
        .gives("Let in: a cookie is set", json::<In>())
        .answers(Is::ACCEPTED, "Not decided yet", Some(json::<Done>()))
        .refuses([Is::GONE])
        .refuses(TOLD)
        .refuses(OPEN)
        .get(
            "/api/people/accounts",
            accounts,
            "Every account, closed ones too",
        )
        .gives("Accounts", json::<Vec<Account>>())
        .refuses(KNOWN)
        .get(
            "/api/people/arbiters",
            arbiters,
            "The arbiters who may be asked to go somewhere",
        )
        .about("Of the accounts that are not closed; whoever sends somebody is no chief arbiter.")
        .gives("Their names and tables", json::<Vec<Arbiter>>())
        .refuses(KNOWN)
        .post("/api/people/accounts", add, "Make an account")
        .takes(body::<NewAccount>(
            "account",
            serde_json::json!({
                "name": "Ben", "role": "sector", "tables": "1-10",
            }),
        ))
        .gives(
            "Made; a password that was made is told once",
            json::<Fresh>(),
        )
        .refuses(TOLD)
        .refuses(KNOWN)
        .refuses(PROVED)
        .post(
            "/api/people/accounts/{id}/reset",
            reset,
            "Give an account another password",
        )
        .gives(
            "The password, told once; the account's sessions are over",
            json::<Fresh>(),
        )
        .refuses([Is::BAD_REQUEST, Is::NOT_FOUND])
        .refuses(KNOWN)
        .refuses(PROVED)
        .post(
            "/api/people/accounts/{id}/tables",
            assign,
            "Give the arbiter of a sector other tables",
        )
        .takes(body::<Assignment>(
            "tables",
            serde_json::json!({"tables": "11-20"}),
        ))
        .gives(
            "The account; whoever is in on it stays in, with these",
            json::<Account>(),
        )
        .refuses([Is::BAD_REQUEST, Is::NOT_FOUND])
        .refuses(TOLD)
        .refuses(KNOWN)
        .post(
            "/api/people/accounts/{id}/revoke",
            revoke,
            "Close an account",
        )
        .gives("Closed; its sessions are over", json::<Done>())
        .refuses([Is::BAD_REQUEST, Is::NOT_FOUND])
        .refuses(KNOWN)
        .refuses(PROVED)
        .post(
            "/api/people/data",
            person::data,
            "What the store says of a player",
        )
        .takes(body::<Whom>(
            "name",
            serde_json::json!({"name": "Berg, Anna"}),
        ))
        .gives("All of it", json::<Known>())
        .refuses([Is::NOT_FOUND])
        .refuses(TOLD)
        .refuses(KNOWN)
        .refuses(PROVED)
        .post(
            "/api/people/erase",
            person::erase,
            "Take away what the store says of a player; his number stays",
        )
        .takes(body::<Whom>("number", serde_json::json!({"number": 7})))
        .gives("It is off the disk", json::<Erased>())
        .refuses([Is::NOT_FOUND])
        .refuses(TOLD)
        .refuses(KNOWN)
        .refuses(PROVED)
        .get(
            "/api/people/sessions",
            sessions,
            "Everybody who is in, and on which device",
        )
        .gives("Sessions", json::<Vec<Session>>())
        .refuses(KNOWN)
        .post(
            "/api/people/sessions/{id}/revoke",
            revoke_session,
            "End a session",
        )
        .gives("Over; its live feeds are closed", json::<Done>())
        .refuses([Is::BAD_REQUEST, Is::NOT_FOUND])
        .refuses(KNOWN)
        .post(
            "/api/people/codes",
            pairing::invite,
            "Make a code for a device",
        )
        .takes(body::<Invitation>(
            "invitation",
            serde_json::json!({
                "name": "rows 1-10", "role": "sector", "tables": "1-10", "hours": 12,
            }),
        ))
        .gives(
            "Codes, which work once within five minutes",
            json::<Invited>(),
        )
        .refuses(TOLD)
        .refuses(KNOWN)
        .refuses(PROVED)
        .post(
            "/api/people/screens",
            pairing::claim,
            "Let the screen in that shows a code",
        )
        .takes(body::<Screen>(
            "screen",
            serde_json::json!({
                "code": "7K3M-Q2XD", "name": "screen at the door", "role": "display",
                "tables": "1-10", "hours": 72,
            }),
        ))
        .gives("It may come in", json::<Petition>())
        .refuses(TOLD)
        .refuses(KNOWN)
        .refuses(PROVED)
        .get(
            "/api/people/petitions",
            pairing::petitions,
            "Devices that brought a code and wait",
        )
        .gives("Petitions", json::<Vec<Petition>>())
        .refuses(KNOWN)
        .post(
            "/api/people/petitions/{id}",
            pairing::decide,
            "Let a device in, or turn it away",
        )
        .takes(body::<Decision>(
            "decision",
            serde_json::json!({"allow": true}),
        ))
        .gives("Done", json::<Done>())
        .refuses(TOLD)
        .refuses([Is::BAD_REQUEST, Is::NOT_FOUND])
        .refuses(KNOWN)
        .refuses(PROVED)
        .get(
            "/ca.crt",
            authority,
            "The authority that devices may be told to trust",
        )
        .gives("A certificate, PEM", text("application/x-x509-ca-cert"))
        .refuses([Is::NOT_FOUND])
}

fn body<T: JsonSchema>(name: &'static str, example: serde_json::Value) -> Order {
    Order {
        content: json::<T>(),
        examples: vec![(name, example)],
        required: true,
    }
}
