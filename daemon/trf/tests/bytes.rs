//! Whatever the bytes: nothing panics, and what went in comes out.

use chess_trf::{Cell, Code, Colour, Document, Encoding, current_round, in_table_order, pairings};
use proptest::prelude::*;

/// Looks at everything that there is to look at.
fn look(file: &Document) {
    let _ = (file.event(), file.teams(), file.line_ups(), file.unknown());
    let _ = (file.byes(), file.forfeited_matches());
    let Ok(players) = file.players() else { return };
    let round = current_round(&players).unwrap_or(1);
    if let Ok(mut pairs) = pairings(&players, round) {
        in_table_order(&mut pairs, &players, &file.scoring(), round);
    }
}

/// Lines that look like those of a file.
fn line() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "001", "012", "013", "132", "142", "162", "222", "240", "300", "310", "330", "XXS", "XXR",
        "BBW", "GER", "###", "",
    ]);
    let rest = prop::collection::vec(
        prop::sample::select("  0123456789wb=+-HUZ.,:/ÄńŁ€".chars().collect::<Vec<_>>()),
        0..140,
    );
    let end = prop::sample::select(vec!["\r", "\n", "\r\n"]);
    (tag, rest, end).prop_map(|(tag, rest, end)| {
        let rest: String = rest.into_iter().collect();
        format!("{tag} {rest}{end}")
    })
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(file) = Document::parse(&bytes) {
            prop_assert_eq!(file.to_bytes(), bytes);
            look(&file);
        }
    }

    #[test]
    fn any_bytes_of_windows(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let file = Document::parse_as(&bytes, Encoding::Windows1252).unwrap();
        prop_assert_eq!(file.to_bytes(), bytes);
    }

    #[test]
    fn any_lines(lines in prop::collection::vec(line(), 0..12)) {
        let text: String = lines.concat();
        let file = Document::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(file.to_bytes(), text.as_bytes());
        look(&file);
    }

    #[test]
    fn what_is_said_of_a_round_is_read_again(
        lines in prop::collection::vec(line(), 0..12),
        number in 0u16..20,
        round in 1usize..6,
        opponent in prop::option::of(1u16..10_000),
        code in prop::sample::select(vec![Some(Code::Win), Some(Code::HalfPointBye), None]),
    ) {
        let text: String = lines.concat();
        let mut file = Document::parse(text.as_bytes()).unwrap();
        let before = file.clone();
        let colour = opponent.map(|_| Colour::Black);
        let cell = Cell { opponent, colour, code };
        match file.set_cell(number, round, cell) {
            Err(_) => prop_assert_eq!(file, before),
            Ok(()) => {
                let again = Document::parse(&file.to_bytes()).unwrap();
                prop_assert_eq!(file.to_bytes(), again.to_bytes());
                let read = file.players();
                if let (Ok(_), Ok(players)) = (before.players(), read) {
                    let player = players.iter().find(|player| player.number == number);
                    prop_assert_eq!(player.unwrap().round(round), cell);
                }
            }
        }
    }

    #[test]
    fn a_result_changes_one_character(
        lines in prop::collection::vec(line(), 0..12),
        number in 0u16..20,
        round in 0usize..6,
    ) {
        let text: String = lines.concat();
        let mut file = Document::parse(text.as_bytes()).unwrap();
        let before = file.clone();
        match file.set_result(number, round, Code::Win) {
            Err(_) => prop_assert_eq!(file, before),
            Ok(()) => {
                let after = String::from_utf8(file.to_bytes()).unwrap();
                let blanks = after.chars().count() - text.chars().count();
                prop_assert!(blanks < 140);
                prop_assert!(after.lines().count() == text.lines().count());
            }
        }
    }
}
