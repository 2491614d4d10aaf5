//! Who is meant, when what is kept of him is handed out, taken away or shortened.

use super::overdue::{born, types_moves, with_scribe};
use super::*;
use crate::hall::Hall;

pub(super) const FIRST: &str = "table,white_no,white,black_no,black\n\
                                1,3,\"Berg, Anna\",4,\"Cole, Ben\"\n\
                                2,1,\"Ek, Freja\",2,\"Fox, Guy\"\n";

pub(super) async fn loads(house: &House, file: &str) {
    let request = Request {
        file: file.as_bytes().to_vec(),
        or_round: Some(1),
        ..Request::default()
    };
    let author = Author::default();
    house.office.load(&author, request).await.unwrap();
}

async fn opens(house: &House, name: &str) {
    let details = Details {
        name: name.to_owned(),
        ..Details::default()
    };
    house.does(Act::Open { details }).await.unwrap();
}

pub(super) fn anna() -> Whom {
    Whom {
        name: Some("Berg, Anna".to_owned()),
        ..Whom::default()
    }
}

/// Event and number of each entry of a person.
fn known(house: &House, whom: &Whom) -> Result<Vec<(String, u16)>, String> {
    let known = house.office.known(whom).map_err(|e| e.to_string())?;
    let entries = known.players.into_iter();
    Ok(entries
        .map(|entry| (entry.event, entry.player.number))
        .collect())
}

/// Everything that the acts say.
fn said(house: &House) -> String {
    let deeds = house.office.store().deeds().unwrap();
    deeds.sound.into_iter().map(|deed| deed.what).collect()
}

pub(super) async fn erases(house: &House, whom: &Whom) -> Result<Erased, OfficeError> {
    let (hall, _) = Hall::new(Vec::new(), house.office.store().clone());
    house.office.erase(&Author::default(), &hall, whom).await
}

#[tokio::test]
async fn who_gets_another_number_is_the_same_person() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    loads(&house, FIRST).await;
    // Counted anew: Anna has Ben's number, and he another; then she has one that nobody had.
    let again = FIRST
        .replace("4,\"Cole, Ben\"", "5,\"Cole, Ben\"")
        .replace("3,\"Berg, Anna\"", "4,\"Berg, Anna\"");
    loads(&house, &again).await;
    assert_eq!(
        known(&house, &anna()).unwrap().last(),
        Some(&(String::new(), 4))
    );
    let last = again.replace("4,\"Berg, Anna\"", "9,\"Berg, Anna\"");
    loads(&house, &last).await;
    let number = Whom {
        number: Some(9),
        ..Whom::default()
    };
    let by_number = known(&house, &number).unwrap();
    assert_eq!(by_number, known(&house, &anna()).unwrap());
    assert!(by_number.contains(&(String::new(), 9)), "{by_number:?}");
    let files = house.office.known(&number).unwrap().files;
    assert_eq!(files.len(), 3, "the older files name her too");
    erases(&house, &anna()).await.unwrap();
    let again = erases(&house, &anna()).await.unwrap_err().to_string();
    assert!(again.contains("or he is erased already"), "{again}");
    let again = erases(&house, &number).await.unwrap_err().to_string();
    assert!(again.starts_with("erased already: player "), "{again}");
    let said = said(&house);
    assert!(!said.contains("Berg"), "{said}");
    for other in ["Cole, Ben", "Ek, Freja", "Fox, Guy"] {
        assert!(said.contains(other), "{other}: {said}");
    }
    let ben = house.office.book().event.players[&5].clone();
    assert_eq!(ben.name, "Cole, Ben");
    assert!(house.office.store().files().unwrap().is_empty());
    house.close();
}

