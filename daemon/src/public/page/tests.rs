use std::sync::Arc;

use super::*;
use crate::public::Change;
use crate::public::shown::{Clocks, Ply};

fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        ..Person::default()
    }
}

fn shown(table: u16) -> Shown {
    let ply = |san: &str, uci: &str| Ply {
        san: san.to_owned(),
        uci: uci.to_owned(),
        clock_ms: Some(5_400_000),
        used_ms: Some(30_000),
    };
    Shown {
        of_event: 1,
        completed: 0,
        game: format!("game-{table}"),
        round: Some(1),
        table: Some(table),
        event: String::new(),
        site: String::new(),
        date: String::new(),
        round_text: String::new(),
        paired: true,
        time_control: String::new(),
        white: person("Maximilian von Hohenstetten-Brückl"),
        black: person("Aoife Ní Mhurchadha-Brennan"),
        chess960: false,
        start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        plies: vec![ply("e4", "e2e4"), ply("e5", "e7e5")],
        sure: 0,
        fen: "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8".to_owned(),
        clocks: Clocks {
            white_ms: Some(5_400_000),
            black_ms: Some(5_400_000),
            running: Some('w'),
            at: 1_800_000_000_000,
        },
        result: "*".to_owned(),
        over: false,
        with_arbiter: false,
        stopped: false,
        version: 1,
    }
}

fn event(tables: u16) -> (Gate, Programme) {
    let gate = Gate::default();
    let change = |table| Change {
        game: Arc::new(shown(table)),
        kept: 0,
        corrections: Vec::new(),
    };
    gate.show((1..=tables).map(change).collect());
    let seats = |table| Seats {
        table,
        white: person("Maximilian von Hohenstetten-Brückl"),
        black: person("Aoife Ní Mhurchadha-Brennan"),
        result: "*".to_owned(),
        game: Some(format!("game-{table}")),
        paired: true,
        start: None,
    };
    let programme = Programme {
        name: "Winter Open".to_owned(),
        rounds: vec![Round {
            number: 1,
            date: None,
            live: true,
            late: crate::public::Late::default(),
            tables: (1..=tables).map(seats).collect(),
        }],
        ..Programme::default()
    };
    (gate, programme)
}

#[test]
fn names_stay_text() {
    let (gate, mut programme) = event(1);
    programme.name = "<b>Open</b>".to_owned();
    programme.rounds[0].tables[0].white = person("<script>alert('x')</script>\" onload=\"");
    for language in Language::ALL {
        let page = html(&gate, &programme, &programme.rounds[0], language);
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)"), "{page}");
        assert!(page.contains("&quot; onload=&quot;"), "{page}");
        assert!(
            !page.contains("<script>") && !page.contains("<b>"),
            "{page}"
        );
    }
    assert!(!start(&[Arc::new(programme)]).contains("<b>"));
}

#[test]
fn the_table_says_the_last_move_or_the_result() {
    let (gate, mut programme) = event(2);
    programme.rounds[0].tables[1].result = "1/2-1/2".to_owned();
    let page = html(&gate, &programme, &programme.rounds[0], Language::French);
    assert!(page.contains("<html lang=\"fr\">"), "{page}");
    assert!(page.contains("<td>1… e5</td>"), "{page}");
    assert!(page.contains("<td>½–½</td>"), "{page}");
    for (result, told) in [("+/-", "+/-"), ("0-0", "0–0"), ("1/2-0", "½–0")] {
        programme.rounds[0].tables[1].result = result.to_owned();
        let page = html(&gate, &programme, &programme.rounds[0], Language::German);
        assert!(page.contains(&format!("<td>{told}</td>")), "{page}");
        let live = live(&gate, &programme, &programme.rounds[0]);
        assert_eq!(live["tables"][1]["result"], told);
    }
    assert!(page.contains("href=\"game-2.pgn\""), "{page}");
}

/// Tables with long names, all files of the first view together: forty as a folder has them, two
/// hundred as the daemon sends them, and web servers that compress what they carry.
#[test]
fn the_first_view_is_small() {
    use std::io::Write;
    let gzip = |text: &str| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap().len()
    };
    let size = |tables: u16, language: Language, size: &dyn Fn(&str) -> usize| -> usize {
        let (gate, mut programme) = event(tables);
        // No two are called alike.
        for seats in &mut programme.rounds[0].tables {
            let letter =
                |n: u32| char::from(b'a' + (u32::from(seats.table) * (n * n + 7) % 26) as u8);
            let [white, black] = [0, 100].map(|from| (from..from + 34).map(letter).collect());
            (seats.white.name, seats.black.name) = (white, black);
        }
        let round = &programme.rounds[0];
        let parts = [Part::Style, Part::Script, Part::Board, Part::Words];
        let parts = parts.map(|part| part.text().to_owned());
        let page = html(&gate, &programme, round, language);
        let live = live(&gate, &programme, round).to_string();
        parts.iter().chain([&page, &live]).map(|t| size(t)).sum()
    };
    for language in Language::ALL {
        let all = size(40, language, &str::len);
        assert!(all < 60_000, "{all} bytes");
        let all = size(200, language, &gzip);
        assert!(all < 60_000, "{all} bytes");
    }
}

#[test]
fn what_is_with_the_arbiter_is_not_told() {
    let (gate, programme) = event(1);
    let before = live(&gate, &programme, &programme.rounds[0]);
    let mut held = shown(1);
    held.with_arbiter = true;
    let change = Change {
        game: Arc::new(held),
        kept: 2,
        corrections: Vec::new(),
    };
    gate.show(vec![change]);
    assert_eq!(live(&gate, &programme, &programme.rounds[0]), before);
}
