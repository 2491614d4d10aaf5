//! Boards in QEMU at which games are played, and the daemon that follows them.

use std::collections::BTreeSet;
use std::sync::Arc;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::Position;
use board_driver::hand::{Act, Deed, Options, Performance, Style, games, perform};
use board_driver::noise::{Model, Sensors};
use serde_json::Value;
use tests::cortex::{Array, Machine, Script};
use tests::evening::House;
use tests::rig::{self, configuration, section, until};

use crate::{PACE, PATIENCE};

/// What is played at one board.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) sensor: SensorClass,
    pub(crate) style: Style,
    /// The number of the game among those carried with the program, which also seeds hands and
    /// contacts.
    pub(crate) game: usize,
    pub(crate) plies: usize,
    pub(crate) breaches: Vec<(Code, u32)>,
    /// How many times faster than the world.
    pub(crate) pace: u64,
}

impl Play {
    pub(crate) fn of(sensor: SensorClass, game: usize) -> Play {
        Play {
            sensor,
            style: Style::Human,
            game,
            plies: 20,
            breaches: Vec::new(),
            pace: PACE,
        }
    }
}

/// A board, and all that will happen on it.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    play: Play,
    pub(crate) played: Performance,
    pub(crate) script: Script,
}

impl Seat {
    /// The script's times are later than those of the hands by this.
    pub(crate) const OFFSET: u64 = Script::OFFSET;

    pub(crate) fn new(play: Play) -> Seat {
        let game = &games::all()[play.game];
        let moves = &game.moves[..play.plies.min(game.moves.len())];
        assert!(
            moves.iter().all(|mv| mv.promotion().is_none()),
            "game {} promotes: choose another",
            play.game
        );
        let seed = play.game as u64;
        let played = perform(
            &game.start,
            moves,
            play.style,
            seed,
            &play.breaches,
            &Options::default(),
        );
        assert!(
            played.left_out.is_empty(),
            "{:?} cannot be done",
            played.left_out
        );
        assert!(
            !has_blink(&played.acts),
            "game {}: no filter lets such an exchange through: choose another",
            play.game
        );
        // Contacts that bounce, seen a thousand times a second.
        let model = Model {
            period_us: (1_000, 1_000),
            ..Model::level(1)
        };
        let events = Sensors::with(play.sensor, model, seed).read(game.start.board(), &played.acts);
        let script = Script::new(play.sensor, game.start.board(), &events);
        Seat {
            play,
            played,
            script,
        }
    }

    /// Who pressed, press by press.
    fn presses(&self) -> Vec<&'static str> {
        let by = |act: &Act| match act.deed {
            Deed::Press { by, .. } => Some(by.fold_wb("white", "black")),
            _ => None,
        };
        self.played.acts.iter().filter_map(by).collect()
    }

    /// What is wrong with the record of the game, in words.
    fn differs(&self, board: &Value) -> Option<String> {
        let id = &board["id"];
        let list = |name: &str| board[name].as_array().cloned().unwrap_or_default();
        let recorded: Vec<String> = list("plies")
            .iter()
            .filter_map(|ply| Some(ply["uci"].as_str()?.to_owned()))
            .collect();
        let truth: Vec<String> = self
            .played
            .truth
            .moves
            .iter()
            .map(ToString::to_string)
            .collect();
        if recorded != truth {
            return Some(format!(
                "{id}: {recorded:?} and not {truth:?}, fault {}",
                board["fault"]
            ));
        }
        if list("plies")
            .last()
            .is_some_and(|ply| ply["completed"] != true)
        {
            return Some(format!("{id}: the last move is not completed"));
        }
        let done: BTreeSet<(String, u64)> = self
            .played
            .truth
            .breaches
            .iter()
            .map(|b| (b.code.to_string(), u64::from(b.ply)))
            .collect();
        let standing = list("findings")
            .into_iter()
            .filter(|finding| finding["status"] != "withdrawn");
        let found = standing.map(|f| {
            (
                (text(&f["code"]), f["ply"].as_u64().unwrap_or(0)),
                f["certainty"] == "certain",
            )
        });
        let found: Vec<((String, u64), bool)> = found.collect();
        let is_tidy = self.play.style == Style::Tidy;
        let invented = found
            .iter()
            .find(|(breach, certain)| (*certain || is_tidy) && !done.contains(breach));
        let missing = done
            .iter()
            .find(|breach| found.iter().all(|(found, _)| found != *breach));
        let doubts = list("doubts");
        invented
            .map(|finding| format!("{id}: {finding:?} was not done"))
            .or_else(|| missing.map(|breach| format!("{id}: {breach:?} is not told")))
            .or_else(|| (!doubts.is_empty()).then(|| format!("{id}: {doubts:?}")))
            .or_else(|| {
                (!board["fault"].is_null()).then(|| format!("{id}: fault {}", board["fault"]))
            })
    }
}

