//! Every way a configuration can be wrong, and that each is told with its line and its key.

use std::path::Path;

use arbiter_core::SensorClass;
use arbiter_core::input::StartFen;
use arbiter_core::settings::Settings;
use board_driver::{BoardKind, PortSpec};

use super::*;

const BOARD: &str = "[[board]]\nid = 'b01'\nport = '/dev/ttyUSB0'\n";

fn problems(text: &str) -> Vec<String> {
    let error = Config::parse(text, Path::new("")).expect_err(text);
    error
        .into_iter()
        .map(|p| format!("{}: {p}", p.line))
        .collect()
}

#[test]
fn the_example_is_right_and_stands_in_the_handbook() {
    let handbook = include_str!("../../../docs/operations.md");
    assert!(handbook.contains(&format!("```toml\n{EXAMPLE}```")));
    let config = Config::parse(EXAMPLE, Path::new("/etc/arbiter")).unwrap();
    assert_eq!(config.boards.len(), 2);
    assert_eq!(config.dir, Path::new("/var/lib/arbiter"));
    assert_eq!(config.boards[1].options, Settings::default(), "as it says");
}

/// Every key that the program knows: the example is the manual page.
#[test]
fn the_example_shows_every_key() {
    let shown = |key: &str| {
        let begins = |line: &str| {
            let line = line.trim_start_matches(['#', ' ', '[']);
            let rest = line
                .split(" = ")
                .next()
                .and_then(|rest| rest.split(']').next());
            rest.is_some_and(|name| name.split('.').any(|part| part == key))
        };
        EXAMPLE.lines().any(begins)
    };
    // A key that nobody knows has all that are known told. The tables of the root come first.
    let mut asked = String::from("nobody-knows = 1\n");
    for line in EXAMPLE.lines() {
        asked.push_str(&format!("{line}\n"));
        if line.starts_with('[') && !line.starts_with("[board.options]") {
            asked.push_str("nobody-knows = 1\n");
        }
    }
    let told = problems(&asked);
    let sections = asked.matches("nobody-knows").count();
    assert!(sections >= 12 && told.len() == sections, "{told:?}");
    for line in told {
        let (_, known) = line.split_once("known here: ").expect("what is known");
        for key in known.split(", ") {
            assert!(shown(key), "{key} is not shown: {line}");
        }
    }
    let options = serde_json::to_value(Settings::default()).unwrap();
    for key in options.as_object().unwrap().keys() {
        assert!(shown(key), "{key} is not shown");
    }
    assert!(!shown("nobody-knows"));
}

#[test]
fn the_least_configuration() {
    let config = Config::parse(BOARD, Path::new("/srv/club")).unwrap();
    assert_eq!(config.listen, Config::LISTEN);
    assert_eq!(config.dir, Path::new("/srv/club/arbiter-data"));
    let board = BoardConfig::new("b01", PortSpec::Path("/dev/ttyUSB0".into()));
    assert_eq!(config.boards, [board]);
}

#[test]
fn the_path_of_a_port_starts_at_the_files_directory() {
    for (port, wanted) in [
        ("lines/b01", "/srv/club/lines/b01"),
        ("/dev/ttyUSB0", "/dev/ttyUSB0"),
        ("tcp://10.0.0.2:4001", "tcp://10.0.0.2:4001"),
    ] {
        let text = format!("[[board]]\nid = \"b01\"\nport = \"{port}\"\n");
        let config = Config::parse(&text, Path::new("/srv/club")).unwrap();
        assert_eq!(config.boards[0].port.to_string(), wanted);
    }
    let twice = "[[board]]\nid = \"b01\"\nport = \"/srv/club/one\"\n\
                 [[board]]\nid = \"b02\"\nport = \"one\"\n";
    let problems = Config::parse(twice, Path::new("/srv/club")).unwrap_err();
    assert!(problems[0].what.contains("already used"), "{problems:?}");
}

#[test]
fn a_round_is_a_number_or_a_name() {
    let round = |round: &str| {
        let text = format!("[event]\nround = {round}\n{BOARD}");
        Config::parse(&text, Path::new("")).map(|config| config.event.round)
    };
    assert_eq!(round("3").unwrap(), "3");
    assert_eq!(round("\"Final 2\"").unwrap(), "Final 2");
    let refused = round("3.5").unwrap_err();
    assert_eq!(refused[0].key, "event.round");
}

