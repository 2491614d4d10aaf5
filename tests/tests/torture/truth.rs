//! What was played against what is recorded.

use std::path::{Path, PathBuf};

use daemon::store::Store;
use serde_json::Value;
use tests::evening::Table;

use crate::kill_boards::Process;

/// Games of these tables, the first ones of `boards`, that are not whole.
pub(crate) fn unfinished(tables: &[Table], boards: &[Value]) -> Vec<String> {
    let shown = tables.iter().zip(boards);
    shown
        .filter_map(|(table, board)| table.differs(board))
        .collect()
}

/// Nobody is accused; the boards after the first `whole` may have gaps, and say where.
pub(crate) fn check_blame(tables: &[Table], whole: usize, boards: &[Value]) {
    for (n, (table, board)) in tables.iter().zip(boards).enumerate() {
        match n < whole {
            true => table.assert_blameless(board),
            false => assert_eq!(table.dishonest(board), None),
        }
    }
}

/// Every PGN of these tables holds the whole game, and each of them has one.
pub(crate) fn check_pages(store: &Path, tables: &[Table]) {
    let files = std::fs::read_dir(store.join("pgn")).expect("PGN files");
    let files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    for table in tables {
        let of_board = |path: &&PathBuf| {
            let is_page = path.extension().is_some_and(|e| e == "pgn");
            is_page && path.to_string_lossy().contains(&format!("-{}-", table.id))
        };
        let pages: Vec<&PathBuf> = files.iter().filter(of_board).collect();
        let [path] = pages[..] else {
            panic!("{}: one game was played: {pages:?}", table.id)
        };
        let page = daemon::pgn::read(std::fs::File::open(path).expect("a file")).expect("a game");
        assert_eq!(page.moves.len(), table.truth().len(), "{}", path.display());
        for (ply, mv) in page.moves.iter().enumerate() {
            let recorded = mv
                .to_uci(arbiter_core::shakmaty::CastlingMode::Standard)
                .to_string();
            assert!(
                table.is_ply(ply, &recorded, true),
                "{}: ply {} is {recorded}",
                path.display(),
                ply + 1
            );
        }
    }
}

/// No game that was begun on the board `process` has a ply that was not played and is not in doubt,
/// or accuses anybody for sure. How many half-moves they have.
pub(crate) fn check_begun(store: &Path, process: &Process) -> usize {
    let (store, truth) = (Store::open(store).expect("a store"), process.truth());
    let games = store.games().expect("games").into_iter();
    let mut count = 0;
    for row in games.filter(|row| row.board == process.id) {
        let game = store.game(&row.id).expect("events").expect("the game");
        let view = serde_json::to_value(game.view()).expect("JSON");
        let list = |name: &str| view[name].as_array().cloned().unwrap_or_default();
        let plies = list("plies");
        let sure = plies.iter().take_while(|ply| ply["doubtful"] != true);
        let told = || format!("{}:\n{}", row.id, game.script().unwrap_or_default());
        // A move that nobody has completed may have been in a hand still.
        let in_hand = |n: usize, ply: &Value| n + 1 == plies.len() && ply["completed"] == false;
        for (n, ply) in sure.enumerate().filter(|(n, ply)| !in_hand(*n, ply)) {
            let played = truth.get(n).map(String::as_str);
            assert_eq!(ply["uci"].as_str(), played, "ply {} of {}", n + 1, told());
        }
        let is_certain = |f: &Value| f["certainty"] == "certain" && f["status"] != "withdrawn";
        let certain: Vec<Value> = list("findings").into_iter().filter(is_certain).collect();
        assert!(certain.is_empty(), "{certain:?} of {}", told());
        count += plies.len();
    }
    count
}
