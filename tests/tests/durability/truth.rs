//! What was played against what is recorded.

use std::path::Path;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::uci::UciMove;
use serde_json::Value;
use tests::rig::{Arbiterd, Player, get};

/// Waits until every game is recorded as it was played; says which is not.
pub(crate) fn await_ends(
    daemon: &Arbiterd,
    players: &[Player],
    patience: Duration,
) -> Result<(), String> {
    let end = Instant::now() + patience;
    let address = daemon
        .address(end)
        .ok_or("the last daemon does not serve")?;
    loop {
        let reply = get(address, "/api/boards").map_err(|error| error.to_string())?;
        let boards: Vec<Value> =
            serde_json::from_str(&reply.body).map_err(|error| error.to_string())?;
        let wrong: Vec<String> = players
            .iter()
            .zip(&boards)
            .filter_map(|(p, board)| differs(p, board))
            .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        if Instant::now() > end {
            return Err(wrong.join("\n"));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// How the record of a board differs from its game, in words.
fn differs(player: &Player, board: &Value) -> Option<String> {
    let id = &player.id;
    if board["id"] != **id {
        return Some(format!("{id}: {} is shown in its place", board["id"]));
    }
    let moves = board["moves"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let same = |ply: usize| {
        let doubtful = board["plies"][ply]["doubtful"] == true;
        moves
            .get(ply)
            .is_some_and(|mv| is_same(player, ply, mv.as_str().unwrap_or_default(), doubtful))
    };
    match (0..player.truth.len()).find(|ply| !same(*ply)) {
        Some(ply) => Some(format!(
            "{:?}: ply {} is {}, not {}",
            player.seat,
            ply + 1,
            board["moves"][ply],
            player.truth[ply]
        )),
        None if moves.len() > player.truth.len() => Some(format!(
            "{id}: {} plies too many",
            moves.len() - player.truth.len()
        )),
        None => None,
    }
}

/// Whether `recorded` is what was played. What a pawn became is unseen by most boards and may be in
/// doubt, and nothing else may.
fn is_same(player: &Player, ply: usize, recorded: &str, doubtful: bool) -> bool {
    let played = player.truth[ply];
    let unseen = doubtful && player.seat.sensor != SensorClass::Piece && is_promotion(played);
    recorded == played.to_string() || (unseen && recorded.get(..4) == played.to_string().get(..4))
}

fn is_promotion(played: UciMove) -> bool {
    matches!(
        played,
        UciMove::Normal {
            promotion: Some(_),
            ..
        }
    )
}

/// Every PGN holds the whole game, and there is none besides.
pub(crate) fn check_pages(store: &Path, players: &[Player]) {
    let files: Vec<_> = std::fs::read_dir(store.join("pgn"))
        .expect("PGN files")
        .flatten()
        .map(|e| e.path())
        .collect();
    let pages: Vec<_> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "pgn"))
        .collect();
    assert_eq!(pages.len(), players.len(), "{files:?}");
    for player in players {
        let of_board = |path: &&&std::path::PathBuf| {
            path.to_string_lossy().contains(&format!("-{}-", player.id))
        };
        let path = pages.iter().find(of_board).expect("a PGN of the board");
        let page = daemon::pgn::read(std::fs::File::open(path).expect("a file")).expect("a game");
        assert_eq!(page.moves.len(), player.truth.len(), "{}", path.display());
        for (ply, mv) in page.moves.iter().enumerate() {
            let recorded = mv
                .to_uci(arbiter_core::shakmaty::CastlingMode::Standard)
                .to_string();
            assert!(
                is_same(player, ply, &recorded, true),
                "{}: ply {} is {recorded}",
                path.display(),
                ply + 1
            );
        }
    }
}
