//! The event by commands: of a store that nobody uses, and of a daemon that runs.

use super::*;

const PAIRS: &str = "table,white,black\n1,Ann,Ben\n2,Cat,Dan\n3,Eve,bye\n";

/// A command on a store, in JSON.
pub(crate) fn said(dir: &Path, arguments: &[&str]) -> Value {
    let dir = dir.to_str().unwrap();
    let all = [arguments, &["--dir", dir, "--json"]].concat();
    let output = output(&all);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {told}");
    serde_json::from_slice(&output.stdout).unwrap()
}

pub(crate) fn refused(dir: &Path, arguments: &[&str], status: i32, words: &str) {
    let all = [arguments, &["--dir", dir.to_str().unwrap()]].concat();
    fails(&all, status, words);
}

/// A round from its pairings to its results, whoever has the store.
fn plays(dir: &TempDir, store: &Path) {
    let pairs = write(dir, "pairs.csv", PAIRS);
    let load = ["pairings", "load", &pairs, "--round", "1"];
    let dry = said(store, &[&load[..], &["--dry-run"]].concat());
    assert_eq!(dry["written"], false);
    assert_eq!(said(store, &load)["written"], true);
    assert_eq!(said(store, &load)["changes"], serde_json::json!([]));
    let turned = PAIRS.replace("1,Ann,Ben", "1,Ben,Ann");
    let turned = write(dir, "turned.csv", &turned);
    let at = ["--dir", store.to_str().unwrap()];
    let tried = ["pairings", "load", &turned, "--round", "1", "--dry-run"];
    let told = output(&[&tried[..], &at].concat()).stdout;
    let told = String::from_utf8_lossy(&told).into_owned();
    let changes = told.lines().filter(|line| line.contains("before"));
    assert_eq!(
        changes.collect::<Vec<_>>(),
        ["table 1: 2 and 1, before 1 and 2"],
        "{told}"
    );
    let wrong = write(dir, "wrong.csv", "table,white,black\nx,A,B\n");
    let failed = output(
        &[
            &["pairings", "load", &wrong, "--round", "1", "--json"],
            &at[..],
        ]
        .concat(),
    );
    let told: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(
        (&told["refused"][0]["line"], &told["refused"][0]["column"]),
        (&2.into(), &1.into()),
        "{told}"
    );
    let told: Value = serde_json::from_slice(&failed.stderr).unwrap();
    assert_eq!(
        (failed.status.code(), &told["status"]),
        (Some(2), &2.into())
    );
    let name = format!("{wrong}:2:1: `x` is no number");
    refused(
        store,
        &["pairings", "load", &wrong, "--round", "1"],
        2,
        &name,
    );
    refused(
        store,
        &["results", "enter", "1.1", "1-0"],
        1,
        "round 1 is not under way",
    );
    assert_eq!(
        said(store, &["round", "start", "1"])["waiting"],
        serde_json::json!([1, 2])
    );
    refused(
        store,
        &["results", "enter", "1.1", "2-0"],
        2,
        "`2-0` is no result",
    );
    refused(
        store,
        &["results", "enter", "1.9", "1-0"],
        1,
        "round 1 has no table 9",
    );
    refused(
        store,
        &["results", "enter", "1", "1-0"],
        2,
        "`1` is no ROUND.TABLE",
    );
    refused(
        store,
        &["results", "enter", "1.1", "1-0", "1.1=0-1"],
        2,
        "table 1 stands there twice",
    );
    let exported = ["results", "export", "--round", "1", "--format", "csv"];
    assert_eq!(said(store, &exported)["format"], "csv");
    observes(store);
    let open = "without a confirmed result tables 1, 2";
    refused(store, &["round", "close", "1"], 1, open);
    let entered = said(store, &["results", "enter", "1.1", "1/2-0", "1.2=-/+"]);
    assert_eq!(entered["open"], serde_json::json!([]));
    let observed = said(store, &["table", "observed"]);
    assert_eq!(
        (&observed[1]["by_itself"], &observed[2]["by_itself"]),
        (&true.into(), &true.into()),
        "{observed}"
    );
    let late = ["table", "observe", "1.1"];
    refused(store, &late, 1, "table 1 of round 1 has ended");
    refused(
        store,
        &["results", "withdraw", "1", "1"],
        1,
        "only with a reason",
    );
    let sheet = write(dir, "sheet.txt", "1. e4 e5 2. Qh5 Nc6 1-0");
    let moves = ["results", "moves", "1.1", &sheet];
    refused(
        store,
        &moves,
        2,
        "the scoresheet ends with 1-0, and table 1 of round 1 has ½-0",
    );
    write(dir, "sheet.txt", "1. e4 e5 2. Qh5 Nc6 *");
    said(store, &moves);
    let mate = write(dir, "mate.txt", "1. f3 e5 2. g4 Qh4");
    let mated = ["results", "moves", "1.1", &mate];
    let told = "a person has confirmed how this game ended: what was typed of it is replaced";
    refused(store, &mated, 2, told);
    let told = "ends with 0-1 by its last position, and table 1 of round 1 has ½-0";
    refused(
        store,
        &[&mated[..], &["--reason", "misread"]].concat(),
        2,
        told,
    );
    said(
        store,
        &["results", "withdraw", "1", "1", "--reason", "misread"],
    );
    said(store, &mated);
    let other = ["results", "enter", "1.1", "1-0", "--reason", "misread"];
    refused(store, &other, 2, "the moves that were typed end with 0-1");
    // The mate was the result.
    let why = ["--reason", "misread"];
    let again = ["results", "moves", "1.1", &sheet];
    said(store, &[&again[..], &why].concat());
    said(
        store,
        &[&["results", "enter", "1.1", "1/2-0"][..], &why].concat(),
    );
    assert_eq!(said(store, &["round", "close", "1"])["stage"], "closed");
    let list = said(store, &["results", "list", "1"]);
    let results = list["pairings"].as_array().unwrap().iter();
    let results: Vec<&Value> = results.map(|pairing| &pairing["result"]).collect();
    assert_eq!(results, ["½-0", "-/+", "U"]);

    let path = store.to_str().unwrap();
    let export = |format| {
        let all = [
            "results", "export", "--round", "1", "--format", format, "--dir", path,
        ];
        String::from_utf8(output(&all).stdout).unwrap()
    };
    assert!(
        export("csv").contains("1,1,Ann,Ben,½-0"),
        "{}",
        export("csv")
    );
    assert!(export("pgn").contains("2. Qh5 Nc6"), "{}", export("pgn"));
    // Vega has no number for the first, and a line of its own for the other.
    assert_eq!(export("res"), "1 1\n3 4 4\n");
    let res = [
        "results", "export", "--round", "1", "--format", "res", "--dir", path,
    ];
    let told = String::from_utf8(output(&res).stderr).unwrap();
    assert!(told.contains("tables 1"), "{told}");
    let trf = ["results", "export", "--round", "1", "--format", "trf"];
    refused(store, &trf, 2, "no report file");
}

