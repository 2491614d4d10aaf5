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
async fn followed() -> (Vec<Station>, Client, CancellationToken, TempDir) {
    let House {
        desk,
        stations,
        dir,
    } = house();
    let shutdown = desk.shutdown.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, desk));
    let (client, _) = connect_async(format!("ws://{address}/api/live"))
        .await
        .expect("a live feed");
    (stations, client, shutdown, dir)
}

/// The next message that is no beat; `None` when the daemon closes the line.
async fn next(client: &mut Client) -> Option<Value> {
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
    let (_stations, mut client, shutdown, _dir) = followed().await;
    everything(&mut client).await;
    shutdown.cancel();
    assert_eq!(next(&mut client).await, None);
}