#[tokio::test]
async fn of_several_of_one_name_it_is_asked_who_is_meant() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    opens(&house, "Spring Open").await;
    loads(&house, FIRST).await;
    let results = [1, 2].map(|table| Act::Result {
        round: 1,
        table,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    });
    let (round, at) = (1, String::new());
    house.does(Act::StartRound { round, at }).await.unwrap();
    for act in results
        .into_iter()
        .chain([Act::CloseRound { round }, Act::Close])
    {
        house.does(act).await.unwrap();
    }
    opens(&house, "Autumn Open").await;
    let file = "table,white,white_id,black\n1,\"Berg, Anna\",4600001,\"Hill, Jo\"\n";
    loads(&house, file).await;
    let told = "`Berg, Anna` is the name of several: number 3 of event 1, `Spring Open`; number 1 \
                of event 2, `Autumn Open` (FIDE number 4600001); say which: `--number N --event \
                N`, or `--fide N`";
    assert_eq!(known(&house, &anna()).unwrap_err(), told);
    let before = said(&house);
    assert_eq!(erases(&house, &anna()).await.unwrap_err().to_string(), told);
    assert_eq!(said(&house), before, "nothing was taken away");
    let of = |event| Whom {
        event: Some(event),
        ..anna()
    };
    let spring = vec![("Spring Open".to_owned(), 3)];
    assert_eq!(known(&house, &of(1)).unwrap(), spring);
    let number = Whom {
        event: Some(1),
        number: Some(3),
        ..Whom::default()
    };
    assert_eq!(known(&house, &number).unwrap(), spring);
    assert!(known(&house, &of(3)).unwrap_err().contains("no event 3"));
    erases(&house, &number).await.unwrap();
    let book = house.office.book();
    assert_eq!(book.past[0].players[&3].name, "Player 3");
    assert_eq!(book.event.players[&1].name, "Berg, Anna");
    let files = house.office.store().files().unwrap();
    assert_eq!(
        files.len(),
        1,
        "the other event's file is hers who is in it"
    );
    house.close();
}

#[tokio::test]
async fn what_was_taken_away_is_not_taken_away_again() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    loads(&house, FIRST).await;
    let (round, at) = (1, String::new());
    house.does(Act::StartRound { round, at }).await.unwrap();
    let typed = Act::Result {
        round,
        table: 1,
        codes: ResultCode::both("0-1").unwrap(),
        how: How::Typed,
        reason: "Anna Berg was ill".to_owned(),
    };
    house.does(typed).await.unwrap();
    erases(&house, &anna()).await.unwrap();
    let number = Whom {
        number: Some(3),
        ..Whom::default()
    };
    let again = erases(&house, &number).await.unwrap_err().to_string();
    assert!(again.starts_with("erased already: player 3"), "{again}");
    house.close();
}

#[tokio::test]
async fn who_has_one_fide_number_in_two_events_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let file = "table,white,white_id,black\n1,\"Berg, Anna\",4600001,\"Hill, Jo\"\n";
    opens(&house, "Spring Open").await;
    loads(&house, file).await;
    house.does(Act::Undraw { round: 1 }).await.unwrap();
    house.does(Act::Close).await.unwrap();
    opens(&house, "Autumn Open").await;
    loads(&house, &file.replace("Berg, Anna", "Lund, Anna")).await;
    let both = vec![("Spring Open".to_owned(), 1), ("Autumn Open".to_owned(), 1)];
    assert_eq!(known(&house, &anna()).unwrap(), both);
    erases(&house, &anna()).await.unwrap();
    let said = said(&house);
    assert!(!said.contains("Anna"), "{said}");
    house.close();
}

#[tokio::test]
async fn a_former_name_is_shortened_like_the_present_one() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    loads(&house, FIRST).await;
    let (player, short) = (3, Some(true));
    house.does(Act::Shorten { player, short }).await.unwrap();
    loads(&house, &FIRST.replace("Berg, Anna", "Berg-Lund, Anna")).await;
    // Counted anew she keeps both.
    let again = FIRST
        .replace("3,\"Berg, Anna\"", "4,\"Berg-Lund, Anna\"")
        .replace("4,\"Cole, Ben\"", "3,\"Cole, Ben\"");
    loads(&house, &again).await;
    let short = |name| house.office.minors().short(name);
    assert_eq!(short("Berg, Anna").as_deref(), Some("B., Anna"));
    assert_eq!(short("Berg-Lund, Anna").as_deref(), Some("B., Anna"));
    assert_eq!(short("Cole, Ben"), None);
    house.close();
}

