//! What goes out of a hall of eight boards under human hands, with an arbiter who gives orders and
//! takes them back, a daemon that is killed and a board that goes away: nobody is told a move
//! earlier than the delay lets, in whatever form, and in the end everybody has the record as far as
//! nobody has to look at it.

mod notes;
mod readers;

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Board, CastlingMode, Chess, Position, Role, Square};
use board_driver::BoardKind;
use board_driver::hand::games;
use board_driver::sim::Control;
use board_wire::Side;
use notes::{Everybody, text};
use serde_json::{Value, json};
use tests::evening::{Evening, House, Play};
use tests::lichess::{Lichess, TOKEN};
use tests::rig::{Fingers, free, get, let_run, look_until, section};

const PLIES: usize = 16;
const DELAY: Duration = Duration::from_secs(3);
/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(90);
const ID: &str = "aBcD1234";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const TABLES: usize = 8;
/// The table at which an illegal move is made; and by what the arbiter says, another one stands.
const STANDS: usize = 4;
/// The table at which it cannot be seen what was captured.
const DOUBTFUL: usize = 8;
/// The table at which a pawn is promoted, which the sensors do not see, by the last move.
const PROMOTED: usize = 6;
/// The game that is played there, and its half-moves up to then.
const PROMOTION: (usize, usize) = (178, 14);
/// The table of which a result is declared, and another one.
const DECLARED: usize = 3;
/// The table of whose last move the arbiter says that another one was played.
const CORRECTED: usize = 1;

/// Seven boards: human hands, every class of sensors; at one an illegal move is made and put right.
fn plays() -> Vec<Play> {
    let usual = |n: &usize| games::all()[*n].start == Chess::default();
    let usual = (0..games::all().len()).filter(usual).take(TABLES - 1);
    let classes = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ];
    let play = |(n, game): (usize, usize)| {
        let (game, plies) = match n + 1 {
            PROMOTED => PROMOTION,
            _ => (game, PLIES),
        };
        let mut play = Play::on(BoardKind::Native, classes[n % 3], game, n as u64 + 1, 12.0);
        play.plies = plies;
        if n + 1 == STANDS {
            play.breaches = vec![(Code::IllegalMove, 9)];
        }
        play
    };
    usual.enumerate().map(play).collect()
}

/// The eighth board, on which two pieces could have been captured: its sensors tell of squares only
/// whether something stands there.
fn doubtful(evening: &Evening) -> Fingers {
    let port = evening.path("b08");
    Fingers::plug_in_as(SensorClass::Occupancy, &port, "SIM-8", 1, &Board::new())
}

/// Plays there up to the capture.
fn capture(board: &Fingers) {
    for (from, to, side) in [
        ("e2", "e4", Side::White),
        ("d7", "d5", Side::Black),
        ("a2", "a3", Side::White),
        ("f7", "f5", Side::Black),
    ] {
        board.play(from, to, '?', side);
    }
    // The captured pawn is replaced too fast for anybody to see which it was.
    board.play("e4", "d5", '?', Side::White);
}

fn serve(evening: &Evening, livechess: SocketAddr, lichess: &Lichess) -> House {
    let token = evening.path("token");
    fs::write(&token, TOKEN).expect("a file");
    let only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&token, only).expect("a file");
    let eighth = section("b08", &evening.path("b08"), "kind = \"native\"\n");
    let text = format!(
        "{}{eighth}\n[public]\ndelay = {}\nserve = true\nfolder = \"broadcast\"\n\
         [livechess]\nlisten = \"{livechess}\"\n\
         [lichess]\ntoken-file = \"token\"\nurl = \"http://{}\"\n\
         [[lichess.round]]\nround = 1\nid = \"{ID}\"\n",
        evening.configuration(),
        DELAY.as_secs(),
        lichess.address
    );
    House::open(&evening.path("arbiter.toml"), &text)
}

/// The moves of a record.
fn moves(board: &Value) -> Vec<String> {
    let plies = board["plies"].as_array().into_iter().flatten();
    plies.map(|ply| text(&ply["san"])).collect()
}