/// Whether a piece takes another's place within a few milliseconds: to a filter against bounces its
/// square is never empty.
fn has_blink(acts: &[Act]) -> bool {
    acts.windows(2).any(|two| {
        two[0].square().is_some()
            && two[0].square() == two[1].square()
            && two[1].at.since(two[0].at) < 20
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Boards that are played on, and a daemon.
#[derive(Debug)]
pub(crate) struct Hall {
    seats: Vec<Seat>,
    machines: Vec<Arc<Machine>>,
    arrays: Vec<Array>,
    house: Option<House>,
    configuration: String,
    dir: tempfile::TempDir,
}

impl Hall {
    /// Switches everything on and begins the games.
    pub(crate) fn open(seats: Vec<Seat>) -> Hall {
        let image = |seat: &Seat| {
            if seat.play.sensor == SensorClass::Colour {
                "qemu-colour"
            } else {
                "qemu"
            }
        };
        let machines: Vec<_> = seats
            .iter()
            .map(|seat| Arc::new(Machine::start(image(seat), &[])))
            .collect();
        let plug =
            |(machine, seat): (_, &Seat)| Array::plug(machine, seat.script.clone(), seat.play.pace);
        let arrays: Vec<_> = machines.iter().zip(&seats).map(plug).collect();
        let dir = tempfile::tempdir().expect("a directory");
        let store = dir.path().join("store");
        let sections = machines
            .iter()
            .enumerate()
            .map(|(n, machine)| section(&format!("b{n}"), &machine.port, "kind = \"native\"\n"));
        let configuration = configuration(&store, sections);
        let mut hall = Hall {
            seats,
            machines,
            arrays,
            house: None,
            configuration,
            dir,
        };
        hall.serve();
        hall.until(|boards| {
            let waits = |board: &&Value| board["connected"] != true || board["fen"].is_null();
            boards
                .iter()
                .find(waits)
                .map(|board| format!("{}: not connected, {}", board["id"], board["fault"]))
        });
        hall.arrays.iter().for_each(Array::begin);
        hall
    }

    /// Starts a daemon.
    pub(crate) fn serve(&mut self) {
        self.house = Some(House::open(
            &self.dir.path().join("arbiter.toml"),
            &self.configuration,
        ));
    }

    /// Ends the daemon in order. The boards play on.
    pub(crate) fn dismiss(&mut self) {
        self.house.take().expect("a daemon").close();
    }

    fn house(&self) -> &House {
        self.house.as_ref().expect("a daemon")
    }

    /// Waits until nothing is left of what `why` complains about.
    pub(crate) fn until(&self, why: impl Fn(&[Value]) -> Option<String>) -> Vec<Value> {
        self.house().until(PATIENCE, why)
    }

    /// Waits while play goes on, whether anybody hears it or not: until so much more has happened
    /// at every array.
    pub(crate) fn play_on(&self, moments: usize) {
        let before: Vec<usize> = self.arrays.iter().map(Array::happened).collect();
        for (array, before) in self.arrays.iter().zip(before) {
            until("play to go on at every array", PATIENCE, || {
                array.happened() >= before + moments
            });
        }
    }

    /// Waits until every record is the game that was played, and every finding is what was done.
    pub(crate) fn play_to_the_end(&self) {
        let differs = |boards: &[Value]| {
            self.seats
                .iter()
                .zip(boards)
                .find_map(|(seat, board)| seat.differs(board))
        };
        let boards = self.until(differs);
        for (seat, board) in self.seats.iter().zip(&boards) {
            let script = self.house().script(board["game"].as_str().expect("a game"));
            let told: Vec<Value> = script
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            let told: Vec<&str> = told
                .iter()
                .filter(|e| e["event"] == "press")
                .filter_map(|e| e["by"].as_str())
                .collect();
            assert_eq!(told, seat.presses(), "{}: each press once", board["id"]);
        }
        for machine in &self.machines {
            let untouched = machine.untouched_ram();
            assert!(untouched > 0, "the stack has met what lies below it");
        }
    }

    /// The PGN files that the daemon has left hold the same games to another program.
    pub(crate) fn read_back(&self) {
        let pages = rig::read_back(&self.dir.path().join("store/pgn"));
        let moves = |page: &Value| {
            let moves = page["moves"].as_array().into_iter().flatten();
            moves.map(text).collect()
        };
        let played: BTreeSet<Vec<String>> = pages.iter().map(moves).collect();
        let truth = |seat: &Seat| {
            seat.played
                .truth
                .moves
                .iter()
                .map(ToString::to_string)
                .collect()
        };
        assert_eq!(played, self.seats.iter().map(truth).collect());
    }

    /// Switches everything off in order.
    pub(crate) fn close(mut self) {
        self.arrays.clear();
        self.dismiss();
    }
}
