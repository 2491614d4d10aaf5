//! Any bytes as a tournament report file: no panic, what went in comes out, and filling in a result
//! leaves a file that can be read.
#![no_main]

use chess_trf::{Cell, Code, Document, current_round, in_table_order, pairings};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut file) = Document::parse(bytes) else {
        return;
    };
    assert_eq!(file.to_bytes(), bytes);
    let _ = (file.event(), file.teams(), file.line_ups(), file.unknown());
    let _ = (file.forfeited_matches(), file.match_scoring(), file.byes());
    let Ok(players) = file.players() else { return };
    let Some(round) = current_round(&players) else {
        return;
    };
    let Ok(mut pairs) = pairings(&players, round) else {
        return;
    };
    in_table_order(&mut pairs, &players, &file.scoring(), round);
    for pair in pairs {
        for number in [pair.white, pair.black] {
            file.set_result(number, round, Code::Draw)
                .expect("a game of that round");
        }
    }
    file.players().expect("as readable as before");
    for player in &players {
        let _no_such_round = file.set_cell(player.number, round, Cell::default());
    }
    file.players().expect("as readable as before");
});