/// How many moves of a record nobody has to look at, or has looked at already.
fn clear(board: &Value) -> usize {
    let plies: Vec<&Value> = board["plies"].as_array().into_iter().flatten().collect();
    let orders = board["orders"].as_array().into_iter().flatten();
    let said: Vec<u64> = orders.filter_map(|order| order["ply"].as_u64()).collect();
    let doubts = board["doubts"].as_array().into_iter().flatten();
    let doubts = doubts.filter_map(|doubt| doubt["ply"].as_u64());
    let asked = doubts.filter(|ply| !said.contains(ply)).min();
    let asked = asked.map_or(plies.len(), |ply| (ply as usize).saturating_sub(1));
    let is_doubtful =
        |(n, ply): (usize, &&Value)| ply["doubtful"] == true && !said.contains(&(n as u64 + 1));
    let doubtful = plies.iter().enumerate().position(is_doubtful);
    // What is no legal move is written from-to.
    let legal = plies.iter().position(|ply| ply["san"] == ply["uci"]);
    let told = doubtful.unwrap_or(plies.len()).min(asked);
    told.min(legal.unwrap_or(plies.len()))
}

/// Gives an order at a table; the name by which it is taken back.
fn order(house: &House, table: usize, action: Value) -> String {
    let mut order = json!({ "event": "arbiter", "author": "Ada" });
    let fields = action.as_object().expect("an action").clone();
    order.as_object_mut().expect("an order").extend(fields);
    let (status, said) = house.post(&format!("/api/boards/b{table:02}/orders"), &order);
    assert_eq!(status, 200, "{order}: {said}");
    let said: Value = serde_json::from_str(&said).expect("JSON");
    text(&said["order"])
}

fn take_back(house: &House, table: usize, name: &str) {
    order(
        house,
        table,
        json!({ "action": "take-back", "order": name }),
    );
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a position");
    fen.into_position(CastlingMode::Standard)
        .expect("a position")
}

/// A legal move of a position that is another than the one made there.
fn other(fen: &str, made: &str) -> String {
    let legal = position(fen).legal_moves();
    let legal = legal.iter().map(|m| UciMove::from_standard(*m).to_string());
    let mut legal = legal.filter(|uci| uci != made && uci.len() == 4);
    legal.next().expect("another move")
}

/// Everybody has been told the record, or that what he was told is none.
fn agrees(everybody: &Everybody, boards: &[Value]) -> Result<(), String> {
    let notes = everybody.notes();
    for (table, board) in (1..).zip(boards) {
        let (record, clear) = (moves(board), clear(board));
        let plies = board["plies"].as_array().into_iter().flatten();
        // What is no legal move is written from-to.
        let is_legal = plies.clone().all(|ply| ply["san"] != ply["uci"]);
        for outlet in ["folder", "live", "livechess", "rest", "lichess"] {
            let none = Vec::new();
            let told = notes.told.get(&(outlet, table)).unwrap_or(&none);
            let is_record = record.starts_with(told) && told.len() >= clear;
            // Who follows a board and is told the legal part only is told that it is not all.
            let is_record = is_record && (is_legal || outlet != "livechess");
            let is_said = outlet == "livechess" && notes.matches.get(&table) == Some(&false);
            if !is_record && !is_said {
                return Err(format!(
                    "{outlet}, {table}: {told:?}, not {record:?}, {clear}"
                ));
            }
        }
    }
    Ok(())
}

/// Waits until everybody has been told of a table what the record says of it now.
fn until_told(everybody: &Everybody, house: &House) -> Vec<Value> {
    let seen = look_until(PATIENCE, || {
        let boards = house.boards();
        agrees(everybody, &boards).map(|()| boards)
    });
    seen.unwrap_or_else(|left| panic!("{left}"))
}

/// A move that is none: the king of whoever has made the last move goes where he cannot.
fn illegal(fen: &str) -> String {
    let position = position(fen);
    let king = position.our(Role::King).first().expect("a king");
    let is_far = |to: &Square| position.board().piece_at(*to).is_none() && king.distance(*to) > 2;
    let to = Square::ALL.into_iter().find(is_far).expect("a square");
    format!("{king}{to}")
}