/// Arbiters observe games, of tables without a board too, and go on to others.
fn observes(store: &Path) {
    let observed = said(store, &["table", "observe", "1", "--by", "Eva Roth"]);
    assert_eq!(
        (
            &observed[0]["round"],
            &observed[0]["by"],
            &observed[0]["until"]
        ),
        (&1.into(), &"Eva Roth".into(), &Value::Null)
    );
    let again = ["table", "observe", "1.1", "--by", "Eva Roth"];
    refused(store, &again, 1, "is observed by Eva Roth already");
    refused(
        store,
        &["table", "observe", "9"],
        1,
        "no game is played at table 9",
    );
    refused(
        store,
        &["table", "observe", "x"],
        2,
        "`x` is no ROUND.TABLE",
    );
    let stopped = said(store, &["table", "observe", "1", "--stop"]);
    assert!(
        stopped[0]["until"].is_string(),
        "there was one only: {stopped}"
    );
    refused(
        store,
        &["table", "observe", "1", "--stop"],
        1,
        "is not observed",
    );
    said(store, &again);
    said(store, &["table", "observe", "2"]);
    let path = store.to_str().unwrap();
    let text = output(&["table", "observed", "--dir", path]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("1.1\tEva Roth") && text.contains("still"),
        "{text}"
    );
}

#[test]
fn an_event_in_a_store_that_nobody_uses() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    refused(&store, &["event", "show"], 2, "there is no store in");
    let new = [
        "event",
        "new",
        "--name",
        "Club",
        "--rounds",
        "5",
        "--time-control",
        "5400+30",
    ];
    let event = said(&store, &new);
    assert_eq!(event["details"]["name"], "Club");
    refused(
        &store,
        &["event", "new", "--name", "Other"],
        1,
        "`Club` is open",
    );
    let class = ["event", "new", "--name", "Other", "--class", "slow"];
    refused(&store, &class, 2, "`slow` is no class of play");
    said(&store, &["table", "bind", "2", "b07"]);
    assert_eq!(said(&store, &["table", "show"])[0]["board"], "b07");
    plays(&dir, &store);
    let to_come = "1 of 5 rounds are played";
    refused(&store, &["event", "close"], 1, to_come);
    let closed = said(&store, &["event", "close", "--anyway"]);
    assert_eq!(closed["open"], false);
    let late = ["results", "enter", "1.1", "1-0", "--reason", "late"];
    refused(&store, &late, 1, "the event is closed");
    let event = said(&store, &["event", "new", "--name", "Other"]);
    assert_eq!(event["past"], serde_json::json!(["Club"]));
    let path = store.to_str().unwrap();
    let text = output(&["event", "show", "--dir", path]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.starts_with("Other\n0 players\n"), "{text}");
}

