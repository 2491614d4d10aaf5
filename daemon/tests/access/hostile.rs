//! Names that would be something else where they are shown, and files that would be too much.

use std::io::Write;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::hall::{Guest, Hall};
use super::written::command;

/// Names of players, each of which is a threat to something: pages, spreadsheets, PGN, terminals.
const NAMES: [&str; 8] = [
    "<script>alert(1)</script>",
    "=HYPERLINK(\"http://example.invalid\")",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "O'Neil, \"Bob\\\" ]",
    "Anna\u{200f}greB",
    "';--, ${7*7} {{x}}",
];

fn table(names: &[&str]) -> String {
    let cell = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let pairs = names.chunks(2).zip(1..);
    let line = |(pair, n): (&[&str], u32)| format!("{n},{},{}\n", cell(pair[0]), cell(pair[1]));
    format!("table,white,black\n{}", pairs.map(line).collect::<String>())
}

async fn load(guest: &mut Guest, bytes: &[u8]) -> (u16, Value) {
    let order = json!({ "file": STANDARD.encode(bytes), "round": 1 });
    let answer = guest.ask("POST", "/api/pairings", Some(order)).await;
    (
        answer.status,
        serde_json::from_str(&answer.body).unwrap_or_default(),
    )
}

/// ASVS 1.2.1, 1.2.2, 1.2.10, 16.4.1: what a name is made of is nothing but text wherever it is
/// written: JSON, PGN, spreadsheets, the terminal, the list of acts.
#[tokio::test]
async fn v1_2_1_a_name_is_text_wherever_it_is_written() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    // What would begin another line is refused, with its place.
    for wrong in [
        "Anna\nBerg",
        "Anna\u{1b}[2J",
        "Anna\u{0}",
        "Anna\u{202e}greB",
    ] {
        let (status, said) = load(&mut chief, table(&[wrong, "Ben"]).as_bytes()).await;
        assert_eq!(status, 422, "{wrong:?}: {said}");
        assert!(said["faults"][0]["line"].is_u64(), "{said}");
    }
    let (status, said) = load(&mut chief, table(&NAMES).as_bytes()).await;
    assert_eq!(status, 200, "{said}");
    let told = said["oddities"].to_string();
    assert!(
        told.contains("script"),
        "what looks like markup is told: {told}"
    );

    let event = chief.ask("GET", "/api/event", None).await;
    assert!(
        event.head.contains("content-type: application/json"),
        "{}",
        event.head
    );
    let players = event.json()["players"].clone();
    let names: Vec<&str> = players
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|player| player["name"].as_str())
        .collect();
    assert_eq!(names, NAMES, "the record has them as they are");

    let csv = chief
        .ask("GET", "/api/rounds/1/export?format=csv", None)
        .await
        .body;
    let cells = csv
        .lines()
        .flat_map(|line| line.split(','))
        .map(|cell| cell.trim_matches('"'));
    for cell in cells {
        assert!(
            !cell.starts_with(['=', '+', '-', '@', '\t']),
            "{cell}\n{csv}"
        );
    }
    let pgn = chief
        .ask("GET", "/api/rounds/1/export?format=pgn", None)
        .await
        .body;
    for line in pgn.lines().filter(|line| line.starts_with('[')) {
        assert!(line.ends_with("\"]"), "{line}");
    }
    assert!(
        pgn.contains(r#"[White "O'Neil, \"Bob\\\" ]"]"#)
            || pgn.contains(r#"[Black "O'Neil, \"Bob\\\" ]"]"#),
        "{pgn}"
    );
    assert!(
        !pgn.contains('\u{200f}'),
        "nothing turns the direction of writing"
    );

    // The terminal, and names of accounts and devices.
    let store = hall.store().display().to_string();
    let shown = ["round", "show", "1", "--dir", &store];
    let (status, out, errors) = command(&shown, None).await;
    assert_eq!(status, 0, "{errors}");
    assert!(!out.contains(['\u{1b}', '\u{200f}']), "{out:?}");
    for wrong in ["Eve\nroot chief", "Eve\u{202e}", "Eve\u{1b}[2J"] {
        let new = json!({ "name": wrong, "role": "viewer" });
        assert_eq!(
            chief
                .status("POST", "/api/people/accounts", new.clone())
                .await,
            422
        );
        assert_eq!(chief.status("POST", "/api/people/codes", new).await, 422);
    }
    // Nobody bears a name that can be taken for another's, and no tables that mean nothing.
    for name in ["ada", "Ad\u{430}", "Command line", "owner"] {
        let new = json!({ "name": name, "role": "viewer" });
        for path in ["/api/people/accounts", "/api/people/codes"] {
            let said = chief.ask("POST", path, Some(new.clone())).await;
            let told = said.body.contains("taken for") || said.body.contains("there is an account");
            assert!(told && said.status != 200, "{name}: {}", said.body);
        }
    }
    for role in ["chief", "operator", "viewer"] {
        let new = json!({ "name": "Ida", "role": role, "tables": "1-3" });
        for path in ["/api/people/accounts", "/api/people/codes"] {
            assert_eq!(chief.status("POST", path, new.clone()).await, 422, "{role}");
        }
    }
    // A login of a name that is none is written down as one act.
    let before = hall.acts().len();
    hall.stranger()
        .await
        .log_in("Eve\n{\"act\":\"logged-in\"}", "some guess")
        .await;
    let acts = hall.acts();
    assert_eq!(
        (acts.len(), &acts[before].1["act"]),
        (before + 1, &json!("login-refused"))
    );
    // It may have been a password: nothing of it is kept.
    assert_eq!(acts[before].1["account"], json!(null));
    hall.close().await;
}

/// A workbook whose parts are so many bytes of nothing, packed.
fn bomb(bytes: u64) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    let nothing = vec![b' '; 1 << 20];
    for part in [
        "[Content_Types].xml",
        "xl/workbook.xml",
        "../../etc/passwd",
        "xl/worksheets/sheet1.xml",
    ] {
        zip.start_file(part, packed).expect("a part");
        for _ in 0..bytes >> 22 {
            zip.write_all(&nothing).expect("packed");
        }
    }
    zip.finish().expect("a file").into_inner()
}