/// The arbiter says what was played, thinks better of it when it is public, names a promoted piece,
/// first a wrong one, and what was captured, and has an illegal move stand.
fn rule(everybody: &Everybody, house: &House, folder: &Path) {
    let boards = until_told(everybody, house);
    let last = |table: usize| {
        let plies = boards[table - 1]["plies"].as_array().expect("moves");
        let [.., before, last] = &plies[..] else {
            panic!("no moves at {table}");
        };
        (plies.len(), text(&before["fen"]), text(&last["uci"]))
    };
    let played = |table: usize, uci: String| {
        let ply = last(table).0;
        json!({ "action": "played", "ply": ply, "move": uci })
    };
    let (_, before, made) = last(CORRECTED);
    let said = played(CORRECTED, other(&before, &made));
    let record = moves(&boards[CORRECTED - 1]);
    let said = order(house, CORRECTED, said);
    let (_, before, _) = last(STANDS);
    order(house, STANDS, played(STANDS, illegal(&before)));
    // What could be two captures is not public.
    assert_eq!(everybody.notes().told[&("lichess", DOUBTFUL)].len(), 4);
    let capture = json!({ "action": "reading", "ply": 5, "move": "e4f5" });
    order(house, DOUBTFUL, capture);
    let piece = |piece: &str| json!({ "action": "promotion", "square": "f1", "piece": piece });
    let named = order(house, PROMOTED, piece("n"));
    let boards = until_told(everybody, house);
    let is_last = |table: usize, san: &str| {
        let record = moves(&boards[table - 1]);
        assert_eq!(record.last().map(String::as_str), Some(san), "{table}");
        let told = everybody.notes().told[&("lichess", table)].clone();
        assert_eq!(told, record);
    };
    // The arbiter's word counts, whatever the sensors tell.
    let now = moves(&boards[CORRECTED - 1]);
    assert_eq!(everybody.notes().told[&("lichess", CORRECTED)], now);
    assert_ne!(now, record);
    is_last(PROMOTED, "gxf1=N");
    is_last(DOUBTFUL, "exf5");
    let stands = fs::read_to_string(folder.join("round-1/game-4.pgn")).expect("a file");
    // It may be broken into lines.
    let words: Vec<&str> = stands.split_whitespace().collect();
    let stands = words.join(" ");
    assert!(stands.contains("the game is with the arbiter"), "{stands}");
    take_back(house, CORRECTED, &said);
    take_back(house, PROMOTED, &named);
    order(house, PROMOTED, piece("q"));
}

/// The result of a table, as each outlet has it.
fn results(house: &House, livechess: SocketAddr, folder: &Path, lichess: &Lichess) -> Vec<String> {
    let of = |pgn: &str| {
        let games = tests::lichess::games(pgn).unwrap_or_default().into_iter();
        let mut at = games.filter(|game| usize::from(game.table) == DECLARED);
        at.next()
            .map_or_else(String::new, |game| game.tags["Result"].clone())
    };
    let file = folder.join(format!("round-1/game-{DECLARED}.pgn"));
    let live = get(house.address(), "/live/round-1").map(|reply| reply.body);
    let index = get(house.address(), "/live/round-1/index.json").map(|reply| reply.body);
    let index: Value = serde_json::from_str(&index.unwrap_or_default()).unwrap_or_default();
    let rest = readers::result(livechess, DECLARED);
    let rest = match rest.as_deref() {
        Some("WHITEWIN") => "1-0",
        Some("BLACKWIN") => "0-1",
        Some(other) => other,
        None => "*",
    };
    let mut pushed = lichess.games(ID).into_iter();
    let pushed = pushed.find(|game| usize::from(game.table) == DECLARED);
    vec![
        of(&fs::read_to_string(file).unwrap_or_default()),
        of(&live.unwrap_or_default()),
        text(&index["pairings"][DECLARED - 1]["result"]),
        rest.to_owned(),
        pushed.map_or_else(String::new, |game| game.tags["Result"].clone()),
    ]
}

