//! What is written of people, and what the owner of a store does by command.

use std::io::Write;
use std::process::{Command, Stdio};

use access::Role;
use serde_json::{Value, json};

use super::feed::play;
use super::hall::{Hall, PASSWORD, PATIENCE};

/// ASVS 16.2.1, 16.2.2, 16.3.1, 16.3.2: every login, refusal, pairing, revocation and change of
/// rights is written down with who, where from, and when in UTC; and nothing that is secret.
#[tokio::test]
async fn v16_2_1_everything_is_written_down() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    let mut eve = hall.stranger().await;
    eve.log_in("Ada", "some wrong guess").await;
    sector.ask("GET", "/api/people/accounts", None).await;
    let asked = json!({"name": "the wall", "role": "viewer"});
    let code = chief
        .ask("POST", "/api/people/codes", Some(asked))
        .await
        .json();
    eve.ask(
        "POST",
        "/api/people/pair",
        Some(json!({"code": "AAAA-AAAA"})),
    )
    .await;
    let pair = json!({"code": code["code"]});
    let waits = eve.ask("POST", "/api/people/pair", Some(pair)).await.json();
    let collected = json!({"secret": waits["secret"]});
    eve.ask("POST", "/api/people/collect", Some(collected))
        .await;
    chief
        .ask(
            "POST",
            "/api/people/accounts/sector/revoke",
            Some(json!({})),
        )
        .await;
    let fresh = json!({"name": "Ben", "role": "operator"});
    let fresh = chief
        .ask("POST", "/api/people/accounts", Some(fresh))
        .await
        .json();
    chief
        .ask("POST", "/api/people/accounts/Ben/reset", Some(json!({})))
        .await;
    let password = json!({"current": PASSWORD, "new": "seven quiet lanterns"});
    chief
        .ask("POST", "/api/people/password", Some(password))
        .await;
    chief
        .ask("POST", "/api/people/logout", Some(json!({})))
        .await;

    let acts = hall.acts();
    let told: Vec<&str> = acts
        .iter()
        .filter_map(|(_, what, _)| what["act"].as_str())
        .collect();
    assert_eq!(
        told,
        [
            "set-up",
            "logged-in",
            "account-added",
            "logged-in",
            "login-refused",
            "refused",
            "invited",
            "code-refused",
            "asked",
            "paired",
            "account-revoked",
            "account-added",
            "account-reset",
            "proved",
            "password-changed",
            "logged-out",
        ]
    );
    let of = |act: &str| {
        acts.iter()
            .find(|(_, what, _)| what["act"] == act)
            .expect("an act")
    };
    let (author, what, utc) = of("refused");
    assert_eq!(
        (author.who.as_str(), author.role.as_str()),
        ("sector", "sector")
    );
    assert_eq!(author.address, "127.0.0.1");
    assert!(author.device.starts_with("session "), "{author:?}");
    assert_eq!(what["path"], "/api/people/accounts");
    assert!(utc.ends_with('Z'), "{utc}");
    assert_eq!(of("login-refused").1["account"], "Ada");
    let all = format!("{acts:?}");
    for secret in [&fresh["password"], &waits["secret"], &code["code"]] {
        assert!(
            !all.contains(secret.as_str().expect("a text")),
            "{secret} is in the acts"
        );
    }
    for secret in [PASSWORD, "seven quiet lanterns", "some wrong guess"] {
        assert!(!all.contains(secret), "{secret} is in the acts");
    }
    // ASVS 16.4.2: one byte changed is found.
    let store = hall.close().await;
    let file = store.path().join("store/arbiter.sqlite");
    let db = rusqlite::Connection::open(&file).unwrap();
    let forged = "UPDATE acts SET who = 'Eve' WHERE number = 3";
    assert_eq!(db.execute(forged, []).unwrap(), 1);
    drop(db);
    let (_, out, _) = arbiterd(&["verify", "--dir", &dir(store.path())], None);
    assert!(out.contains("act 3"), "{out}");
}

