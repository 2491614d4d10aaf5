//! The live feed over a real socket.

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::{Duration, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::*;

type Client = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Serves a house on a port of its own and connects a client.
async fn followed() -> (Vec<Station>, Client, CancellationToken, TempDir, Desk) {
    let House {
        desk,
        stations,
        dir,
    } = house();
    let shutdown = desk.shutdown.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, desk.clone()));
    let (client, _) = connect_async(format!("ws://{address}/api/live"))
        .await
        .expect("a live feed");
    (stations, client, shutdown, dir, desk)
}

/// The next message that is no beat and not of the event; `None` when the daemon closes the line.
async fn next(client: &mut Client) -> Option<Value> {
    loop {
        let message = any(client).await?;
        if message.get("event").is_none() {
            return Some(message);
        }
    }
}

/// The next that is of the event.
async fn of_event(client: &mut Client) -> Value {
    loop {
        let message = any(client).await.expect("a message");
        if let Some(event) = message.get("event") {
            return event.clone();
        }
    }
}

async fn any(client: &mut Client) -> Option<Value> {
    loop {
        let message = timeout(Duration::from_secs(10), client.next())
            .await
            .expect("a message in time");
        let Some(Ok(Message::Text(text))) = message else {
            return None;
        };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message.get("beat").is_none() {
            return Some(message);
        }
    }
}

async fn everything(client: &mut Client) {
    assert_eq!(
        next(client).await.unwrap()["hall"]["boards"],
        json!(["b01", "b02"])
    );
    for id in ["b01", "b02"] {
        let state = next(client).await.unwrap();
        assert_eq!(
            (&state["board"], &state["update"]),
            (&json!(id), &json!("board"))
        );
        assert!(
            state["plies"].is_array() && state.get("plies_from").is_none(),
            "{state}"
        );
    }
}

#[tokio::test]
async fn everything_is_told_first_then_what_happens_in_its_order() {
    let (stations, mut client, ..) = followed().await;
    everything(&mut client).await;
    stations[1].publish(BoardState {
        fault: Some("unplugged".to_owned()),
        ..(*stations[1].state()).clone()
    });
    stations[1].tell(&json!({"ruling": "lapsed", "id": 1}));
    let update = next(&mut client).await.unwrap();
    assert_eq!(
        (&update["board"], &update["fault"]),
        (&json!("b02"), &json!("unplugged"))
    );
    assert_eq!(
        next(&mut client).await.unwrap(),
        json!({"board": "b02", "ruling": "lapsed", "id": 1})
    );
}

#[tokio::test]
async fn a_slow_client_holds_nobody_up_and_is_told_everything_anew() {
    let (stations, mut client, ..) = followed().await;
    everything(&mut client).await;
    // Far more than sockets and the feed can hold while the client does not read.
    let padding = "x".repeat(4_000);
    for id in 0..10_000 {
        stations[0].tell(&json!({"ruling": "lapsed", "id": id, "padding": padding}));
        if id % 100 == 0 {
            tokio::task::yield_now().await;
        }
    }
    stations[0].publish(BoardState {
        fault: Some("the last word".to_owned()),
        ..(*stations[0].state()).clone()
    });
    let mut told_anew = false;
    while let Some(message) = next(&mut client).await {
        told_anew |= message.get("hall").is_some();
        if message["fault"] == json!("the last word") {
            break;
        }
    }
    assert!(
        told_anew,
        "the client missed messages and was not told everything"
    );
}

#[tokio::test]
async fn the_feed_says_goodbye_at_the_end() {
    let (_stations, mut client, shutdown, _dir, _desk) = followed().await;
    everything(&mut client).await;
    shutdown.cancel();
    assert_eq!(next(&mut client).await, None);
}

#[tokio::test]
async fn what_is_done_to_the_event_is_told_without_names() {
    let (_stations, mut client, _shutdown, _dir, desk) = followed().await;
    let nothing = json!({ "acts": 0, "act": null, "round": null, "table": null });
    assert_eq!(of_event(&mut client).await, nothing);
    let file = "table,white,black\n1,Ada,Ben\n2,Cid,Dee\n";
    let request = crate::office::Request {
        file: file.into(),
        round: Some(1),
        ..Default::default()
    };
    let author = crate::store::Author::default();
    desk.office.load(&author, request).await.unwrap();
    let codes = tournament::ResultCode::both("1-0").unwrap();
    let (round, table, at) = (1, 2, String::new());
    let acts = [
        tournament::Act::StartRound { round, at },
        tournament::Act::Propose {
            round,
            table,
            codes,
            how: tournament::How::Board,
        },
        tournament::Act::Confirm { round, table },
    ];
    desk.office.act(&author, &acts).await.unwrap();
    let (mut told, mut last) = (Vec::new(), 0);
    while told.last().is_none_or(|act| act != "confirm") {
        let news = of_event(&mut client).await;
        let text = news.to_string();
        assert!(!text.contains("Ada"), "{text}");
        let number = news["acts"].as_u64().unwrap();
        assert_eq!(number, last + 1, "{text}");
        last = number;
        told.push(news["act"].as_str().unwrap().to_owned());
        let is_of_table = told.last().is_some_and(|act| act == "confirm");
        if is_of_table {
            assert_eq!((&news["round"], &news["table"]), (&json!(1), &json!(2)));
        }
    }
    let end = &told[told.len() - 4..];
    assert_eq!(end, ["draw", "start-round", "propose", "confirm"]);
    assert_eq!(last, desk.office.book().acts);
}

#[tokio::test]
async fn a_board_that_is_added_is_told_with_all_others() {
    let (_stations, mut client, _shutdown, _dir, desk) = followed().await;
    everything(&mut client).await;
    let _station = desk.hall.add(BoardState::new("b03", None));
    let hall = next(&mut client).await.unwrap();
    assert_eq!(hall["hall"]["boards"], json!(["b01", "b02", "b03"]));
}