/// The arbiter declares a result, thinks better of it when it is public, and declares another one.
fn declare(house: &House, results: impl Fn() -> Vec<String>) {
    let until = |wanted: &str| {
        let seen = look_until(PATIENCE, || {
            let results = results();
            match results.iter().all(|result| result == wanted) {
                true => Ok(()),
                false => Err(format!("{results:?}, not {wanted}")),
            }
        });
        seen.unwrap_or_else(|left| panic!("{left}"));
    };
    let result = |result: &str| {
        let said = json!({ "action": "result", "result": result });
        order(house, DECLARED, said)
    };
    until("*");
    let first = result("1-0");
    until("1-0");
    take_back(house, DECLARED, &first);
    until("*");
    result("0-1");
    until("0-1");
    let listed = get(house.address(), "/api/public/corrections").expect("an answer");
    let listed: Value = serde_json::from_str(&listed.body).expect("JSON");
    let listed = listed.as_array().into_iter().flatten();
    let of_results: Vec<&Value> = listed.filter(|one| one["kind"] == "result").collect();
    let [one] = &of_results[..] else {
        panic!("{of_results:?}");
    };
    let told = [&one["event"], &one["round"], &one["table"]].map(Value::as_u64);
    assert_eq!(told, [Some(1), Some(1), Some(DECLARED as u64)], "{one}");
    assert_eq!(
        (&one["was"], &one["is"]),
        (&json!("1-0"), &json!("0-1")),
        "{one}"
    );
}

#[test]
fn nobody_is_told_anything_early_and_in_the_end_everybody_has_the_record() {
    let (evening, lichess, place) = (Evening::begin(plays()), Lichess::open(3), free());
    let eighth = doubtful(&evening);
    let everybody = Everybody::default();
    let house = serve(&evening, place, &lichess);
    let console = Arc::new(Mutex::new(house.address()));
    let at = |console: &Mutex<SocketAddr>| *console.lock().expect("an address");
    let (here, there) = (console.clone(), console.clone());
    let (folder, stub) = (evening.path("broadcast"), lichess.clone());
    let watchers = [
        everybody.watch(move |everybody| {
            let boards = get(at(&here), "/api/boards").ok();
            let boards = boards.and_then(|reply| serde_json::from_str::<Vec<_>>(&reply.body).ok());
            everybody.record(&boards.unwrap_or_default());
        }),
        everybody.watch(move |everybody| readers::read_live(everybody, at(&there), TABLES)),
        everybody.watch(move |everybody| readers::read_folder(everybody, &folder, TABLES)),
        everybody.watch(move |everybody| readers::follow(everybody, place, TABLES)),
        everybody.watch(move |everybody| readers::ask(everybody, place)),
        everybody.watch(move |everybody| readers::look_at(everybody, &stub)),
    ];
    evening.play_on(40, PATIENCE);
    evening.tables[1].order(Control::Unplug);
    let_run(Duration::from_millis(1_500));
    evening.tables[1].order(Control::Replug);
    house.kill();
    let house = serve(&evening, place, &lichess);
    *console.lock().expect("an address") = house.address();
    evening.play_to_the_end(PATIENCE);
    capture(&eighth);
    rule(&everybody, &house, &evening.path("broadcast"));
    let folder = evening.path("broadcast");
    declare(&house, || results(&house, place, &folder, &lichess));
    let boards = until_told(&everybody, &house);
    everybody.end.store(true, Ordering::Relaxed);
    watchers
        .into_iter()
        .for_each(|w| w.join().expect("a watcher"));
    assert_eq!(everybody.notes().early, Vec::<String>::new());
    // Who was told what is no more so is told the right moves when he sets up.
    let least: Vec<usize> = boards.iter().map(clear).collect();
    for (table, told) in readers::anew(place, &least) {
        let record = moves(&boards[table - 1]);
        assert!(
            record.starts_with(&told),
            "{table}: {told:?}, not {record:?}"
        );
    }
    // Most of it is clear, so that something was shown at all.
    let clear: usize = least.iter().sum();
    assert!(clear > TABLES * PLIES / 2, "{clear} moves are clear");
    let promoted = moves(&boards[PROMOTED - 1]);
    assert_eq!(promoted.last().map(String::as_str), Some("gxf1=Q+"));
    assert_eq!(lichess.wrong(), Vec::<String>::new());
    house.close();
}
