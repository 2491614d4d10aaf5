//! The report file that was loaded comes back, however it was loaded.

use tournament::load;

use super::*;
use crate::office::pages;

/// A report file whose lines of players have room for the results.
fn report() -> String {
    let text = String::from_utf8_lossy(TRF);
    text.lines()
        .map(|line| format!("{line:<119}\r\n"))
        .collect()
}

/// The results that it comes back with.
const RESULTS: [(u8, u8); 2] = [(b' ', b'0'), (b' ', b'1')];

const LIST: &[u8] = b"2\n3 2\n1 4\n";

async fn loads(house: &House, request: Request) {
    let author = Author::default();
    house.office.load(&author, request).await.unwrap();
    let at = String::new();
    house.does(Act::StartRound { round: 3, at }).await.unwrap();
    let result = Act::Result {
        round: 3,
        table: 1,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    };
    house.does(result).await.unwrap();
}

fn exported(house: &House) -> Given {
    let (book, store) = (house.office.book(), house.office.store());
    pages::round(&book.event, 3, Form::Trf, store, &Minors::default()).unwrap()
}

/// Which bytes are others than before.
fn differing(one: &[u8], other: &[u8]) -> Vec<(u8, u8)> {
    assert_eq!(one.len(), other.len());
    let pairs = one.iter().copied().zip(other.iter().copied());
    pairs.filter(|(one, other)| one != other).collect()
}

#[tokio::test]
async fn the_players_of_a_list_are_its_report_file() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let request = Request {
        file: LIST.to_vec(),
        players: Some(report().into_bytes()),
        round: Some(3),
        ..Request::default()
    };
    loads(&house, request).await;
    let given = exported(&house);
    assert_eq!(differing(report().as_bytes(), &given.bytes), RESULTS);
    assert!(given.redrawn.is_empty(), "the file pairs them so");
    house.close();
    let house = open(dir.path());
    assert_eq!(exported(&house), given, "after a restart too");
    assert!(crate::store::verify(dir.path()).unwrap().1.is_empty());
    house.close();
}

#[tokio::test]
async fn a_report_file_that_says_what_is_known_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let request = |file: &str| Request {
        file: file.as_bytes().to_vec(),
        ..Request::default()
    };
    let first = report();
    loads(&house, request(&first)).await;
    // Another file of the same: it is the last one that is given back.
    let again = first.replace("### a comment", "### another one");
    let author = Author::default();
    let loaded = house.office.load(&author, request(&again)).await;
    assert!(loaded.unwrap().plan.changes.is_empty());
    assert_eq!(
        differing(again.as_bytes(), &exported(&house).bytes),
        RESULTS
    );
    let acts = house.office.book().acts;
    let once_more = house.office.load(&author, request(&again)).await;
    assert!(once_more.unwrap().plan.acts.is_empty());
    assert_eq!(house.office.book().acts, acts, "to load again does nothing");
    house.close();
}

#[tokio::test]
async fn a_file_whose_encoding_was_named_comes_back_in_it() {
    let text = report().replacen("Berg, Anna", "Łu, 王丽    ", 1);
    let units = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = |text: String, encoding| load::as_in(b"", encoding, text.as_bytes()).unwrap();
    let gbk = file(text.replace('Ł', "L").replace('É', "é"), "gbk");
    let polish = file(text.replace("王丽", "Ąą"), "windows-1250");
    for (file, encoding) in [(gbk, "gbk"), (units, "utf-16le"), (polish, "windows-1250")] {
        let file: Vec<u8> = file;
        let dir = tempfile::tempdir().unwrap();
        let house = open(dir.path());
        let request = Request {
            file: file.clone(),
            encoding: Some(encoding.to_owned()),
            ..Request::default()
        };
        loads(&house, request).await;
        let given = exported(&house).bytes;
        let differing = differing(&file, &given);
        assert_eq!(differing, RESULTS, "{encoding}");
        house.close();
    }
}

/// A report file in a code page, and one in Windows-1252 of which nobody has said so.
#[tokio::test]
async fn a_name_that_the_encoding_does_not_have_makes_the_file_utf_8() {
    let text = report().replacen("Berg, Anna", "Берг, Анна", 1);
    let cyrillic = text.replace('É', "E").replace('é', "e");
    let cyrillic = load::as_in(b"", "windows-1251", cyrillic.as_bytes()).unwrap();
    let latin = load::as_in(b"", "windows-1252", report().as_bytes()).unwrap();
    for (file, encoding) in [(cyrillic, Some("windows-1251")), (latin, None)] {
        let dir = tempfile::tempdir().unwrap();
        let house = open(dir.path());
        let encoding = encoding.map(str::to_owned);
        let request = Request {
            file,
            encoding: encoding.clone(),
            ..Request::default()
        };
        loads(&house, request).await;
        assert_eq!(exported(&house).recoded, None);
        let late = Request {
            file: "table,white_no,white,black_no,black\n3,9,\"Łukasz, Şeyma\",8,Fox\n".into(),
            round: Some(3),
            tables: Some(3..=3),
            ..Request::default()
        };
        let author = Author::default();
        house.office.load(&author, late).await.unwrap();
        let given = exported(&house);
        let named = encoding.as_deref().unwrap_or("windows-1252");
        assert_eq!(given.recoded.as_deref(), Some(named));
        let text = String::from_utf8(given.bytes).unwrap();
        assert!(text.contains("Łukasz, Şeyma"), "{text}");
        house.close();
    }
}