/// ASVS 5.2.1, 5.2.3, 5.3.2: uploads are of a bounded size, also unpacked, and in a bounded time;
/// nothing of them is a path.
#[tokio::test]
async fn v5_2_1_uploads_are_bounded() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let (status, said) = load(&mut chief, &vec![b'x'; (5 << 20) + 1]).await;
    assert_eq!(status, 422, "{said}");
    assert!(
        said["error"]
            .as_str()
            .is_some_and(|e| e.contains("no list of pairings is so long"))
    );
    let (status, _) = load(&mut chief, &vec![b'x'; 16 << 20]).await;
    assert_eq!(status, 413);
    // Three GiB of blanks in some MB.
    let (file, begun) = (bomb(3 << 30), Instant::now());
    assert!(file.len() < 5 << 20, "{}", file.len());
    let (status, said) = load(&mut chief, &file).await;
    assert_eq!(status, 422, "{said}");
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert!(!hall.dir.path().join("etc").exists());

    // Whoever sends half an order has not the connection for ever.
    let mut line = chief.connect().await;
    let cookie = chief.cookie.clone().expect("a session");
    let head = format!(
        "POST /api/pairings HTTP/1.1\r\nHost: {0}\r\nOrigin: https://{0}\r\n\
         Cookie: __Host-arbiter={cookie}\r\nContent-Type: application/json\r\n\
         Content-Length: 5000\r\n\r\n{{",
        hall.address
    );
    line.write_all(head.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(25), line.read_to_end(&mut answer));
    let _reset = closed.await.expect("not for ever");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    hall.close().await;
}
