//! Games on the images for a Raspberry Pi Pico, run by an emulated RP2040 (`tests/pico`) between
//! simulated sensors on its pins and the daemon on its USB serial port: moves and findings are what
//! was played.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use arbiter_core::SensorClass::{self, Colour, Occupancy};
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::Position;
use board_driver::hand::{Options, Performance, Style, games, perform};
use board_driver::noise::{Model, Sensors};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;
use serde_json::Value;
use tests::cortex::{Contacts, Script, Step};
use tests::evening::House;
use tests::rig::{configuration, section};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(150);

/// An emulated board. Its power goes when this is dropped.
struct Pico {
    child: Child,
    port: PathBuf,
    /// Kept open: without it the emulator reads an error whenever nobody has the port open.
    _slave: OwnedFd,
}

impl Pico {
    /// A board with sensors of this kind, which play the script.
    fn start(kind: &str, script: &Path) -> Pico {
        let pty = openpty(None, None).expect("a pseudo-terminal");
        let mut settings = tcgetattr(&pty.slave).expect("settings");
        cfmakeraw(&mut settings);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &settings).expect("a raw line");
        let port = ttyname(&pty.slave).expect("a name");
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/pico/emulate.mjs");
        let from_host = pty.master.try_clone().expect("the board's end");
        let mut command = Command::new("node");
        command
            .arg(program)
            .arg(kind)
            .arg(script)
            .stdin(from_host)
            .stdout(pty.master)
            .stderr(Stdio::inherit());
        // Images are where the build script puts them, beside what cargo builds.
        let target = std::env::current_exe()
            .ok()
            .and_then(|test| Some(test.ancestors().nth(3)?.to_owned()));
        command.env("CARGO_TARGET_DIR", target.unwrap_or_default());
        let child = command
            .spawn()
            .expect("node runs: `cd tests/pico && npm ci` (./ci.sh does it)");
        Pico {
            child,
            port,
            _slave: pty.slave,
        }
    }
}

impl Drop for Pico {
    fn drop(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// The script as the emulator reads it: what every sensor shows from each moment on.
fn lines(script: &Script) -> String {
    let mut contacts = Contacts::new(script.start);
    let mut text = line(0, contacts);
    for moment in &script.moments {
        match moment.step {
            Step::Reset => text += &format!("{} restart\n", moment.at),
            Step::Unplug(_) => {}
            step => {
                contacts.take(step);
                text += &line(moment.at, contacts);
            }
        }
    }
    text
}

fn line(at: u64, contacts: Contacts) -> String {
    let now = contacts.read();
    let (full, dark, controls) = (now.occupied, now.dark & now.occupied, now.controls);
    format!("{at} {full:x} {dark:x} {controls:x}\n")
}

/// What hands do, and the file that has sensors show it.
struct Game {
    played: Performance,
    script: Script,
}

impl Game {
    /// The first moves of a game carried with the program, played tidily but for the breaches, with
    /// contacts that bounce.
    fn new(number: usize, plies: usize, class: SensorClass, breaches: &[(Code, u32)]) -> Game {
        let game = &games::all()[number];
        let seed = number as u64;
        let played = perform(
            &game.start,
            &game.moves[..plies],
            Style::Tidy,
            seed,
            breaches,
            &Options::default(),
        );
        assert!(
            played.left_out.is_empty(),
            "{:?} cannot be done",
            played.left_out
        );
        let model = Model {
            period_us: (1_000, 1_000),
            ..Model::level(1)
        };
        let events = Sensors::with(class, model, seed).read(game.start.board(), &played.acts);
        let script = Script::new(class, game.start.board(), &events);
        Game { played, script }
    }

    /// What is wrong with the record, in words.
    fn differs(&self, board: &Value) -> Option<String> {
        let list = |name: &str, key: &str| -> Vec<String> {
            let all = board[name].as_array().into_iter().flatten();
            all.filter(|one| one["status"] != "withdrawn")
                .map(|one| text(&one[key]))
                .collect()
        };
        let moves: Vec<String> = self
            .played
            .truth
            .moves
            .iter()
            .map(ToString::to_string)
            .collect();
        let breaches: Vec<String> = self
            .played
            .truth
            .breaches
            .iter()
            .map(|breach| breach.code.to_string())
            .collect();
        let heard = (list("plies", "uci"), list("findings", "code"));
        (heard != (moves.clone(), breaches.clone()) || !board["fault"].is_null()).then(|| {
            format!(
                "{heard:?} and not {moves:?} {breaches:?}, fault {}",
                board["fault"]
            )
        })
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Plays on a board of this kind until the daemon's record is the game.
fn play(kind: &str, game: &Game) {
    let dir = tempfile::tempdir().expect("a directory");
    let script = dir.path().join("script");
    std::fs::write(&script, lines(&game.script)).expect("a script");
    let pico = Pico::start(kind, &script);
    let board = section("pico", &pico.port, "kind = \"native\"\n");
    let configuration = configuration(&dir.path().join("store"), [board]);
    let house = House::open(&dir.path().join("arbiter.toml"), &configuration);
    house.until(PATIENCE, |boards| {
        let differs = game.differs(&boards[0]);
        differs.map(|differs| format!("{kind}: {differs}"))
    });
    house.close();
}

#[test]
fn a_touched_piece_is_told_by_a_matrix_of_reeds() {
    play(
        "matrix",
        &Game::new(11, 6, Occupancy, &[(Code::TouchMoveOwnPiece, 3)]),
    );
}

#[test]
fn a_board_of_shift_registers_that_restarts_with_a_piece_in_the_air_loses_nothing() {
    let mut game = Game::new(28, 8, Occupancy, &[]);
    let presses = game.script.presses();
    let lift = game
        .script
        .moments
        .iter()
        .find(|moment| moment.at > presses[3])
        .expect("a fifth move")
        .at;
    game.script = game.script.with(lift + 100, Step::Reset);
    play("shift-register", &game);
}

#[test]
fn hall_sensors_tell_colours() {
    play("hall", &Game::new(42, 3, Colour, &[]));
}
