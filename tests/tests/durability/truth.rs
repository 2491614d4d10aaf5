//! What was played against what is recorded.

use std::path::Path;

use tests::evening::Table;

/// Every PGN holds the whole game, and there is none besides.
pub(crate) fn check_pages(store: &Path, tables: &[Table]) {
    let files: Vec<_> = std::fs::read_dir(store.join("pgn"))
        .expect("PGN files")
        .flatten()
        .map(|e| e.path())
        .collect();
    let pages: Vec<_> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "pgn"))
        .collect();
    assert_eq!(pages.len(), tables.len(), "{files:?}");
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
