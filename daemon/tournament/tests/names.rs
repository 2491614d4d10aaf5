//! Names in every encoding that files have go in and come out unharmed.

use chess_trf::Encoding;
use tournament::{Act, How, Place, Plan, ResultCode, Tournament, load, write};

/// A file of players with these names, in one encoding. The first plays the second, and so on.
fn file(names: &[Vec<u8>], encode: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, n) in names.iter().zip(1_usize..) {
        let (other, colour) = if n % 2 == 1 {
            (n + 1, 'w')
        } else {
            (n - 1, 'b')
        };
        bytes.extend(encode(&format!("001 {n:4} m    ")));
        bytes.extend(name);
        // Names are 20 characters, and the line goes on in column 92.
        bytes.extend(encode(&format!("{:57}{other:4} {colour}  \r\n", "")));
    }
    bytes
}

/// Loads, types results, and writes; the names and the bytes.
fn through(file: &[u8]) -> (Vec<String>, Vec<u8>) {
    let mut tournament = Tournament::default();
    let sheet = load::read(file, None).expect("a sheet");
    let plan = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    for act in plan.acts.iter().chain([&Act::StartRound {
        round: 1,
        at: String::new(),
    }]) {
        tournament.apply(act).expect("an act");
    }
    for table in plan.pairings.iter().filter_map(|pairing| pairing.table) {
        let codes = ResultCode::both("½-½").expect("a result");
        let (how, reason) = (How::Typed, String::new());
        let act = Act::Result {
            round: 1,
            table,
            codes,
            how,
            reason,
        };
        tournament.apply(&act).expect("a result");
    }
    let names = tournament
        .players
        .values()
        .map(|player| player.name.clone());
    let csv = write::csv(&tournament, 1).expect("a table");
    let again = load::read(csv.as_bytes(), None).expect("a sheet");
    let again = Plan::of(&tournament, &again, &Place::default()).expect("a plan");
    assert_eq!(again.changes, []);
    let filled = write::trf(&tournament, 1, file).expect("a file").bytes;
    (names.collect(), filled)
}

/// The names of a file, and whether its results alone are others.
fn check(names: &[Vec<u8>], expected: &[String], encode: impl Fn(&str) -> Vec<u8>) {
    let file = file(names, &encode);
    let (read, filled) = through(&file);
    assert_eq!(read, expected);
    let (blank, drawn) = (encode("  \r\n"), encode(" =\r\n"));
    let others = file.iter().zip(&filled).filter(|(one, other)| one != other);
    assert_eq!((file.len(), others.count()), (filled.len(), names.len()));
    let count =
        |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).filter(|w| *w == what).count();
    assert_eq!(
        (count(&file, &blank), count(&filled, &drawn)),
        (names.len(), names.len())
    );
}

#[test]
fn every_character_of_the_code_page_of_windows() {
    // Five bytes are no characters there.
    let all = (0x20..=0xff_u8).filter(|b| !matches!(b, 0x7f | 0x81 | 0x8d | 0x8f | 0x90 | 0x9d));
    let all: Vec<u8> = all.collect();
    let mut names: Vec<Vec<u8>> = Vec::new();
    for chars in all.chunks(16) {
        let mut name = vec![b'x'];
        name.extend(chars);
        name.resize(19, b'-');
        name.push(b'x');
        names.push(name);
    }
    assert_eq!(names.len(), 14, "everybody has an opponent");
    let text = |name: &Vec<u8>| Encoding::Windows1252.decode(name).expect("text");
    let expected: Vec<String> = names.iter().map(text).collect();
    check(&names, &expected, |text| text.as_bytes().to_vec());
}

#[test]
fn names_of_many_scripts() {
    let scripts = [
        "Ńowák-Łódźowska, Żoë",
        "Þórðarson, Ægir",
        "O’Brien \"Bob\", D. ",
        "Ющенко, Нгуен",
        "Παπαδόπουλος, Άρης",
        "王, 小明",
        "حسن، محمد",
        "כהן, דוד",
        "शर्मा, अ.",
        "Nguyễn Đức, Hòa",
    ];
    let pad = |name: &&str| {
        let name: String = name.chars().take(20).collect();
        format!("{name:.<20}")
    };
    let expected: Vec<String> = scripts.iter().map(pad).collect();
    let utf16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let utf8 = |text: &str| text.as_bytes().to_vec();
    let names: Vec<Vec<u8>> = expected.iter().map(|name| utf8(name)).collect();
    check(&names, &expected, utf8);

    let names: Vec<Vec<u8>> = expected.iter().map(|name| utf16(name)).collect();
    let mut marked = vec![0xff, 0xfe];
    marked.extend(file(&names, utf16));
    let (read, filled) = through(&marked);
    assert_eq!((read, filled.len()), (expected, marked.len()));
    assert_eq!(&filled[..2], [0xff, 0xfe]);
}

/// A report file has room for 33 characters. What comes back from it is no other name.
#[test]
fn a_name_for_which_a_report_file_has_no_room_stays_as_it_is_known() {
    let long = "Łukasz, Żółć Extremely-Long-Name-Of-Newcomer";
    let list = format!("table,white_no,white,black_no,black\n1,1,\"{long}\",2,\"Cole, Ben\"\n");
    let mut tournament = Tournament::default();
    let mut take = |file: &[u8], round| {
        let place = Place {
            round: Some(round),
            ..Place::default()
        };
        let sheet = load::read(file, Some(round)).expect("a sheet");
        let plan = Plan::of(&tournament, &sheet, &place).expect("a plan");
        for act in &plan.acts {
            tournament.apply(act).expect("an act");
        }
        tournament.players[&1].name.clone()
    };
    assert_eq!(take(list.as_bytes(), 1), long);
    let cut: String = long.chars().take(33).collect();
    let other = |name: &str| file(&[format!("{name:<33}").into_bytes(), vec![b'x'; 33]], utf_8);
    let report = |name: &str| {
        let bytes = other(name);
        String::from_utf8(bytes)
            .expect("UTF-8")
            .replace(&" ".repeat(57), &" ".repeat(44))
    };
    assert_eq!(take(report(&cut).as_bytes(), 1), long);
    assert_eq!(take(report("Łukasz, Anna").as_bytes(), 1), "Łukasz, Anna");
}

fn utf_8(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}