/// Who ruled stands beside the order, whatever the order says, and a replay rules the same.
#[tokio::test]
async fn v16_2_1_an_order_carries_who_gave_it() {
    let hall = Hall::open();
    let _playing = play(hall.dir.path(), "b01");
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    let begun = tokio::time::Instant::now();
    while chief.get("/api/boards/b01").await["ply"].as_u64() < Some(3) {
        assert!(begun.elapsed() < PATIENCE, "some moves");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let order = json!({"event": "arbiter", "action": "pause", "author": "Somebody Else"});
    let done = sector
        .ask("POST", "/api/boards/b01/orders", Some(order))
        .await;
    assert_eq!(done.status, 200, "{}", done.body);
    let board = chief.get("/api/boards/b01").await;
    let game = board["game"].as_str().expect("a game");
    let script = chief
        .ask("GET", &format!("/api/games/{game}/script"), None)
        .await
        .body;
    let line = script
        .lines()
        .find(|line| line.contains("\"pause\""))
        .expect("the order");
    let line: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(line["author"], "sector");
    // The same script without the author is ruled alike.
    let unsigned = script.replace(",\"author\":\"sector\"", "");
    assert_ne!(unsigned, script);
    let rulings = |script: &str| arbiterd(&["replay", "-"], Some(script)).1;
    assert_eq!(rulings(&script), rulings(&unsigned));
    hall.close().await;
}

/// A directory as an argument.
fn dir(path: &std::path::Path) -> String {
    path.join("store").display().to_string()
}

/// A command: its status, its output, its errors.
fn arbiterd(arguments: &[&str], input: Option<&str>) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arbiterd"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a program");
    let mut stdin = child.stdin.take().expect("its input");
    // Whoever reads nothing may be gone by now.
    let _not_read = stdin.write_all(input.unwrap_or_default().as_bytes());
    drop(stdin);
    let ended = child.wait_with_output().expect("its end");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let status = ended.status.code().unwrap_or(-1);
    (status, text(ended.stdout), text(ended.stderr))
}

/// The same without holding up the daemon of the test.
pub(crate) async fn command(arguments: &[&str], input: Option<&str>) -> (i32, String, String) {
    let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
    let input = input.map(str::to_owned);
    let work = move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arbiterd(&arguments, input.as_deref())
    };
    tokio::task::spawn_blocking(work).await.expect("no panic")
}