#[tokio::test]
async fn the_same_bytes_are_in_the_encoding_that_was_named_before() {
    let text = report().replacen("Berg, Anna", "Берг, Анна", 1);
    let text = text.replace('É', "E").replace('é', "e");
    let file = load::as_in(b"", "windows-1251", text.as_bytes()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let author = Author::default();
    let request = |encoding: Option<&str>| Request {
        file: file.clone(),
        encoding: encoding.map(str::to_owned),
        ..Request::default()
    };
    house
        .office
        .load(&author, request(Some("windows-1251")))
        .await
        .unwrap();
    let again = house.office.load(&author, request(None)).await.unwrap();
    assert!(again.plan.acts.is_empty(), "{:?}", again.plan.changes);
    assert_eq!(house.office.book().event.players[&1].name, "Берг, Анна");
    house.close();
}

/// An event that nobody names is called as it is configured, and so are its games, whatever a PGN
/// of its pairings says; what a report or somebody says goes before, be it later.
/// Nothing of that is written down.
#[tokio::test]
async fn pairings_are_those_of_the_configured_event() {
    let dir = tempfile::tempdir().unwrap();
    let configured = |mut house: House| {
        house.office = house.office.with_configured("Harbour Open", "Hull");
        house
    };
    let mut house = configured(open(dir.path()));
    let list = b"table,white,black\n1,Anna Berg,Ben Cole\n";
    called(&house, (list, Some(1)), ["", "", "Harbour Open", "Hull"]).await;
    house.close();
    house = configured(open(dir.path()));
    let ended = Act::Result {
        round: 1,
        table: 1,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    };
    let at = String::new();
    let round = 1;
    for act in [
        Act::StartRound { round, at },
        ended,
        Act::CloseRound { round },
    ] {
        house.does(act).await.unwrap();
    }
    let second = b"[Event \"Club\"]\n[Round \"2\"]\n[White \"Berg, Anna\"]\n\
                   [Black \"Cole, Ben\"]\n\n*\n";
    called(&house, (second, None), ["", "", "Harbour Open", "Hull"]).await;
    let details = Details {
        name: "Club".to_owned(),
        ..Details::default()
    };
    house.does(Act::Describe { details }).await.unwrap();
    let described = house.office.book().event.described();
    assert_eq!((&*described.name, &*described.site), ("Club", "Hull"));
    house
        .does(Act::Describe {
            details: Details::default(),
        })
        .await
        .unwrap();
    assert_eq!(house.office.book().event.described().name, "Harbour Open");
    house.close();
}

/// After this file the event is said to be called so, and to be played there, and is called so.
async fn called(house: &House, (file, round): (&[u8], Option<u16>), names: [&str; 4]) {
    let request = Request {
        file: file.to_vec(),
        round,
        ..Request::default()
    };
    let author = Author::default();
    let loaded = house.office.load(&author, request.clone()).await.unwrap();
    let (said, described) = (&loaded.after.details, loaded.after.described());
    let now = [&said.name, &said.site, &described.name, &described.site];
    assert_eq!(now, names);
    let book = house.office.book();
    assert_eq!(book.event.described(), described);
    let page = pages::page(&book.event, 1, 1, house.office.store()).unwrap();
    for tag in [
        format!("[Event \"{}\"]", names[2]),
        format!("[Site \"{}\"]", names[3]),
    ] {
        assert!(page.contains(&tag), "{page}");
    }
    let again = house.office.load(&author, request).await.unwrap();
    assert!(again.plan.acts.is_empty());
}

/// One that is over has no name of the configuration, which may be that of the next.
#[tokio::test]
async fn an_event_that_is_over_is_not_called_as_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let mut house = open(dir.path());
    house.office = house.office.with_configured("Harbour Open", "Hull");
    let of = |name: &str| Details {
        name: name.to_owned(),
        ..Details::default()
    };
    let details = of("Club");
    house.does(Act::Open { details }).await.unwrap();
    house.does(Act::Close).await.unwrap();
    let details = of("");
    house.does(Act::Open { details }).await.unwrap();
    let book = house.office.book();
    assert_eq!(book.past[0].described(), of("Club"));
    assert_eq!(book.event.described().name, "Harbour Open");
    house.close();
}
