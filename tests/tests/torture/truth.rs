//! What was played against what is recorded.

use std::path::Path;

use serde_json::Value;
use tests::evening::Table;

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

/// Every PGN of these tables holds the whole game, and each of `boards` boards has one.
pub(crate) fn check_pages(store: &Path, tables: &[Table], boards: usize) {
    let files: Vec<_> = std::fs::read_dir(store.join("pgn"))
        .expect("PGN files")
        .flatten()
        .map(|e| e.path())
        .collect();
    let pages: Vec<_> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "pgn"))
        .collect();
    assert_eq!(pages.len(), boards, "{files:?}");
    for table in tables {
        let of_board = |path: &&&std::path::PathBuf| {
            path.to_string_lossy().contains(&format!("-{}-", table.id))
        };
        let path = pages.iter().find(of_board).expect("a PGN of the board");
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