/// ASVS 6.1.3, 16.3.1: `arbiterd people` needs the files of the store, works beside the daemon and
/// without it, and each time is written down.
#[tokio::test]
async fn v16_3_1_the_owner_of_the_store_adds_resets_and_revokes() {
    let dir_of = tempfile::tempdir().unwrap();
    let store = dir_of.path().join("store").display().to_string();
    let with = |words: &[&'static str]| {
        let own = [store.clone()];
        let all = words.iter().map(|word| (*word).to_owned());
        all.chain(["--dir".to_owned()])
            .chain(own)
            .collect::<Vec<_>>()
    };
    let people = async |words: &[&'static str], input: Option<&str>| {
        let words = with(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        command(&words, input).await
    };
    std::fs::create_dir(&store).unwrap();
    let (status, _, errors) = people(&["people", "pair", "x", "--role", "viewer"], None).await;
    assert_eq!(status, 1);
    assert!(errors.contains("no daemon runs"), "{errors}");
    let add = ["people", "add", "Ada", "--role", "chief", "--json"];
    let (status, out, errors) = people(&add, None).await;
    assert_eq!(status, 0, "{errors}");
    let made: Value = serde_json::from_str(&out).expect("JSON");
    let first = made["password"].as_str().expect("a password").to_owned();
    let again = ["people", "add", "ada", "--role", "viewer"];
    let (status, _, errors) = people(&again, None).await;
    assert_eq!(status, 1);
    assert!(errors.contains("already"), "{errors}");
    let weak = [
        "people",
        "add",
        "Ben",
        "--role",
        "viewer",
        "--password-stdin",
    ];
    let (status, _, errors) = people(&weak, Some("password1\n")).await;
    assert_eq!(status, 2);
    assert!(errors.contains("first to be tried"), "{errors}");

    let hall = Hall::in_dir(dir_of);
    let mut ada = hall.stranger().await;
    assert_eq!(ada.log_in("Ada", &first).await.status, 200);
    let (status, out, errors) = people(&["people", "reset", "Ada"], None).await;
    assert_eq!(status, 0, "{errors}");
    assert_eq!(
        ada.ask("GET", "/api/boards", None).await.status,
        401,
        "her sessions are over"
    );
    let second = out
        .trim()
        .rsplit(' ')
        .next()
        .expect("a password")
        .to_owned();
    assert_eq!(ada.log_in("Ada", &first).await.status, 401);
    assert_eq!(ada.log_in("Ada", &second).await.status, 200);
    let (status, out, _) = people(&["people", "list"], None).await;
    assert!(
        status == 0 && out.contains("Ada") && out.contains("chief"),
        "{out}"
    );
    let (status, _, errors) = people(&["people", "revoke", "Ada"], None).await;
    assert!(status == 1 && errors.contains("last chief"), "{errors}");
    let pair = ["people", "pair", "the wall", "--role", "viewer"];
    let (status, out, errors) = people(&pair, None).await;
    assert!(
        status == 0 && out.contains("/pair.html#") && out.contains('█'),
        "{out}{errors}"
    );
    let port = format!(":{}/pair.html#", hall.address.port());
    assert!(out.contains(&port), "a phone asks at that port: {out}");

    let owners = hall.acts().into_iter().filter(|(by, ..)| by.who == "owner");
    let told: Vec<String> = owners.map(|(_, what, _)| what["act"].to_string()).collect();
    assert_eq!(
        told,
        ["\"account-added\"", "\"account-reset\"", "\"invited\""]
    );
    hall.close().await;
}

/// ASVS 16.4.2: nor can accounts and sessions be changed beside the acts.
#[tokio::test]
async fn v16_4_2_what_is_changed_in_the_file_of_accounts_is_found() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    hall.member(&mut chief, Role::Sector).await;
    let asked = json!({"name": "screen", "role": "display", "tables": "1-2"});
    let code = chief.ask("POST", "/api/people/codes", Some(asked)).await;
    let mut phone = hall.stranger().await;
    let code = json!({"code": code.json()["code"]});
    let waits = phone.ask("POST", "/api/people/pair", Some(code)).await;
    let secret = json!({"secret": waits.json()["secret"]});
    assert_eq!(
        phone.status("POST", "/api/people/collect", secret).await,
        200
    );
    let password = json!({"password": PASSWORD});
    assert_eq!(
        chief.status("POST", "/api/people/prove", password).await,
        200
    );
    let dir = hall.close().await;
    let store = dir.path().join("store");
    let found = |change: &str| {
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(&store).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if name.contains(".sqlite") && !name.ends_with("-shm") {
                std::fs::copy(entry.path(), copy.path().join(name)).unwrap();
            }
        }
        let db = rusqlite::Connection::open(copy.path().join("people.sqlite")).unwrap();
        assert!(db.execute(change, []).unwrap() > 0, "{change}");
        drop(db);
        let (_, wrong) = daemon::store::verify(copy.path()).unwrap();
        wrong.join("; ")
    };
    let session = "its name, tables, end, token or PIN are not what the acts gave it";
    let another = "INSERT INTO sessions SELECT 99, x'00', name, role, tables, account, address, \
                   browser, opened, seen, ends, proved, pin, pin_tries, pin_given FROM sessions \
                   WHERE name = 'Ada' LIMIT 1";
    let token = "UPDATE sessions SET token = zeroblob(32) WHERE name = 'Ada'";
    for (change, told) in [
        (
            "UPDATE accounts SET hash = (SELECT hash FROM accounts WHERE name = 'sector')
             WHERE name = 'Ada'",
            "account `Ada` has another password than the acts gave it",
        ),
        (
            "UPDATE accounts SET tables = '1-99' WHERE name = 'sector'",
            "account `sector` is sector, and the acts made it sector of 1-1",
        ),
        (
            "UPDATE sessions SET tables = '1-99' WHERE account = 0",
            session,
        ),
        (
            "UPDATE sessions SET ends = ends + 3600 WHERE name = 'Ada'",
            session,
        ),
        ("UPDATE sessions SET pin = 'x' WHERE account = 0", session),
        (token, session),
        (
            &another.replace("x'00'", "zeroblob(32)"),
            "was opened by no act",
        ),
        (
            "UPDATE sessions SET role = 'chief' WHERE account = 0",
            "is chief, and the acts made it display",
        ),
        (
            "UPDATE sessions SET account = 1, name = 'Ada', role = 'chief', tables = NULL
             WHERE account = 0",
            "is another one by the acts",
        ),
    ] {
        let wrong = found(change);
        assert!(wrong.contains(told), "{change}: {wrong}");
    }
    // When a session was used stands in no act.
    assert_eq!(found("UPDATE sessions SET seen = seen + 1"), "");
}