/// A board's port is another while the daemon runs.
fn ports(store: &Path) {
    let shown = said(
        store,
        &["board", "port", "b01", "/dev/elsewhere", "--kind", "dgt"],
    );
    assert_eq!(
        (
            &shown[0]["port"],
            &shown[0]["kind"],
            &shown[0]["configured"]
        ),
        (&"/dev/elsewhere".into(), &"dgt".into(), &false.into())
    );
    // Relative paths of the configuration start at its directory.
    let hall = store.parent().unwrap();
    let [none, none2] = ["none", "none2"].map(|name| hall.join(name).display().to_string());
    let taken = format!("{none2} is the port of `b02`");
    refused(store, &["board", "port", "b01", &none2], 1, &taken);
    let relative = ["board", "port", "b01", "none2"];
    refused(store, &relative, 2, "`none2` is no whole path");
    let kind = ["board", "port", "b01", "--kind", "abacus"];
    refused(store, &kind, 2, "`abacus` is no kind of board");
    let spare = said(
        store,
        &["board", "add", "b03", "/dev/none3", "--name", "Spare"],
    );
    assert_eq!(
        (&spare[2]["name"], &spare[2]["kind"]),
        (&"Spare".into(), &Value::Null)
    );
    assert_eq!(
        said(store, &["table", "show"]).as_array().map(Vec::len),
        Some(2)
    );
    let reset = said(store, &["board", "reset", "b01"]);
    assert_eq!(
        (&reset[0]["port"], &reset[0]["configured"]),
        (&none.into(), &true.into())
    );
    refused(
        store,
        &["board", "reset", "b03"],
        1,
        "does not stand in the configuration",
    );
}

/// How tables stand is said of a store at rest; who was out of the hall, and what was noted, is
/// listed.
#[test]
fn the_hall_is_laid_out_and_lists_are_shown() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    said(&store, &["event", "new", "--name", "League"]);
    let event = said(&store, &["event", "layout", "1-10 / 20-11"]);
    assert_eq!(event["layout"], "1-10 / 20-11");
    let refusal = "`front` is no layout of a hall";
    refused(&store, &["event", "layout", "front"], 1, refusal);
    let shown = output(&["event", "show", "--dir", store.to_str().unwrap()]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("tables in rows: 1-10 / 20-11"), "{shown}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tournament/tests/teams.trf");
    said(&store, &["pairings", "load", file, "--round", "1"]);
    assert_eq!(
        said(&store, &["round", "breaks", "1"]),
        serde_json::json!([])
    );
    refused(&store, &["round", "breaks", "9"], 1, "round 9 is not drawn");
    assert_eq!(said(&store, &["event", "notes"]), serde_json::json!([]));
    let verified = said(&store, &["verify"]);
    assert!(verified["acts"].as_u64() >= Some(3), "{verified}");
}