/// A file of the second round says how old somebody is who played in the first.
#[tokio::test]
async fn who_turns_out_to_be_a_minor_is_shortened_in_what_is_written_already() {
    let dir = tempfile::tempdir().unwrap();
    let (house, writing) = with_scribe(dir.path(), Some(18));
    loads(&house, FIRST).await;
    types_moves(&house).await;
    let page = dir.path().join("pgn/round-1/table-1.pgn");
    let is_named = async |name: &str| {
        let name = format!("[White \"{name}\"]");
        for _ in 0..500 {
            let text = std::fs::read_to_string(&page).unwrap_or_default();
            if text.contains(&name) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{name} in time: {:?}", std::fs::read_to_string(&page));
    };
    is_named("Berg, Anna").await;
    let draw = born(&house, 3, "2016/05/17");
    house.does(draw).await.unwrap();
    is_named("B., Anna").await;
    house.close();
    writing.join().unwrap();
}

/// A late change gives her number to somebody else, and she comes back under another: what is
/// handed out is hers, and never the other's.
#[tokio::test]
async fn whose_number_went_to_another_is_known_by_it_and_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    loads(&house, FIRST).await;
    loads(&house, &FIRST.replace("Berg, Anna", "Zed, Kim")).await;
    let of = |number: u16, name: Option<&str>| Whom {
        number: Some(number),
        name: name.map(str::to_owned),
        ..Whom::default()
    };
    let handed = |whom: &Whom| {
        let known = house.office.known(whom).unwrap();
        let names = known.players.into_iter().map(|entry| entry.player.name);
        (names.collect::<Vec<_>>(), known.files.len())
    };
    let hers = (vec!["Berg, Anna".to_owned()], 1);
    assert_eq!(handed(&anna()), hers, "under no number any more");
    assert_eq!(handed(&of(3, None)), (vec!["Zed, Kim".to_owned()], 1));

    let third = "table,white_no,white,black_no,black\n1,3,\"Zed, Kim\",4,\"Cole, Ben\"\n\
                 2,1,\"Ek, Freja\",9,\"Berg, Anna\"\n";
    loads(&house, third).await;
    let told = known(&house, &anna()).unwrap_err();
    let which =
        "number 3 of event 1, ``, which is another's now: give it with the name; number 9 of";
    assert!(told.contains(which), "{told}");
    assert_eq!(handed(&of(3, Some("Berg, Anna"))).0, hers.0);
    assert_eq!(handed(&of(9, Some("berg, anna"))).0, hers.0);
    let nobody = known(&house, &of(3, Some("Cole, Ben"))).unwrap_err();
    assert_eq!(nobody, "the store says nothing of him");
    house.close();
}

/// Two events were drawn from the same bytes: what is kept of the one is not taken with what is
/// taken of the other.
#[tokio::test]
async fn a_file_of_two_events_goes_from_one_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    opens(&house, "Spring Open").await;
    loads(&house, FIRST).await;
    let (round, at) = (1, String::new());
    house.does(Act::StartRound { round, at }).await.unwrap();
    for table in [1, 2] {
        let result = Act::Result {
            round,
            table,
            codes: ResultCode::both("1-0").unwrap(),
            how: How::Typed,
            reason: String::new(),
        };
        house.does(result).await.unwrap();
    }
    house.does(Act::CloseRound { round }).await.unwrap();
    house.does(Act::Close).await.unwrap();
    opens(&house, "Autumn Open").await;
    loads(&house, FIRST).await;
    let privacy = crate::config::Privacy {
        keep_players: Some(0),
        ..Default::default()
    };
    let (hall, _) = Hall::new(Vec::new(), house.office.store().clone());
    let now = jiff::Timestamp::now();
    house.office.retain(&hall, &privacy, now).await.unwrap();
    let book = house.office.book();
    let [past, event] = [&book.past[0], &book.event];
    assert_eq!(past.players[&3].name, "Player 3");
    assert!(
        past.rounds[&1].files.is_empty(),
        "{:?}",
        past.rounds[&1].files
    );
    assert_eq!(event.players[&3].name, "Berg, Anna");
    let kept: Vec<String> = house
        .office
        .store()
        .files()
        .unwrap()
        .into_iter()
        .map(|f| f.0)
        .collect();
    let named: Vec<&String> = event.rounds[&1].files.iter().map(|f| &f.file).collect();
    assert_eq!(kept.iter().collect::<Vec<_>>(), named);
    house.close();
}
