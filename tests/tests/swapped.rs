//! Another board on the port in mid-game, or one board on two ports: a fault that says what to do,
//! and never two games in one record.

use std::time::Duration;

use arbiter_core::shakmaty::Board;
use board_wire::Side;
use serde_json::{Value, json};
use tests::evening::House;
use tests::rig::{Fingers, configuration, let_run, section};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Long enough for what must not come.
const A_WHILE: Duration = Duration::from_millis(1_500);

/// The position after 1.e4, and one that no game comes to.
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
const ELSEWHERE: &str = "4k3/8/2q5/8/8/5N2/8/R3K3";

fn board(fen: &str) -> Board {
    Board::from_ascii_board_fen(fen.as_bytes()).expect("a position")
}

struct Table {
    dir: tempfile::TempDir,
    house: House,
    board: Option<Fingers>,
}

impl Table {
    /// A hall of boards, the first of which is EA-1 and has played 1.e4.
    fn after_e4(ids: &[&str]) -> Table {
        let dir = tempfile::tempdir().expect("a directory");
        let sections = ids
            .iter()
            .map(|id| section(id, &dir.path().join(id), "kind = \"native\"\n"));
        let configuration = configuration(&dir.path().join("store"), sections);
        let port = dir.path().join(ids[0]);
        let board = Some(Fingers::plug_in(&port, "EA-1", 3, &Board::new()));
        let house = House::open(&dir.path().join("arbiter.toml"), &configuration);
        let table = Table { dir, house, board };
        table.until(|board| board["connected"] == true);
        table.play("e2", "e4", 'P', Side::White);
        table.until(|board| moves(board) == ["e2e4"]);
        table
    }

    fn play(&self, from: &str, to: &str, piece: char, by: Side) {
        let board = self.board.as_ref().expect("a board is plugged in");
        board.play(from, to, piece, by);
    }

    /// Another board is plugged in, or the same in another run.
    fn exchange(&mut self, serial: &str, boot: u16, position: &str) {
        self.board = None;
        self.until(|board| board["connected"] == false);
        let port = self.dir.path().join("b01");
        self.board = Some(Fingers::plug_in(&port, serial, boot, &board(position)));
    }

    /// The first board is reached in another way from now on.
    fn connects(&self, order: Value) {
        let (status, said) = self.house.post("/api/ports/b01", &order);
        assert_eq!(status, 200, "{said}");
    }

    fn until(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        let boards = self.house.until(PATIENCE, |boards| {
            (!is_so(&boards[0])).then(|| format!("{}", boards[0]))
        });
        boards[0].clone()
    }

    /// The game goes on with 1...e5, and nobody is accused of anything.
    fn goes_on(self) {
        self.until(|board| board["fault"].is_null() && board["connected"] == true);
        self.play("e7", "e5", 'p', Side::Black);
        let board = self.until(|board| moves(board) == ["e2e4", "e7e5"]);
        assert_eq!(board["findings"], Value::Array(Vec::new()), "{board}");
        self.house.close();
    }
}

fn moves(board: &Value) -> Vec<&str> {
    let plies = board["plies"].as_array().into_iter().flatten();
    plies.filter_map(|ply| ply["uci"].as_str()).collect()
}

fn faults(board: &Value, words: &str) -> bool {
    board["fault"]
        .as_str()
        .is_some_and(|fault| fault.contains(words))
}

#[test]
fn another_board_on_the_port_is_not_listened_to() {
    let mut table = Table::after_e4(&["b01"]);
    // It has been played on for some time: its own game, in its own run.
    table.exchange("EA-2", 3, ELSEWHERE);
    let board = table.until(|board| faults(board, "EA-2"));
    assert!(faults(&board, "the game is played on EA-1"), "{board}");
    table.play("f3", "e5", 'N', Side::White);
    table.play("c6", "e6", 'q', Side::Black);
    let_run(A_WHILE);
    let board = table.until(|board| faults(board, "EA-2"));
    assert_eq!(moves(&board), ["e2e4"]);
    table.exchange("EA-1", 4, E4);
    table.goes_on();
}

#[test]
fn a_spare_board_is_taken_when_the_position_is_set_up_on_it() {
    let mut table = Table::after_e4(&["b01"]);
    let without_the_pawn = E4.replace("4P3", "8");
    table.exchange("EA-9", 7, &without_the_pawn);
    table.until(|board| faults(board, "EA-9"));
    table.board.as_ref().expect("it is there").set("e4", 'P');
    table.goes_on();
}

#[test]
fn another_board_is_known_after_a_restart_of_the_program() {
    let mut table = Table::after_e4(&["b01"]);
    table.exchange("EA-1", 5, E4);
    table.until(|board| board["connected"] == true);
    table.house.kill();
    table.board = None;
    let port = table.dir.path().join("b01");
    table.board = Some(Fingers::plug_in(&port, "EA-2", 5, &board(ELSEWHERE)));
    let configuration = configuration(
        &table.dir.path().join("store"),
        [section("b01", &port, "kind = \"native\"\n")],
    );
    table.house = House::open(&table.dir.path().join("arbiter.toml"), &configuration);
    table.until(|board| faults(board, "EA-2") && moves(board) == ["e2e4"]);
    table.exchange("EA-1", 6, E4);
    table.goes_on();
}

/// The board is unplugged and plugged in at another port: whoever says so need not restart
/// anything.
#[test]
fn the_game_goes_on_when_its_board_is_on_another_port() {
    let mut table = Table::after_e4(&["b01"]);
    table.board = None;
    let port = table.dir.path().join("elsewhere");
    table.board = Some(Fingers::plug_in(&port, "EA-1", 4, &board(E4)));
    table.connects(json!({ "port": port }));
    table.goes_on();
}

/// A board of another make than was configured: at first nothing of it is understood.
#[test]
fn a_board_of_another_kind_is_heard_when_that_is_said() {
    let dir = tempfile::tempdir().expect("a directory");
    let port = dir.path().join("b01");
    let sections = [section("b01", &port, "kind = \"chesslink\"\n")];
    let configuration = configuration(&dir.path().join("store"), sections);
    let board = Some(Fingers::plug_in(&port, "EA-1", 3, &Board::new()));
    let house = House::open(&dir.path().join("arbiter.toml"), &configuration);
    let table = Table { dir, house, board };
    table.until(|board| !board["fault"].is_null());
    table.connects(json!({ "kind": "native" }));
    table.until(|board| board["connected"] == true && board["fault"].is_null());
    table.play("e2", "e4", 'P', Side::White);
    table.until(|board| moves(board) == ["e2e4"]);
    table.goes_on();
}

#[test]
fn one_board_on_two_ports_is_one_board() {
    let table = Table::after_e4(&["b01", "b02"]);
    let port = table.dir.path().join("b02");
    let again = Fingers::plug_in(&port, "EA-1", 3, &board(E4));
    let second = |boards: &[Value]| boards[1].clone();
    table.house.until(PATIENCE, |boards| {
        let board = second(boards);
        (!faults(&board, "the board of b01")).then(|| board.to_string())
    });
    again.play("e7", "e5", 'p', Side::Black);
    let_run(A_WHILE);
    let boards = table.house.boards();
    assert!(moves(&boards[1]).is_empty(), "{}", boards[1]);
    assert_eq!(moves(&boards[0]), ["e2e4"]);
    table.goes_on();
}
