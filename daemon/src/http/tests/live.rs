//! The live feed over a real socket.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::{Duration, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::*;

type Client = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Serves a house on a port of its own and connects a client.
async fn followed() -> (Vec<Station>, Client, CancellationToken, TempDir, Desk) {
    followed_by("").await
}

/// The same with a client that says what it wants.
async fn followed_by(wish: &str) -> (Vec<Station>, Client, CancellationToken, TempDir, Desk) {
    let House {
        desk,
        stations,
        dir,
    } = house();
    let shutdown = desk.shutdown.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, desk.clone()));
    let (client, _) = connect_async(format!("ws://{address}/api/live{wish}"))
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
    // More than sockets can hold while the client does not read, and then more than the feed can.
    for (count, padding) in [(3_000, 4_000), (5_000, 0)] {
        let padding = "x".repeat(padding);
        for id in 0..count {
            stations[0].tell(&json!({"ruling": "lapsed", "id": id, "padding": padding}));
            if id % 100 == 0 {
                tokio::task::yield_now().await;
            }
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

/// A board after some moves.
fn played(station: &Station, moves: &[(&str, &str)]) -> BoardState {
    let mut arbiter = arbiter_core::Arbiter::new();
    let mut at = 0;
    let mut handle = |event: Value| {
        let mut event = event;
        event["at"] = at.into();
        at += 500;
        let event = serde_json::from_value(event).unwrap();
        arbiter.handle(&event, &mut Vec::new());
    };
    handle(json!({"event": "setup", "sensor": "occupancy", "clock": true}));
    for (n, (from, to)) in moves.iter().enumerate() {
        handle(json!({"event": "lift", "square": from}));
        handle(json!({"event": "place", "square": to, "seen": "?"}));
        handle(json!({"event": "press", "by": if n % 2 == 0 { "white" } else { "black" }}));
    }
    let mut state = (*station.state()).clone();
    let view = crate::hall::view(&arbiter, None).unwrap();
    state.show(Arc::new(view), crate::hall::Running::default());
    state
}

const MOVES: [(&str, &str); 4] = [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6")];

#[tokio::test]
async fn a_client_that_says_what_it_watches_is_told_that_and_only_what_changes() {
    let (stations, mut client, ..) = followed_by("?rest=card&watch=b01").await;
    assert!(next(&mut client).await.unwrap().get("hall").is_some());
    let [one, two] = [
        next(&mut client).await.unwrap(),
        next(&mut client).await.unwrap(),
    ];
    assert_eq!(
        (&one["board"], &two["board"]),
        (&json!("b01"), &json!("b02"))
    );
    assert!(
        one["plies"].is_array() && one.get("plies_from").is_none(),
        "{one}"
    );
    assert!(
        one["orders"].is_array() && one.get("moves").is_none(),
        "{one}"
    );
    assert!(
        two.get("plies").is_none() && two.get("orders").is_none(),
        "{two}"
    );
    assert_eq!(
        (&two["last"], &two["state"]),
        (&Value::Null, &json!("waiting"))
    );

    for (n, id) in [(0, "b01"), (1, "b02")] {
        stations[n].publish(played(&stations[n], &MOVES[..3]));
        let news = next(&mut client).await.unwrap();
        assert_eq!((&news["board"], &news["ply"]), (&json!(id), &json!(3)));
        stations[n].tell(&json!({"ruling": "move", "ply": 3}));
        stations[n].publish(played(&stations[n], &MOVES));
        let mut news = next(&mut client).await.unwrap();
        if n == 0 {
            assert_eq!(news["ruling"], "move");
            news = next(&mut client).await.unwrap();
            assert_eq!(
                (&news["plies_from"], &news["plies"][0]["san"]),
                (&json!(3), &json!("Nc6"))
            );
        } else {
            let last = json!({"uci": "b8c6", "san": "Nc6"});
            assert_eq!((&news["last"], news.get("plies")), (&last, None), "{news}");
        }
        assert_eq!(
            (news["ply"].as_u64(), news.get("white"), news.get("laws")),
            (Some(4), None, None)
        );
    }
    // The same state again is no news; what stands in no state is told of cards too.
    stations[1].publish((*stations[1].state()).clone());
    stations[1].tell(&json!({"ruling": "lapsed", "id": 1}));
    assert_eq!(next(&mut client).await.unwrap()["ruling"], "lapsed");
}

#[tokio::test]
async fn a_client_may_watch_another_board() {
    let (stations, mut client, ..) = followed_by("?rest=card").await;
    for (n, moves) in [(0, &MOVES[..2]), (1, &MOVES[..3])] {
        stations[n].publish(played(&stations[n], moves));
    }
    for _ in 0..3 {
        next(&mut client).await.unwrap();
    }
    client
        .send(Message::text(r#"{"rest": "needs", "watch": ["b02"]}"#))
        .await
        .unwrap();
    let whole = loop {
        let news = next(&mut client).await.unwrap();
        if news["board"] == "b02" && news.get("plies").is_some() {
            break news;
        }
    };
    assert_eq!(whole["plies"].as_array().map(Vec::len), Some(3), "{whole}");
    // That pieces are moved on the other board is not told any more; what needs somebody is.
    stations[0].publish(played(&stations[0], &MOVES));
    stations[0].publish(BoardState {
        fault: Some("unplugged".to_owned()),
        ..played(&stations[0], &MOVES)
    });
    let news = next(&mut client).await.unwrap();
    assert_eq!(
        news,
        json!({"board": "b01", "update": "board", "fault": "unplugged"})
    );
    // A word that means nothing changes nothing.
    client.send(Message::text("hello")).await.unwrap();
    stations[1].publish(played(&stations[1], &MOVES));
    let news = next(&mut client).await.unwrap();
    assert_eq!(
        (&news["plies_from"], &news["board"]),
        (&json!(3), &json!("b02"))
    );
}