/// Matches of teams, penalties, and what is left to be ruled on.
#[test]
fn what_is_shown_of_a_round_besides_its_results() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    said(&store, &["event", "new", "--name", "League"]);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tournament/tests/teams.trf");
    said(&store, &["pairings", "load", file, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    let penalty = [
        "event",
        "penalise",
        "7",
        "--round",
        "1",
        "--what",
        "a warning",
    ];
    let event = said(
        &store,
        &[&penalty[..], &["--reason", "his telephone rang"]].concat(),
    );
    assert_eq!(
        (
            &event["penalties"][0]["player"],
            &event["penalties"][0]["round"]
        ),
        (&7.into(), &1.into())
    );
    let nobody = [
        "event",
        "penalise",
        "99",
        "--round",
        "1",
        "--what",
        "a warning",
        "--reason",
        "x",
    ];
    refused(&store, &nobody, 1, "there is no player 99");
    let none = ["event", "unpenalise", "8", "--round", "1", "--reason", "x"];
    refused(&store, &none, 1, "player 8 has no such penalty of round 1");
    let back = ["event", "unpenalise", "7", "--round", "1", "--reason", "x"];
    assert_eq!(said(&store, &back)["penalties"], serde_json::json!([]));
    refused(&store, &back, 1, "player 7 has no such penalty of round 1");
    let round = said(&store, &["round", "show", "1"]);
    let team = |n: usize| round["matches"][0]["teams"][n]["name"].clone();
    assert_eq!((team(0), team(1)), ("Lakeside".into(), "Harbour".into()));
    assert_eq!(round["matches"][0]["match_points"], Value::Null);
    let tables = round["open"].as_array().unwrap().iter();
    for table in tables.map(ToString::to_string) {
        said(&store, &["results", "enter", &format!("1.{table}"), "1-0"]);
    }
    let round = said(&store, &["round", "show", "1"]);
    assert!(round["matches"][0]["match_points"].is_array(), "{round}");
    assert_eq!(round["unruled"], serde_json::json!([]));
    let text = output(&["round", "show", "1", "--dir", store.to_str().unwrap()]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("Harbour") && text.contains(" : "), "{text}");
    assert_eq!(said(&store, &["event", "unruled"]), serde_json::json!([]));
    let rule = ["event", "rule", "2026-11-24-b01-1", "dismiss", "1"];
    refused(&store, &rule, 1, "there is no game");
    refused(
        &store,
        &["board", "show"],
        1,
        "no daemon runs on this store",
    );
}

/// What is typed while no daemon runs is in the files once one does. Damage is told by it as well.
fn typed_meanwhile(dir: &TempDir, store: &Path, config: &str) {
    let page = store.join("pgn/round-1/table-2.pgn");
    fs::remove_file(&page).unwrap();
    let other = store.join("pgn/round-1/table-1.pgn");
    let sheet = write(dir, "typed.txt", "1. d4 d5 2. c4");
    let typed = ["results", "moves", "1.1", &sheet, "--reason", "misread"];
    said(store, &typed);
    assert!(!fs::read_to_string(&other).unwrap().contains("2. c4"));
    let run = || {
        let daemon = arbiterd(&["serve", "--config", config]).spawn().unwrap();
        within(|| std::os::unix::net::UnixStream::connect(store.join("arbiterd.sock")).is_ok());
        daemon
    };
    let stop = |mut daemon: std::process::Child| {
        daemon.kill().unwrap();
        daemon.wait().unwrap();
    };
    let daemon = run();
    within(|| fs::read_to_string(&other).is_ok_and(|text| text.contains("2. c4")));
    within(|| page.exists());
    stop(daemon);
    let sound = fs::read(store.join("arbiter.sqlite")).unwrap();
    let database = rusqlite::Connection::open(store.join("arbiter.sqlite")).unwrap();
    let changed = "update acts set what = replace(what, '1', '2') where number = 1";
    assert!(database.execute(changed, []).unwrap() > 0);
    drop(database);
    let daemon = run();
    let show = ["event", "show", "--json", "--dir", store.to_str().unwrap()];
    let told = String::from_utf8(output(&show).stderr).unwrap();
    assert!(told.contains("the acts of people are damaged"), "{told}");
    stop(daemon);
    fs::write(store.join("arbiter.sqlite"), sound).unwrap();
}

pub(crate) fn within(is_so: impl Fn() -> bool) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while !is_so() {
        assert!(std::time::Instant::now() < end, "in time");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn an_event_of_a_daemon_that_runs() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let config = write(
        &dir,
        "hall.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"store\"\n\
         [[board]]\nid = \"b01\"\nport = \"none\"\n[[board]]\nid = \"b02\"\nport = \"none2\"\n",
    );
    let mut daemon = arbiterd(&["serve", "--config", &config]).spawn().unwrap();
    let socket = store.join("arbiterd.sock");
    within(|| socket.exists());
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&socket).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600, "whoever can open it owns the store");
    plays(&dir, &store);
    ports(&store);
    refused(
        &store,
        &["table", "bind", "5", "b09"],
        1,
        "there is no board `b09`",
    );
    let nothing = "no game is stopped at table 1";
    refused(&store, &["table", "resume", "1"], 1, nothing);
    let tables = said(&store, &["table", "swap", "1", "2"]);
    assert_eq!(
        (&tables[0]["board"], &tables[1]["board"]),
        (&"b02".into(), &"b01".into())
    );
    let before = said(&store, &["event", "show"]);
    // Killed without warning: whoever asks next asks the store.
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    assert_eq!(said(&store, &["event", "show"]), before);
    typed_meanwhile(&dir, &store, &config);
    let path = store.to_str().unwrap();
    assert!(output(&["verify", "--dir", path]).status.success());
}