#[test]
fn what_a_board_speaks_and_where() {
    let board = |keys: &str| Config::parse(&format!("[[board]]\nid='b'\n{keys}"), Path::new(""));
    let first = |keys: &str| board(keys).unwrap().boards.remove(0);
    assert_eq!(
        (
            first("port='x'\n").kind,
            first("port='x'\nkind='auto'\n").kind
        ),
        (None, None)
    );
    assert_eq!(
        first("port='x'\nkind='squareoff'\n").kind,
        Some(BoardKind::SquareOff)
    );
    assert_eq!(
        (first("port='x'\n").pace, first("port='x'\npace=8\n").pace),
        (1.0, 8.0)
    );
    assert!(
        board("port='x'\npace=0\n").unwrap_err()[0]
            .to_string()
            .contains("real boards need no pace")
    );
    let address = PortSpec::Bluetooth("AA:BB:CC:DD:EE:FF".to_owned());
    assert_eq!(first("port='bluetooth:AA:BB:CC:DD:EE:FF'\n").port, address);
    assert_eq!(address.to_string(), "bluetooth:AA:BB:CC:DD:EE:FF");
    let address = PortSpec::Tcp("hall-2:2323".to_owned());
    assert_eq!(
        (
            first("port='tcp://hall-2:2323'\n").port,
            address.to_string()
        ),
        (address, "tcp://hall-2:2323".to_owned())
    );
}

#[test]
fn a_full_board() {
    let text = "[[board]]\nid='b-2'\nusb-serial='A5069RR4'\nsensor='colour'\nclock=false\n\
                white='Anna'\nturned=180\n\
                [board.options]\nannounce-ms=500\n[event]\ndate=2026-11-21\nclass='blitz'\n\
                supervised=false\n";
    let config = Config::parse(text, Path::new("")).unwrap();
    let board = &config.boards[0];
    assert_eq!(board.port, PortSpec::Usb("A5069RR4".to_owned()));
    assert_eq!(
        (board.sensor, board.clock),
        (Some(SensorClass::Colour), Some(false))
    );
    assert_eq!(
        (board.options.announce_ms, board.options.brush_ms),
        (500, Settings::default().brush_ms)
    );
    assert_eq!(config.event.date.as_deref(), Some("2026.11.21"));
    let setup = board.setup(&config.event, "g", SensorClass::Colour);
    assert_eq!((setup.class, setup.supervised), (TimeClass::Blitz, false));
}

#[test]
fn each_problem_is_told_with_line_and_key() {
    let table: &[(&str, &[&str])] = &[
        ("", &["0: `board`: no board is configured"]),
        (
            "[htpp]\nlisten = ''\n",
            &[
                "0: `board`",
                "1: `htpp`: no such key; known here: http, store, privacy, incidents, public",
            ],
        ),
        (
            "[http]\nlisten = 'localhost'\n",
            &["2: `http.listen`: `localhost` is not an address and a port"],
        ),
        (
            "[http]\nlisten = 8080\n",
            &["2: `http.listen`: invalid type"],
        ),
        (
            "[http]\nmetrics = '192.0.2.7:9464'\n",
            &["2: `http.metrics`: `192.0.2.7:9464` is not an address of this machine alone"],
        ),
        (
            "[http]\nlissten = ''\n",
            &["2: `http.lissten`: no such key; known here: listen, names"],
        ),
        (
            "[event]\nlaws = 'fide-1900'\n",
            &["2: `event.laws`: unknown variant `fide-1900`, expected one of `fide-1974`"],
        ),
        (
            "[event]\nclass = 'bullet'\n",
            &["2: `event.class`: unknown variant `bullet`"],
        ),
        (
            "[event]\ndate = '21.11.2026'\n",
            &["2: `event.date`: `21.11.2026` is not a day"],
        ),
        (
            "[event]\nname = \"a\\nb\"\n",
            &["2: `event.name`: holds a line break"],
        ),
        (
            "[board]\nid = 'b01'\n",
            &["1: `board`: write `[[board]]` with two brackets"],
        ),
        ("event = 5\n", &["1: `event`: expected a table"]),
        ("[[board]]\nport = 'x'\n", &["1: `board.id`: is missing"]),
        (
            "[[board]]\nid = 'b 1'\nport = 'x'\n",
            &["2: `board.id`: `b 1` is no id"],
        ),
        ("[[board]]\nid = 'b1'\n", &["1: `board.port`: is missing"]),
        (
            "[[board]]\nid = 'b1'\nport = ''\n",
            &["3: `board.port`: is empty"],
        ),
        (
            "[[board]]\nid = 'b1'\nport = 'x'\nusb-serial = 'y'\n",
            &["4: `board.usb-serial`: give `port` or"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nfen = '8/8/8/8/8/8/8/8 w - -'\n",
            &["4: `board.fen`: `8/8/8/8/8/8/8/8 w - -`"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nchess960 = 960\n",
            &["4: `board.chess960`: `960` is no array of Chess960"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nchess960 = 'x'\n",
            &["4: `board.chess960`: `x` is no array of Chess960"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nfen='unknown'\nchess960 = 5\n",
            &["5: `board.chess960`: give `fen` or the number of an array, not both"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nsensor = 'reed'\n",
            &["4: `board.sensor`: unknown variant `reed`"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nkind = 'abacus'\n",
            &["4: `board.kind`: `abacus` is no kind of board"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nturned = 45\n",
            &["4: `board.turned`: 45 is not 0, 90, 180 or 270 degrees"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nbaud = 9\n",
            &["4: `board.baud`: 9 is no speed"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\n[board.options]\nbrush = 9\n",
            &["5: `board.options`: unknown field `brush`"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\n[[board]]\nid='B1'\nport='y'\n",
            &["5: `board.id`: `B1` is taken by the board of line 2"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\n[[board]]\nid='b2'\nport='x'\n",
            &["6: `board.port`: x is already used by the board of line 3"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nkind='dgt-bus'\n",
            &["1: `board.address`: is missing; on a bus"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\naddress = 7\n",
            &["4: `board.address`: only boards on a bus"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nkind='dgt-bus'\naddress = 0\n",
            &["5: `board.address`: is the board's serial number, from 1 to 16383"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nkind='dgt-bus'\naddress=7\n[[board]]\nid='b2'\n\
             port='x'\nkind='dgt-bus'\naddress=7\n",
            &["10: `board.address`: x is already used by the board of line 3"],
        ),
        (
            "[[board]]\nid='b1'\nport='x'\nkind='dgt-bus'\naddress=7\n[[board]]\nid='b2'\n\
             port='x'\nkind='dgt'\n",
            &["8: `board.port`: x is already used by the board of line 3"],
        ),
        ("[[board\n", &["1: "]),
        ("[[board]]\nid='b1'\nid='b2'\n", &["3: duplicate key"]),
    ];
    for (text, expected) in table {
        let text = if text.contains("board") || text.is_empty() || text.contains("htpp") {
            (*text).to_owned()
        } else {
            format!("{text}{BOARD}")
        };
        let found = problems(&text);
        assert_eq!(found.len(), expected.len(), "{text}: {found:#?}");
        for (found, expected) in found.iter().zip(*expected) {
            assert!(
                found.starts_with(expected),
                "{text}: found {found}, expected {expected}"
            );
            assert!(!found.contains('\n'), "{found}");
        }
    }
}

#[test]
fn boards_on_a_bus_share_a_port() {
    let seat = |n: u16| {
        format!("[[board]]\nid='b{n}'\nport='/dev/ttyUSB0'\nkind='dgt-bus'\naddress={n}\n")
    };
    let config = Config::parse(&(seat(1_025) + &seat(1_026)), Path::new("")).unwrap();
    let addresses: Vec<_> = config.boards.iter().map(|board| board.address).collect();
    assert_eq!(addresses, [Some(1_025), Some(1_026)]);
}

#[test]
fn chess960_is_a_way_to_castle_or_an_array() {
    let setup = |keys: &str| {
        let config = Config::parse(&format!("{BOARD}{keys}\n"), Path::new("")).unwrap();
        let setup = config.boards[0].setup(&config.event, "g", SensorClass::Colour);
        let fen = match setup.fen {
            Some(StartFen::Known(fen)) => fen.to_string(),
            _ => String::new(),
        };
        (setup.chess960, fen)
    };
    assert_eq!(setup(""), (false, String::new()));
    assert_eq!(setup("chess960 = true"), (true, String::new()));
    assert_eq!(setup("chess960 = false"), (false, String::new()));
    let array = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    assert_eq!(setup("chess960 = 0"), (true, array.to_owned()));
    assert_eq!(
        setup(&format!("chess960 = true\nfen = '{array}'")),
        (true, array.to_owned())
    );
}

#[test]
fn the_event_chooses_the_language_of_all_boards() {
    let french = format!("[event]\nlanguage = 'fr'\n{BOARD}");
    let config = Config::parse(&french, Path::new("")).unwrap();
    assert_eq!(config.event.language, Some(Language::Fr));
    let setup = config.boards[0].setup(&config.event, "g", SensorClass::Colour);
    assert_eq!(setup.options.language, Language::Fr);
    let one = Config::parse(
        &format!("{BOARD}[board.options]\nlanguage = 'fr'\n"),
        Path::new(""),
    )
    .unwrap();
    assert_eq!(
        (one.event.language, one.boards[0].options.language),
        (None, Language::Fr)
    );
    let wrong = problems(&format!("[event]\nlanguage = 'xx'\n{BOARD}"));
    let begins = "2: `event.language`: unknown variant `xx`, expected ";
    assert!(
        wrong.len() == 1 && wrong[0].starts_with(begins),
        "{wrong:?}"
    );
}

#[test]
fn all_problems_are_told_at_once_in_the_order_of_the_file() {
    let text = "[http]\nlisten = 'x'\n[event]\nlaws = 'y'\ncolour = 1\n[[board]]\nsensor = 'z'\n\
                [[board]]\nid = 'b'\n";
    let lines: Vec<String> = problems(text)
        .iter()
        .map(|p| p.split(':').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(lines, ["2", "4", "5", "6", "6", "7", "8"]);
}

#[test]
fn the_error_names_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("club.toml");
    let missing = Config::load(&file).unwrap_err().to_string();
    assert!(
        missing.starts_with(&format!("{}: cannot be read", file.display())),
        "{missing}"
    );
    std::fs::write(&file, "[[board]]\nid = 'b1'\n").unwrap();
    let wrong = Config::load(&file).unwrap_err().to_string();
    assert!(
        wrong.starts_with(&format!("{}:1: `board.port`: is missing", file.display())),
        "{wrong}"
    );
}

#[test]
fn what_is_public_is_read_with_its_places() {
    let text = format!(
        "{BOARD}\n[public]\ndelay = 900\ndelay-moves = 2\nhold = \"completed\"\n\
         folder = \"out\"\n[[public.at]]\nround = 3\ntable = 1\ndelay = 60\n"
    );
    let rules = Config::parse(&text, Path::new("/srv/club")).unwrap().public;
    assert_eq!((rules.delay.ms, rules.delay.plies), (900_000, 2));
    assert_eq!(rules.hold, crate::public::Hold::Completed);
    assert_eq!(rules.folder.as_deref(), Some(Path::new("/srv/club/out")));
    assert!(rules.is_public() && !rules.serve);
    let event = tournament::Tournament::default();
    let late = |round, table| rules.delay(&event, Some(round), Some(table)).ms;
    assert_eq!(
        (late(3, 1), late(3, 2), late(2, 1)),
        (60_000, 900_000, 900_000)
    );
    let plies = |table| rules.delay(&event, Some(3), Some(table)).plies;
    assert_eq!((plies(1), plies(2)), (2, 2), "what is not said stays");
}

#[test]
fn the_public_folder_lies_outside_of_the_store() {
    let read = |folder: &str| {
        let text = format!("{BOARD}\n[store]\ndir = \"store\"\n[public]\nfolder = \"{folder}\"\n");
        let told = Config::parse(&text, Path::new("/srv"))
            .err()
            .unwrap_or_default();
        told.iter()
            .map(|problem| problem.key.clone())
            .collect::<Vec<_>>()
    };
    for within in [
        "store",
        "store/pgn",
        "./out/../store/x",
        "/srv/store/public",
    ] {
        assert_eq!(read(within), ["public.folder"], "{within}");
    }
    for beside in ["out", "store-public", "../store"] {
        assert!(read(beside).is_empty(), "{beside}");
    }
}

#[test]
fn what_is_wrong_with_what_is_public_is_told() {
    let text = format!(
        "{BOARD}\n[public]\ndelay = 90000\n[[public.at]]\ndelay = 5\n\
         [[public.at]]\nround = 5\n"
    );
    let problems = Config::parse(&text, Path::new("")).unwrap_err();
    let told: Vec<_> = problems
        .iter()
        .map(|p| (p.key.as_str(), p.what.as_str()))
        .collect();
    let at = "names no `round` and no `table`; write the delay of all in [public]";
    let none = "says no `delay` and no `delay-moves`";
    let late = "90000 is more than 86400 seconds";
    assert_eq!(
        told,
        [
            ("public.delay", late),
            ("public.at", at),
            ("public.at", none)
        ]
    );
}

#[test]
fn rounds_for_lichess_are_read_and_what_is_wrong_with_them_is_told() {
    let round =
        |round: u16, id: &str| format!("[[lichess.round]]\nround = {round}\nid = \"{id}\"\n");
    let both = round(1, "aBcD1234") + &round(2, "eFgH5678");
    let text = format!("{BOARD}\n[lichess]\ntoken-file = \"token\"\n{both}");
    let config = Config::parse(&text, Path::new("/srv/club")).unwrap();
    let rules = config.lichess.unwrap();
    assert_eq!(
        (rules.url.as_str(), rules.rounds.len()),
        ("https://lichess.org", 2)
    );
    assert_eq!(
        rules.token_file.as_deref(),
        Some(Path::new("/srv/club/token"))
    );
    assert_eq!(
        (rules.rounds[1].round, rules.rounds[1].id.as_str()),
        (2, "eFgH5678")
    );
    let told = |more: &str| {
        let text = format!("{BOARD}\n[lichess]\n{more}");
        let problems = Config::parse(&text, Path::new("")).unwrap_err();
        problems.iter().map(ToString::to_string).collect::<String>()
    };
    assert!(told("").contains("no round is pushed"));
    let of = |event: usize| round(1, "iJkL9012") + &format!("event = {event}\n");
    let text = format!("{BOARD}\n[lichess]\n{both}{}", of(2));
    let rounds = Config::parse(&text, Path::new(""))
        .unwrap()
        .lichess
        .unwrap()
        .rounds;
    let events: Vec<usize> = rounds.iter().map(|round| round.event).collect();
    assert_eq!(events, [1, 1, 2]);
    assert!(told(&of(0)).contains("counted from 1"));
    assert!(told(&round(1, "../users")).contains("`../users` is no id"));
    assert!(told(&(round(1, "aBcD1234") + &round(1, "eFgH5678"))).contains("already"));
    for url in [
        "http://lichess.org",
        "lichess.org",
        "https://lichess.org/api",
        "ftp://localhost",
    ] {
        let what = told(&format!("url = \"{url}\"\n{both}"));
        assert!(what.contains("without TLS only"), "{url}: {what}");
    }
    for url in [
        "http://127.0.0.1:9663",
        "http://[::1]/",
        "http://localhost",
        "https://my.lila",
    ] {
        let text = format!("{BOARD}\n[lichess]\nurl = \"{url}\"\n{both}");
        assert!(Config::parse(&text, Path::new("")).is_ok(), "{url}");
    }
    // Whoever writes a secret where it may not stand is told so without it.
    let what = told(&format!("token = \"lip_secret\"\n{both}"));
    assert!(
        what.contains("token-file") && !what.contains("secret"),
        "{what}"
    );
}

#[test]
fn how_long_nobody_may_have_looked() {
    let of = |text: &str| Config::parse(&format!("{text}\n{BOARD}"), Path::new("")).unwrap();
    let usual = of("").unseen;
    assert_eq!((usual.standard, usual.rapid, usual.blitz), (60, 60, 20));
    let said = of("[incidents]\nunseen-blitz = 5").unseen;
    assert_eq!((said.standard, said.rapid, said.blitz), (60, 60, 5));
    let wrong = problems(&format!("[incidents]\nunseen-rapid = 0\n{BOARD}"));
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("incidents.unseen-rapid"), "{wrong:?}");
    assert!(wrong[0].contains("1 to 3600 seconds"), "{wrong:?}");
}
